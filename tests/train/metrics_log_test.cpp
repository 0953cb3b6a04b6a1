#include "roundtrip/train/metrics_log.h"

#include <gtest/gtest.h>

#include "roundtrip/base/atomic_file.h"

namespace roundtrip {
namespace {

TEST(MetricsLog, RewindDropsLaterLinesOfItsStageAndHalfALine) {
  const auto path = std::filesystem::path(testing::TempDir()) / "metrics_log_test.jsonl";
  std::filesystem::remove(path);
  const MetricsLog log(path);
  for (const char* stage : {"codec", "denoiser"}) {
    for (const int step : {1, 2, 3}) log.write({{"stage", stage}, {"step", step}});
  }
  write_file(path, read_file(path) + R"({"stage":"denoiser","st)");
  log.rewind("denoiser", 1);
  log.write({{"stage", "denoiser"}, {"step", 2}});
  EXPECT_EQ(read_file(path),
            "{\"stage\":\"codec\",\"step\":1}\n{\"stage\":\"codec\",\"step\":2}\n"
            "{\"stage\":\"codec\",\"step\":3}\n{\"stage\":\"denoiser\",\"step\":1}\n"
            "{\"stage\":\"denoiser\",\"step\":2}\n");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace roundtrip
