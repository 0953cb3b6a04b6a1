#include "roundtrip/formats/clips.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/random.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // spreadsheets write one

struct Row {
  int64_t line = 1;  // where it starts
  std::vector<std::string> cells;
};

// RFC 4180: commas, quotes doubled inside quoted cells, line breaks of either kind.
class CsvParser {
 public:
  CsvParser(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

  // The next row that is not empty; false at the end.
  bool next(Row& row) {
    do {
      if (at_ >= text_.size()) return false;
      row = {line_, {}};
      while (!cell(row.cells.emplace_back())) continue;
    } while (row.cells.size() == 1 && row.cells[0].empty());
    return true;
  }

 private:
  // Reads one cell and what ends it; true when it was the last of its row.
  bool cell(std::string& out) {
    if (at_ < text_.size() && text_[at_] == '"') quoted(out);
    while (at_ < text_.size()) {
      const char letter = text_[at_++];
      if (letter == ',') return false;
      if (letter == '\n') return ++line_, true;
      if (letter == '\r' && at_ < text_.size() && text_[at_] == '\n') continue;
      out += letter;
    }
    return true;
  }

  void quoted(std::string& out) {
    const int64_t start = line_;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] != '"') {
        out += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        out += text_[++at_];
      } else {
        ++at_;
        return;
      }
    }
    throw Error("clips", fmt::format("{}, line {}: a quote is never closed", where_, start));
  }

  std::string_view text_;
  std::string where_;
  size_t at_ = 0;
  int64_t line_ = 1;
};

size_t column_of(const Row& header, std::string_view name, const std::string& where) {
  const auto found = std::find(header.cells.begin(), header.cells.end(), name);
  if (found == header.cells.end()) {
    throw Error("clips", fmt::format("{}: expected a header with the columns file and identity, "
                                     "found no {}",
                                     where, name));
  }
  return static_cast<size_t>(found - header.cells.begin());
}

bool leaves_folder(const fs::path& file) {
  return file.is_absolute() || std::find(file.begin(), file.end(), "..") != file.end();
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text)
    quoted += letter == '"' ? std::string(2, letter) : std::string(1, letter);
  return quoted + '"';
}

}  // namespace

std::vector<Clip> read_clips(const fs::path& folder) {
  const std::string where = (folder / "clips.csv").string();
  const std::string bytes = read_file(where);
  std::string_view text = bytes;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  CsvParser parser(text, where);
  Row row;
  if (!parser.next(row)) throw Error("clips", fmt::format("{}: the file is empty", where));
  const size_t file_column = column_of(row, "file", where);
  const size_t identity_column = column_of(row, "identity", where);
  std::vector<Clip> clips;
  std::map<std::string, int64_t> lines;
  while (parser.next(row)) {
    const auto fail = [&](std::string_view what) {
      throw Error("clips", fmt::format("{}, line {}: {}", where, row.line, what));
    };
    if (row.cells.size() <= std::max(file_column, identity_column)) {
      fail(fmt::format("expected at least {} cells, found {}",
                       std::max(file_column, identity_column) + 1, row.cells.size()));
    }
    Clip clip = {row.cells[file_column], row.cells[identity_column]};
    if (clip.file.empty()) fail("no file name");
    if (clip.identity.empty()) fail(fmt::format("{} has no identity", clip.file));
    if (leaves_folder(clip.file)) fail(fmt::format("{}: not inside the folder", clip.file));
    if (!fs::is_regular_file(folder / clip.file)) fail(fmt::format("{}: no such file", clip.file));
    const auto [first, is_new] = lines.emplace(clip.file, row.line);
    if (!is_new) fail(fmt::format("{} is listed already in line {}", clip.file, first->second));
    clips.push_back(std::move(clip));
  }
  return clips;
}

void write_clips(const fs::path& folder, const std::vector<Clip>& clips) {
  std::string text = "file,identity\n";
  for (const Clip& clip : clips) {
    ensure(!clip.file.empty() && !clip.identity.empty() && !leaves_folder(clip.file),
           "a clip has an identity and a file inside its folder");
    text += fmt::format("{},{}\n", csv_cell(clip.file), csv_cell(clip.identity));
  }
  write_file(folder / "clips.csv", text);
}

std::vector<std::string> split_by_identity(const std::vector<Clip>& clips,
                                           const std::vector<SplitShare>& shares, uint64_t seed) {
  double total = 0;
  for (const SplitShare& part : shares) {
    if (!(part.share >= 0 && std::isfinite(part.share))) {
      throw Error("clips",
                  fmt::format("share of {}: expected at least 0, found {}", part.name, part.share));
    }
    total += part.share;
  }
  if (!(total > 0)) throw Error("clips", "the shares of a split must not all be 0");

  std::set<std::string> identities;
  for (const Clip& clip : clips) identities.insert(clip.identity);
  std::vector<std::pair<uint64_t, std::string>> order;
  for (const std::string& identity : identities) {
    order.emplace_back(RandomStream(seed, "clips.split/" + identity).bits(0), identity);
  }
  std::sort(order.begin(), order.end());

  std::map<std::string, std::string> part_of;
  double cumulative = 0;
  size_t dealt = 0;
  for (const SplitShare& part : shares) {
    cumulative += part.share;
    const double count = static_cast<double>(order.size()) * (cumulative / total);
    const auto end = std::min(order.size(), static_cast<size_t>(std::lround(count)));
    for (; dealt < end; ++dealt) part_of[order[dealt].second] = part.name;
  }
  std::vector<std::string> parts;
  for (const Clip& clip : clips) parts.push_back(part_of.at(clip.identity));
  return parts;
}

}  // namespace roundtrip
