#include "roundtrip/study/signal_list.h"

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

TEST(SignalList, HoldsWhatTheTableHasControlsLast) {
  CurveTable table;
  table.columns = {"seed_knn", "local_4", "E", "spread_seed", "C"};
  std::string all, main;
  for (const ComparedSignal& signal : signals_in(table)) all += signal.column + " ";
  for (const ComparedSignal& signal : main_signals_in(table)) main += signal.column + " ";
  EXPECT_EQ(all, "C spread_seed local_4 seed_knn ");
  EXPECT_EQ(main, "C spread_seed seed_knn ");
}

}  // namespace
}  // namespace roundtrip
