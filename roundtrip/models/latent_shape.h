#pragma once

#include <cstdint>

namespace roundtrip {

/// The shape of one latent frame, (F, h, w).
struct LatentShape {
  int64_t channels = 0;  // F
  int64_t height = 0;    // h
  int64_t width = 0;     // w

  friend bool operator==(const LatentShape&, const LatentShape&) = default;
};

}  // namespace roundtrip
