// Reading windows of a Well file against pread() of the same bytes, page cache warm.
//
// The limit: the kernel's copy of the bytes out of the page cache, which both sides pay. On top of
// it our reader takes vectors apart, [point, component] to planes, one more pass over two thirds of
// the data while it is in the first-level cache. The yardstick preads each field's part of a window
// in one call, into a buffer it reuses, and leaves the vectors as they are; of a file in chunks, each
// chunk in one call. The last column reads the same file through H5Dread, per field and without
// taking vectors apart. Compressed chunks are set against zlib's inflation of the same bytes alone.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "roundtrip/formats/file_descriptor.h"
#include "roundtrip/formats/well_header.h"
#include "roundtrip/formats/well_reader.h"
#include "roundtrip/formats/well_writer.h"

namespace roundtrip {
namespace {

constexpr int64_t kWindow = 4;
constexpr int kRepeats = 15;

/// The six fields of the MHD set, as two scalars and two vectors.
WellHeader bench_header(int64_t resolution, int64_t trajectories, int64_t frames) {
  WellHeader header;
  header.dataset_name = "bench";
  header.n_trajectories = trajectories;
  header.time.coordinates.resize(static_cast<size_t>(frames));
  for (const char* name : {"x", "y"}) {
    header.axes.push_back(
        {.name = name, .coordinates = std::vector<double>(static_cast<size_t>(resolution))});
  }
  header.fields = {{.name = "density"},
                   {.name = "pressure"},
                   {.name = "velocity", .order = 1},
                   {.name = "magnetic_field", .order = 1}};
  return header;
}

void write_bench_file(const std::filesystem::path& path, const WellHeader& header) {
  WellWriter writer(path, header);
  std::vector<float> frame(static_cast<size_t>(header.frame_size()), 1.0f);
  for (int64_t b = 0; b < header.n_trajectories; ++b) {
    for (int64_t t = 0; t < header.frames(); ++t) writer.write_frame(b, t, frame);
  }
  writer.finish();
}

/// Seconds for one window by each way of reading, the fastest of all windows and passes. The ways
/// take turns, so that whatever else the machine does meets all of them.
std::vector<double> best_times(const WellHeader& header,
                               const std::vector<std::function<void(int64_t, int64_t)>>& ways) {
  std::vector<double> best(ways.size(), 1e300);
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (size_t way = 0; way < ways.size(); ++way) {
      for (int64_t w = 0; w < header.n_trajectories * (header.frames() / kWindow); ++w) {
        const auto start = std::chrono::steady_clock::now();
        ways[way](w % header.n_trajectories, w / header.n_trajectories * kWindow);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        best[way] = std::min(best[way], taken.count());
      }
    }
  }
  return best;
}

void measure(int64_t resolution, int64_t trajectories, int64_t frames) {
  const WellHeader header = bench_header(resolution, trajectories, frames);
  const auto path = std::filesystem::temp_directory_path() /
                    fmt::format("roundtrip-bench-{}-{}.hdf5", ::getpid(), resolution);
  write_bench_file(path, header);
  const WellReader reader(path);
  const auto floats = static_cast<size_t>(kWindow * header.frame_size());
  std::vector<float> window(floats);
  const auto ours = [&](int64_t trajectory, int64_t first) {
    reader.read_window(trajectory, first, kWindow, window);
  };

  const hdf5::Object file = hdf5::Object::open_file(path);
  const std::vector<hdf5::Object> datasets = open_well_fields(file, header);
  const FileDescriptor descriptor(path, O_RDONLY);
  const auto each_field = [&](int64_t trajectory, int64_t first, const auto& read) {
    float* out = window.data();
    for (size_t f = 0; f < datasets.size(); ++f) {
      const int64_t size = header.components(header.fields[f]) * header.points();
      read(f, (trajectory * frames + first) * size, kWindow * size, out);
      out += kWindow * size;
    }
  };
  std::vector<int64_t> addresses;
  for (const hdf5::Object& dataset : datasets) {
    addresses.push_back(dataset.plain_address(H5T_IEEE_F32LE));
  }
  const auto plain = [&](int64_t trajectory, int64_t first) {
    each_field(trajectory, first, [&](size_t f, int64_t at, int64_t count, float* out) {
      descriptor.read_at(addresses[f] + at * 4, out, count * 4);
    });
  };
  const auto library = [&](int64_t trajectory, int64_t first) {
    each_field(trajectory, first, [&](size_t f, int64_t, int64_t, float* out) {
      std::vector<int64_t> offsets{trajectory, first, 0, 0},
          extents{1, kWindow, resolution, resolution};
      if (header.fields[f].order == 1) {
        offsets.push_back(0);
        extents.push_back(2);
      }
      datasets[f].read_block(offsets, extents, H5T_NATIVE_FLOAT, out);
    });
  };
  const std::vector<double> times = best_times(header, {ours, plain, library});
  const double gigabytes = static_cast<double>(floats) * 4e-9;
  fmt::print(
      "{:4}x{:<4} window of {} frames {:8.1f} us  pread {:8.1f} us ({:4.1f} GB/s)  "
      "speed / pread {:.2f}  H5Dread / pread {:.2f}\n",
      resolution, resolution, kWindow, times[0] * 1e6, times[1] * 1e6, gigabytes / times[1],
      times[1] / times[0], times[1] / times[2]);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace roundtrip

int main() {
  roundtrip::measure(/*resolution=*/64, /*trajectories=*/4, /*frames=*/100);
  roundtrip::measure(/*resolution=*/128, /*trajectories=*/4, /*frames=*/40);
  roundtrip::measure(/*resolution=*/512, /*trajectories=*/2, /*frames=*/16);
}
