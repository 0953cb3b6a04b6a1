#include "roundtrip/io/well_likeness.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

/// Makes an axis the same for all; true when it was not.
bool fix_axis(WellAxis& axis) {
  const bool varies = axis.sample_varying || axis.time_varying;
  axis.sample_varying = axis.time_varying = false;
  return varies;
}

template <class Row>
bool row_varies(const Row& row) {
  return row.sample_varying || row.time_varying;
}

/// Erases the rows that vary; true when there were any.
template <class Row>
bool erase_varying(std::vector<Row>& rows) {
  return std::erase_if(rows, row_varies<Row>) > 0;
}

void check_names(const std::vector<WellField>& fields, const std::string& where) {
  std::set<std::string> names;
  for (const WellField& field : fields) {
    const bool plain = !field.name.empty() && field.name.find('/') == std::string::npos;
    if (plain && names.insert(field.name).second) continue;
    throw Error("well", fmt::format("{}: expected fields whose names differ and have no '/', found "
                                    "'{}'{}; rename it in the data",
                                    where, field.name, plain ? " twice" : ""));
  }
}

/// A file may list a parameter twice, or under a name that belongs to the format.
void drop_repeated(std::vector<std::pair<std::string, double>>& parameters) {
  std::set<std::string> taken{"dataset_name", "grid_type", "n_spatial_dims", "n_trajectories",
                              "simulation_parameters"};
  std::erase_if(parameters,
                [&](const auto& parameter) { return !taken.insert(parameter.first).second; });
}

}  // namespace

WellLikeness writable_likeness(WellHeader header, const std::string& where) {
  check_names(header.fields, where);
  drop_repeated(header.parameters);
  header.notes.clear();
  std::vector<std::string> changes;
  if (fix_axis(header.time)) changes.emplace_back("times are the first trajectory's");
  if (std::ranges::count_if(header.axes, fix_axis) > 0) {
    changes.emplace_back("coordinates are those of the first frame of the first trajectory");
  }
  if (erase_varying(header.boundaries)) changes.emplace_back("boundaries that vary are left out");
  if (erase_varying(header.scalars)) changes.emplace_back("scalars that vary are left out");
  return {std::move(header), fmt::format("{}", fmt::join(changes, "; "))};
}

}  // namespace roundtrip
