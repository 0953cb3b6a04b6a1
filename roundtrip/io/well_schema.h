#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What a file of the Well says about its values (PolymathicAI/the_well, docs/data_format.md).

namespace roundtrip {

/// Time, or one axis of the grid.
struct WellAxis {
  std::string name;                 // "x"
  std::vector<double> coordinates;  // of the first trajectory, where they differ
  bool sample_varying = false;      // each trajectory has its own
  bool time_varying = false;        // each frame has its own; of an axis of the grid only
  // Where they differ, all of them [trajectory, frame, point], for writing; reading leaves it
  // empty.
  std::vector<double> all_coordinates = {};

  int64_t size() const { return static_cast<int64_t>(coordinates.size()); }
};

/// How the domain ends somewhere.
struct WellBoundary {
  std::string name;                 // "x_periodic"
  std::string type;                 // "PERIODIC", "OPEN" or "WALL"
  std::vector<std::string> axes;    // the axes the mask runs over, as in the grid
  std::vector<std::string> fields;  // that have set values there; usually none
  bool sample_varying = false;
  bool time_varying = false;
  // 1 where the boundary is, [trajectory, frame, axes...] where it varies over the first two; empty
  // when read from one that varies.
  std::vector<uint8_t> mask;
};

/// A number per file, trajectory or frame.
struct WellScalar {
  std::string name;
  bool sample_varying = false;
  bool time_varying = false;
  std::vector<double> values;  // [trajectory where varying, frame where varying]
};

/// A field on the grid: order 0 is a scalar, 1 a vector, 2 a tensor, one component per axis each.
struct WellField {
  std::string name;
  int64_t order = 0;
  bool sample_varying = true;
  bool time_varying = true;
  std::vector<bool> dim_varying = {};  // per axis of the grid; empty means along all
  bool symmetric = false;              // of a tensor; all components are stored nevertheless
  bool antisymmetric = false;
};

/// Texts about a file as a whole: root attributes, name and text.
using WellNotes = std::vector<std::pair<std::string, std::string>>;

/// Everything a Well file holds besides the values of its fields. Channels are the components of
/// `fields` in their order: scalars first, then vectors (name_x, name_y), then tensors (name_xx,
/// name_xy, name_yx, name_yy). A frame is an array [channel, axes...].
struct WellHeader {
  std::string dataset_name;
  std::string grid_type = "cartesian";
  int64_t n_trajectories = 0;
  std::vector<std::pair<std::string, double>> parameters;  // each is a scalar too; do not repeat it
  WellAxis time{.name = "time", .coordinates = {}};
  std::vector<WellAxis> axes;  // one to three
  std::vector<WellBoundary> boundaries;
  std::vector<WellScalar> scalars;  // besides the parameters
  std::vector<WellField> fields;    // orders ascending
  WellNotes notes;                  // further texts: provenance, pressure

  int64_t frames() const { return time.size(); }
  int64_t components(const WellField& field) const;
  int64_t channels() const;
  std::vector<std::string> channel_names() const;
  /// Points of the grid.
  int64_t points() const;
  /// Floats in one frame.
  int64_t frame_size() const { return channels() * points(); }
  /// Of the field's dataset: [trajectory, frame, axes..., component...] without what does not vary.
  std::vector<int64_t> stored_shape(const WellField& field) const;
  /// Extents in front of what varies over trajectories, frames or both.
  std::vector<int64_t> leading_shape(bool sample_varying, bool time_varying) const;
};

/// The group of a file that holds the fields of an order: "t0_fields".
std::string well_group(int64_t order);

/// The boundary at both ends of an axis, named as the Well names it: "x_periodic".
WellBoundary boundary_of(const WellAxis& axis, std::string_view type);

/// How one stored frame of a field, [points, component], becomes planes [component, grid points].
struct WellPlanes {
  WellPlanes(const WellHeader& header, const WellField& field);

  std::array<int64_t, 3> extents{1, 1, 1};  // of the grid; missing leading axes are 1
  std::array<int64_t, 3> strides{0, 0, 0};  // in stored points; 0 along an axis without variation
  int64_t components = 1;
  int64_t grid_points = 1;
  int64_t stored_points = 1;

  /// Whether stored points are the grid's points.
  bool full() const { return stored_points == grid_points; }
  int64_t stored_size() const { return stored_points * components; }
  /// Repeats stored values along the axes without variation.
  void to_planes(const float* stored, float* planes) const;
  /// Keeps the values at index 0 along the axes without variation.
  void from_planes(const float* planes, float* stored) const;
};

/// [points, component] to component planes `plane_stride` floats apart.
void deinterleave(const float* stored, int64_t points, int64_t components, float* planes,
                  int64_t plane_stride);

}  // namespace roundtrip
