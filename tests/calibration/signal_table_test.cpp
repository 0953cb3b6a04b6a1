#include "roundtrip/calibration/signal_table.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roundtrip/calibration/calibrate.h"
#include "roundtrip/calibration/features.h"

namespace roundtrip {
namespace {

using ::testing::ElementsAre;

TEST(SignalTable, EveryColumnHasOneNameAndEveryShownOneATitle) {
  std::set<std::string_view> names;
  for (const SignalEntry& entry : signals()) {
    SCOPED_TRACE(std::string(entry.name));
    EXPECT_FALSE(entry.summary.empty() || entry.columns.empty());
    for (const std::string_view group : entry.groups) {
      EXPECT_NO_THROW(find_entry(signal_groups(), "group", group));
    }
    for (const SignalColumn& column : entry.columns) {
      EXPECT_TRUE(names.insert(column.name).second) << column.name;
      EXPECT_EQ(column.title.empty(), column.shown == Shown::nowhere && column.name != "E")
          << column.name;
      for (const std::string_view features : column.features) {
        EXPECT_NO_THROW(make_features(std::string(column.name), features)) << column.name;
      }
    }
  }
}

// A table with every column there is.
CurveTable whole_table() {
  CurveTable table{.where = "whole.csv", .columns = {}, .curves = {}};
  for (const SignalEntry& entry : signals()) {
    for (const std::string& name : column_names(entry, {"density"})) table.columns.push_back(name);
  }
  for (int64_t t = 0; t < 6; ++t) {
    Curve curve{.split = "calibration", .trajectory = t, .depths = {}, .columns = {}};
    for (int64_t depth = 1; depth <= 3; ++depth) {
      std::map<std::string, double> values;
      for (size_t c = 0; c < table.columns.size(); ++c) {
        values[table.columns[c]] =
            static_cast<double>(depth * (t + 2)) + 0.1 * static_cast<double>(c);
      }
      curve.add(depth, values);
    }
    table.curves.push_back(curve);
  }
  return table;
}

// A signal that predicts and silently gets no calibrator would look as if it were of no use.
TEST(SignalTable, EverySignalAndBaselineGetsItsCalibratorsFromCalibrate) {
  CalibrateOptions options;
  options.grid = {.lowest = {1, 0}, .highest = {1, 0}, .folds = 2};
  const CalibratorSet set = calibrate(whole_table(), options).set("test");
  for (const SignalRole role : {SignalRole::signal, SignalRole::baseline}) {
    for (const SignalColumn* column : columns_of_role(role)) {
      SCOPED_TRACE(std::string(column->name));
      EXPECT_FALSE(column->features.empty());
      for (const std::string_view features : column->features) {
        EXPECT_NE(set.find_if_there({std::string(column->target), std::string(column->name),
                                     std::string(features)}),
                  nullptr)
            << features;
      }
      for (const std::string_view features : column->field_features) {
        EXPECT_NE(
            set.find_if_there({"E_density", std::string(column->name), std::string(features)}),
            nullptr)
            << features;
      }
    }
  }
}

TEST(SignalTable, GroupsStandForTheirSignals) {
  EXPECT_THAT(expand_signals({"standard"}),
              ElementsAre("round_trip", "error", "mirror", "spread_seed", "spread_ancestral",
                          "local", "seed_step", "seed_knn", "seed_codec", "fields"));
  EXPECT_THAT(expand_signals({"comparison"}),
              ElementsAre("round_trip", "error", "spread_seed", "seed_step", "seed_knn",
                          "seed_codec", "fields"));
  EXPECT_THAT(expand_signals({"fbf", "no such"}), ElementsAre("fbf", "no such"));
  EXPECT_THROW(find_signals({"no such"}), Error);
}

TEST(SignalTable, SignalsAreFoundInTheTablesOrder) {
  const auto found = find_signals({"seed_step", "round_trip"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.front()->name, "round_trip");
  EXPECT_THAT(column_names(*find_signals({"fields"}).front(), {"density", "pressure"}),
              ElementsAre("E_density", "E_pressure"));
}

TEST(SignalTable, KnowsWhatAColumnIs) {
  EXPECT_EQ(signal_of_column("C_leakfree")->name, "round_trip");
  EXPECT_EQ(signal_of_column("E_density"), nullptr);
  EXPECT_TRUE(is_field_error("E_density"));
  EXPECT_FALSE(is_field_error("E"));
  EXPECT_FALSE(is_field_error("E_back"));
  EXPECT_FALSE(is_field_error("E_pair"));
  for (const char* baseline : {"none", "depth", "seed_step"}) EXPECT_TRUE(is_baseline(baseline));
  for (const char* signal : {"C", "spread_seed", "seed_of_another"}) {
    EXPECT_FALSE(is_baseline(signal)) << signal;
  }
}

}  // namespace
}  // namespace roundtrip
