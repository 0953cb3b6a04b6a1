#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace roundtrip {

/// The splits a list of clips may name; `other` is for evaluation out of distribution.
inline constexpr std::array<std::string_view, 4> kClipSplits{"train", "valid", "test", "other"};

/// One video of a folder and whom it shows.
struct Clip {
  std::string file;       // relative to the folder, with forward slashes
  std::string identity;   // any text; equal text = same person
  std::string split = {};  // one of kClipSplits; empty in all clips of a list or in none
  bool operator==(const Clip&) const = default;
};

/// Reads `folder`/clips.csv: a header with at least the columns file and identity in any order and
/// optionally split, one row per clip (RFC 4180 quoting; other columns are skipped). A row without
/// an identity, of no known split, a file listed twice, outside the folder or not there is an Error
/// that names the line.
std::vector<Clip> read_clips(const std::filesystem::path& folder);

/// Writes `folder`/clips.csv, atomically; with the column split when the clips have one.
void write_clips(const std::filesystem::path& folder, const std::vector<Clip>& clips);

/// One part of a split and its share of the identities; shares need not sum to 1.
struct SplitShare {
  std::string name;
  double share = 0;
};

/// The part each clip belongs to. Identities, not clips, are dealt out, so no identity is in two
/// parts. They are put in an order drawn from (seed, identity) and cut at the shares, rounded to
/// the nearest identity: the order of the clips and of the list does not matter.
std::vector<std::string> split_by_identity(const std::vector<Clip>& clips,
                                           const std::vector<SplitShare>& shares, uint64_t seed);

}  // namespace roundtrip
