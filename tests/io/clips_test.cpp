#include "roundtrip/io/clips.h"

#include <map>
#include <set>

#include <gmock/gmock.h>

#include "roundtrip/base/error.h"
#include "tests/io/video_files.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

class ClipsTest : public VideoFiles {
 protected:
  void list(const std::string& text) { write_file(folder_ / "clips.csv", text); }
  void add_file(const std::string& name) { write_file(folder_ / name, "x"); }

  void expect_error(const std::string& text, const std::string& part) {
    list(text);
    try {
      read_clips(folder_);
      ADD_FAILURE() << "expected: " << part;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(part));
      EXPECT_THAT(error.what(), HasSubstr("clips.csv"));
    }
  }
};

TEST_F(ClipsTest, ComesBackTheSame) {
  const std::vector<Clip> clips = {
      {"train/0.mp4", "anna"}, {"a, b.mp4", "says \"hello\""}, {"c.mp4", "two\nlines"}};
  for (const Clip& clip : clips) add_file(clip.file);
  write_clips(folder_, clips);
  EXPECT_EQ(read_clips(folder_), clips);
}

TEST_F(ClipsTest, SplitsComeBackTheSame) {
  const std::vector<Clip> clips = {{"a.mp4", "anna", "train"},
                                   {"b.mp4", "anna", "valid"},
                                   {"c.mp4", "anna", "test"},
                                   {"d.mp4", "bert", "other"}};
  for (const Clip& clip : clips) add_file(clip.file);
  write_clips(folder_, clips);
  EXPECT_EQ(read_clips(folder_), clips);
  EXPECT_THROW(write_clips(folder_, {{"a.mp4", "anna", "train"}, {"b.mp4", "anna"}}), Bug);
  EXPECT_THROW(write_clips(folder_, {{"a.mp4", "anna", "tset"}}), Bug);
}

TEST_F(ClipsTest, OtherColumnsOrdersAndLineEnds) {
  add_file("a.mp4");
  add_file("b.mp4");
  list("\xef\xbb\xbfidentity,age,file\r\n7,\"4,5\",a.mp4\r\n\r\n8,,b.mp4");
  EXPECT_EQ(read_clips(folder_), (std::vector<Clip>{{"a.mp4", "7"}, {"b.mp4", "8"}}));
}

TEST_F(ClipsTest, MistakesNameTheLine) {
  EXPECT_THROW(read_clips(folder_), Error);
  add_file("a.mp4");
  expect_error("", "empty");
  expect_error("file,who\na.mp4,1\n", "identity: no such column (known: file, who)");
  expect_error("file,identity\na.mp4,1\nb.mp4,2\n",
               "line 3: b.mp4: no such file; add it or remove the line");
  expect_error("file,identity\na.mp4\n", "line 2: expected 2 cells as in the header, found 1");
  expect_error("file,identity\na.mp4,\n", "line 2: a.mp4 has no identity");
  expect_error("file,identity\na.mp4,1\n\na.mp4,2\n",
               "line 4: a.mp4 is listed already in line 2; keep one");
  expect_error("file,identity\na.mp4,1\n./a.mp4,2\n",
               "line 3: ./a.mp4 is listed already in line 2; keep one");
  expect_error("file,identity,split\na.mp4,1,validation\n",
               "line 2: a.mp4: validation: no such split (");
  expect_error("file,identity,split\na.mp4,1,selection\n", "known: train, valid, test, other)");
  expect_error("file,identity,split\na.mp4,1,\n",
               "line 2: a.mp4 has no split; expected one of train, valid, test, other, or no");
  expect_error("file,identity\n../a.mp4,1\n", "line 2: ../a.mp4: not inside the folder");
  expect_error("file,identity\n/etc/passwd,1\n", "not inside the folder");
  expect_error("file,identity\n\"a.mp4,1\n", "line 2: a quote is never closed");
}

std::vector<Clip> crowd(int identities, int clips_each) {
  std::vector<Clip> clips;
  for (int i = 0; i < identities * clips_each; ++i) {
    clips.push_back({fmt::format("{}.mp4", i), fmt::format("person {}", i % identities)});
  }
  return clips;
}

TEST(SplitByIdentity, NoIdentityInTwoPartsAndExactShares) {
  const auto clips = crowd(40, 3);
  const std::vector<SplitShare> shares = {{"train", 0.7}, {"calibration", 0.1}, {"test", 0.2}};
  const auto parts = split_by_identity(clips, shares, 1);
  std::map<std::string, std::set<std::string>> parts_of;
  std::map<std::string, int> counts;
  for (size_t i = 0; i < clips.size(); ++i) {
    parts_of[clips[i].identity].insert(parts[i]);
    ++counts[parts[i]];
  }
  for (const auto& [identity, set] : parts_of) EXPECT_EQ(set.size(), 1u) << identity;
  EXPECT_EQ(counts, (std::map<std::string, int>{{"train", 84}, {"calibration", 12}, {"test", 24}}));
}

TEST(SplitByIdentity, DependsOnSeedNotOnOrder) {
  auto clips = crowd(20, 1);
  const std::vector<SplitShare> shares = {{"train", 3}, {"test", 1}};
  const auto forward = split_by_identity(clips, shares, 1);
  std::reverse(clips.begin(), clips.end());
  auto backward = split_by_identity(clips, shares, 1);
  std::reverse(backward.begin(), backward.end());
  EXPECT_EQ(forward, backward);
  std::reverse(clips.begin(), clips.end());
  EXPECT_NE(forward, split_by_identity(clips, shares, 2));
}

TEST(SplitByIdentity, BadShares) {
  EXPECT_THROW(split_by_identity(crowd(3, 1), {{"train", 0}}, 1), Error);
  EXPECT_THROW(split_by_identity(crowd(3, 1), {{"train", -1}, {"test", 2}}, 1), Error);
  EXPECT_THROW(split_by_identity(crowd(3, 1), {}, 1), Error);
}

}  // namespace
}  // namespace roundtrip
