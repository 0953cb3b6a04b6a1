#include "roundtrip/measurement/pixel_frames.h"

#include <memory>
#include <utility>

#include <fmt/format.h>
#include <torch/utils.h>

#include "roundtrip/base/error.h"
#include "roundtrip/rollout/batch_scheduler.h"
#include "roundtrip/rollout/rollout.h"

namespace roundtrip {
namespace {

/// The rollouts of one trajectory, latent.
struct SampleRollouts {
  std::vector<Rollout> courses;  // one a sample
  torch::Tensor again;           // (depths, F, h, w): the third leg's last frame, by depth
};

std::vector<std::shared_ptr<Stepper>> steppers_of(const Surrogate& surrogate, int64_t samples) {
  if (!surrogate.sample) {
    throw Error("pixels", fmt::format("expected a model that draws noise, found {}, which gives "
                                      "the same frames every time",
                                      surrogate.name));
  }
  std::vector<std::shared_ptr<Stepper>> steppers = {surrogate.stepper};
  for (int64_t s = 1; s < samples; ++s) steppers.push_back(surrogate.sample(s, false));
  return steppers;
}

void roll_out_samples(std::vector<SampleRollouts>& all, BatchScheduler& pool) {
  for (SampleRollouts& one : all) {
    for (size_t s = 0; s < one.courses.size(); ++s) {
      Rollout& course = one.courses[s];
      Leg leg = forward_leg(course, pool.stepper().contexts(), /*from=*/0, course.depth());
      leg.stepper = s;
      leg.stepped = [&course](int64_t step, const torch::Tensor& context) {
        course.reach(step, context);
      };
      pool.add(std::move(leg));
    }
  }
  pool.run();
}

void go_round(std::vector<SampleRollouts>& all, BatchScheduler& pool) {
  const int64_t contexts = pool.stepper().contexts();
  for (SampleRollouts& one : all) {
    const Rollout& course = one.courses.front();
    one.again = torch::empty_like(course.frames.narrow(0, course.initial_frames, course.depth()));
    for (int64_t depth = 1; depth <= course.depth(); ++depth) {
      Leg back = backward_leg(course, contexts, depth, depth);
      back.stepped = [&, contexts, depth](int64_t step, const torch::Tensor& context) {
        if (step < depth) return;
        Leg third = third_leg(course, context, contexts, depth);
        third.stepped = [&one, depth](int64_t at, const torch::Tensor& found) {
          if (at == depth) one.again[depth - 1].copy_(found[-1]);
        };
        pool.add(std::move(third));
      };
      pool.add(std::move(back));
    }
  }
  pool.run();
}

PixelFrames decoded(const SampleRollouts& samples, const torch::Tensor& truth, const Codec& codec) {
  std::vector<torch::Tensor> frames;
  for (const Rollout& course : samples.courses) {
    frames.push_back(codec.decode(course.frames.narrow(0, course.initial_frames, course.depth())));
  }
  const torch::Tensor all = torch::stack(frames);
  return {.truth = truth,
          .rollout = frames.front(),
          .sample_mean = all.mean(0),
          .spread = all.std(/*dim=*/0, /*unbiased=*/false),
          .cycle = (codec.decode(samples.again) - frames.front()).abs()};
}

}  // namespace

std::vector<PixelFrames> pixel_frames(const PixelFramesRequest& request, const Surrogate& surrogate,
                                      const Dataset& dataset) {
  const torch::NoGradGuard no_grad;
  const auto steppers = steppers_of(surrogate, request.samples);
  std::vector<Stepper*> lanes;
  for (const auto& stepper : steppers) lanes.push_back(stepper.get());
  BatchScheduler pool(lanes, request.batch);
  const int64_t seeds = pool.stepper().contexts();
  std::vector<torch::Tensor> truths;
  std::vector<SampleRollouts> all;
  for (int64_t i = 0; i < request.count; ++i) {
    const torch::Tensor frames =
        dataset.read(request.split, request.first + i, 0, seeds + request.depth);
    const torch::Tensor latents =
        surrogate.codec->encode(frames.narrow(0, 0, seeds)).to(pool.stepper().type());
    truths.push_back(frames.narrow(0, seeds, request.depth));
    SampleRollouts& one = all.emplace_back();
    for (int64_t s = 0; s < request.samples; ++s) {
      one.courses.push_back(make_rollout(latents, request.depth, /*first_index=*/0, +1));
    }
  }
  roll_out_samples(all, pool);
  go_round(all, pool);
  std::vector<PixelFrames> found;
  for (size_t i = 0; i < all.size(); ++i) {
    found.push_back(decoded(all[i], truths[i], *surrogate.codec));
  }
  return found;
}

}  // namespace roundtrip
