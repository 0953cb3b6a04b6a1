#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace roundtrip {

/// Part of a dataset, for HDF5 to read.
struct DatasetBlock {
  std::string group;           // "t0_fields"; empty for the file itself
  std::string dataset;         // in that group
  std::vector<int64_t> shape;  // the dataset has
  std::vector<int64_t> offsets, extents;
};

/// Blocks of the datasets of one file.
struct BlockRequest {
  std::string path;
  std::vector<DatasetBlock> blocks;
};

template <class Archive>
void visit(Archive& archive, DatasetBlock& block) {
  archive(block.group, block.dataset, block.shape, block.offsets, block.extents);
}

template <class Archive>
void visit(Archive& archive, BlockRequest& request) {
  archive(request.path, request.blocks);
}

/// The values of all blocks, one after the other, as the bytes of float32. An Error when a dataset
/// no longer has its shape.
std::string read_blocks(const BlockRequest& request);

}  // namespace roundtrip
