#include "roundtrip/rollout/rollout_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "roundtrip/base/error.h"
#include "roundtrip/rollout/frame_writer.h"
#include "roundtrip/rollout/roll_out.h"

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
                        .initial_frames = initial_frames_of(surrogate_, request_.initial_frames),
                        .depth = request_.depth,
                        .direction = request_.direction,
                        .provenance = provenance,
                        .force = request_.force},
                       surrogate_, dataset_, data);
    int64_t rows = 0;
    done(0, count_ * request_.depth);
    for (int64_t first = 0; first < count_; first += request_.batch) {
      const int64_t group = std::min(request_.batch, count_ - first);
      std::vector<Rollout> rollouts;
      for (int64_t i = 0; i < group; ++i) rollouts.push_back(writer.rollout(first + i));
      roll_out(rollouts, *surrogate_.stepper, request_.batch,
               [&](int64_t stepped) { done(rows += stepped, count_ * request_.depth); });
      for (int64_t i = 0; i < group; ++i) {
        const Rollout& rollout = rollouts[static_cast<size_t>(i)];
        writer.write(first + i, rollout.frames.narrow(0, rollout.initial_frames, request_.depth));
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
