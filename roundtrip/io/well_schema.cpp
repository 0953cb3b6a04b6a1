#include "roundtrip/io/well_schema.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "roundtrip/base/error.h"

namespace roundtrip {
namespace {

// A fixed number of components lets the compiler turn the loop into vector shuffles.
template <int64_t kComponents>
void deinterleave_fixed(const float* stored, int64_t points, float* planes, int64_t plane_stride) {
  for (int64_t i = 0; i < points; ++i) {
    for (int64_t c = 0; c < kComponents; ++c) {
      planes[c * plane_stride + i] = stored[i * kComponents + c];
    }
  }
}

}  // namespace

int64_t WellHeader::components(const WellField& field) const {
  int64_t count = 1;
  for (int64_t i = 0; i < field.order; ++i) count *= static_cast<int64_t>(axes.size());
  return count;
}

int64_t WellHeader::channels() const {
  int64_t count = 0;
  for (const WellField& field : fields) count += components(field);
  return count;
}

std::vector<std::string> WellHeader::channel_names() const {
  std::vector<std::string> names;
  for (const WellField& field : fields) {
    std::vector<std::string> suffixes{""};
    for (int64_t i = 0; i < field.order; ++i) {
      std::vector<std::string> longer;
      for (const std::string& suffix : suffixes) {
        for (const WellAxis& axis : axes) longer.push_back(suffix + axis.name);
      }
      suffixes = std::move(longer);
    }
    for (const std::string& suffix : suffixes) {
      names.push_back(suffix.empty() ? field.name : fmt::format("{}_{}", field.name, suffix));
    }
  }
  return names;
}

int64_t WellHeader::points() const {
  int64_t count = 1;
  for (const WellAxis& axis : axes) count *= axis.size();
  return count;
}

std::vector<int64_t> WellHeader::stored_shape(const WellField& field) const {
  std::vector<int64_t> shape = leading_shape(field.sample_varying, field.time_varying);
  for (size_t d = 0; d < axes.size(); ++d) {
    if (field.dim_varying.empty() || field.dim_varying[d]) shape.push_back(axes[d].size());
  }
  shape.insert(shape.end(), static_cast<size_t>(field.order), static_cast<int64_t>(axes.size()));
  return shape;
}

std::vector<int64_t> WellHeader::leading_shape(bool sample_varying, bool time_varying) const {
  std::vector<int64_t> shape;
  if (sample_varying) shape.push_back(n_trajectories);
  if (time_varying) shape.push_back(frames());
  return shape;
}

std::string well_group(int64_t order) { return fmt::format("t{}_fields", order); }

WellBoundary boundary_of(const WellAxis& axis, std::string_view type) {
  std::string lower(type);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  WellBoundary boundary{.name = fmt::format("{}_{}", axis.name, lower),
                        .type = std::string(type),
                        .axes = {axis.name},
                        .fields = {},
                        .mask = std::vector<uint8_t>(axis.coordinates.size(), 0)};
  ensure(!boundary.mask.empty(), "a boundary of an axis without points");
  boundary.mask.front() = boundary.mask.back() = 1;
  return boundary;
}

WellPlanes::WellPlanes(const WellHeader& header, const WellField& field)
    : components(header.components(field)), grid_points(header.points()) {
  const size_t rank = header.axes.size();
  ensure(rank >= 1 && rank <= 3, "a Well grid has one to three axes");
  const size_t first = 3 - rank;
  for (size_t d = rank; d-- > 0;) {
    extents[first + d] = header.axes[d].size();
    if (!field.dim_varying.empty() && !field.dim_varying[d]) continue;
    strides[first + d] = stored_points;
    stored_points *= extents[first + d];
  }
}

void WellPlanes::to_planes(const float* stored, float* planes) const {
  if (full()) return deinterleave(stored, grid_points, components, planes, grid_points);
  for (int64_t c = 0; c < components; ++c) {
    for (int64_t i = 0; i < extents[0]; ++i) {
      for (int64_t j = 0; j < extents[1]; ++j) {
        const int64_t row = i * strides[0] + j * strides[1];
        for (int64_t k = 0; k < extents[2]; ++k) {
          *planes++ = stored[(row + k * strides[2]) * components + c];
        }
      }
    }
  }
}

void WellPlanes::from_planes(const float* planes, float* stored) const {
  const std::array<int64_t, 3> grid_strides{extents[1] * extents[2], extents[2], 1};
  const auto count = [&](size_t d) { return strides[d] == 0 ? int64_t{1} : extents[d]; };
  for (int64_t i = 0; i < count(0); ++i) {
    for (int64_t j = 0; j < count(1); ++j) {
      const int64_t row = i * grid_strides[0] + j * grid_strides[1];
      for (int64_t k = 0; k < count(2); ++k) {
        for (int64_t c = 0; c < components; ++c) *stored++ = planes[c * grid_points + row + k];
      }
    }
  }
}

void deinterleave(const float* stored, int64_t points, int64_t components, float* planes,
                  int64_t plane_stride) {
  switch (components) {
    case 1:
      std::copy_n(stored, points, planes);
      return;
    case 2:
      deinterleave_fixed<2>(stored, points, planes, plane_stride);
      return;
    case 3:
      deinterleave_fixed<3>(stored, points, planes, plane_stride);
      return;
    case 4:
      deinterleave_fixed<4>(stored, points, planes, plane_stride);
      return;
    default:
      for (int64_t c = 0; c < components; ++c) {
        for (int64_t i = 0; i < points; ++i) {
          planes[c * plane_stride + i] = stored[i * components + c];
        }
      }
  }
}

}  // namespace roundtrip
