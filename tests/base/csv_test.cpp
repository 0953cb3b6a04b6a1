#include "roundtrip/base/csv.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

TEST(CsvReader, GoesThroughRows) {
  CsvReader reader("name,value\r\n\"a, \"\"b\"\"\" c,1\r\n\n\"two\nlines\",-2.5e3", "t");
  EXPECT_EQ(reader.columns(), (std::vector<std::string>{"name", "value"}));
  const size_t value = reader.column("value");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.text(0), "a, \"b\" c");
  EXPECT_EQ(reader.number(value), 1);
  EXPECT_EQ(reader.line(), 2);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.text(0), "two\nlines");
  EXPECT_EQ(reader.number(value), -2500);
  EXPECT_EQ(reader.line(), 4);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.next());
}

TEST(CsvReader, KeepsCellsThatAreEmptyOrEndInAReturn) {
  CsvReader reader("a,b,c\n,,\n1,,\"\r\"\r\n,2,", "t");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.text(2), "");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.text(1), "");
  EXPECT_EQ(reader.text(2), "\r");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.text(1), "2");
  EXPECT_EQ(reader.text(2), "");
}

TEST(CsvReader, SaysWhereItIsWrong) {
  CsvReader reader("a,b\n1,x2\n3\n", "t.csv");
  EXPECT_TRUE(reader.next());
  EXPECT_EQ(error_of([&] { reader.number(1); }),
            "[csv] t.csv, line 2, column b: expected a number, found \"x2\"");
  EXPECT_EQ(error_of([&] { reader.next(); }),
            "[csv] t.csv, line 3: expected 2 cells as in the header, found 1");
  EXPECT_EQ(error_of([] { CsvReader("\n\n", "t.csv"); }), "[csv] t.csv: the file is empty");
  EXPECT_NE(error_of([&] { reader.column("c"); }), "no error");
}

TEST(Csv, ReadsQuotesLineBreaksAndByteOrderMarks) {
  const CsvTable table = parse_csv(
      "\xef\xbb\xbf"
      "name,value\r\n\"a, \"\"b\"\"\",1\n\n\"two\nlines\",-2.5e3\n",
      "t");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"name", "value"}));
  EXPECT_EQ(table.texts("name"), (std::vector<std::string>{"a, \"b\"", "two\nlines"}));
  EXPECT_EQ(table.numbers("value"), (std::vector<double>{1, -2500}));
  EXPECT_EQ(table.rows[1].line, 4);
  EXPECT_TRUE(table.has("name"));
  EXPECT_FALSE(table.has("Name"));
}

TEST(Csv, ReadsBackWhatItWrites) {
  const std::vector<std::string> cells = {"plain", "a,b", "say \"x\"", "1\n2", "\r"};
  std::vector<std::string> written;
  for (const std::string& cell : cells) written.push_back(csv_cell(cell));
  const CsvTable table = parse_csv("a,b,c,d,e\n" + csv_line(written), "t");
  EXPECT_EQ(table.rows.at(0).cells, cells);
}

TEST(Csv, NumbersKeepEveryFloat) {
  for (const float value : {0.1F, 1.0F / 3, 3.4e38F, 1e-40F, -0.0F}) {
    const CsvTable table = parse_csv("x\n" + csv_number(value) + "\n", "t");
    EXPECT_EQ(static_cast<float>(table.numbers("x")[0]), value);
  }
  EXPECT_TRUE(std::isnan(parse_csv("x\nnan\n", "t").numbers("x")[0]));
}

TEST(Csv, SaysWhereItIsWrong) {
  EXPECT_EQ(error_of([] { parse_csv("", "t.csv"); }), "[csv] t.csv: the file is empty");
  EXPECT_EQ(error_of([] { parse_csv("a,b\n1,2\n3\n", "t.csv"); }),
            "[csv] t.csv, line 3: expected 2 cells as in the header, found 1");
  EXPECT_EQ(error_of([] { parse_csv("a\n\"1\n", "t.csv"); }),
            "[csv] t.csv, line 2: a quote is never closed");
  EXPECT_EQ(error_of([] { parse_csv("a,b\n1,x2\n", "t.csv").numbers("b"); }),
            "[csv] t.csv, line 2, column b: expected a number, found \"x2\"");
  EXPECT_NE(error_of([] { parse_csv("depth\n1\n", "t.csv").column("dpeth"); }).find("depth"),
            std::string::npos);
}

}  // namespace
}  // namespace roundtrip
