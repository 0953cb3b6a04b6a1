#include "roundtrip/evaluation/paper_numbers.h"

#include <set>

#include <gmock/gmock.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "evaluation/synthetic.h"
#include "roundtrip/evaluation/cells.h"

namespace roundtrip {
namespace {

TableSection ours() {
  TableSection table;
  table.title = "Calibration of log E";
  table.columns = {"from", "NLL", "x68"};
  table.rows = {{word("C"), number(-.35), number(std::nullopt)},
                {word("another"), number(1.0), number(2.0)}};
  return table;
}

TEST(PaperNumbers, StandInTheirRowAndColumn) {
  std::vector<Section> sections = {ours()};
  add_paper_numbers("mhd", sections);
  const TableSection& table = table_called(sections, "Calibration of log E");
  EXPECT_EQ(cell_at(table, "C", "NLL").paper, -.62);
  EXPECT_EQ(cell_at(table, "C", "NLL").ours, -.35);
  EXPECT_EQ(cell_at(table, "C", "x68").paper, 1.14);  // where we have none
  EXPECT_FALSE(cell_at(table, "another", "NLL").paper);
}

TEST(PaperNumbers, AreOfOneSystemAndTable) {
  std::vector<Section> sections = {ours()};
  add_paper_numbers("navier_stokes", sections);
  EXPECT_EQ(std::get<TableSection>(sections.front()), ours());
  TableSection other = ours();
  other.title = "Something else";
  sections = {other};
  add_paper_numbers("mhd", sections);
  EXPECT_EQ(std::get<TableSection>(sections.front()), other);
}

TEST(PaperNumbers, StandBesideTheFirstFiftyToo) {
  TableSection table = ours();
  table.title += ", the first fifty";
  std::vector<Section> sections = {table};
  add_paper_numbers("mhd", sections);
  EXPECT_EQ(cell_at(std::get<TableSection>(sections.front()), "C", "NLL").paper, -.62);
}

TEST(PaperNumbers, QuotedRowsAreAddedAndNamedSo) {
  TableSection table;
  table.title = "Sigmas of pixels: vorticity, 10 frames";
  table.columns = {"sigma from", "MA", "kappa"};
  std::vector<Section> sections = {table};
  add_paper_numbers("navier_stokes", sections);
  const auto& found = std::get<TableSection>(sections.front());
  EXPECT_EQ(cell_at(found, "ten of them with learned sigma (quoted)", "MA").paper, .014);
  EXPECT_EQ(cell_at(found, "ten of them with learned sigma (quoted)", "kappa").text, "-");
  EXPECT_FALSE(cell_at(found, "LE-PDE, no sigma (quoted)", "MA").paper);
  EXPECT_THAT(found.notes, testing::ElementsAre(testing::HasSubstr("were not run here")));
}

TEST(PaperNumbers, HaveALineAndOneValueAPlace) {
  std::set<std::string> places;
  for (const PaperTable& paper : paper_numbers()) {
    SCOPED_TRACE(std::string(paper.table));
    for (const auto* rows : {&paper.rows, &paper.quoted}) {
      for (const PaperRow& row : *rows) {
        EXPECT_GT(row.line, 0);
        ASSERT_LE(row.values.size(), paper.columns.size());
        for (size_t i = 0; i < row.values.size(); ++i) {
          if (!row.values[i]) continue;
          const std::string place =
              fmt::format("{}|{}|{}|{}", paper.system, paper.table, row.row, paper.columns[i]);
          EXPECT_TRUE(places.insert(place).second) << place;
        }
      }
    }
  }
}

}  // namespace
}  // namespace roundtrip
