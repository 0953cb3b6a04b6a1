#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "roundtrip/data/dataset.h"
#include "roundtrip/models/bundle.h"
#include "roundtrip/models/codec.h"
#include "roundtrip/rollout/diffusion_stepper.h"
#include "roundtrip/rollout/stepper.h"

namespace roundtrip {

/// Which model, and how it is to be used.
struct SurrogateRequest {
  std::string model;                       // a bundle, or a TorchScript file (*.pt)
  std::string codec = "identity";          // of a TorchScript model: "identity", or a bundle
  int64_t contexts = 2;                    // of a TorchScript model without an attribute for it
  std::vector<std::string> settings = {};  // "sampler.steps=4" ...: instead of the bundle's
};

/// A model as rollouts and the meter see it: frames to latents and back, and steps of latents.
struct Surrogate {
  std::string name;    // of its folder or file
  FrameLayout layout;  // of the frames it was made for
  std::shared_ptr<Codec> codec;
  std::shared_ptr<Stepper> stepper;
  /// The stepper of another sample, 0 being `stepper` itself, by other initial noise or,
  /// `ancestral`, by fresh noise in every call. Empty when the model draws no noise.
  std::function<std::shared_ptr<Stepper>(int64_t sample, bool ancestral)> sample;
  std::string fingerprint;  // SHA-256 of all that decides its numbers: weights, sampling, anchors
  std::string settings;     // of its sampling, TOML
};

/// A diffusion model with its noise, under no name and without a fingerprint.
Surrogate make_diffusion_surrogate(const Model& model, const SamplingConfig& sampling);

/// How many frames a model is given: what was asked for, or as many as it sees.
int64_t initial_frames_of(const Surrogate& surrogate, int64_t asked);

/// The fingerprint of rollouts from `initial_frames` known frames: the model's own for as many as
/// it sees, which is what calibrators are for.
std::string fingerprint_from(const Surrogate& surrogate, int64_t initial_frames);

/// How the data of a bundle was read for its training (stride, size, shares of the splits ...), for
/// reading other data alike; the limits, and the path, are the caller's. The defaults for a model
/// without such settings.
DataConfig data_config_of(const std::string& model);

/// Opens a model for the frames of `dataset`. A TorchScript model with the codec `identity` works
/// on fields brought to mean 0 and standard deviation 1: by the dataset's stats.yaml, or, where
/// there is none, by the training split. An Error when model and data do not fit.
Surrogate open_surrogate(const SurrogateRequest& request, const DataConfig& data,
                         const Dataset& dataset);

}  // namespace roundtrip
