#include "roundtrip/base/csv_reader.h"

#include <gtest/gtest.h>

#include "roundtrip/base/csv.h"
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

}  // namespace
}  // namespace roundtrip
