#include "roundtrip/rollout/rollout_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/rollout/frame_writer.h"
#include "roundtrip/rollout/rollout.h"

namespace roundtrip {
namespace {

class RolloutFile {
 public:
  RolloutFile(const RolloutRequest& request, const Surrogate& surrogate, const Dataset& dataset)
      : request_(request), surrogate_(surrogate), dataset_(dataset) {
    require_split(dataset, request.split);
    const int64_t there = dataset.trajectories(request.split);
    if (request.first >= there) {
      throw Error("rollout",
                  fmt::format("expected a trajectory below {}, found {}", there, request.first));
    }
    count_ = there - request.first;
    if (request.trajectories > 0) count_ = std::min(count_, request.trajectories);
  }

  void run(const DataConfig& data, const std::string& provenance,
           const std::function<void(int64_t, int64_t)>& done) {
    FrameWriter writer({.out = request_.out,
                        .split = request_.split,
                        .first = request_.first,
                        .trajectories = count_,
                        .seeds = seeds_of(surrogate_, request_.seeds),
                        .depth = request_.depth,
                        .direction = request_.direction,
                        .provenance = provenance,
                        .force = request_.force},
                       surrogate_, dataset_, data);
    int64_t rows = 0;
    done(0, count_ * request_.depth);
    for (int64_t first = 0; first < count_; first += request_.batch) {
      const int64_t group = std::min(request_.batch, count_ - first);
      std::vector<Course> courses;
      for (int64_t i = 0; i < group; ++i) courses.push_back(writer.course(first + i));
      roll_out(courses, *surrogate_.stepper, request_.batch,
               [&](int64_t stepped) { done(rows += stepped, count_ * request_.depth); });
      for (int64_t i = 0; i < group; ++i) {
        const Course& course = courses[static_cast<size_t>(i)];
        writer.write(first + i, course.frames.narrow(0, course.seeds, request_.depth));
      }
    }
    writer.finish();
  }

 private:
  const RolloutRequest& request_;
  const Surrogate& surrogate_;
  const Dataset& dataset_;
  int64_t count_ = 0;
};

}  // namespace

void write_rollouts(const RolloutRequest& request, const Surrogate& surrogate,
                    const Dataset& dataset, const DataConfig& data, const std::string& provenance,
                    const std::function<void(int64_t done, int64_t total)>& done) {
  RolloutFile(request, surrogate, dataset).run(data, provenance, done);
}

}  // namespace roundtrip
