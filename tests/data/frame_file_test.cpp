#include "roundtrip/data/frame_file.h"

#include <fstream>

#include <gmock/gmock.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/io/safetensors.h"
#include "tests/data/data_folder.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

class FrameFileTest : public DataTest {
 protected:
  /// Trajectories of 3 and 2 frames of (2, 2, 3); float i is i.
  std::vector<float> write() const {
    std::vector<float> values(5 * 12);
    std::iota(values.begin(), values.end(), 0.0F);
    FrameFileWriter writer(path("a"),
                           {.fingerprint = "this", .lengths = {3, 2}, .frame = {2, 2, 3}});
    writer.append(std::span(values).first(48));
    EXPECT_FALSE(std::filesystem::exists(path("a")));
    writer.append(std::span(values).subspan(48));
    writer.finish();
    return values;
  }
};

TEST_F(FrameFileTest, GivesBackWhatWasWritten) {
  const std::vector<float> values = write();
  const FrameFile file(path("a"));
  EXPECT_EQ(file.info().fingerprint, "this");
  EXPECT_EQ(file.info().lengths, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(*file.frame(0, 0), 0);
  EXPECT_EQ(*file.frame(0, 2), 24);
  EXPECT_EQ(*file.frame(1, 0), 36);
  EXPECT_EQ(std::vector<float>(file.frame(0, 0), file.frame(0, 0) + 60), values);
  EXPECT_NO_THROW(file.verify());
  EXPECT_THROW(file.frame(0, 3), Bug);
  EXPECT_THROW(file.frame(2, 0), Bug);
}

TEST_F(FrameFileTest, IsASafetensorsFile) {
  const std::vector<float> values = write();
  const SafetensorsFile file(path("a"));
  EXPECT_EQ(file.find("frames").shape, (std::vector<int64_t>{5, 2, 2, 3}));
  EXPECT_EQ(file.find("lengths").shape, (std::vector<int64_t>{2}));
  std::vector<float> found(60);
  file.read_floats(file.find("frames"), found);
  EXPECT_EQ(found, values);
}

TEST_F(FrameFileTest, AFileCutShortAnywhereIsAnError) {
  write();
  const std::string bytes = read_file(path("a"));
  for (size_t size = 0; size < bytes.size(); size += 7) {
    std::ofstream(path("cut"), std::ios::binary) << bytes.substr(0, size);
    EXPECT_NE(error_of([&] { FrameFile{path("cut")}; }), "no error") << size;
  }
  std::ofstream(path("long"), std::ios::binary) << bytes << "more";
  EXPECT_NE(error_of([&] { FrameFile{path("long")}; }), "no error");
}

TEST_F(FrameFileTest, AChangedValueIsFoundByVerify) {
  write();
  std::string bytes = read_file(path("a"));
  bytes.back() ^= 1;
  write_file(path("a"), bytes);
  const FrameFile file(path("a"));
  EXPECT_THAT(error_of([&] { file.verify(); }), HasSubstr("other values than were written"));
}

TEST_F(FrameFileTest, MissingFramesAreOurMistakeAndLeaveNothing) {
  {
    FrameFileWriter writer(path("a"), {.fingerprint = "", .lengths = {3}, .frame = {1, 1, 1}});
    const std::vector<float> values(2);
    writer.append(values);
    EXPECT_THROW(writer.finish(), Bug);
    EXPECT_THROW(writer.append(values), Bug);
  }
  EXPECT_TRUE(std::filesystem::is_empty(path("")));
}

}  // namespace
}  // namespace roundtrip
