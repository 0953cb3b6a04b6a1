#include "roundtrip/systems/dataset_plan.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

bool parse_number(std::string_view text, int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// The files of one group in one split. A single file needs no number, so that the Well's own
// file names come out for the radiative layer.
void plan_group(const DatasetLayout& layout, const std::string& split, int64_t group,
                const std::vector<int64_t>& trajectories, int64_t per_file,
                std::string_view extension, std::vector<DataFile>& plan) {
  const auto total = static_cast<int64_t>(trajectories.size());
  // Wide enough that names sort as numbers do.
  const size_t width = std::max<size_t>(3, std::to_string((total - 1) / per_file).size());
  for (int64_t first = 0; first < total; first += per_file) {
    const int64_t last = std::min(first + per_file, total);
    const std::string number =
        total > per_file ? fmt::format("_{:0{}}", first / per_file, width) : "";
    plan.push_back(
        {.path = fmt::format("data/{}/{}{}.{}", split, layout.file_stem, number, extension),
         .split = split,
         .group = group,
         .trajectories = {trajectories.begin() + first, trajectories.begin() + last}});
  }
}

// One clip per file, numbered by trajectory.
void plan_clips(const DatasetLayout& layout, const std::string& split, int64_t count,
                std::vector<DataFile>& plan) {
  for (int64_t index = 0; index < count; ++index) {
    plan.push_back({.path = fmt::format("data/{}/{}_{:06}.mp4", split, layout.file_stem, index),
                    .split = split,
                    .group = 0,
                    .trajectories = {index}});
  }
}

}  // namespace

Shard parse_shard(std::string_view text) {
  Shard shard;
  const size_t slash = text.find('/');
  const bool valid = slash != std::string_view::npos &&
                     parse_number(text.substr(0, slash), shard.index) &&
                     parse_number(text.substr(slash + 1), shard.count) && shard.index >= 1 &&
                     shard.index <= shard.count;
  if (!valid) {
    throw Error("shard", fmt::format("expected i/n with 1 <= i <= n, such as 2/8, found {}", text));
  }
  return shard;
}

std::vector<DataFile> plan_files(const System& system, const DatasetSize& size) {
  const int64_t groups = system.groups();
  const std::vector<std::pair<std::string, int64_t>> splits = {
      {"train", size.train}, {"valid", size.valid}, {"test", size.test}};
  std::vector<DataFile> plan;
  for (const auto& [split, count] : splits) {
    if (system.storage() == "video") {
      plan_clips(system.layout(0), split, count, plan);
      continue;
    }
    for (int64_t group = 0; group < groups; ++group) {
      std::vector<int64_t> trajectories;
      for (int64_t index = group; index < count; index += groups) trajectories.push_back(index);
      plan_group(system.layout(group), split, group, trajectories, size.per_file, "hdf5", plan);
    }
  }
  return plan;
}

std::vector<DataFile> files_of_shard(const std::vector<DataFile>& plan, const Shard& shard) {
  std::vector<DataFile> files;
  for (auto i = static_cast<size_t>(shard.index - 1); i < plan.size();
       i += static_cast<size_t>(shard.count)) {
    files.push_back(plan[i]);
  }
  return files;
}

}  // namespace roundtrip
