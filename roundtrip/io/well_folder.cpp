#include "roundtrip/io/well_folder.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

// A field with all that says how its values are stored: "ground[1](along trajectories x y)".
std::string field_layout(const WellHeader& header, const WellField& field) {
  std::string text = fmt::format(" {}", field.name);
  if (field.order > 0) text += fmt::format("[{}]", field.order);
  const bool along_all = std::find(field.dim_varying.begin(), field.dim_varying.end(), false) ==
                         field.dim_varying.end();
  if (field.sample_varying && field.time_varying && along_all) return text;
  text += fmt::format("(along{}{}", field.sample_varying ? " trajectories" : "",
                      field.time_varying ? " time" : "");
  for (size_t d = 0; d < header.axes.size(); ++d) {
    if (field.dim_varying.empty() || field.dim_varying[d]) text += " " + header.axes[d].name;
  }
  return text + ")";
}

// What two files of a dataset must share, as text for comparison and for the message.
std::string layout_of(const WellHeader& header) {
  std::string text = fmt::format("{} frames of", header.frames());
  for (const WellField& field : header.fields) text += field_layout(header, field);
  text += " on";
  for (const WellAxis& axis : header.axes) text += fmt::format(" {}={}", axis.name, axis.size());
  return fmt::format("{} in dataset {}", text, header.dataset_name);
}

}  // namespace

void check_same_layout(const WellReader& first, const WellReader& other) {
  const std::string expected = layout_of(first.header());
  const std::string found = layout_of(other.header());
  if (expected == found) return;
  throw Error("well", fmt::format("{}: expected {} as in {}, found {}; keep one kind of file in a "
                                  "dataset",
                                  other.path().string(), expected, first.path().filename().string(),
                                  found));
}

std::vector<fs::path> well_files(const fs::path& folder, const std::string& split) {
  const fs::path where = folder / "data" / split;
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(where, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& path = entry->path();
    // A leading dot marks a file still being written.
    const bool hidden = path.filename().string().starts_with('.');
    if (!hidden && (path.extension() == ".hdf5" || path.extension() == ".h5")) {
      files.push_back(path);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

WellFolder::WellFolder(const fs::path& folder, const std::string& split) : folder_(folder) {
  for (const fs::path& path : well_files(folder, split)) files_.emplace_back(path);
  if (files_.empty()) {
    throw Error("well", fmt::format("{}: expected .hdf5 or .h5 files, found none; name the folder "
                                    "that holds data/{}",
                                    (folder / "data" / split).string(), split));
  }
  first_trajectory_.push_back(0);
  for (const WellReader& file : files_) {
    check_same_layout(files_.front(), file);
    first_trajectory_.push_back(first_trajectory_.back() + file.header().n_trajectories);
  }
}

WellFolder::Place WellFolder::place(int64_t index) const {
  if (index < 0 || index >= n_trajectories()) {
    throw Error("well", fmt::format("{}: expected a trajectory from 0 to {}, asked for {}; choose "
                                    "one of those",
                                    folder_.string(), n_trajectories() - 1, index));
  }
  const auto next = std::upper_bound(first_trajectory_.begin(), first_trajectory_.end(), index);
  const int64_t file = next - first_trajectory_.begin() - 1;
  return {file, index - first_trajectory_[static_cast<size_t>(file)]};
}

void WellFolder::read_window(int64_t index, int64_t first, int64_t count,
                             std::span<float> out) const {
  const Place at = place(index);
  files_[static_cast<size_t>(at.file)].read_window(at.trajectory, first, count, out);
}

}  // namespace roundtrip
