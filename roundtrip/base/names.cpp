#include "roundtrip/base/names.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundtrip {
namespace {

// Levenshtein distance with one row of the table.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return lower;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  // More than a third of the letters wrong is another word, not a misspelling.
  size_t best = std::max<size_t>(2, name.size() / 3) + 1;
  std::string nearest;
  for (const std::string& candidate : known) {
    const size_t distance = edit_distance(lower_case(name), lower_case(candidate));
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& known) {
  constexpr size_t kReadable = 30;  // more names than that bury the message
  const std::string nearest = nearest_name(name, known);
  const std::vector<std::string> shown(known.begin(),
                                       known.begin() + std::min(known.size(), kReadable));
  const std::string list = fmt::format("known: {}{}", fmt::join(shown, ", "),
                                       shown.size() < known.size() ? ", ..." : "");
  if (nearest.empty()) return fmt::format("{}: no such {} ({})", name, kind, list);
  return fmt::format("{}: no such {} (did you mean {}?{})", name, kind, nearest,
                     known.size() > kReadable ? "" : " " + list);
}

}  // namespace roundtrip
