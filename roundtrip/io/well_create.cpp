#include "roundtrip/io/well_create.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/hdf5_write.h"

namespace roundtrip {
namespace {

using hdf5::Creator;
using hdf5::Handle;

void write_variation(hid_t object, bool sample_varying, bool time_varying) {
  hdf5::write_flag(object, "sample_varying", sample_varying);
  hdf5::write_flag(object, "time_varying", time_varying);
}

template <class Rows>
std::vector<std::string> names_of_rows(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

void write_root(const Creator& creator, const WellHeader& header) {
  const hid_t root = creator.root();
  hdf5::write_text(root, "dataset_name", header.dataset_name);
  hdf5::write_text(root, "grid_type", header.grid_type);
  hdf5::write_integer(root, "n_spatial_dims", static_cast<int64_t>(header.axes.size()));
  hdf5::write_integer(root, "n_trajectories", header.n_trajectories);
  std::vector<std::string> names;
  for (const auto& [name, value] : header.parameters) {
    names.push_back(name);
    hdf5::write_number(root, name, value);
  }
  hdf5::write_texts(root, "simulation_parameters", names);
  for (const auto& [name, text] : header.notes) hdf5::write_text(root, name, text);
}

int64_t product(const std::vector<int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

std::vector<int64_t> stored_extents(const WellHeader& header, const WellAxis& axis) {
  std::vector<int64_t> shape = header.leading_shape(axis.sample_varying, axis.time_varying);
  shape.push_back(axis.size());
  return shape;
}

const std::vector<double>& stored_coordinates(const WellAxis& axis) {
  return axis.sample_varying || axis.time_varying ? axis.all_coordinates : axis.coordinates;
}

void write_dimensions(const Creator& creator, const WellHeader& header) {
  const Handle group = creator.group(creator.root(), "dimensions");
  hdf5::write_texts(group.get(), "spatial_dims", names_of_rows(header.axes));
  const auto write = [&](const std::string& name, const WellAxis& axis, bool time_varying) {
    const Handle dataset =
        creator.numbers(group.get(), name, stored_extents(header, axis), stored_coordinates(axis));
    write_variation(dataset.get(), axis.sample_varying, time_varying);
  };
  // The Well's checker reads time as a dataset that varies over time: shape (frames).
  write("time", header.time, true);
  for (const WellAxis& axis : header.axes) write(axis.name, axis, axis.time_varying);
}

std::vector<int64_t> stored_extents(const WellHeader& header, const WellBoundary& boundary) {
  std::vector<int64_t> shape = header.leading_shape(boundary.sample_varying, boundary.time_varying);
  for (const WellAxis& axis : header.axes) {
    if (std::count(boundary.axes.begin(), boundary.axes.end(), axis.name) > 0) {
      shape.push_back(axis.size());
    }
  }
  return shape;
}

void write_boundaries(const Creator& creator, const WellHeader& header) {
  const Handle all = creator.group(creator.root(), "boundary_conditions");
  const Handle boolean = hdf5::bool_type();
  for (const WellBoundary& boundary : header.boundaries) {
    const Handle group = creator.group(all.get(), boundary.name);
    hdf5::write_texts(group.get(), "associated_dims", boundary.axes);
    hdf5::write_texts(group.get(), "associated_fields", boundary.fields);
    hdf5::write_text(group.get(), "bc_type", boundary.type);
    write_variation(group.get(), boundary.sample_varying, boundary.time_varying);
    const Handle mask =
        creator.dataset(group.get(), "mask", boolean.get(), stored_extents(header, boundary));
    hdf5::check_write(
        H5Dwrite(mask.get(), boolean.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, boundary.mask.data()),
        boundary.name, "write its mask");
  }
}

void write_scalars(const Creator& creator, const WellHeader& header) {
  std::vector<WellScalar> scalars;
  for (const auto& [name, value] : header.parameters) {
    const auto same = [&name = name](const WellScalar& scalar) { return scalar.name == name; };
    if (std::any_of(header.scalars.begin(), header.scalars.end(), same)) continue;
    scalars.push_back({.name = name, .values = {value}});
  }
  scalars.insert(scalars.end(), header.scalars.begin(), header.scalars.end());
  const Handle group = creator.group(creator.root(), "scalars");
  hdf5::write_texts(group.get(), "field_names", names_of_rows(scalars));
  for (const WellScalar& scalar : scalars) {
    const auto shape = header.leading_shape(scalar.sample_varying, scalar.time_varying);
    write_variation(creator.numbers(group.get(), scalar.name, shape, scalar.values).get(),
                    scalar.sample_varying, scalar.time_varying);
  }
}

std::vector<int64_t> write_fields(const Creator& creator, const WellHeader& header) {
  std::vector<int64_t> addresses;
  for (const int64_t order : {0, 1, 2}) {
    std::vector<WellField> fields;
    for (const WellField& field : header.fields) {
      if (field.order == order) fields.push_back(field);
    }
    const Handle group = creator.group(creator.root(), well_group(order));
    hdf5::write_texts(group.get(), "field_names", names_of_rows(fields));
    for (const WellField& field : fields) {
      const Handle dataset =
          creator.dataset(group.get(), field.name, H5T_IEEE_F32LE, header.stored_shape(field));
      const std::vector<bool> along = field.dim_varying.empty()
                                          ? std::vector<bool>(header.axes.size(), true)
                                          : field.dim_varying;
      hdf5::write_flags(dataset.get(), "dim_varying", along);
      write_variation(dataset.get(), field.sample_varying, field.time_varying);
      if (order == 2) {
        hdf5::write_flag(dataset.get(), "symmetric", field.symmetric);
        hdf5::write_flag(dataset.get(), "antisymmetric", field.antisymmetric);
      }
      addresses.push_back(Creator::address(dataset.get()));
    }
  }
  return addresses;
}

void ensure_axis(const WellHeader& header, const WellAxis& axis) {
  ensure(axis.size() > 0 && static_cast<int64_t>(stored_coordinates(axis).size()) ==
                                product(stored_extents(header, axis)),
         "coordinates that do not fit their flags");
}

// Headers to write come from our own code, so that what does not fit is our mistake.
void ensure_writable(const WellHeader& header) {
  ensure(header.n_trajectories > 0 && header.frames() > 0, "a Well file without frames");
  ensure(!header.axes.empty() && header.axes.size() <= 3, "a Well grid has one to three axes");
  ensure_axis(header, header.time);
  for (const WellAxis& axis : header.axes) ensure_axis(header, axis);
  for (const WellBoundary& boundary : header.boundaries) {
    ensure(static_cast<int64_t>(boundary.mask.size()) == product(stored_extents(header, boundary)),
           "a boundary mask that does not fit its axes and flags");
  }
  for (const WellScalar& scalar : header.scalars) {
    ensure(static_cast<int64_t>(scalar.values.size()) ==
               product(header.leading_shape(scalar.sample_varying, scalar.time_varying)),
           "a scalar whose values do not fit its flags");
  }
  std::set<std::string> root{"dataset_name", "grid_type", "n_spatial_dims", "n_trajectories",
                             "simulation_parameters"};
  for (const auto& [name, value] : header.parameters) {
    ensure(root.insert(name).second, "a parameter named like another root attribute");
  }
  for (const auto& [name, text] : header.notes) {
    ensure(root.insert(name).second, "a note named like another root attribute");
  }
  ensure(std::is_sorted(header.fields.begin(), header.fields.end(),
                        [](const WellField& a, const WellField& b) { return a.order < b.order; }),
         "fields out of order: scalars come first, then vectors, then tensors");
  std::set<std::string> names;
  for (const WellField& field : header.fields) {
    ensure(!field.name.empty() && field.name.find('/') == std::string::npos, "a field's name");
    ensure(names.insert(field.name).second, "two fields of one name");
    ensure(field.order >= 0 && field.order <= 2, "a field of an order above 2");
    ensure(field.dim_varying.empty() || field.dim_varying.size() == header.axes.size(),
           "dim_varying needs one entry per axis");
  }
}

}  // namespace

std::vector<int64_t> create_well_file(const std::filesystem::path& path, const WellHeader& header) {
  ensure_writable(header);
  const hdf5::Lock lock;
  Creator creator(path);
  write_root(creator, header);
  write_dimensions(creator, header);
  write_boundaries(creator, header);
  write_scalars(creator, header);
  std::vector<int64_t> addresses = write_fields(creator, header);
  creator.close();
  return addresses;
}

void add_well_notes(const std::filesystem::path& path, const WellNotes& notes) {
  const hdf5::Lock lock;
  hdf5::Creator file = Creator::reopen(path);
  for (const auto& [name, text] : notes) hdf5::write_text(file.root(), name, text);
  file.close();
}

}  // namespace roundtrip
