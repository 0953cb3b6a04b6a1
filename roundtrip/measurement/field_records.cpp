#include "roundtrip/measurement/field_records.h"

#include <fmt/format.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"
#include "roundtrip/rollout/batch_scheduler.h"
#include "roundtrip/rollout/roll_out.h"
#include "roundtrip/rollout/rollout.h"

namespace roundtrip {
namespace {

constexpr int64_t kRows = 64;  // stepped at a time

FieldBytes picture_of(const torch::Tensor& field) {
  const torch::Tensor values = field.to(torch::kFloat32).contiguous();
  return to_field_bytes({values.data_ptr<float>(), static_cast<size_t>(values.numel())},
                        values.size(0), values.size(1));
}

ColourMap map_of(const torch::Tensor& field) {
  const torch::Tensor values = field.to(torch::kFloat32).contiguous();
  return map_for({values.data_ptr<float>(), static_cast<size_t>(values.numel())});
}

// The oldest seed after the way back from each depth, latent.
torch::Tensor returned_seeds(const Rollout& course, const std::vector<int64_t>& depths,
                             Stepper& stepper) {
  BatchScheduler pool({&stepper}, kRows);
  std::vector<torch::Tensor> seeds(depths.size());
  for (size_t i = 0; i < depths.size(); ++i) {
    Leg leg = backward_leg(course, stepper.contexts(), depths[i], depths[i]);
    leg.stepped = [&seeds, i, last = depths[i]](int64_t step, const torch::Tensor& context) {
      if (step == last) seeds[i] = in_rollout_order(context)[0].clone();
    };
    pool.add(std::move(leg));
  }
  pool.run();
  return torch::stack(seeds);
}

// Frames in the order the rollout meets them, physical.
torch::Tensor frames_ahead(const FieldRequest& request, int64_t count, const Dataset& dataset) {
  const int64_t there = dataset.frames(request.split, request.trajectory);
  ensure(there >= count, "fields: a trajectory as long as the rollout");
  if (request.direction > 0) return dataset.read(request.split, request.trajectory, 0, count);
  return dataset.read(request.split, request.trajectory, there - count, count).flip(0);
}

std::vector<std::string> names_shown(const FieldRequest& request, const Surrogate& surrogate) {
  if (!request.latent) return surrogate.layout.channels;
  std::vector<std::string> names;
  for (int64_t c = 0; c < surrogate.stepper->frame().channels; ++c) {
    names.push_back(fmt::format("latent {}", c));
  }
  return names;
}

}  // namespace

TrajectoryFields record_fields(const FieldRequest& request, const Surrogate& surrogate,
                               const Dataset& dataset) {
  const torch::NoGradGuard no_grad;
  Stepper& stepper = *surrogate.stepper;
  const int64_t seeds = stepper.contexts(), depth = request.depths.back();
  const torch::Tensor frames = frames_ahead(request, seeds + depth, dataset);
  const torch::Tensor latents = surrogate.codec->encode(frames);
  const int64_t last = dataset.frames(request.split, request.trajectory) - 1;
  std::vector<Rollout> courses = {make_rollout(latents.narrow(0, 0, seeds).to(stepper.type()),
                                               depth, request.direction > 0 ? 0 : last,
                                               request.direction)};
  roll_out(courses, stepper, kRows);
  const Rollout& course = courses.front();
  const auto seen = [&](const torch::Tensor& found) {
    return request.latent ? found : surrogate.codec->decode(found);
  };
  const torch::Tensor truth = request.latent ? latents : frames;
  const torch::Tensor returned = seen(returned_seeds(course, request.depths, stepper));
  TrajectoryFields shown{.label = request.label, .fields = {}};
  for (const std::string& name : names_shown(request, surrogate)) {
    const auto c = static_cast<int64_t>(shown.fields.size());
    shown.fields.push_back({.field = name,
                            .map = map_of(truth.select(1, c)),
                            .seed = picture_of(truth[0][c]),
                            .frames = {}});
  }
  for (size_t i = 0; i < request.depths.size(); ++i) {
    const int64_t at = request.depths[i];
    const torch::Tensor rollout = seen(course.at_depth(at).unsqueeze(0))[0];
    const torch::Tensor real = truth[seeds + at - 1];
    for (size_t c = 0; c < shown.fields.size(); ++c) {
      const auto channel = static_cast<int64_t>(c);
      shown.fields[c].frames.push_back(
          {.depth = at,
           .truth = picture_of(real[channel]),
           .rollout = picture_of(rollout[channel]),
           .difference = picture_of(rollout[channel] - real[channel]),
           .returned = picture_of(returned[static_cast<int64_t>(i)][channel])});
    }
  }
  return shown;
}

}  // namespace roundtrip
