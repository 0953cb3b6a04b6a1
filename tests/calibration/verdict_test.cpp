#include "roundtrip/calibration/verdict.h"

#include <limits>

#include <gtest/gtest.h>

namespace roundtrip {
namespace {

const ClusteredMean kUp = {0.5, 0.1}, kLevel = {0.1, 0.1}, kDown = {-0.5, 0.1};

// What follows the numbers.
std::string sentence(const ClusteredMean& over_depth, const ClusteredMean& over_baseline,
                     const std::string& baseline = "seed_knn") {
  const std::string text =
      verdict({.over_depth = over_depth, .over_baseline = over_baseline, .baseline = baseline});
  return text.substr(text.find(". ") + 2);
}

TEST(Verdict, GivesBothGains) {
  EXPECT_EQ(verdict({.over_depth = {0.5, 0.1},
                     .over_baseline = {-0.3, 0.2},
                     .baseline = "seed_knn"}),
            "C with depth: +0.50 +-0.10 nats a row over the depth alone, -0.30 +-0.20 nats a row "
            "over the best baseline (seed_knn). It beats the depth alone; whether it beats "
            "seed_knn, which takes no rollout, these trajectories do not show.");
  EXPECT_EQ(verdict({.over_depth = {0.5, 0.1}, .over_baseline = {}, .baseline = ""}),
            "C with depth: +0.50 +-0.10 nats a row over the depth alone. It beats the depth alone.");
}

TEST(Verdict, HasASentenceForEveryCase) {
  EXPECT_EQ(sentence(kUp, kUp), "It beats the depth alone and every baseline of the seed frames.");
  EXPECT_EQ(sentence(kUp, kLevel),
            "It beats the depth alone; whether it beats seed_knn, which takes no rollout, these "
            "trajectories do not show.");
  EXPECT_EQ(sentence(kUp, kDown),
            "It beats the depth alone, but seed_knn, which takes no rollout, predicts the error "
            "better.");
  EXPECT_EQ(sentence(kLevel, kUp),
            "Whether it beats the depth alone, these trajectories do not show; it beats every "
            "baseline of the seed frames.");
  EXPECT_EQ(sentence(kLevel, kLevel),
            "Whether it beats the depth alone or seed_knn, which takes no rollout, these "
            "trajectories do not show.");
  EXPECT_EQ(sentence(kLevel, kDown),
            "Whether it beats the depth alone, these trajectories do not show; seed_knn, which "
            "takes no rollout, predicts the error better.");
  EXPECT_EQ(sentence(kDown, kUp),
            "The depth alone predicts the error better, though every baseline of the seed frames "
            "predicts it worse.");
  EXPECT_EQ(sentence(kDown, kLevel),
            "The depth alone predicts the error better; whether seed_knn, which takes no rollout, "
            "does too, these trajectories do not show.");
  EXPECT_EQ(sentence(kDown, kDown),
            "The depth alone and seed_knn, which takes no rollout, both predict the error better.");
  // Without a baseline of the seed frames, or where the depth is the best one.
  for (const char* baseline : {"", "depth", "none"}) {
    EXPECT_EQ(sentence(kUp, kUp, baseline), "It beats the depth alone.");
    EXPECT_EQ(sentence(kLevel, kLevel, baseline),
              "Whether it beats the depth alone, these trajectories do not show.");
    EXPECT_EQ(sentence(kDown, kDown, baseline), "The depth alone predicts the error better.");
  }
}

TEST(Verdict, AGainCountsFromTwoStandardErrorsOn) {
  const auto with = [](ClusteredMean gain) { return sentence(kUp, gain); };
  EXPECT_EQ(with({0.21, 0.1}), sentence(kUp, kUp));
  EXPECT_EQ(with({0.19, 0.1}), sentence(kUp, kLevel));
  EXPECT_EQ(with({-0.19, 0.1}), sentence(kUp, kLevel));
  EXPECT_EQ(with({-0.21, 0.1}), sentence(kUp, kDown));
  EXPECT_EQ(with({0, std::numeric_limits<double>::infinity()}), sentence(kUp, kLevel));
  // Two tables that once had the same sentence.
  EXPECT_NE(with({0.75, 0.39}), with({-0.46, 0.18}));
}

}  // namespace
}  // namespace roundtrip
