#include "roundtrip/io/clips.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/csv.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/names.h"
#include "roundtrip/base/random.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

bool leaves_folder(const fs::path& file) {
  return file.is_absolute() || std::find(file.begin(), file.end(), "..") != file.end();
}

// What is wrong with the cell of a column split; empty when it names one.
std::string split_fault(const Clip& clip) {
  const std::vector<std::string> known(kClipSplits.begin(), kClipSplits.end());
  if (std::find(known.begin(), known.end(), clip.split) != known.end()) return "";
  if (clip.split.empty()) {
    return fmt::format("{} has no split; expected one of {}, or no column split at all", clip.file,
                       fmt::join(known, ", "));
  }
  return fmt::format("{}: {}", clip.file, unknown_name("split", clip.split, known));
}

}  // namespace

std::vector<Clip> read_clips(const fs::path& folder) {
  const CsvTable table = read_csv(folder / "clips.csv");
  const size_t file_column = table.column("file");
  const size_t identity_column = table.column("identity");
  const bool has_split = table.has("split");
  std::vector<Clip> clips;
  std::map<std::string, int64_t> lines;
  for (const CsvTable::Row& row : table.rows) {
    const auto fail = [&](std::string_view what) {
      throw Error("clips", fmt::format("{}, line {}: {}", table.where, row.line, what));
    };
    Clip clip = {row.cells[file_column], row.cells[identity_column]};
    if (has_split) clip.split = row.cells[table.column("split")];
    if (clip.file.empty()) fail("no file name; name a video of the folder or remove the line");
    if (clip.identity.empty()) {
      fail(fmt::format("{} has no identity; say who or what it shows", clip.file));
    }
    if (leaves_folder(clip.file)) {
      fail(fmt::format("{}: not inside the folder; move it there", clip.file));
    }
    if (!fs::is_regular_file(folder / clip.file)) {
      fail(fmt::format("{}: no such file; add it or remove the line", clip.file));
    }
    // "a.mp4" and "./a.mp4" are one file.
    const auto [first, is_new] =
        lines.emplace(fs::path(clip.file).lexically_normal().generic_string(), row.line);
    if (!is_new) {
      fail(fmt::format("{} is listed already in line {}; keep one of them", clip.file,
                       first->second));
    }
    if (has_split && !split_fault(clip).empty()) fail(split_fault(clip));
    clips.push_back(std::move(clip));
  }
  return clips;
}

void write_clips(const fs::path& folder, const std::vector<Clip>& clips) {
  const bool has_split = !clips.empty() && !clips.front().split.empty();
  std::string text = has_split ? "file,identity,split\n" : "file,identity\n";
  for (const Clip& clip : clips) {
    ensure(!clip.file.empty() && !clip.identity.empty() && !leaves_folder(clip.file),
           "a clip has an identity and a file inside its folder");
    ensure(has_split ? split_fault(clip).empty() : clip.split.empty(),
           "all clips of a list have a split, or none");
    std::vector<std::string> cells = {csv_cell(clip.file), csv_cell(clip.identity)};
    if (has_split) cells.push_back(clip.split);
    text += csv_line(cells);
  }
  write_file(folder / "clips.csv", text);
}

std::vector<std::string> split_by_identity(const std::vector<Clip>& clips,
                                           const std::vector<SplitShare>& shares, uint64_t seed) {
  double total = 0;
  for (const SplitShare& part : shares) {
    if (!(part.share >= 0 && std::isfinite(part.share))) {
      throw Error("clips", fmt::format("share of {}: expected at least 0, found {}; change it",
                                       part.name, part.share));
    }
    total += part.share;
  }
  if (!(total > 0))
    throw Error("clips", "shares of a split: expected a sum above 0, found 0; give one a share");

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
