#include "roundtrip/evaluation/measurements.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

// A folder of its own with the files given.
fs::path tables_folder(const std::string& name, const std::map<std::string, std::string>& files) {
  const fs::path folder = fs::path(testing::TempDir()) / ("tables_" + name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (const auto& [file, text] : files) std::ofstream(folder / file) << text;
  return folder;
}

constexpr const char* kOneRow = "split,trajectory,depth,C,E\ntest,0,1,0.1,0.2\n";

TEST(Measurements, IsAFolderOfTables) {
  const fs::path folder = tables_folder("whole", {{"test.csv", kOneRow},
                                                  {"train.csv", kOneRow},
                                                  {"ood-orszag_tang.csv", kOneRow},
                                                  {"noise-2.csv", kOneRow},
                                                  {"pixels.csv", "field\nvorticity\n"},
                                                  {"other.csv", "not ours"},
                                                  {"ood-notes.txt", "no table"}});
  const Measurements measured = read_measurements(folder, measured_tables(folder), {});
  EXPECT_EQ(measured.test.curves[0].column("E")[0], 0.2);
  EXPECT_TRUE(measured.train.has_value());
  ASSERT_EQ(measured.scenarios.size(), 1u);
  EXPECT_EQ(measured.scenarios.begin()->first, "orszag_tang");
  EXPECT_EQ(measured.noises.at("2").curves.size(), 1U);
  EXPECT_EQ(measured.pixels->rows.size(), 1U);
  EXPECT_THAT(measured.notes, testing::IsEmpty());
}

TEST(Measurements, TablesOfScenariosMayHaveTheirEarlierName) {
  const fs::path folder =
      tables_folder("earlier", {{"test.csv", kOneRow}, {"family-blast.csv", kOneRow}});
  const Measurements measured = read_measurements(folder, measured_tables(folder), {});
  EXPECT_EQ(measured.scenarios.count("blast"), 1U);
  EXPECT_THAT(measured.notes, testing::ElementsAre(testing::HasSubstr("read as ood-blast.csv")));
}

TEST(Measurements, NeedsTestRolloutsWithCAndE) {
  const fs::path none = tables_folder("none", {{"train.csv", kOneRow}});
  EXPECT_THAT(error_of([&] { read_measurements(none, {"train"}, {}); }),
              testing::HasSubstr("test.csv: no such"));
  const fs::path no_e =
      tables_folder("no_e", {{"test.csv", "split,trajectory,depth,C\ntest,0,1,0.1\n"}});
  EXPECT_THAT(error_of([&] { read_measurements(no_e, {"test"}, {}); }),
              testing::HasSubstr("found no E"));
}

TEST(Measurements, TablesAreOfTheCalibratorsModel) {
  const std::string of_a = "{\"data\": {\"fingerprint\": \"aaaa\"}}";
  const fs::path folder = tables_folder(
      "records", {{"test.csv", kOneRow}, {"test.csv.json", of_a.c_str()}, {"train.csv", kOneRow}});
  CalibratorSet calibrators;
  calibrators.fingerprint = "aaaa";
  const Measurements measured = read_measurements(folder, {"test", "train"}, calibrators);
  EXPECT_EQ(measured.records["test"]["data"]["fingerprint"], "aaaa");
  EXPECT_TRUE(measured.records["train"].is_null());
  // Other noise is another fingerprint; of a table of `reproduce` the model's own counts.
  std::ofstream(folder / "noise-1.csv") << kOneRow;
  std::ofstream(folder / "noise-1.csv.json")
      << "{\"data\": {\"fingerprint\": \"cccc\", \"own_fingerprint\": \"aaaa\"}}";
  EXPECT_EQ(read_measurements(folder, {"test", "noise-1"}, calibrators).noises.size(), 1U);
  std::ofstream(folder / "noise-1.csv.json") << "{\"data\": {\"fingerprint\": \"cccc\"}}";
  EXPECT_EQ(read_measurements(folder, {"test", "noise-1"}, calibrators).noises.size(), 1U);
  std::ofstream(folder / "noise-1.csv.json")
      << "{\"data\": {\"fingerprint\": \"cccc\", \"own_fingerprint\": \"dddd\"}}";
  EXPECT_THAT(error_of([&] {
                read_measurements(folder, {"test", "noise-1"}, calibrators);
              }),
              testing::HasSubstr("found another's (dddd"));
  calibrators.fingerprint = "bbbb";
  EXPECT_THAT(error_of([&] { read_measurements(folder, {"test"}, calibrators); }),
              testing::HasSubstr("found another's (aaaa"));
}

}  // namespace
}  // namespace roundtrip
