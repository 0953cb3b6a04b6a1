#include "roundtrip/data/normaliser.h"

#include <atomic>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/json_text.h"
#include "tests/data/data_folder.h"
#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

using ::testing::HasSubstr;

// Channels far from zero, near it, and constant.
float wave(int64_t n, int64_t t, int64_t c, int64_t i) {
  const auto phase = static_cast<double>(7 * n + 3 * t + i);
  if (c == 0) return static_cast<float>(1000 + std::sin(phase));
  return c == 1 ? static_cast<float>(0.25 * std::cos(phase)) : 0.1F;
}

class NormaliserTest : public DataTest {
 protected:
  std::unique_ptr<Dataset> dataset() const {
    write_well(path("data/train/a.hdf5"), 5, 4, wave);
    write_well(path("data/test/a.hdf5"), 2, 4,
               [](int64_t, int64_t, int64_t, int64_t) { return 1e6F; });
    return open_dataset({.path = path("")});
  }
};

TEST_F(NormaliserTest, IsTheTwoPassFormulaOverTrainingFramesOnly) {
  const Normaliser normaliser = fit_normaliser(*dataset());
  for (int64_t c = 0; c < 2; ++c) {
    double mean = 0, variance = 0;
    const double count = 5 * 4 * 12;
    for (int pass = 0; pass < 2; ++pass) {
      for (int64_t n = 0; n < 5; ++n) {
        for (int64_t t = 0; t < 4; ++t) {
          for (int64_t i = 0; i < 12; ++i) {
            const double value = wave(n, t, c, i);
            if (pass == 0) mean += value / count;
            if (pass == 1) variance += (value - mean) * (value - mean) / count;
          }
        }
      }
    }
    // Round-off of 240 sums in double.
    EXPECT_NEAR(normaliser.mean()[c], mean, 1e-13 * std::abs(mean) + 1e-15);
    EXPECT_NEAR(normaliser.std()[c], std::sqrt(variance), 1e-12);
  }
}

TEST_F(NormaliserTest, AConstantChannelBecomesZeroAndComesBack) {
  const Normaliser normaliser = fit_normaliser(*dataset());
  EXPECT_NEAR(normaliser.mean()[2], 0.1F, 1e-15);
  EXPECT_EQ(normaliser.std()[2], 1);
  const torch::Tensor frames = dataset()->read(Split::train, 3, 0, 4);
  const torch::Tensor normalised = normaliser.normalise(frames);
  EXPECT_EQ(normalised.select(1, 2).abs().max().item<float>(), 0);
  EXPECT_TRUE(normaliser.restore(normalised).select(1, 2).equal(frames.select(1, 2)));
}

TEST_F(NormaliserTest, DoesNotDependOnThreads) {
  const auto data = dataset();
  std::atomic<int64_t> frames = 0;
  const Normaliser one = fit_normaliser(*data, 1);
  const Normaliser four = fit_normaliser(*data, 4, [&](int64_t count) { frames += count; });
  EXPECT_EQ(one.mean(), four.mean());
  EXPECT_EQ(one.std(), four.std());
  EXPECT_EQ(frames, 20);
}

TEST_F(NormaliserTest, RestoreUndoesNormalise) {
  const Normaliser normaliser({2, -3}, {4, 0.5});
  const torch::Tensor fields = torch::tensor({6.0, -2.0}, torch::kFloat64).view({1, 2, 1, 1});
  const torch::Tensor normalised = normaliser.normalise(fields);
  EXPECT_EQ(normalised.scalar_type(), torch::kFloat64);
  EXPECT_EQ(normalised[0][0].item<double>(), 1);
  EXPECT_EQ(normalised[0][1].item<double>(), 2);
  EXPECT_TRUE(normaliser.restore(normalised).equal(fields));
  EXPECT_THROW(normaliser.normalise(torch::zeros({1, 3, 2, 2})), Bug);
}

TEST_F(NormaliserTest, JsonKeepsEveryDigit) {
  const Normaliser normaliser({1.0 / 3, -1e-17}, {std::sqrt(2.0), 1e20});
  const std::string text = json_text(to_json(normaliser));
  const Normaliser back = normaliser_from_json(read_json(text), "model.toml");
  EXPECT_EQ(back.mean(), normaliser.mean());
  EXPECT_EQ(back.std(), normaliser.std());
}

TEST_F(NormaliserTest, JsonThatDoesNotFitIsAnError) {
  for (const char* text :
       {"[]", "{}", R"({"mean": [1], "std": []})", R"({"mean": [1], "std": [0]})",
        R"({"mean": ["a"], "std": [1]})", R"({"mean": [], "std": []})"}) {
    EXPECT_THAT(error_of([&] { normaliser_from_json(read_json(text), "model.toml"); }),
                HasSubstr("[data] model.toml: normalisation"))
        << text;
  }
}

}  // namespace
}  // namespace roundtrip
