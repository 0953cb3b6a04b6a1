#include "roundtrip/evaluation/training_log.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/base/atomic_file.h"

namespace roundtrip {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(TrainingLog, HasCodecErrorsAndRolloutsByDepth) {
  const auto path = std::filesystem::path(testing::TempDir()) / "training_log.jsonl";
  write_file(path,
             R"({"stage":"codec","step":100,"loss":0.5}
{"stage":"codec","step":300,"vrmse_b":0.2,"vrmse_a":0.3,"score":0.25,"best_step":300}
{"stage":"codec","step":600,"vrmse_b":0.4,"vrmse_a":0.5,"score":0.45,"best_step":300}
{"stage":"denoiser","step":10,"denoising_loss":1,"step_forward":0.5,"step_backward":0.6,"forward_1":0.7,"forward_16":0.8,"backward_1":0.9,"score":-0.4,"best_step":10}
)");
  EXPECT_THAT(read_codec_errors(path), ElementsAre(Pair("b", 0.2), Pair("a", 0.3)));
  const auto all = read_validations(path);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].step, 10);
  EXPECT_THAT(all[0].forward, ElementsAre(Pair(1, 0.7), Pair(16, 0.8)));
  EXPECT_THAT(all[0].backward, ElementsAre(Pair(1, 0.9)));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace roundtrip
