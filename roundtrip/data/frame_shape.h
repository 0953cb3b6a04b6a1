#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace roundtrip {

/// The shape of one frame: fields (C, H, W), or latent channels (F, h, w).
struct FrameShape {
  int64_t channels = 0;
  int64_t height = 0;
  int64_t width = 0;

  /// Numbers in a frame.
  int64_t size() const { return channels * height * width; }
  /// Of a tensor of frames: what comes before, then channels, height, width.
  std::vector<int64_t> sizes(std::initializer_list<int64_t> before = {}) const {
    std::vector<int64_t> all(before);
    all.insert(all.end(), {channels, height, width});
    return all;
  }

  friend bool operator==(const FrameShape&, const FrameShape&) = default;
};

}  // namespace roundtrip
