#include "roundtrip/evaluation/checkpoints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/base/atomic_file.h"
#include "evaluation/synthetic.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

TEST(Checkpoints, StandInTheOrderOfTheLog) {
  const auto path = std::filesystem::path(testing::TempDir()) / "checkpoints_test.jsonl";
  write_file(path,
             "{\"stage\":\"codec\",\"step\":300,\"score\":0.12}\n"
             "{\"stage\":\"denoiser\",\"step\":100,\"loss\":0.5}\n"
             "{\"stage\":\"denoiser\",\"step\":200,\"denoising_loss\":0.3,\"step_forward\":0.4,"
             "\"step_backward\":0.5,\"score\":-0.1}\n"
             "{\"stage\":\"denoiser\",\"step\":400,\"denoising_loss\":0.2,\"step_forward\":0.3,"
             "\"step_backward\":0.4,\"score\":-0.05}\n");
  Measurements measured;
  measured.validations = read_validations(path);
  const auto sections = evaluate_checkpoints(measured);
  check_sections(sections);
  const auto& table = std::get<TableSection>(sections.front());
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0][2].ours, 0.3);
  EXPECT_EQ(table.rows[1][5].ours, -0.05);
  // The loss fell and the score rose: against each other.
  EXPECT_THAT(table.notes.front(), HasSubstr("-1.00"));
  write_file(path, "{\"stage\":\n");
  EXPECT_THAT(error_of([&] { read_validations(path); }), HasSubstr("line 1"));
  std::filesystem::remove(path);
}

TEST(Checkpoints, NeedALog) {
  EXPECT_THAT(error_of([] { evaluate_checkpoints({}); }), HasSubstr("training.jsonl"));
}

}  // namespace
}  // namespace roundtrip
