#pragma once

#include "roundtrip/io/archive.h"
#include "roundtrip/io/well_contents.h"

// The members of a Well file's records, for archive.h.

namespace roundtrip {

template <class Archive>
void visit(Archive& archive, WellAxis& axis) {
  archive(axis.name, axis.coordinates, axis.sample_varying, axis.time_varying,
          axis.all_coordinates);
}

template <class Archive>
void visit(Archive& archive, WellBoundary& boundary) {
  archive(boundary.name, boundary.type, boundary.axes, boundary.fields, boundary.sample_varying,
          boundary.time_varying, boundary.mask);
}

template <class Archive>
void visit(Archive& archive, WellScalar& scalar) {
  archive(scalar.name, scalar.sample_varying, scalar.time_varying, scalar.values);
}

template <class Archive>
void visit(Archive& archive, WellField& field) {
  archive(field.name, field.order, field.sample_varying, field.time_varying, field.dim_varying,
          field.symmetric, field.antisymmetric);
}

template <class Archive>
void visit(Archive& archive, WellHeader& header) {
  archive(header.dataset_name, header.grid_type, header.n_trajectories, header.parameters,
          header.time, header.axes, header.boundaries, header.scalars, header.fields, header.notes);
}

template <class Archive>
void visit(Archive& archive, hdf5::Chunk& chunk) {
  archive(chunk.address, chunk.bytes, chunk.skipped);
}

template <class Archive>
void visit(Archive& archive, WellPlace& place) {
  hdf5::ChunkMap& map = place.chunks;
  archive(place.address, map.shape, map.extents, map.filters, map.chunks, place.type);
}

template <class Archive>
void visit(Archive& archive, WellContents& contents) {
  archive(contents.header, contents.places, contents.times);
}

}  // namespace roundtrip
