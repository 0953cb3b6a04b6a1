#include "roundtrip/train/codec_task.h"

#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "roundtrip/nn/init.h"
#include "tests/data/data_folder.h"
#include "tests/train/small_model.h"

namespace roundtrip {
namespace {

constexpr int64_t kFrames = 3 + 5 + 4;

MemoryDataset wandering_frames() {
  return MemoryDataset(
      {{Split::train,
        {random_walk(3, {2, 8, 8}, 0), random_walk(5, {2, 8, 8}, 1), random_walk(4, {2, 8, 8}, 2)}},
       {Split::selection, {random_walk(20, {2, 8, 8}, 3)}}});
}

class CodecTaskTest : public DataTest {
 protected:
  CodecTask task(double kl_weight = 0.01, uint64_t seed = 3) const {
    return {{network_, frames_, normaliser_, validation_frames_, dataset_.layout().channels},
            kl_weight,
            seed};
  }
  // A frame of the training split as the network sees it, to the last bit.
  torch::Tensor normalised(int64_t trajectory, int64_t frame) const {
    return normaliser_.normalise(dataset_.whole(Split::train, trajectory)[frame]);
  }
  // Which frame of the training split a normalised one is; -1 for none.
  int64_t place_of(const torch::Tensor& frame) const {
    int64_t place = 0;
    for (int64_t i = 0; i < 3; ++i) {
      for (int64_t t = 0; t < dataset_.frames(Split::train, i); ++t, ++place) {
        if (torch::equal(normalised(i, t), frame)) return place;
      }
    }
    return -1;
  }
  std::vector<int64_t> places(const CodecTask& task, int64_t first, int64_t count) const {
    std::vector<int64_t> samples(static_cast<size_t>(count)), found;
    std::iota(samples.begin(), samples.end(), first);
    const TrainingTask::Batch batch = task.load(0, samples);
    for (int64_t b = 0; b < count; ++b) found.push_back(place_of(batch[0][b]));
    return found;
  }

  const MemoryDataset dataset_ = wandering_frames();
  const FrameStore frames_{dataset_, Split::train, path("cache")};
  const Normaliser normaliser_{{1.5, -0.25}, {3, 0.5}};
  const torch::Tensor validation_frames_ = dataset_.read(Split::selection, 0, 0, 20);
  const std::shared_ptr<CodecNetwork> network_ = small_cvae(7);
};

TEST_F(CodecTaskTest, AnEpochShowsEveryFrameOnce) {
  const CodecTask made = task();
  std::set<std::vector<int64_t>> orders;
  for (int64_t epoch = 0; epoch < 4; ++epoch) {
    const std::vector<int64_t> order = places(made, epoch * kFrames, kFrames);
    const std::set<int64_t> seen(order.begin(), order.end());
    EXPECT_EQ(seen.size(), kFrames);
    EXPECT_FALSE(seen.contains(-1));
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 4);  // each in an order of its own
}

TEST_F(CodecTaskTest, ASampleIsTheSameInEveryBatchAndStep) {
  const CodecTask made = task(), again = task();
  const auto together = made.load(0, {30, 4, 9});
  const auto alone = again.load(17, {4});
  for (const size_t slot : {0, 1}) EXPECT_TRUE(torch::equal(together[slot][1], alone[slot][0]));
  EXPECT_FALSE(torch::equal(together[1][0], together[1][1]));
  EXPECT_FALSE(torch::equal(task(0.01, 4).load(0, {4})[1], alone[1]));
  ASSERT_EQ(alone[1].sizes(), (std::vector<int64_t>{1, 4, 2, 2}));
}

TEST_F(CodecTaskTest, TheLossIsTheCodecs) {
  for (const double kl_weight : {0.0, 0.3}) {
    CodecTask made = task(kl_weight);
    const auto batch = made.load(0, {1, 2, 3});
    const CodecLoss expected = codec_loss(*network_, batch[0], batch[1], kl_weight);
    EXPECT_EQ(made.loss(0, batch).item<double>(), expected.total.item<double>());
    EXPECT_TRUE(made.loss(0, batch).requires_grad());
  }
  EXPECT_EQ(&task().module(), network_.get());
}

TEST_F(CodecTaskTest, IsValidatedByReconstructionsFromThePosteriorMean) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor truth = normaliser_.normalise(validation_frames_);
  const std::vector<double> expected =
      field_vrmse(network_->decode(network_->posterior(truth).mean), truth);
  const Validation found = task().validate();
  ASSERT_EQ(found.values.size(), 2);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(found.values[i].first, "vrmse_field" + std::to_string(i));
    // Batches of 16 instead of 20: convolutions in float32 may add in another order.
    EXPECT_NEAR(found.values[i].second, expected[i], 1e-5 * expected[i]);
  }
  EXPECT_NEAR(found.score, (expected[0] + expected[1]) / 2, 1e-5 * found.score);
}

