#include "roundtrip/calibration/features.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace roundtrip {
namespace {

// C = 1, e, e^2, ... at depths 1, 2, 4, 8; every other column a function of the place too.
Curve example_curve() {
  Curve curve;
  for (int i = 0; i < 4; ++i) {
    std::map<std::string, double> values = {{"C", std::exp(i)}};
    for (const char* other : {"spread_seed", "spread_ancestral", "local_1", "local_2", "local_4"}) {
      values[other] = std::exp(0.1 * i * i);
    }
    curve.add(int64_t{1} << i, values);
  }
  return curve;
}

TEST(Features, AreWhatTheirNamesSay) {
  const Curve curve = example_curve();
  const auto at = [&](const char* name, size_t place) {
    return inputs_at(make_features("C", name), curve, place);
  };
  EXPECT_EQ(at("alone", 2), (std::vector<double>{2}));
  EXPECT_EQ(at("depth", 2), (std::vector<double>{2, std::log(4)}));
  EXPECT_EQ(at("prefix_mean", 2), (std::vector<double>{2, 1, std::log(4)}));
  EXPECT_EQ(at("trajectory_mean", 2), (std::vector<double>{2, 1.5, std::log(4)}));
  const std::vector<double> shape = at("shape", 2);
  EXPECT_EQ(shape[3], 0);                           // the first quarter: one depth
  EXPECT_NEAR(shape[4], 1 / std::log(2.0), 1e-12);  // log C rises by 1 per doubling
  EXPECT_EQ(at("spread_seed", 2), (std::vector<double>{2, 0.4, std::log(4)}));
  EXPECT_EQ(inputs_at(make_features("depth", "alone"), curve, 3),
            (std::vector<double>{std::log(8)}));
  EXPECT_TRUE(inputs_at(make_features("none", "alone"), curve, 3).empty());
}

TEST(Features, CausalOnesKnowNothingDeeper) {
  const Curve whole = example_curve();
  Curve so_far = whole;
  so_far.depths.resize(2);
  for (auto& [name, values] : so_far.columns) values.resize(2);
  for (const FeatureEntry& row : feature_sets()) {
    const Features features = row.make("C");
    EXPECT_EQ(inputs_at(features, whole, 1) == inputs_at(features, so_far, 1), row.causal)
        << row.name;
  }
}

TEST(Features, HaveARoleForEveryInput) {
  for (const FeatureEntry& row : feature_sets()) {
    const Features features = row.make("C");
    EXPECT_EQ(features.form.polynomial.size(), features.inputs.size()) << row.name;
    EXPECT_EQ(features.inputs[0].name(), "log C");
    EXPECT_TRUE(features.form.polynomial[0]);
  }
}

std::vector<std::vector<std::string>> terms_tried(const std::string& signal, const char* name) {
  std::vector<std::vector<std::string>> terms;
  for (const FormChoice& choice : forms_of(make_features(signal, name))) {
    EXPECT_EQ(choice.note.empty(), terms.empty());
    terms.push_back(mean_terms(choice.form, 1));
  }
  return terms;
}

TEST(Features, HaveSimplerFormsForASignalThatFalls) {
  using Terms = std::vector<std::vector<std::string>>;
  EXPECT_EQ(terms_tried("C", "alone"), (Terms{{"1", "z0"}, {"1"}}));
  EXPECT_EQ(terms_tried("C", "line"), (Terms{{"1", "z0"}, {"1"}}));
  EXPECT_EQ(terms_tried("C", "depth"),
            (Terms{{"1", "z0*z1", "z0", "z1"}, {"1", "z0", "z1"}, {"1", "z1"}}));
  EXPECT_EQ(terms_tried("C", "prefix_mean"), (Terms{{"1", "z1", "z2", "z1*z2", "z0"},
                                                    {"1", "z1", "z2", "z0"},
                                                    {"1", "z1", "z2", "z1*z2"},
                                                    {"1", "z1", "z2"},
                                                    {"1", "z2"}}));
  EXPECT_EQ(terms_tried("C", "local_2"), (Terms{{"1", "z1", "z2", "z0"}, {"1", "z1", "z2"}}));
  // The depth stays of the shape; level and slope are made of the signal.
  EXPECT_EQ(terms_tried("C", "shape").back(), (std::vector<std::string>{"1", "z2"}));
}

TEST(Features, BaselinesMayFall) {
  EXPECT_EQ(terms_tried("depth", "alone").size(), 1u);
  EXPECT_EQ(terms_tried("seed_knn", "depth").size(), 1u);
  EXPECT_EQ(terms_tried("none", "alone").size(), 1u);
}

TEST(Features, VanishedAndDivergedSignals) {
  Curve curve;
  curve.add(1, {{"C", 0}});
  curve.add(2, {{"C", std::exp(3)}});
  curve.add(3, {{"C", std::numeric_limits<double>::infinity()}});
  const Features features = make_features("C", "prefix_mean");
  EXPECT_TRUE(std::isnan(inputs_at(features, curve, 0)[1]));  // no finite logarithm yet
  EXPECT_DOUBLE_EQ(inputs_at(features, curve, 1)[1], 3);
  EXPECT_DOUBLE_EQ(inputs_at(features, curve, 2)[1], 3);
  EXPECT_TRUE(std::isinf(inputs_at(features, curve, 2)[0]));
}

TEST(Features, UnknownNamesListTheKnown) {
  EXPECT_NE(error_of([] { make_features("C", "prefixmean"); }).find("prefix_mean"),
            std::string::npos);
  EXPECT_NE(error_of([] { make_features("depth", "shape"); }).find("used alone"),
            std::string::npos);
}

}  // namespace
}  // namespace roundtrip
