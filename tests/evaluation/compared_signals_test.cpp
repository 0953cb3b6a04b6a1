#include "roundtrip/evaluation/compared_signals.h"

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

std::string columns_shown(const CurveTable& table, Shown least) {
  std::string names;
  for (const ComparedSignal& signal : compared_signals(table, least)) names += signal.column + " ";
  return names;
}

TEST(ComparedSignals, AreThoseOfTheTableBaselinesLast) {
  CurveTable table;
  table.columns = {"seed_knn", "local_4", "E", "spread_seed", "C_leakfree", "C"};
  EXPECT_EQ(columns_shown(table, Shown::among_signals), "C spread_seed local_4 seed_knn ");
  EXPECT_EQ(columns_shown(table, Shown::in_every_table), "C spread_seed seed_knn ");
  EXPECT_EQ(compared_signals(table, Shown::in_every_table).back().title,
            "seed neighbours (baseline)");
}

}  // namespace
}  // namespace roundtrip