TEST(FieldVrmse, IsTheErrorOverTheSpreadOfEverySnapshot) {
  const torch::Tensor truth = keyed_normal({3, 2, 4, 5}, 1, "truth");
  const torch::Tensor made = truth + 0.1 * keyed_normal({3, 2, 4, 5}, 1, "error");
  const std::vector<double> found = field_vrmse(made, truth);
  ASSERT_EQ(found.size(), 2);
  for (int64_t c = 0; c < 2; ++c) {
    double sum = 0;
    for (int64_t b = 0; b < 3; ++b) {
      double mean = 0, error = 0, spread = 0;
      const auto at = [&](const torch::Tensor& x, int64_t i) {
        return static_cast<double>(x[b][c].flatten()[i].item<float>());
      };
      for (int64_t i = 0; i < 20; ++i) mean += at(truth, i) / 20;
      for (int64_t i = 0; i < 20; ++i) {
        error += std::pow(at(made, i) - at(truth, i), 2) / 20;
        spread += std::pow(at(truth, i) - mean, 2) / 19;
      }
      sum += std::sqrt(error / (spread + 1e-7));
    }
    EXPECT_NEAR(found[static_cast<size_t>(c)], sum / 3, 1e-12);
  }
}

TEST(FieldVrmse, OfTheTruthIsZeroAndOfItsMeanAlmostOne) {
  const torch::Tensor truth = keyed_normal({2, 1, 8, 8}, 1, "truth", 0, torch::kFloat64);
  EXPECT_EQ(field_vrmse(truth, truth)[0], 0);
  const torch::Tensor mean = truth.mean({2, 3}, /*keepdim=*/true).expand_as(truth);
  // The spread counts 63 degrees of freedom, the error 64 places; 1e-7 is added to a spread of 1.
  EXPECT_NEAR(field_vrmse(mean, truth)[0], std::sqrt(63.0 / 64), 1e-6);
  const torch::Tensor flat = torch::zeros({1, 1, 4, 4});
  EXPECT_NEAR(field_vrmse(flat + 1, flat)[0], std::sqrt(1 / 1e-7), 1e-6);
}

// Frame t of trajectory i holds 100 i + t.
MemoryDataset counting_dataset(const std::vector<int64_t>& lengths) {
  std::vector<torch::Tensor> list;
  for (size_t i = 0; i < lengths.size(); ++i) {
    const torch::Tensor numbers = 100.0F * static_cast<float>(i) + torch::arange(lengths[i]);
    list.push_back(numbers.to(torch::kFloat32).view({-1, 1, 1, 1}).expand({-1, 1, 2, 2}));
  }
  return MemoryDataset({{Split::train, list}});
}

TEST(SpreadFrames, SpreadsOverTrajectoriesAndTimes) {
  const MemoryDataset dataset = counting_dataset({40, 24, 32});
  const torch::Tensor frames = spread_frames(dataset, Split::train, 24);
  ASSERT_EQ(frames.sizes(), (std::vector<int64_t>{24, 1, 2, 2}));
  std::map<int64_t, std::set<int64_t>> quarters;  // of each trajectory
  std::map<int64_t, int64_t> counts;
  for (int64_t b = 0; b < 24; ++b) {
    const auto number = static_cast<int64_t>(frames[b][0][0][0].item<float>());
    const int64_t trajectory = number / 100, time = number % 100;
    ++counts[trajectory];
    quarters[trajectory].insert(4 * time / dataset.frames(Split::train, trajectory));
  }
  // Eight turns by the golden ratio leave no gap above 0.146 of the circle.
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(counts[i], 8);
    EXPECT_EQ(quarters[i].size(), 4) << i;
  }
}

TEST(SpreadFrames, FewFramesComeFromDifferentTrajectories) {
  const MemoryDataset dataset = counting_dataset({9, 9, 9, 9, 9, 9});
  const torch::Tensor frames = spread_frames(dataset, Split::train, 3);
  std::set<int64_t> seen;
  for (int64_t b = 0; b < 3; ++b) {
    seen.insert(static_cast<int64_t>(frames[b].max().item<float>()) / 100);
  }
  EXPECT_EQ(seen, (std::set<int64_t>{0, 2, 4}));
  EXPECT_EQ(spread_frames(dataset, Split::train, 1).size(0), 1);
  EXPECT_EQ(spread_frames(dataset, Split::train, 100).size(0), 100);  // more than there are
}

}  // namespace
}  // namespace roundtrip
