#include "roundtrip/study/evidence.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

namespace fs = std::filesystem;

// A folder of its own with the files given.
fs::path evidence_folder(const std::string& name, const std::map<std::string, std::string>& files) {
  const fs::path folder = fs::path(testing::TempDir()) / ("evidence_" + name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (const auto& [file, text] : files) std::ofstream(folder / file) << text;
  return folder;
}

constexpr const char* kOneRow = "split,trajectory,depth,C,E\ntest,0,1,0.1,0.2\n";

TEST(Evidence, IsAFolderOfTables) {
  const fs::path folder = evidence_folder("whole", {{"test.csv", kOneRow},
                                                    {"train.csv", kOneRow},
                                                    {"family-orszag_tang.csv", kOneRow},
                                                    {"noise-2.csv", kOneRow},
                                                    {"pixels.csv", "field\nvorticity\n"},
                                                    {"other.csv", "not ours"},
                                                    {"family-notes.txt", "no table"}});
  const Evidence evidence = read_evidence(folder, evidence_tables(folder), {});
  EXPECT_EQ(evidence.test.curves[0].column("E")[0], 0.2);
  EXPECT_TRUE(evidence.train.has_value());
  ASSERT_EQ(evidence.families.size(), 1u);
  EXPECT_EQ(evidence.families.begin()->first, "orszag_tang");
  EXPECT_EQ(evidence.noises.at("2").curves.size(), 1U);
  EXPECT_EQ(evidence.pixels->rows.size(), 1U);
}

TEST(Evidence, NeedsTestRolloutsWithCAndE) {
  const fs::path none = evidence_folder("none", {{"train.csv", kOneRow}});
  EXPECT_THAT(error_of([&] { read_evidence(none, {"train"}, {}); }),
              testing::HasSubstr("test.csv: no such"));
  const fs::path no_e =
      evidence_folder("no_e", {{"test.csv", "split,trajectory,depth,C\ntest,0,1,0.1\n"}});
  EXPECT_THAT(error_of([&] { read_evidence(no_e, {"test"}, {}); }),
              testing::HasSubstr("found no E"));
}

TEST(Evidence, TablesAreOfTheCalibratorsModel) {
  const std::string of_a = "{\"data\": {\"fingerprint\": \"aaaa\"}}";
  const fs::path folder = evidence_folder(
      "records", {{"test.csv", kOneRow}, {"test.csv.json", of_a.c_str()}, {"train.csv", kOneRow}});
  CalibratorSet calibrators;
  calibrators.fingerprint = "aaaa";
  const Evidence evidence = read_evidence(folder, {"test", "train"}, calibrators);
  EXPECT_EQ(evidence.records["test"]["data"]["fingerprint"], "aaaa");
  EXPECT_TRUE(evidence.records["train"].is_null());
  // Other noise is another fingerprint; of a table of `reproduce` the model's own counts.
  std::ofstream(folder / "noise-1.csv") << kOneRow;
  std::ofstream(folder / "noise-1.csv.json")
      << "{\"data\": {\"fingerprint\": \"cccc\", \"own_fingerprint\": \"aaaa\"}}";
  EXPECT_EQ(read_evidence(folder, {"test", "noise-1"}, calibrators).noises.size(), 1U);
  std::ofstream(folder / "noise-1.csv.json") << "{\"data\": {\"fingerprint\": \"cccc\"}}";
  EXPECT_EQ(read_evidence(folder, {"test", "noise-1"}, calibrators).noises.size(), 1U);
  std::ofstream(folder / "noise-1.csv.json")
      << "{\"data\": {\"fingerprint\": \"cccc\", \"own_fingerprint\": \"dddd\"}}";
  EXPECT_THAT(error_of([&] {
                read_evidence(folder, {"test", "noise-1"}, calibrators);
              }),
              testing::HasSubstr("found another's (dddd"));
  calibrators.fingerprint = "bbbb";
  EXPECT_THAT(error_of([&] { read_evidence(folder, {"test"}, calibrators); }),
              testing::HasSubstr("found another's (aaaa"));
}

TEST(Evidence, ThePapersNumbersAreOfOneSystem) {
  Evidence evidence;
  evidence.system = "mhd";
  EXPECT_EQ(paper_value(evidence, "mhd", 0.69), 0.69);
  EXPECT_EQ(paper_value(evidence, "navier_stokes", 0.69), std::nullopt);
}

}  // namespace
}  // namespace roundtrip
