#include "roundtrip/trust/curve_file.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "roundtrip/base/atomic_file.h"
#include "roundtrip/base/csv.h"
#include "roundtrip/base/error.h"
#include "roundtrip/base/interrupt.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/base/recorded_table.h"
#include "roundtrip/rollout/frame_writer.h"

namespace roundtrip {
namespace fs = std::filesystem;
namespace {

// Some trajectories of a split, measured together.
struct Group {
  Split split = Split::test;
  int64_t first = 0;
  int64_t count = 0;
};

class CurveFile {
 public:
  CurveFile(const CurveRequest& request, const Surrogate& surrogate, const Dataset& dataset,
            ProcessGroup& ranks)
      : request_(request),
        surrogate_(surrogate),
        dataset_(dataset),
        ranks_(ranks),
        meter_(surrogate, request.measure, [this] { return training_windows(); }),
        initial_frames_(initial_frames_of(surrogate, request.initial_frames)),
        parts_(request.out.string() + ".parts") {
    for (const Split split : request.splits) add_groups(split);
  }

  void run(const nlohmann::ordered_json& context, const RowsDone& done) {
    if (ranks_.rank() == 0) prepare(context);
    ranks_.barrier();
    const int64_t per_trajectory =
        groups_.empty() ? 0 : meter_.row_steps(initial_frames_, frames_needed());
    int64_t total = 0, rows = 0;
    std::vector<size_t> missing;
    for (size_t i = 0; i < groups_.size(); ++i) {
      total += groups_[i].count * per_trajectory;
      if (fs::exists(part(i))) {
        rows += groups_[i].count * per_trajectory;
      } else {
        missing.push_back(i);
      }
    }
    // All ranks have looked before one of them adds a part.
    ranks_.barrier();
    done(rows, total);
    const auto add = [&](int64_t stepped) {
      rows += stepped;
      done(rows, total);
      stop_if_interrupted();
    };
    try {
      for (size_t k = 0; k < missing.size(); ++k) {
        const Group& group = groups_[missing[k]];
        if (static_cast<int64_t>(k) % ranks_.size() == ranks_.rank()) {
          write_file(part(missing[k]), measure(group, add));
        } else {
          rows += group.count * per_trajectory;
        }
      }
    } catch (const std::exception& error) {
      if (ranks_.rank() != 0) write_file(failure(ranks_.rank()), error.what());
      throw;
    }
    if (ranks_.rank() != 0) return;  // rank 0 sees by the parts when the others are done
    wait_for_parts();
    finish(context);
  }

 private:
  void add_groups(Split split) {
    require_split(dataset_, split);
    int64_t count = dataset_.trajectories(split);
    if (request_.trajectories > 0) count = std::min(count, request_.trajectories);
    for (int64_t i = 0; i < count; ++i) check_length(split, i);
    for (int64_t first = 0; first < count; first += request_.group) {
      groups_.push_back({split, first, std::min(request_.group, count - first)});
    }
  }

  void check_length(Split split, int64_t trajectory) const {
    const int64_t frames = dataset_.frames(split, trajectory);
    const int64_t deepest = request_.measure.depths.back();
    if (frames >= frames_needed()) return;
    if (!meter_.needs_truth()) {
      throw Error("depths", fmt::format("{}: expected at least {} frames to start from, found {}",
                                        dataset_.trajectory_name(split, trajectory),
                                        initial_frames_, frames));
    }
    throw Error("depths", fmt::format("{}: expected at least {} frames, {} to start from and {} to "
                                      "compare with, found {}; the deepest it allows is {}",
                                      dataset_.trajectory_name(split, trajectory), frames_needed(),
                                      initial_frames_, deepest, frames, frames - initial_frames_));
  }

  // Another rank may be at work for longer than any collective would wait.
  void wait_for_parts() const {
    auto last_sign = std::chrono::steady_clock::now();
    size_t seen = 0;
    for (size_t i = 0; i < groups_.size();) {
      if (fs::exists(part(i))) {
        ++i;
        continue;
      }
      stop_if_interrupted();
      stop_if_a_rank_failed();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      const size_t now = parts_there();
      if (std::exchange(seen, now) != now) last_sign = std::chrono::steady_clock::now();
      if (std::chrono::steady_clock::now() - last_sign < request_.patience) continue;
      throw Error("cycle", fmt::format("{}: expected a part from another rank within {} s of the "
                                       "last, found none; the same command makes what is missing",
                                       part(i).string(), request_.patience.count()));
    }
  }

  size_t parts_there() const {
    size_t count = 0;
    for (size_t i = 0; i < groups_.size(); ++i) count += fs::exists(part(i));
    return count;
  }

  // What another rank left behind when it ended with an error.
  fs::path failure(int64_t rank) const { return parts_ / fmt::format("failed-{}.txt", rank); }

