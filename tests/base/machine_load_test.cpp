#include "roundtrip/base/machine_load.h"

#include <gmock/gmock.h>

namespace roundtrip {
namespace {

TEST(BusyNote, SpeaksWhereOthersUseMostOfTheCores) {
  EXPECT_EQ(busy_note({.threads = 0, .cores = 2}), "");
  EXPECT_EQ(busy_note({.threads = 1.6, .cores = 2}), "");
  EXPECT_THAT(busy_note({.threads = 1.7, .cores = 2}),
              testing::HasSubstr("busy (load average 1.7 on 2 cores)"));
}

TEST(MachineLoad, IsRead) {
  const MachineLoad load = machine_load();
  EXPECT_GE(load.cores, 1);
  EXPECT_GE(load.threads, 0);
}

}  // namespace
}  // namespace roundtrip
