#include "roundtrip/base/settings.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "roundtrip/base/atomic_file.h"
#include "support/error_of.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

struct Sample {
  bool limiter = true;
  int64_t resolution = 64;
  double courant = 0.4;
  std::string initial = "random";
  std::vector<double> times = {1, 2.5};
  int64_t sampler_steps = 25;

  Settings settings() {
    Settings table("sample");
    table.add("limiter", limiter, "limit slopes");
    table.add("resolution", resolution, "cells along an axis").at_least(4);
    table.add("courant", courant, "fraction of the stable step").within(0, 1);
    table.add("initial", initial, "initial state").one_of({"random", "vortex"});
    table.add("times", times, "cooling times");
    table.add("sampler.steps", sampler_steps, "denoiser calls per frame").at_least(1);
    return table;
  }
};

TEST(Settings, ReadsTomlOverridesAndTables) {
  Sample sample;
  Settings table = sample.settings();
  table.read_toml("resolution = 128\ntimes = [1, 2]\n[sampler]\nsteps = 10\n");
  table.read_override("initial=vortex");
  table.read_override("courant=.25");
  table.read_override("limiter=false");
  table.read_override("times=[3.0, 4]");
  table.read_override("sampler.steps=7");
  EXPECT_EQ(sample.resolution, 128);
  EXPECT_EQ(sample.initial, "vortex");
  EXPECT_EQ(sample.courant, 0.25);
  EXPECT_FALSE(sample.limiter);
  EXPECT_EQ(sample.times, (std::vector<double>{3, 4}));
  EXPECT_EQ(sample.sampler_steps, 7);
}

TEST(Settings, AFormerNameIsReadWithANote) {
  int64_t layers = 1;
  Settings table("model.toml");
  table.add("denoiser.layers", layers, "blocks").at_least(1).formerly("denoiser.depth");
  table.read_toml("[denoiser]\nlayers = 2\n");
  EXPECT_EQ(layers, 2);
  EXPECT_TRUE(table.notes().empty());
  table.read_toml("[denoiser]\ndepth = 3\n");
  EXPECT_EQ(layers, 3);
  table.read_override("denoiser.depth=4");
  EXPECT_EQ(layers, 4);
  ASSERT_EQ(table.notes().size(), 2);
  EXPECT_THAT(table.notes()[0],
              HasSubstr("model.toml: denoiser.depth is now called denoiser.layers"));
  EXPECT_THAT(error_of([&] { table.read_toml("[denoiser]\ndepth = 0\n"); }),
              HasSubstr("denoiser.depth: expected at least 1, found 0"));
  EXPECT_THAT(error_of([&] { table.read_toml("[denoiser]\ndepth = 5\nlayers = 6\n"); }),
              HasSubstr("denoiser.layers: expected once, found it as denoiser.depth too"));
  EXPECT_EQ(layers, 4);
  EXPECT_EQ(table.notes().size(), 2);
  EXPECT_THAT(table.to_toml(), HasSubstr("layers = 4"));  // written by its name of today
}

TEST(Settings, WholeNumberIsANumber) {
  Sample sample;
  sample.settings().read_override("courant=1");
  EXPECT_EQ(sample.courant, 1.0);
}

TEST(Settings, PrintedTomlReadsBackTheSame) {
  Sample sample;
  sample.courant = 0.1 + 0.2;  // needs all its digits
  sample.initial = "vortex";
  const std::string printed = sample.settings().to_toml();
  EXPECT_THAT(printed, HasSubstr("resolution = 64  # cells along an axis\n"));
  EXPECT_THAT(printed, HasSubstr("[sampler]\nsteps = 25"));
  Sample copy;
  copy.settings().read_toml(printed);
  EXPECT_EQ(copy.courant, sample.courant);
  EXPECT_EQ(copy.initial, "vortex");
  EXPECT_EQ(copy.settings().to_toml(), printed);
  EXPECT_EQ(sample.settings().to_json()["times"], (std::vector<double>{1, 2.5}));
}

TEST(Settings, UnknownKeyNamesTheNearest) {
  Sample sample;
  EXPECT_THAT(error_of([&] { sample.settings().read_override("resolutoin=8"); }),
              HasSubstr("[sample] resolutoin: no such setting (did you mean resolution?"));
  EXPECT_THAT(error_of([&] { sample.settings().read_toml("[sampler]\nstpes = 3"); }),
              HasSubstr("sampler.stpes: no such setting (did you mean sampler.steps?"));
}