  void stop_if_a_rank_failed() const {
    for (int64_t rank = 1; rank < ranks_.size(); ++rank) {
      if (!fs::exists(failure(rank))) continue;
      throw Error("cycle", fmt::format("rank {} ended: {}", rank, read_file(failure(rank))));
    }
  }

  int64_t frames_needed() const {
    return meter_.needs_truth() ? initial_frames_ + request_.measure.depths.back()
                                : initial_frames_;
  }

  int64_t frames_of(Split split, int64_t trajectory) const {
    return meter_.needs_whole() ? dataset_.frames(split, trajectory) : frames_needed();
  }

  fs::path part(size_t index) const { return parts_ / fmt::format("{:06}.csv", index); }

  // The folder of parts, tied to the settings they were made with.
  void prepare(const nlohmann::ordered_json& context) const {
    if (fs::exists(request_.out) && !request_.force) {
      throw Error("cycle", fmt::format("{}: expected a new file, found one; --force replaces it",
                                       request_.out.string()));
    }
    const fs::path settings = parts_ / "context.json";
    const std::string text = json_text(context, 1) + "\n";
    // Parts that do not say what they were made with are another's.
    if (fs::exists(parts_) && (!fs::exists(settings) || read_file(settings) != text)) {
      if (!request_.force) {
        throw Error("cycle", fmt::format("{}: expected parts made with these settings, found "
                                         "others; --force begins anew",
                                         parts_.string()));
      }
      remove_parts();
    }
    fs::create_directories(parts_);
    for (int64_t rank = 1; rank < ranks_.size(); ++rank) fs::remove(failure(rank));
    write_file(settings, text);
  }

  MeasuredTrajectory trajectory(Split split, int64_t index) const {
    const torch::Tensor fields = dataset_.read(split, index, 0, frames_of(split, index));
    return {.latents = surrogate_.codec->encode(fields),
            .fields = meter_.needs_fields() ? fields : torch::Tensor(),
            .initial_frames = initial_frames_,
            .first_index = 0};
  }

  std::string measure(const Group& group, const std::function<void(int64_t)>& advanced) const {
    std::vector<MeasuredTrajectory> trajectories;
    for (int64_t i = 0; i < group.count; ++i) {
      stop_if_interrupted();
      trajectories.push_back(trajectory(group.split, group.first + i));
    }
    const auto tables = meter_.measure(trajectories, advanced);
    std::string text;
    for (int64_t i = 0; i < group.count; ++i) {
      for (size_t row = 0; row < request_.measure.depths.size(); ++row) {
        std::vector<std::string> cells = {std::string(split_name(group.split)),
                                          std::to_string(group.first + i),
                                          std::to_string(request_.measure.depths[row])};
        for (const double value : tables[static_cast<size_t>(i)][row]) {
          cells.push_back(csv_number(value));
        }
        text += csv_line(cells);
      }
    }
    return text;
  }

  void finish(const nlohmann::ordered_json& context) const {
    std::vector<std::string> heading = {"split", "trajectory", "depth"};
    heading.insert(heading.end(), meter_.columns().begin(), meter_.columns().end());
    std::string text = csv_line(heading);
    for (size_t i = 0; i < groups_.size(); ++i) text += read_file(part(i));
    write_recorded_table(request_.out, text, context);
    remove_parts();
  }

  // The settings first: parts without them are never taken for anybody's.
  void remove_parts() const {
    fs::remove(parts_ / "context.json");
    fs::remove_all(parts_);
  }

  // Once, when the first trajectory asks.
  torch::Tensor training_windows() {
    if (known_.defined()) return known_;
    const Dataset& training = request_.training != nullptr ? *request_.training : dataset_;
    require_split(training, Split::train);
    std::vector<torch::Tensor> windows;
    for (int64_t i = 0; i < training.trajectories(Split::train); ++i) {
      stop_if_interrupted();
      windows.push_back(
          surrogate_.codec->encode(training.read(Split::train, i, 0, initial_frames_)));
    }
    return known_ = torch::stack(windows);
  }

  const CurveRequest& request_;
  const Surrogate& surrogate_;
  const Dataset& dataset_;
  ProcessGroup& ranks_;
  Meter meter_;
  int64_t initial_frames_;
  fs::path parts_;
  std::vector<Group> groups_;
  torch::Tensor known_;  // seed windows of the training split
};

}  // namespace

void write_curves(const CurveRequest& request, const Surrogate& surrogate, const Dataset& dataset,
                  const nlohmann::ordered_json& context, ProcessGroup& ranks,
                  const RowsDone& done) {
  CurveFile(request, surrogate, dataset, ranks).run(context, done);
}

}  // namespace roundtrip
