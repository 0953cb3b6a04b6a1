#include "roundtrip/io/well_stats.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/names.h"
#include "roundtrip/base/threads.h"
#include "roundtrip/metrics/moments.h"

// Every stored value counts once, as in the Well's own script: a field that does not vary over
// trajectories is counted once per file, and one constant in time has no deltas. Trajectories are
// computed apart and merged in their order, so that threads do not show in the result.

namespace roundtrip {
namespace {

using Member = std::vector<double> WellFieldStats::*;

/// The keys of the file in their (alphabetical) order.
struct Key {
  const char* name;
  Member member;
};
constexpr std::array kKeys{
    Key{"mean", &WellFieldStats::mean}, Key{"mean_delta", &WellFieldStats::mean_delta},
    Key{"rms", &WellFieldStats::rms},   Key{"rms_delta", &WellFieldStats::rms_delta},
    Key{"std", &WellFieldStats::std},   Key{"std_delta", &WellFieldStats::std_delta}};

/// Of the components of one field.
struct FieldMoments {
  std::vector<Moments> values, deltas;

  void merge(const FieldMoments& other) {
    values.resize(std::max(values.size(), other.values.size()));
    deltas.resize(std::max(deltas.size(), other.deltas.size()));
    for (size_t c = 0; c < other.values.size(); ++c) values[c].merge(other.values[c]);
    for (size_t c = 0; c < other.deltas.size(); ++c) deltas[c].merge(other.deltas[c]);
  }
};

FieldMoments trajectory_moments(const WellReader& file, int64_t field, int64_t trajectory,
                                int64_t window_floats) {
  const WellHeader& header = file.header();
  const WellField& what = header.fields[static_cast<size_t>(field)];
  const auto components = static_cast<size_t>(header.components(what));
  FieldMoments moments{.values = std::vector<Moments>(components),
                       .deltas = std::vector<Moments>(what.time_varying ? components : 0)};
  const auto size = static_cast<size_t>(file.stored_frame_size(field));
  const size_t points = size / components;
  const int64_t frames = what.time_varying ? header.frames() : 1;
  const int64_t most = std::clamp<int64_t>(window_floats / static_cast<int64_t>(size), 1, frames);
  std::vector<float> window, before(size);
  std::vector<double> change(points);
  for (int64_t first = 0; first < frames; first += most) {
    const int64_t count = std::min(most, frames - first);
    window.resize(static_cast<size_t>(count) * size);
    file.read_field(field, trajectory, first, count, window);
    for (int64_t t = 0; t < count; ++t) {
      const float* frame = window.data() + static_cast<size_t>(t) * size;
      const float* last = t == 0 ? before.data() : frame - size;
      for (size_t c = 0; c < components; ++c) {
        const float* now = frame + c * points;
        const float* then = last + c * points;
        moments.values[c].add(std::span(now, points));
        if (first + t == 0) continue;
        for (size_t i = 0; i < points; ++i) change[i] = double{now[i]} - double{then[i]};
        moments.deltas[c].add(change);
      }
    }
    std::copy_n(window.end() - static_cast<ptrdiff_t>(size), size, before.begin());
  }
  return moments;
}

void check_finite(const WellReader& file, const WellField& field, int64_t trajectory,
                  const FieldMoments& moments) {
  for (const Moments& component : moments.values) {
    if (std::isfinite(component.rms())) continue;
    throw Error("well", fmt::format("{}: trajectory {}: expected finite values of {} for the "
                                    "statistics, found NaN or infinity; leave that trajectory out",
                                    file.path().string(), trajectory, field.name));
  }
}

WellFieldStats stats_of(const WellField& field, const FieldMoments& moments) {
  WellFieldStats stats;
  stats.name = field.name;
  stats.order = field.order;
  for (const Moments& component : moments.values) {
    stats.mean.push_back(component.mean());
    stats.std.push_back(component.std_deviation());
    stats.rms.push_back(component.rms());
  }
  for (const Moments& component : moments.deltas) {
    if (component.count() == 0) continue;  // a single frame changes nothing
    stats.mean_delta.push_back(component.mean());
    stats.std_delta.push_back(component.std_deviation());
    stats.rms_delta.push_back(component.rms());
  }
  return stats;
}

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what) {
  throw Error("well",
              fmt::format("{}: {}; `generate --finish` writes it anew", path.string(), what));
}

// Components of a tensor in three dimensions.
constexpr size_t kMostValues = 9;

// Appends a number, a list of numbers or a list of lists, and returns the depth. Bounded before
// anything is followed: by aliases a YAML node may hold itself, or itself many times over.
int64_t read_values(const YAML::Node& node, std::vector<double>& values, int64_t deepest = 2) {
  if (values.size() >= kMostValues) throw YAML::Exception(node.Mark(), "more than 9 values");
  if (!node.IsSequence()) {
    values.push_back(node.as<double>());
    return 0;
  }
  if (deepest == 0) throw YAML::Exception(node.Mark(), "lists in lists of lists");
  int64_t depth = -1;
  for (const YAML::Node& item : node) {
    const int64_t found = read_values(item, values, deepest - 1);
    if (depth >= 0 && found != depth) throw YAML::Exception(node.Mark(), "lists beside numbers");
    depth = found;
  }
  if (depth < 0) throw YAML::Exception(node.Mark(), "an empty list");
  return depth + 1;
}

// Means are finite; spreads are not negative either.
void check_values(const std::filesystem::path& path, const Key& key, const WellFieldStats& stats) {
  const bool is_mean =
      key.member == &WellFieldStats::mean || key.member == &WellFieldStats::mean_delta;
  for (const double value : stats.*key.member) {
    if (std::isfinite(value) && (is_mean || value >= 0)) continue;
    fail(path, fmt::format("{}: {}: expected a finite number{}, found {}", key.name, stats.name,
                           is_mean ? "" : " of at least 0", value));
  }
}

// Plain where that is safe; the words are YAML's for true, false and nothing.
std::string yaml_key(const std::string& name) {
  static const std::set<std::string> words{"y",   "n",    "yes",   "no",  "on",
                                           "off", "true", "false", "null"};
  std::string lower = name;
  bool plain = !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
  for (char& letter : lower) {
    const auto byte = static_cast<unsigned char>(letter);
    plain = plain && (std::isalnum(byte) != 0 || letter == '_');
    letter = static_cast<char>(std::tolower(byte));
  }
  if (plain && !words.contains(lower)) return name;
  std::string quoted = "'";
  for (const char letter : name) quoted += letter == '\'' ? "''" : std::string(1, letter);
  return quoted + "'";
}

std::string value_lines(const WellFieldStats& stats, const std::vector<double>& values) {
  if (stats.order == 0) return fmt::format(" {:.4E}\n", values.front());
  // Tensors are lists of rows; a vector is one row.
  const auto rows = static_cast<size_t>(
      stats.order == 2 ? std::lround(std::sqrt(static_cast<double>(values.size()))) : 1);
  const size_t columns = values.size() / rows;
  std::string text = "\n";
  for (size_t i = 0; i < values.size(); ++i) {
    const char* bullet = stats.order == 1 ? "  - " : i % columns == 0 ? "  - - " : "    - ";
    text += fmt::format("{}{:.4E}\n", bullet, values[i]);
  }
  return text;
}

}  // namespace

