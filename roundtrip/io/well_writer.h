#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/io/well_schema.h"

namespace roundtrip {

/// Writes one file of the Well, frame by frame, in any order and from any number of threads; the
/// bytes depend on header and values only. The file appears at `finish`; without it, or after an
/// Error, nothing is left behind. Memory: one frame of one field per calling thread.
class WellWriter {
 public:
  /// Takes the disk space of the whole file, so that a full disk is noticed here where possible.
  WellWriter(const std::filesystem::path& path, WellHeader header,
             AtomicFile::IfExists if_exists = AtomicFile::IfExists::replace);
  ~WellWriter();
  WellWriter(WellWriter&&) noexcept;
  WellWriter& operator=(WellWriter&&) noexcept;

  const WellHeader& header() const;

  /// Stores one frame, values [channel, axes...]. Writing it again replaces it. Fields that do not
  /// vary over time are taken from frame 0, over trajectories from trajectory 0, along an axis from
  /// its first point.
  void write_frame(int64_t trajectory, int64_t frame, std::span<const float> values);

  /// Syncs the file and gives it its name; a Bug when a frame was never written. `late_notes` join
  /// those of the header: what is known only once all frames are there.
  void finish(const WellNotes& late_notes = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace roundtrip
