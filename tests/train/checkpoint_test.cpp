#include "roundtrip/train/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "roundtrip/base/atomic_file.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

class CheckpointTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static Checkpoint example(int64_t step) {
    return {.step = step,
            .tensors = {{"values", torch::full({5}, static_cast<double>(step))}},
            .notes = {{"score", exact_text(0.1)}}};
  }
  std::optional<Checkpoint> newest() {
    said_.clear();
    return CheckpointFolder(folder_).read_newest([this](const std::string& line) { said_ = line; });
  }

  std::filesystem::path folder_;
  std::string said_;
};

TEST_F(CheckpointTest, TheNewestComesBackAndTwoAreKept) {
  EXPECT_FALSE(newest());
  const CheckpointFolder folder(folder_);
  for (const int64_t step : {5, 90, 1000}) folder.write(example(step));
  const auto found = newest();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, 1000);
  EXPECT_EQ(exact_value(found->notes.at("score")), 0.1);
  EXPECT_TRUE(torch::equal(found->tensors.at("values"), torch::full({5}, 1000.0)));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2);
}

// At whatever byte a file was cut or changed, the one before it is used, and said.
TEST_F(CheckpointTest, DamageAtAnyByteFallsBackToThePrevious) {
  const CheckpointFolder folder(folder_);
  folder.write(example(1));
  folder.write(example(2));
  const auto path = folder.newest(2);
  const std::string whole = read_file(path);
  const auto expect_previous = [&](const std::string& bytes, size_t at) {
    write_file(path, bytes);
    const auto found = newest();
    ASSERT_TRUE(found) << at;
    EXPECT_EQ(found->step, 1) << at;
    EXPECT_THAT(said_, HasSubstr(path.filename().string())) << at;
    EXPECT_THAT(said_, HasSubstr("going back")) << at;
  };
  for (size_t size = 0; size < whole.size(); ++size) expect_previous(whole.substr(0, size), size);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x01);
    expect_previous(changed, at);
  }
}

// It would take the place of a good one for good.
TEST_F(CheckpointTest, ADamagedOneGoesWithTheNextWrite) {
  const CheckpointFolder folder(folder_);
  for (const int64_t step : {500, 1000}) folder.write(example(step));
  write_file(folder.newest(1000), "damaged");
  EXPECT_EQ(newest()->step, 500);
  for (const int64_t step : {600, 700}) folder.write(example(step));
  EXPECT_EQ(folder.newest(600).filename(), "checkpoint-000000600.safetensors");
  EXPECT_EQ(folder.newest(2000).filename(), "checkpoint-000000700.safetensors");
}

TEST_F(CheckpointTest, DoublesKeepTheirBits) {
  for (const double value : {0.1, -1.0 / 3, 1e-310, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(exact_value(exact_text(value)), value);
  }
}

}  // namespace
}  // namespace roundtrip
