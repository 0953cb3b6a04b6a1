// Reading windows of a Well file against pread() of the same bytes, page cache warm.
//
// The limit: the kernel's copy of the bytes out of the page cache, which both sides pay. On top of
// it our reader takes vectors apart, [point, component] to planes, one more pass over two thirds of
// the data while it is in the first-level cache. The yardstick preads each field's part of a window
// in one call, into a buffer it reuses, and leaves the vectors as they are. Of a file in chunks of
// a frame it preads each chunk in one call, and inflates it by zlib where it is compressed, but
// does not put its bytes in order. The last column reads the same file through H5Dread, per field
// and without taking vectors apart.
//
// Then what HDF5 itself has to do for us, in another process: opening a file, and windows of
// float64, which the limit reads by H5Dread in this process.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include "roundtrip/base/error.h"
#include "roundtrip/io/file_descriptor.h"
#include "roundtrip/io/hdf5_chunks.h"
#include "roundtrip/io/hdf5_write.h"
#include "roundtrip/io/well_header.h"
#include "roundtrip/io/well_reader.h"
#include "roundtrip/io/well_writer.h"

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
  // Smooth, with all bits of the fraction in use: gzip makes three quarters of it.
  std::vector<float> frame(static_cast<size_t>(header.frame_size()));
  for (size_t i = 0; i < frame.size(); ++i) frame[i] = 2 + std::sin(0.01f * static_cast<float>(i));
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

enum class Storage { one_run, chunks, compressed_chunks };

std::string name_of(Storage storage) {
  switch (storage) {
    case Storage::one_run:
      return "one run";
    case Storage::chunks:
      return "chunks";
    case Storage::compressed_chunks:
      return "gzip chunks";
  }
  return "";
}

