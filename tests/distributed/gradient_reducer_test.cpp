#include "roundtrip/distributed/gradient_reducer.h"

#include <gtest/gtest.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include "roundtrip/nn/init.h"
#include "tests/distributed/peer_process.h"

namespace roundtrip {
namespace {

// A small network in float64 whose gradients are views of one tensor. Its last layer is used by
// even batches alone.
struct Network {
  Network() {
    layers->to(torch::kFloat64);
    initialise(*layers, 1);
    parameters = layers->parameters();
    int64_t count = 0;
    for (const torch::Tensor& parameter : parameters) count += parameter.numel();
    gradient = torch::zeros({count}, torch::kFloat64);
    int64_t begin = 0;
    for (torch::Tensor& parameter : parameters) {
      const int64_t end = begin + parameter.numel();
      parameter.mutable_grad() = gradient.slice(0, begin, end).view(parameter.sizes());
      begin = end;
    }
  }

  void backward(int64_t batch) {
    const torch::Tensor x = keyed_normal({4, 5}, 1, "batch", batch, torch::kFloat64);
    torch::Tensor y = torch::tanh(layers[0]->as<torch::nn::Linear>()->forward(x));
    y = torch::tanh(layers[1]->as<torch::nn::Linear>()->forward(y));
    if (batch % 2 == 0) y = layers[2]->as<torch::nn::Linear>()->forward(y);
    y.square().sum().backward();
  }

  torch::nn::Sequential layers{torch::nn::Linear(5, 40), torch::nn::Linear(40, 30),
                               torch::nn::Linear(30, 2)};
  std::vector<torch::Tensor> parameters;
  torch::Tensor gradient;
};

torch::Tensor gradient_alone(int64_t batch) {
  Network network;
  network.backward(batch);
  return network.gradient;
}

// What every rank runs: ranks 0 and 1 take batches 2i + rank, so that one rank never uses the last
// layer; then the same batch, then both neighbours of it.
void check_means(ProcessGroup& group, int64_t bucket_bytes) {
  Network network;
  GradientReducer reducer(group, network.parameters, network.gradient, bucket_bytes);
  for (const auto& [even, odd] : {std::pair<int64_t, int64_t>{0, 1}, {2, 4}, {3, 5}, {7, 6}}) {
    network.gradient.zero_();
    network.backward(group.rank() == 0 ? even : odd);
    reducer.wait();
    const torch::Tensor mean = (gradient_alone(even) + gradient_alone(odd)) / 2;
    EXPECT_LT((network.gradient - mean).abs().max().item<double>(), 1e-12) << even << " " << odd;
  }
}

void check_all(ProcessGroup& group) {
  // One bucket per parameter, several parameters per bucket, all in one.
  for (const int64_t bytes : {int64_t{1}, int64_t{2000}, GradientReducer::kBucketBytes}) {
    check_means(group, bytes);
  }
  group.barrier();
}

TEST(GradientReducer, GivesTheMeanOfTheRanksGradients) {
  PeerProcess peer("GradientReducerWorker.DISABLED_ChecksMeans");
  check_all(*make_process_group(peer.rank_0(), kPatience));
  EXPECT_TRUE(peer.succeeded());
}

TEST(GradientReducerWorker, DISABLED_ChecksMeans) {
  check_all(*make_process_group(read_launch_environment(), kPatience));
}

// A group that records what is asked of it, as rank 0 of `size`.
class RecordingGroup : public ProcessGroup {
 public:
  struct Done : Work {
    void wait() override {}
  };
  int64_t rank() const override { return 0; }
  int64_t size() const override { return 2; }
  std::unique_ptr<Work> all_reduce_async(torch::Tensor tensor) override {
    seen.push_back(tensor.clone());
    return std::make_unique<Done>();
  }
  void broadcast(torch::Tensor, int64_t) override {}
  void barrier() override {}

  std::vector<torch::Tensor> seen;
};

// One bucket per parameter: when backward returns all sums have started, the last parameter's
// first, and each was complete when it started.
TEST(GradientReducer, StartsEachBucketDuringBackwardWithItsWholeGradient) {
  Network network;
  RecordingGroup group;
  GradientReducer reducer(group, network.parameters, network.gradient, 1);
  network.backward(0);
  const size_t count = network.parameters.size();
  ASSERT_EQ(group.seen.size(), count);
  for (size_t i = 0; i < count; ++i) {
    const torch::Tensor& gradient = network.parameters[count - 1 - i].grad();
    EXPECT_TRUE(torch::equal(group.seen[i], gradient.flatten())) << i;
  }
  reducer.wait();
  EXPECT_EQ(group.seen.size(), count);
  EXPECT_TRUE(torch::allclose(network.gradient, gradient_alone(0) / 2, 0, 0));
}

// The unused last layer comes first in the order, so its buckets hold back all others.
TEST(GradientReducer, KeepsTheOrderWhenAParameterGetsNoGradient) {
  Network network;
  RecordingGroup group;
  GradientReducer reducer(group, network.parameters, network.gradient, 1);
  network.backward(1);
  EXPECT_TRUE(group.seen.empty());
  reducer.wait();
  ASSERT_EQ(group.seen.size(), network.parameters.size());
  for (size_t i = 0; i < group.seen.size(); ++i) {
    EXPECT_EQ(group.seen[i].numel(), network.parameters[group.seen.size() - 1 - i].numel());
  }
}

TEST(GradientReducer, LeavesItsParametersAloneWhenItIsGone) {
  Network network;
  RecordingGroup group;
  { GradientReducer reducer(group, network.parameters, network.gradient); }
  network.backward(0);
  EXPECT_TRUE(group.seen.empty());
}

TEST(GradientReducer, RefusesMisuse) {
  Network network;
  RecordingGroup group;
  EXPECT_THROW(GradientReducer(group, network.parameters, network.gradient.clone()), Bug);
  EXPECT_THROW(GradientReducer(group, {network.parameters[0]}, network.gradient), Bug);
  GradientReducer reducer(group, network.parameters, network.gradient);
  network.backward(0);
  EXPECT_THROW(network.backward(0), Bug);
}

}  // namespace
}  // namespace roundtrip