TEST(Settings, WrongTypesRangesAndWordsAreErrors) {
  Sample sample;
  const auto override_error = [&](const char* text) {
    return error_of([&] { sample.settings().read_override(text); });
  };
  EXPECT_EQ(override_error("resolution=many"),
            "[sample] resolution: expected a whole number, found many");
  EXPECT_EQ(override_error("resolution=6.5"),
            "[sample] resolution: expected a whole number, found 6.5");
  EXPECT_EQ(override_error("resolution=true"),
            "[sample] resolution: expected a whole number, found true");
  EXPECT_EQ(override_error("resolution="),
            "[sample] resolution: expected a whole number, found nothing");
  EXPECT_EQ(override_error("resolution=2"), "[sample] resolution: expected at least 4, found 2");
  EXPECT_EQ(override_error("courant=nan"), "[sample] courant: expected between 0 and 1, found nan");
  EXPECT_EQ(override_error("initial=vortx"),
            "[sample] initial: expected one of random, vortex, found vortx");
  EXPECT_EQ(override_error("times=[1, \"a\"]"),
            "[sample] times: expected a list of numbers, found [ 1, 'a' ]");
  EXPECT_EQ(override_error("limiter=1"), "[sample] limiter: expected true or false, found 1");
  EXPECT_EQ(override_error("resolution=8\ncourant=0.1"),
            "[sample] resolution: expected a whole number, found 8 courant=0.1");
  EXPECT_EQ(sample.resolution, 64);
  EXPECT_EQ(override_error("limiter"), "[sample] expected key=value without spaces, found limiter");
}

TEST(Settings, AMisspeltTableIsNoticedEvenWhenEmpty) {
  Sample sample;
  EXPECT_THAT(error_of([&] { sample.settings().read_toml("[smapler]\n"); }), HasSubstr("smapler"));
  EXPECT_EQ(error_of([&] { sample.settings().read_toml("[sampler]\n"); }), "no error");
}

TEST(Settings, ValuesAreComparedWithoutLayout) {
  EXPECT_EQ(toml_values("a = 'x'  # old\nb = 1"), toml_values("b = 1\na = \"x\"  # new words"));
  EXPECT_NE(toml_values("a = 1"), toml_values("a = 2"));
  EXPECT_TRUE(toml_values("a = = 1").is_null());
}

TEST(Settings, ABadDocumentChangesNothing) {
  Sample sample;
  EXPECT_NE(error_of([&] { sample.settings().read_toml("resolution = 8\ncourant = 9.0"); }),
            "no error");
  EXPECT_EQ(sample.resolution, 64);
  EXPECT_THAT(error_of([&] { sample.settings().read_toml("resolution = 8\nx = = 3"); }),
              HasSubstr("[sample] line 2: not valid TOML"));
  EXPECT_THAT(error_of([&] { sample.settings().read_file("no/such/file.toml"); }),
              HasSubstr("no/such/file.toml"));
}

TEST(Settings, KeysWithoutEndAreAnError) {
  std::string document;
  for (int i = 0; i < 150000; ++i) document += "a.";
  document += "b = 1\n";
  Sample sample;
  EXPECT_THAT(error_of([&] { sample.settings().read_toml(document); }),
              HasSubstr("[sample] expected keys of at most 32 parts"));
  const std::string path = testing::TempDir() + "/keys_without_end.toml";
  write_file(path, document);
  EXPECT_THAT(error_of([&] { sample.settings().read_file(path); }),
              HasSubstr("keys_without_end.toml] expected keys of at most 32 parts"));
  EXPECT_TRUE(toml_values(document).is_null());
}

TEST(FindValue, FollowsDotsIntoSections) {
  const nlohmann::json values = toml_values("a = 1\n[b]\nc = \"word\"\n");
  ASSERT_NE(find_value(values, "b.c"), nullptr);
  EXPECT_EQ(*find_value(values, "b.c"), "word");
  EXPECT_EQ(*find_value(values, "a"), 1);
  EXPECT_EQ(find_value(values, "b.d"), nullptr);
  EXPECT_EQ(find_value(values, "x.c"), nullptr);
}

}  // namespace
}  // namespace roundtrip
