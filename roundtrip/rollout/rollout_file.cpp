#include "roundtrip/rollout/rollout_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/formats/well_folder.h"
#include "roundtrip/formats/well_writer.h"
#include "roundtrip/rollout/rollout.h"

namespace roundtrip {
namespace {

// Fields, grid and boundaries of the data; of data that is not the Well's, channels on a unit grid.
WellHeader header_like(const DataConfig& data, const Dataset& dataset) {
  for (const std::string& split : kWellSplits) {
    if (well_files(data.path, split).empty()) continue;
    WellHeader header = WellFolder(data.path, split).header();
    std::erase_if(header.scalars, [](const WellScalar& scalar) {
      return scalar.sample_varying || scalar.time_varying;
    });
    header.notes.clear();
    std::vector<double> times;
    for (int64_t t = 0; t < header.frames(); t += data.stride) {
      times.push_back(header.time.coordinates[static_cast<size_t>(t)]);
    }
    header.time.coordinates = times;
    return header;
  }
  const FrameLayout& layout = dataset.layout();
  WellHeader header;
  header.dataset_name = layout.dataset;
  for (const auto& [name, size] : {std::pair("x", layout.height), std::pair("y", layout.width)}) {
    WellAxis axis{.name = name, .coordinates = {}};
    for (int64_t i = 0; i < size; ++i) {
      axis.coordinates.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(size));
    }
    header.boundaries.push_back(boundary_of(axis, "OPEN"));
    header.axes.push_back(std::move(axis));
  }
  for (const std::string& channel : layout.channels) header.fields.push_back({.name = channel});
  header.time.coordinates = {0, 1};
  return header;
}

// `count` times from frame `first` on, the data's where it has them and evenly spaced beyond.
std::vector<double> times_of(const WellHeader& header, int64_t first, int64_t count) {
  const auto& known = header.time.coordinates;
  const double spacing = known.size() > 1 ? known[1] - known[0] : 1;
  std::vector<double> times;
  for (int64_t t = first; t < first + count; ++t) {
    const auto last = static_cast<int64_t>(known.size()) - 1;
    times.push_back(t <= last ? known[static_cast<size_t>(t)]
                              : known.back() + spacing * static_cast<double>(t - last));
  }
  return times;
}

class RolloutFile {
 public:
  RolloutFile(const RolloutRequest& request, const Surrogate& surrogate, const Dataset& dataset)
      : request_(request),
        surrogate_(surrogate),
        dataset_(dataset),
        seeds_(request.seeds > 0 ? request.seeds : surrogate.stepper->contexts()) {
    require_split(dataset, request.split);
    const int64_t there = dataset.trajectories(request.split);
    if (request.first >= there) {
      throw Error("rollout",
                  fmt::format("expected a trajectory below {}, found {}", there, request.first));
    }
    count_ = there - request.first;
    if (request.trajectories > 0) count_ = std::min(count_, request.trajectories);
    const bool backward = request.direction < 0;
    for (int64_t i = 0; i < count_; ++i) {
      const int64_t frames = dataset.frames(request.split, request.first + i);
      const int64_t needed = backward ? seeds_ + request.depth : seeds_;
      if (frames >= needed) continue;
      throw Error("rollout",
                  fmt::format("{} trajectory {}: expected at least {} frames, found {}{}",
                              split_name(request.split), request.first + i, needed, frames,
                              backward ? fmt::format("; back to its first frame is depth {}",
                                                     frames - seeds_)
                                       : ""));
    }
  }

  void run(WellHeader header, const std::string& provenance,
           const std::function<void(int64_t, int64_t)>& done) {
    const int64_t frames = seeds_ + request_.depth;
    header.n_trajectories = count_;
    header.time.coordinates = times_of(header, first_index(request_.first), frames);
    header.notes = {{"roundtrip", provenance},
                    {"seed_frames", fmt::format("{}", seeds_)},
                    {"direction", request_.direction > 0 ? "forward" : "backward"}};
    WellWriter writer(
        request_.out, header,
        request_.force ? AtomicFile::IfExists::replace : AtomicFile::IfExists::refuse);
    int64_t rows = 0;
    for (int64_t first = 0; first < count_; first += request_.batch) {
      const int64_t group = std::min(request_.batch, count_ - first);
      std::vector<Course> courses;
      for (int64_t i = 0; i < group; ++i) courses.push_back(course_of(request_.first + first + i));
      roll_out(courses, *surrogate_.stepper, request_.batch, [&](int64_t stepped) {
        done(rows += stepped, count_ * request_.depth);
        stop_if_interrupted();
      });
      for (int64_t i = 0; i < group; ++i) {
        write(writer, first + i, courses[static_cast<size_t>(i)]);
      }
    }
    writer.finish();
  }

 private:
  bool backward() const { return request_.direction < 0; }

  // Of the earliest frame in the file.
  int64_t first_index(int64_t trajectory) const {
    if (!backward()) return 0;
    return dataset_.frames(request_.split, trajectory) - seeds_ - request_.depth;
  }

  torch::Tensor seeds_of(int64_t trajectory) const {
    const int64_t first = backward() ? dataset_.frames(request_.split, trajectory) - seeds_ : 0;
    return dataset_.read(request_.split, trajectory, first, seeds_);
  }

  Course course_of(int64_t trajectory) const {
    torch::Tensor latents =
        surrogate_.codec->encode(seeds_of(trajectory)).to(surrogate_.stepper->type());
    const int64_t last = dataset_.frames(request_.split, trajectory) - 1;
    if (backward()) latents = latents.flip(0);
    return make_course(latents, request_.depth, backward() ? last : 0, request_.direction);
  }

  void write(WellWriter& writer, int64_t place, const Course& course) const {
    torch::Tensor seeds = seeds_of(request_.first + place);
    torch::Tensor made = surrogate_.codec->decode(
        course.frames.narrow(0, seeds_, request_.depth).to(torch::kFloat32));
    if (backward()) made = made.flip(0);
    const torch::Tensor all =
        (backward() ? torch::cat({made, seeds}) : torch::cat({seeds, made})).contiguous();
    const int64_t size = all[0].numel();
    for (int64_t t = 0; t < all.size(0); ++t) {
      writer.write_frame(place, t, {all.data_ptr<float>() + t * size, static_cast<size_t>(size)});
    }
  }

  const RolloutRequest& request_;
  const Surrogate& surrogate_;
  const Dataset& dataset_;
  int64_t seeds_;
  int64_t count_ = 0;
};

}  // namespace

void write_rollouts(const RolloutRequest& request, const Surrogate& surrogate,
                    const Dataset& dataset, const DataConfig& data, const std::string& provenance,
                    const std::function<void(int64_t done, int64_t total)>& done) {
  RolloutFile(request, surrogate, dataset).run(header_like(data, dataset), provenance, done);
}

}  // namespace roundtrip