/// Stores the fields in chunks of one frame each.
void store_in_chunks(const std::filesystem::path& path, const WellHeader& header, bool compressed) {
  const hdf5::Lock lock;
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  for (const WellField& field : header.fields) {
    const std::string name = fmt::format("t{}_fields/{}", field.order, field.name);
    const std::vector<int64_t> stored = header.stored_shape(field);
    const std::vector<hsize_t> shape(stored.begin(), stored.end());
    std::vector<hsize_t> chunk = shape;
    chunk[0] = chunk[1] = 1;
    const auto rank = static_cast<int>(shape.size());
    const hdf5::Handle space(H5Screate_simple(rank, shape.data(), nullptr));
    const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(creation.get(), rank, chunk.data());
    if (compressed) {
      H5Pset_shuffle(creation.get());
      H5Pset_deflate(creation.get(), 4);  // h5py's choice
    }
    std::vector<float> values(static_cast<size_t>(H5Sget_simple_extent_npoints(space.get())));
    const hdf5::Handle old(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT));
    H5Dread(old.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    const hdf5::Handle copy(H5Dcreate2(file.get(), "copy", H5T_IEEE_F32LE, space.get(), H5P_DEFAULT,
                                       creation.get(), H5P_DEFAULT));
    H5Dwrite(copy.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    hdf5::write_flag(copy.get(), "sample_varying", true);
    hdf5::write_flag(copy.get(), "time_varying", true);
    hdf5::write_flags(copy.get(), "dim_varying", {true, true});
    H5Ldelete(file.get(), name.c_str(), H5P_DEFAULT);
    H5Lmove(file.get(), "copy", file.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  }
}

/// The yardstick for one field: pread of what is stored of some frames, and inflation where it is
/// compressed, but nothing put in order.
class Yardstick {
 public:
  Yardstick(const hdf5::Object& dataset, const FileDescriptor& file, int64_t frame_floats)
      : file_(file),
        address_(dataset.plain_address(H5T_IEEE_F32LE)),
        frame_bytes_(frame_floats * 4) {
    int64_t steps = hdf5::kChunkSteps;
    map_ = hdf5::chunk_map(dataset, steps);
    ensure(address_ >= 0 || !map_.empty(), "a dataset read without HDF5");
  }

  void read(int64_t first_frame, int64_t frames, float* out) {
    if (address_ >= 0) {
      return file_.read_at(address_ + first_frame * frame_bytes_, out, frames * frame_bytes_);
    }
    for (int64_t t = 0; t < frames; ++t) {
      const hdf5::Chunk& chunk = map_.chunks[static_cast<size_t>(first_frame + t)];
      char* to = reinterpret_cast<char*>(out) + t * frame_bytes_;
      if (map_.filters.empty()) {
        file_.read_at(chunk.address, to, chunk.bytes);
        continue;
      }
      stored_.resize(static_cast<size_t>(chunk.bytes));
      file_.read_at(chunk.address, stored_.data(), chunk.bytes);
      auto bytes = static_cast<uLongf>(frame_bytes_);
      ensure(uncompress(reinterpret_cast<Bytef*>(to), &bytes, stored_.data(),
                        static_cast<uLong>(stored_.size())) == Z_OK,
             "a chunk that can be inflated");
    }
  }

 private:
  const FileDescriptor& file_;
  int64_t address_;
  hdf5::ChunkMap map_;
  int64_t frame_bytes_;
  std::vector<Bytef> stored_;
};

std::filesystem::path bench_path(int64_t resolution) {
  return std::filesystem::temp_directory_path() /
         fmt::format("roundtrip-bench-{}-{}.hdf5", ::getpid(), resolution);
}

void measure(int64_t resolution, int64_t trajectories, int64_t frames, Storage storage) {
  const WellHeader header = bench_header(resolution, trajectories, frames);
  const auto path = bench_path(resolution);
  write_bench_file(path, header);
  if (storage != Storage::one_run) {
    store_in_chunks(path, header, storage == Storage::compressed_chunks);
  }
  const WellReader reader(path);
  const auto floats = static_cast<size_t>(kWindow * header.frame_size());
  std::vector<float> window(floats);
  const auto ours = [&](int64_t trajectory, int64_t first) {
    reader.read_window(trajectory, first, kWindow, window);
  };

  const hdf5::Object file = hdf5::Object::open_file(path);
  const std::vector<hdf5::Object> datasets = open_well_fields(file, header);
  const FileDescriptor descriptor(path, O_RDONLY);
  const auto frame_floats = [&](size_t f) {
    return header.components(header.fields[f]) * header.points();
  };
  std::vector<Yardstick> yardsticks;
  for (size_t f = 0; f < datasets.size(); ++f) {
    yardsticks.emplace_back(datasets[f], descriptor, frame_floats(f));
  }
  const auto plain = [&](int64_t trajectory, int64_t first) {
    float* out = window.data();
    for (size_t f = 0; f < datasets.size(); ++f) {
      yardsticks[f].read(trajectory * frames + first, kWindow, out);
      out += kWindow * frame_floats(f);
    }
  };
  const auto library = [&](int64_t trajectory, int64_t first) {
    float* out = window.data();
    for (size_t f = 0; f < datasets.size(); ++f) {
      std::vector<int64_t> offsets{trajectory, first, 0, 0},
          extents{1, kWindow, resolution, resolution};
      if (header.fields[f].order == 1) {
        offsets.push_back(0);
        extents.push_back(2);
      }
      datasets[f].read_block(offsets, extents, H5T_NATIVE_FLOAT, out);
      out += kWindow * frame_floats(f);
    }
  };
  const std::vector<double> times = best_times(header, {ours, plain, library});
  const double gigabytes = static_cast<double>(floats) * 4e-9;
  fmt::print(
      "{:4}x{:<4} {:11} window of {} frames {:8.1f} us  limit {:8.1f} us ({:4.1f} GB/s)  "
      "speed / limit {:.2f}  H5Dread / limit {:.2f}\n",
      resolution, resolution, name_of(storage), kWindow, times[0] * 1e6, times[1] * 1e6,
      gigabytes / times[1], times[1] / times[0], times[1] / times[2]);
  std::filesystem::remove(path);
}

/// Stores the fields as float64.
void store_doubles(const std::filesystem::path& path, const WellHeader& header) {
  const hdf5::Lock lock;
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  for (const WellField& field : header.fields) {
    const std::string name = fmt::format("t{}_fields/{}", field.order, field.name);
    const std::vector<int64_t> stored = header.stored_shape(field);
    const std::vector<hsize_t> shape(stored.begin(), stored.end());
    const hdf5::Handle space(
        H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
    std::vector<double> values(static_cast<size_t>(H5Sget_simple_extent_npoints(space.get())));
    const hdf5::Handle old(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT));
    H5Dread(old.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    const hdf5::Handle copy(H5Dcreate2(file.get(), "copy", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                                       H5P_DEFAULT, H5P_DEFAULT));
    H5Dwrite(copy.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    hdf5::write_flag(copy.get(), "sample_varying", true);
    hdf5::write_flag(copy.get(), "time_varying", true);
    hdf5::write_flags(copy.get(), "dim_varying", {true, true});
    H5Ldelete(file.get(), name.c_str(), H5P_DEFAULT);
    H5Lmove(file.get(), "copy", file.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  }
}

/// The fastest and the median of some runs, in seconds.
std::pair<double, double> times_of(int runs, const std::function<void()>& work) {
  std::vector<double> times;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2]};
}

void measure_doubles(int64_t resolution, int64_t trajectories, int64_t frames) {
  const WellHeader header = bench_header(resolution, trajectories, frames);
  const auto path = bench_path(resolution);
  write_bench_file(path, header);
  store_doubles(path, header);
  const WellReader reader(path);
  std::vector<float> window(static_cast<size_t>(kWindow * header.frame_size()));
  const auto ours = [&](int64_t trajectory, int64_t first) {
    reader.read_window(trajectory, first, kWindow, window);
  };
  const hdf5::Object file = hdf5::Object::open_file(path);
  const std::vector<hdf5::Object> datasets = open_well_fields(file, header);
  const auto library = [&](int64_t trajectory, int64_t first) {
    float* out = window.data();
    for (size_t f = 0; f < datasets.size(); ++f) {
      const int64_t components = header.components(header.fields[f]);
      std::vector<int64_t> offsets{trajectory, first, 0, 0},
          extents{1, kWindow, resolution, resolution};
      if (components > 1) {
        offsets.push_back(0);
        extents.push_back(components);
      }
      datasets[f].read_block(offsets, extents, H5T_NATIVE_FLOAT, out);
      out += kWindow * components * header.points();
    }
  };
  const std::vector<double> times = best_times(header, {ours, library});
  fmt::print(
      "{:4}x{:<4} float64     window of {} frames {:8.1f} us  H5Dread here {:8.1f} us  "
      "speed / H5Dread {:.2f}\n",
      resolution, resolution, kWindow, times[0] * 1e6, times[1] * 1e6, times[1] / times[0]);
  std::filesystem::remove(path);
}

/// Opening a file, in a process that holds so much memory.
void measure_opening(size_t held_bytes) {
  const WellHeader header = bench_header(/*resolution=*/64, /*trajectories=*/4, /*frames=*/20);
  const auto path = bench_path(64);
  write_bench_file(path, header);
  const std::vector<char> held(held_bytes, 'x');
  const auto [first, unused] = times_of(1, [&] { const WellReader reader(path); });
  const auto [fastest, median] = times_of(50, [&] { const WellReader reader(path); });
  const auto [limit, limit_median] =
      times_of(50, [&] { read_well_header(hdf5::Object::open_file(path)); });
  fmt::print(
      "opening, {:4} MB held: first {:.2f} ms, fastest {:.2f} ms, median {:.2f} ms; the "
      "header in this process {:.2f} ms, median {:.2f} ms\n",
      held.size() >> 20, 1e3 * first, 1e3 * fastest, 1e3 * median, 1e3 * limit, 1e3 * limit_median);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace roundtrip

int main() {
  roundtrip::measure_opening(0);
  roundtrip::measure_opening(size_t{1} << 30);
  roundtrip::measure_doubles(/*resolution=*/64, /*trajectories=*/4, /*frames=*/20);
  roundtrip::measure_doubles(/*resolution=*/128, /*trajectories=*/4, /*frames=*/20);
  roundtrip::measure_doubles(/*resolution=*/512, /*trajectories=*/2, /*frames=*/8);

  using roundtrip::Storage;
  for (const Storage storage : {Storage::one_run, Storage::chunks, Storage::compressed_chunks}) {
    roundtrip::measure(/*resolution=*/64, /*trajectories=*/4, /*frames=*/100, storage);
    roundtrip::measure(/*resolution=*/128, /*trajectories=*/4, /*frames=*/40, storage);
    roundtrip::measure(/*resolution=*/512, /*trajectories=*/2, /*frames=*/16, storage);
  }
}
