#include "roundtrip/data/latent_cache.h"

#include <fstream>

#include <gmock/gmock.h>

#include "roundtrip/base/atomic_file.h"
#include "tests/data/data_folder.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

class LatentCacheTest : public DataTest {
 protected:
  /// (T, F, h, w) whose frame t of trajectory n holds `plain_value`.
  static torch::Tensor latents(int64_t n, int64_t frames) {
    std::vector<torch::Tensor> list;
    for (int64_t t = 0; t < frames; ++t) list.push_back(plain_frame(n, t, 2, 3, 4));
    return torch::stack(list);
  }
  void write() const {
    LatentCacheWriter writer(path("a"), "codec 1", {5, 3, 7}, {2, 3, 4});
    for (int64_t n = 0; n < 3; ++n) writer.append(latents(n, lengths[static_cast<size_t>(n)]));
    writer.finish();
  }
  const std::vector<int64_t> lengths = {5, 3, 7};
};

TEST_F(LatentCacheTest, GivesBackWhatWasWritten) {
  write();
  const LatentCache cache(path("a"), "codec 1");
  ASSERT_EQ(cache.trajectories(), 3);
  EXPECT_EQ(cache.lengths(), lengths);
  for (int64_t n = 0; n < 3; ++n) EXPECT_TRUE(cache.trajectory(n).equal(latents(n, lengths[n])));
  EXPECT_TRUE(cache.frame(2, 6).equal(plain_frame(2, 6, 2, 3, 4)));
  EXPECT_NO_THROW(cache.verify());
}

TEST_F(LatentCacheTest, GathersWindows) {
  write();
  const LatentCache cache(path("a"), "codec 1");
  const TrainingSamples drawn(lengths, {.contexts = 3, .anchor_augmentation = 0.5, .seed = 1});
  std::vector<TrainingSample> samples;
  for (int64_t i = 0; i < 12; ++i) samples.push_back(drawn.at(i));
  const LatentBatch batch = cache.gather(samples);
  ASSERT_EQ(batch.target.sizes(), (std::vector<int64_t>{12, 2, 3, 4}));
  ASSERT_EQ(batch.windows.context.sizes(), (std::vector<int64_t>{12, 3, 2, 3, 4}));
  ASSERT_EQ(batch.windows.anchor.sizes(), (std::vector<int64_t>{12, 2, 3, 4}));
  for (int64_t b = 0; b < 12; ++b) {
    const auto& [n, window] = samples[static_cast<size_t>(b)];
    EXPECT_TRUE(batch.target[b].equal(plain_frame(n, window.target, 2, 3, 4)));
    EXPECT_TRUE(batch.windows.anchor[b].equal(plain_frame(n, window.anchor, 2, 3, 4)));
    for (int64_t j = 0; j < 3; ++j) {
      EXPECT_TRUE(batch.windows.context[b][j].equal(
          plain_frame(n, window.context[static_cast<size_t>(j)], 2, 3, 4)));
    }
    EXPECT_EQ(batch.windows.target_index[b].item<int64_t>(), window.target);
    EXPECT_EQ(batch.windows.direction[b].item<int64_t>(), window.direction);
  }
}

TEST_F(LatentCacheTest, AnotherFingerprintIsStale) {
  EXPECT_FALSE(LatentCache::open_if_fits(path("a"), "codec 1").has_value());
  write();
  EXPECT_TRUE(LatentCache::open_if_fits(path("a"), "codec 1").has_value());
  EXPECT_FALSE(LatentCache::open_if_fits(path("a"), "codec 2").has_value());
  EXPECT_THAT(error_of([&] { LatentCache(path("a"), "codec 2"); }),
              HasSubstr("made by another codec or from other data; encode again"));
}

TEST_F(LatentCacheTest, ACacheCutShortIsFound) {
  write();
  const std::string bytes = read_file(path("a"));
  for (size_t size = 0; size < bytes.size(); size += 97) {
    std::ofstream(path("cut"), std::ios::binary) << bytes.substr(0, size);
    EXPECT_NE(error_of([&] { LatentCache(path("cut"), "codec 1"); }), "no error") << size;
    EXPECT_FALSE(LatentCache::open_if_fits(path("cut"), "codec 1").has_value());
  }
}

TEST_F(LatentCacheTest, LatentsThatDoNotFitAreRefused) {
  LatentCacheWriter writer(path("a"), "codec 1", {5, 3}, {2, 3, 4});
  EXPECT_THROW(writer.append(latents(0, 4)), Bug);
  torch::Tensor bad = latents(0, 5);
  bad[3][1][2][3] = NAN;
  EXPECT_THAT(error_of([&] { writer.append(bad); }), HasSubstr("trajectory 0: expected finite"));
  writer.append(latents(0, 5).to(torch::kFloat64));
  EXPECT_THROW(writer.finish(), Bug);
  writer.append(latents(1, 3));
  EXPECT_THROW(writer.append(latents(2, 3)), Bug);
  writer.finish();
  EXPECT_TRUE(LatentCache(path("a"), "codec 1").trajectory(0).equal(latents(0, 5)));
}

}  // namespace
}  // namespace roundtrip
