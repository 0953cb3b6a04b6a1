#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "roundtrip/io/well_schema.h"

namespace roundtrip {

/// Reads one file of the Well: ours, the published ones, and any other that fits its format.
/// Thread-safe. Of the field values it reads what is asked for, never the whole file.
///
/// HDF5 works in another program (reader_call.h), since it crashes on some damaged files. Fields
/// stored as one run of float32 or in chunks of it, plain or compressed as h5py does, are read
/// without it after opening; a window with other fields is read there and sent here.
class WellReader {
 public:
  /// Reads and checks the header; an Error when the file is damaged or does not fit.
  explicit WellReader(const std::filesystem::path& path);
  ~WellReader();
  WellReader(WellReader&&) noexcept;
  WellReader& operator=(WellReader&&) noexcept;

  const std::filesystem::path& path() const;
  const WellHeader& header() const;

  /// Frames [first, first + count) of a trajectory into `out`, [count, channel, axes...]; fields
  /// are repeated over whatever they do not vary along.
  void read_window(int64_t trajectory, int64_t first, int64_t count, std::span<float> out) const;

  /// The same for one field, and only what is stored: [frame, component, points], one frame when
  /// the field does not vary over time, points of the axes it varies along.
  void read_field(int64_t field, int64_t trajectory, int64_t first, int64_t count,
                  std::span<float> out) const;
  /// Whether a frame costs no more than reading its own bytes: every field lies in the file as
  /// float32, in one run or in chunks that are not compressed.
  bool seeks() const;
  /// The numbers a field is stored in: "float32", "float64", "int16", "uint8".
  const std::string& stored_type(int64_t field) const;
  /// Floats per stored frame of a field.
  int64_t stored_frame_size(int64_t field) const;

  /// Times of the frames of a trajectory.
  std::vector<double> times(int64_t trajectory) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace roundtrip
