#include "roundtrip/base/provenance.h"

#include <limits>

#include <gtest/gtest.h>

#include "roundtrip/base/json_text.h"
#include "roundtrip/base/version.h"

namespace roundtrip {
namespace {

TEST(Provenance, SaysWhatMakesTheOutputAgain) {
  const Provenance provenance{.config = "a = 1\n",
                              .seed = std::numeric_limits<uint64_t>::max(),
                              .data = {{"system", "mhd"}}};
  // Through text, as it is stored: the largest seed must come back whole.
  const auto json = read_json(json_text(to_json(provenance)));
  EXPECT_EQ(json["version"], version());
  EXPECT_EQ(json["commit"], commit());
  EXPECT_EQ(json["config"], "a = 1\n");
  EXPECT_EQ(json["seed"].get<uint64_t>(), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(json["data"]["system"], "mhd");
  EXPECT_EQ(json.size(), 5u);
}

}  // namespace
}  // namespace roundtrip
