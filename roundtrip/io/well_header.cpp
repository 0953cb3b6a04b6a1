#include "roundtrip/io/well_header.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/error.h"

// The rules are those of the Well's format checker (scripts/check_thewell_formatting.py), less what
// its own example files break: `time_varying` may be missing from a dimension, a list of one string
// may be a string, a constant scalar may be a list of one.

namespace roundtrip {
namespace {

using hdf5::Object;

// Bounds far above any real dataset, so that a damaged size cannot ask for the machine's memory.
constexpr int64_t kMostTrajectories = int64_t{1} << 31;
constexpr int64_t kMostCoordinates = int64_t{1} << 22;
constexpr int64_t kMostScalarValues = int64_t{1} << 22;
constexpr int64_t kMostTimes = int64_t{1} << 24;
constexpr int64_t kMostMaskValues = int64_t{1} << 26;
constexpr int64_t kMostFrameFloats = int64_t{1} << 31;

[[noreturn]] void fail(const std::string& where, std::string_view what) {
  throw Error("well", fmt::format("{}: {}; see the Well's data_format.md or generate it again",
                                  where, what));
}

void check_shape(const Object& object, const std::vector<int64_t>& expected) {
  if (object.shape() == expected) return;
  fail(object.where(),
       fmt::format("expected shape {} from the header, found {}", expected, object.shape()));
}

void check_count(const std::string& where, const char* what, int64_t count, int64_t most) {
  if (count >= 1 && count <= most) return;
  fail(where, fmt::format("expected 1 to {} {}, found {}", most, what, count));
}

bool optional_flag(const Object& object, const char* name) {
  return object.has_attribute(name) && object.flag(name);
}

// Coordinates of an axis for the first trajectory (and frame, when they move in time).
std::vector<double> first_coordinates(const Object& dataset) {
  const std::vector<int64_t> shape = dataset.shape();
  std::vector<int64_t> extents(shape.size(), 1);
  extents.back() = shape.back();
  std::vector<double> values(static_cast<size_t>(shape.back()));
  dataset.read_block(std::vector<int64_t>(shape.size(), 0), extents, H5T_NATIVE_DOUBLE,
                     values.data());
  return values;
}

WellAxis read_axis(const Object& dimensions, const std::string& name) {
  const Object dataset = dimensions.dataset(name);
  dataset.expect_numbers();
  WellAxis axis{.name = name,
                .coordinates = {},
                .sample_varying = dataset.flag("sample_varying"),
                .time_varying = name != "time" && optional_flag(dataset, "time_varying")};
  const std::vector<int64_t> shape = dataset.shape();
  const size_t rank = 1u + (axis.sample_varying ? 1 : 0) + (axis.time_varying ? 1 : 0);
  if (shape.size() != rank) {
    fail(dataset.where(),
         fmt::format("expected {} axes from its flags, found shape {}", rank, shape));
  }
  check_count(dataset.where(), "points", shape.back(), kMostCoordinates);
  for (const int64_t extent : shape)
    check_count(dataset.where(), "rows", extent, kMostTrajectories);
  axis.coordinates = first_coordinates(dataset);
  return axis;
}

// The coordinates that vary must do so over all trajectories and frames.
void check_axis_shape(const Object& dimensions, const WellHeader& header, const WellAxis& axis) {
  std::vector<int64_t> shape = header.leading_shape(axis.sample_varying, axis.time_varying);
  shape.push_back(axis.size());
  check_shape(dimensions.dataset(axis.name), shape);
}

/// Which axes of the grid a boundary lists, in its order.
std::vector<size_t> listed_axes(const Object& object, const WellBoundary& boundary,
                                const WellHeader& header) {
  std::vector<size_t> listed;
  for (const std::string& name : boundary.axes) {
    const auto axis = std::ranges::find(header.axes, name, &WellAxis::name);
    const auto index = static_cast<size_t>(axis - header.axes.begin());
    if (axis == header.axes.end() || std::ranges::count(listed, index) > 0) {
      fail(object.where(), fmt::format("associated_dims: expected axes of the grid, each once, "
                                       "found {}",
                                       boundary.axes));
    }
    listed.push_back(index);
  }
  return listed;
}

/// A mask whose axes are `listed`, with its axes in the order of the grid.
std::vector<uint8_t> in_grid_order(const std::vector<uint8_t>& mask,
                                   const std::vector<size_t>& listed, const WellHeader& header) {
  std::array<size_t, 3> strides{};  // in the mask, by axis of the grid
  size_t stride = 1;
  for (size_t k = listed.size(); k-- > 0;) {
    strides.at(listed[k]) = stride;
    stride *= static_cast<size_t>(header.axes[listed[k]].size());
  }
  std::vector<size_t> sorted = listed;
  std::ranges::sort(sorted);
  std::vector<uint8_t> ordered;
  for (size_t at = 0; at < mask.size(); ++at) {
    size_t from = 0, rest = at;
    for (size_t k = sorted.size(); k-- > 0;) {
      const auto extent = static_cast<size_t>(header.axes[sorted[k]].size());
      from += rest % extent * strides.at(sorted[k]);
      rest /= extent;
    }
    ordered.push_back(mask[from]);
  }
  return ordered;
}

WellBoundary read_boundary(const Object& group, const std::string& name, const WellHeader& header) {
  const Object object = group.group(name);
  WellBoundary boundary{.name = name,
                        .type = object.text("bc_type"),
                        .axes = object.texts("associated_dims"),
                        .fields = object.texts("associated_fields"),
                        .sample_varying = object.flag("sample_varying"),
                        .time_varying = object.flag("time_varying"),
                        .mask = {}};
  std::transform(boundary.type.begin(), boundary.type.end(), boundary.type.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  if (boundary.type != "PERIODIC" && boundary.type != "OPEN" && boundary.type != "WALL") {
    fail(object.where(),
         fmt::format("bc_type: expected PERIODIC, OPEN or WALL, found {}", boundary.type));
  }
  std::vector<int64_t> shape = header.leading_shape(boundary.sample_varying, boundary.time_varying);
  const std::vector<size_t> listed = listed_axes(object, boundary, header);
  for (const size_t axis : listed) shape.push_back(header.axes[axis].size());
  const Object mask = object.dataset("mask");
  check_shape(mask, shape);
  if (!boundary.sample_varying && !boundary.time_varying) {
    boundary.mask = in_grid_order(mask.booleans(kMostMaskValues), listed, header);
  }
  boundary.axes.clear();
  for (size_t d = 0; d < header.axes.size(); ++d) {
    if (std::ranges::count(listed, d) > 0) boundary.axes.push_back(header.axes[d].name);
  }
  return boundary;
}

WellScalar read_scalar(const Object& group, const std::string& name, const WellHeader& header) {
  const Object dataset = group.dataset(name);
  WellScalar scalar{.name = name,
                    .sample_varying = dataset.flag("sample_varying"),
                    .time_varying = dataset.flag("time_varying"),
                    .values = {}};
  const std::vector<int64_t> shape =
      header.leading_shape(scalar.sample_varying, scalar.time_varying);
  if (!shape.empty() || dataset.shape() != std::vector<int64_t>{1}) check_shape(dataset, shape);
  scalar.values = dataset.numbers(kMostScalarValues);
  return scalar;
}

void read_fields(const Object& file, int64_t order, WellHeader& header) {
  const Object group = file.group(well_group(order));
  for (const std::string& name : group.texts("field_names")) {
    const Object dataset = group.dataset(name);
    WellField field{.name = name,
                    .order = order,
                    .sample_varying = dataset.flag("sample_varying"),
                    .time_varying = dataset.flag("time_varying"),
                    .dim_varying = dataset.flags("dim_varying"),
                    .symmetric = order == 2 && optional_flag(dataset, "symmetric"),
                    .antisymmetric = order == 2 && optional_flag(dataset, "antisymmetric")};
    if (field.dim_varying.size() != header.axes.size()) {
      fail(dataset.where(), fmt::format("dim_varying: expected {} values, one per axis, found {}",
                                        header.axes.size(), field.dim_varying.size()));
    }
    const auto same = [&](const WellField& other) {
      return other.name == name && other.order == order;
    };
    if (std::any_of(header.fields.begin(), header.fields.end(), same)) {
      fail(group.where(),
           fmt::format("field_names: expected names that differ, found {} twice", name));
    }
    dataset.expect_numbers();
    check_shape(dataset, header.stored_shape(field));
    dataset.expect_storage();
    header.fields.push_back(std::move(field));
  }
}

/// One number, or a boolean as 0 or 1, is a parameter; several numbers stay a note. Other things
/// are left out: nothing of ours depends on them.
void read_parameter(const Object& file, const std::string& name, WellHeader& header) {
  const auto values = file.attribute_numbers(name);
  if (!values) return;
  if (values->size() == 1) {
    header.parameters.emplace_back(name, values->front());
  } else {
    header.notes.emplace_back(name, fmt::format("{}", *values));
  }
}

void read_root(const Object& file, WellHeader& header) {
  header.dataset_name = file.text("dataset_name");
  header.grid_type = file.text("grid_type");
  header.n_trajectories = file.integer("n_trajectories");
  check_count(file.where(), "trajectories (n_trajectories)", header.n_trajectories,
              kMostTrajectories);
  const std::vector<std::string> texts = file.text_attributes();
  for (const std::string& name : file.texts("simulation_parameters")) {
    // A parameter that is a text stays a note.
    if (std::find(texts.begin(), texts.end(), name) == texts.end()) {
      read_parameter(file, name, header);
    }
  }
  for (const std::string& name : texts) {
    if (name == "dataset_name" || name == "grid_type" || name == "simulation_parameters") continue;
    header.notes.emplace_back(name, file.text(name));
  }
}

void read_dimensions(const Object& file, WellHeader& header) {
  const Object dimensions = file.group("dimensions");
  header.time = read_axis(dimensions, "time");
  const std::vector<std::string> names = dimensions.texts("spatial_dims");
  const int64_t declared = file.integer("n_spatial_dims");
  if (declared != static_cast<int64_t>(names.size()) || names.empty() || names.size() > 3) {
    fail(dimensions.where(), fmt::format("spatial_dims: expected n_spatial_dims = {} names, one to "
                                         "three, found {}",
                                         declared, names));
  }
  for (const std::string& name : names) header.axes.push_back(read_axis(dimensions, name));
  check_axis_shape(dimensions, header, header.time);
  for (const WellAxis& axis : header.axes) check_axis_shape(dimensions, header, axis);
}

// Channels times points, without overflow.
void check_frame_size(const Object& file, const WellHeader& header) {
  const int64_t channels = header.channels();
  check_count(file.where(), "channels in its fields", channels, kMostFrameFloats);
  int64_t left = kMostFrameFloats / channels;
  for (const WellAxis& axis : header.axes) left /= axis.size();
  if (left >= 1) return;
  fail(file.where(),
       fmt::format("expected frames of at most {} floats, found {} channels of a grid "
                   "that is larger",
                   kMostFrameFloats, channels));
}

}  // namespace

WellHeader read_well_header(const Object& file) {
  const hdf5::Lock lock;
  WellHeader header;
  read_root(file, header);
  read_dimensions(file, header);
  const Object boundaries = file.group("boundary_conditions");
  for (const std::string& name : boundaries.children()) {
    header.boundaries.push_back(read_boundary(boundaries, name, header));
  }
  const Object scalars = file.group("scalars");
  for (const std::string& name : scalars.texts("field_names")) {
    WellScalar scalar = read_scalar(scalars, name, header);
    const auto same = [&](const auto& parameter) { return parameter.first == name; };
    const bool repeats = !scalar.sample_varying && !scalar.time_varying &&
                         std::any_of(header.parameters.begin(), header.parameters.end(), same);
    if (!repeats) header.scalars.push_back(std::move(scalar));
  }
  for (const int64_t order : {0, 1, 2}) read_fields(file, order, header);
  check_frame_size(file, header);
  return header;
}

std::vector<Object> open_well_fields(const Object& file, const WellHeader& header) {
  std::vector<Object> datasets;
  for (const WellField& field : header.fields) {
    datasets.push_back(file.group(well_group(field.order)).dataset(field.name));
  }
  return datasets;
}

std::vector<double> read_well_times(const Object& file) {
  return file.group("dimensions").dataset("time").numbers(kMostTimes);
}

}  // namespace roundtrip