const WellFieldStats& WellStats::field(const std::string& name) const {
  std::vector<std::string> known;
  for (const WellFieldStats& stats : fields) {
    if (stats.name == name) return stats;
    known.push_back(stats.name);
  }
  throw Error("well", "stats.yaml: " + unknown_name("field", name, known));
}

WellStats compute_well_stats(const WellFolder& folder, int64_t threads,
                             const std::function<void()>& trajectory_done, int64_t window_floats) {
  const std::vector<WellField>& fields = folder.header().fields;
  const size_t count = fields.size();
  std::vector<FieldMoments> parts(static_cast<size_t>(folder.n_trajectories()) * count);
  parallel_for(folder.n_trajectories(), threads, [&](int64_t index) {
    stop_if_interrupted();
    const WellFolder::Place place = folder.place(index);
    const WellReader& file = folder.files()[static_cast<size_t>(place.file)];
    for (size_t f = 0; f < count; ++f) {
      const WellField& field = file.header().fields[f];
      if (!field.sample_varying && place.trajectory > 0) continue;
      FieldMoments moments =
          trajectory_moments(file, static_cast<int64_t>(f), place.trajectory, window_floats);
      check_finite(file, field, place.trajectory, moments);
      parts[static_cast<size_t>(index) * count + f] = std::move(moments);
    }
    if (trajectory_done) trajectory_done();
  });
  WellStats stats;
  for (size_t f = 0; f < count; ++f) {
    FieldMoments total;
    for (size_t part = f; part < parts.size(); part += count) total.merge(parts[part]);
    stats.fields.push_back(stats_of(fields[f], total));
  }
  return stats;
}

WellStats read_well_stats(const std::filesystem::path& path) {
  std::map<std::string, WellFieldStats> fields;
  try {
    const YAML::Node root = YAML::Load(read_file(path));
    if (!root.IsMap()) fail(path, "expected the keys mean and std, found no keys");
    for (const Key& key : kKeys) {
      const YAML::Node section = root[key.name];
      if (!section) continue;
      if (!section.IsMap()) fail(path, fmt::format("{}: expected one entry per field", key.name));
      for (const auto& entry : section) {
        const auto name = entry.first.as<std::string>();
        WellFieldStats& stats = fields[name];
        stats.name = name;
        (stats.*key.member).clear();  // a name twice: the last one counts, as in Python
        stats.order = read_values(entry.second, stats.*key.member);
      }
    }
  } catch (const YAML::Exception& error) {
    fail(path, fmt::format("expected numbers in YAML: {}", error.what()));
  }
  WellStats result;
  for (auto& [name, stats] : fields) {
    for (const Key& key : kKeys) {
      check_values(path, key, stats);
      const size_t count = (stats.*key.member).size();
      const bool required =
          key.member == &WellFieldStats::mean || key.member == &WellFieldStats::std;
      if (count == stats.mean.size() ? count > 0 : count == 0 && !required) continue;
      fail(path, fmt::format("{}: {}: expected as many values as in mean ({}), found {}", key.name,
                             name, stats.mean.size(), count));
    }
    result.fields.push_back(std::move(stats));
  }
  if (result.fields.empty()) fail(path, "expected statistics per field, found none");
  return result;
}

std::string well_stats_yaml(const WellStats& stats) {
  std::map<std::string, const WellFieldStats*> sorted;
  for (const WellFieldStats& field : stats.fields) sorted[field.name] = &field;
  std::string text;
  for (const Key& key : kKeys) {
    std::string section;
    for (const auto& [name, field] : sorted) {
      const std::vector<double>& values = field->*key.member;
      if (!values.empty())
        section += fmt::format("  {}:{}", yaml_key(name), value_lines(*field, values));
    }
    text += fmt::format("{}:{}\n{}", key.name, section.empty() ? " {}" : "", section);
  }
  return text;
}

void write_well_stats(const std::filesystem::path& path, const WellStats& stats) {
  write_file(path, well_stats_yaml(stats));
}

}  // namespace roundtrip
