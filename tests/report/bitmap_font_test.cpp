#include "roundtrip/report/bitmap_font.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

constexpr Rgb kPaper = {255, 255, 255};
constexpr Rgb kInk = {0, 0, 0};

std::string drawn(const std::string& text) {
  Image image(text_width(text, 1), kGlyphHeight, kPaper);
  draw_text(image, text, 0, 0, 1, kInk);
  std::string rows;
  for (int64_t y = 0; y < image.height; ++y) {
    for (int64_t x = 0; x < image.width; ++x) rows += image.at(x, y) == kInk ? '#' : '.';
    rows += '\n';
  }
  return rows;
}

TEST(BitmapFont, DrawsLetters) {
  EXPECT_EQ(drawn("Rg"),
            "####.......\n"
            "#...#......\n"
            "#...#..####\n"
            "####..#...#\n"
            "#.#...#...#\n"
            "#..#..#...#\n"
            "#...#..####\n"
            "..........#\n"
            ".......###.\n");
}

TEST(BitmapFont, EveryLetterIsDifferent) {
  std::set<std::string> shapes;
  for (char letter = ' '; letter <= '~'; ++letter) shapes.insert(drawn(std::string(1, letter)));
  EXPECT_EQ(shapes.size(), 95u);
}

TEST(BitmapFont, StaysInsideThePicture) {
  Image image(20, 10, kPaper);
  draw_text(image, "A long line\xff", -7, -3, 2, kInk);
  draw_text(image, "edge", 15, 5, 3, kInk);
  EXPECT_EQ(image.pixels.size(), 600u);
}

TEST(BitmapFont, Widths) {
  EXPECT_EQ(text_width("", 2), 0);
  EXPECT_EQ(text_width("a", 2), 10);
  EXPECT_EQ(text_width("ab", 1), 11);
}

}  // namespace
}  // namespace roundtrip
