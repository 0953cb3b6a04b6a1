#include "roundtrip/nn/compute_threads.h"

#include <cstdlib>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "roundtrip/base/threads.h"

namespace roundtrip {
namespace {

TEST(UseAllThreads, TakesTheCoresThereAreOrAsManyAsAsked) {
  const int before = at::get_num_threads();
  ::unsetenv("OMP_NUM_THREADS");
  use_all_threads();
  EXPECT_EQ(at::get_num_threads(), available_threads());
  ::setenv("OMP_NUM_THREADS", "1", 1);
  use_all_threads();
  EXPECT_EQ(at::get_num_threads(), 1);
  limit_threads(3);  // what the command line says goes before the environment
  use_all_threads();
  EXPECT_EQ(at::get_num_threads(), 3);
  limit_threads({});
  ::unsetenv("OMP_NUM_THREADS");
  at::set_num_threads(before);
}

}  // namespace
}  // namespace roundtrip
