#include "roundtrip/distributed/shared_result.h"

#include <gtest/gtest.h>

#include "roundtrip/base/atomic_file.h"

namespace roundtrip {
namespace {

TEST(SharedResult, IsMadeOncePerFingerprintAndKeepsItsBits) {
  const auto path = std::filesystem::path(testing::TempDir()) / "shared_result_test.json";
  std::filesystem::remove(path);
  const auto ranks = make_process_group({}, 1);
  int made = 0;
  const auto make = [&]() -> nlohmann::ordered_json {
    ++made;
    return {{"value", 0.1 + made}};
  };
  EXPECT_EQ(shared_result(path, "a", *ranks, make)["value"].get<double>(), 1.1);
  EXPECT_EQ(shared_result(path, "a", *ranks, make)["value"].get<double>(), 1.1);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(shared_result(path, "b", *ranks, make)["value"].get<double>(), 0.1 + 2);
  write_file(path, read_file(path).substr(0, 20));
  EXPECT_EQ(shared_result(path, "b", *ranks, make)["value"].get<double>(), 0.1 + 3);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace roundtrip
