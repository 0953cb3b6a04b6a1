#include <limits>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "cli/program.h"
#include "roundtrip/base/json_text.h"
#include "roundtrip/io/clips.h"
#include "roundtrip/io/safetensors.h"
#include "roundtrip/io/video_writer.h"
#include "roundtrip/io/well_writer.h"
#include "tests/support/read_png.h"
#include "tests/support/write_fno_mat.h"

namespace roundtrip {
namespace {

using testing::HasSubstr;

WellHeader header_of_fields(const std::vector<std::string>& names) {
  WellHeader header;
  for (const std::string& name : names) header.fields.push_back({.name = name});
  return header;
}

WellHeader header_from(const std::string& provenance) {
  WellHeader header = header_of_fields({"density"});
  header.notes = {{"provenance", provenance}};
  return header;
}

class InspectTest : public ProgramTest {
 protected:
  // Two trajectories of two frames, 0 1 2 3 ... but for one NaN.
  void write_well_file(const std::string& name, bool with_nan,
                       WellHeader header = header_of_fields({"density"})) const {
    header.dataset_name = "tiny";
    header.n_trajectories = 2;
    header.time.coordinates = {0, 1};
    header.axes = {{.name = "x", .coordinates = {0, 1, 2}}, {.name = "y", .coordinates = {0, 1}}};
    WellWriter writer(folder_ / name, header);
    float next = 0;
    for (int64_t trajectory = 0; trajectory < 2; ++trajectory) {
      for (int64_t frame = 0; frame < 2; ++frame) {
        std::vector<float> values(6 * header.fields.size());
        for (float& value : values) value = next++;
        if (with_nan) values[1] = std::numeric_limits<float>::quiet_NaN();
        writer.write_frame(trajectory, frame, values);
      }
    }
    writer.finish();
  }
};

TEST_F(InspectTest, SummarisesAWellFile) {
  write_well_file("a.hdf5", false);
  const auto json = read_json(run("inspect a.hdf5 --json").out);
  const auto& row = json["rows"][0];
  EXPECT_EQ(row["name"], "density");
  EXPECT_EQ(row["shape"], (std::vector<int>{2, 2, 3, 2}));
  EXPECT_EQ(row["min"], 0);
  EXPECT_EQ(row["max"], 23);
  EXPECT_EQ(row["mean"], 11.5);
  EXPECT_EQ(row["not_finite"], 0);
  EXPECT_THAT(run("inspect a.hdf5").out, HasSubstr("All values are finite."));
}

TEST_F(InspectTest, DrawsAFrame) {
  write_well_file("a.hdf5", false);
  const ProgramResult drawn = run("inspect a.hdf5 --picture a.png --trajectory 1");
  EXPECT_THAT(drawn.out, HasSubstr("a.png: trajectory 1, frame 1, time 1"));
  const Image last = read_png(folder_ / "a.png");
  EXPECT_GT(last.width, 64);
  EXPECT_EQ(run("inspect a.hdf5 --picture b.png --trajectory 1 --frame 0").code, 0);
  EXPECT_NE(read_png(folder_ / "b.png").pixels, last.pixels);  // its colour bar says so
  expect_mistake(run("inspect a.hdf5 --picture a.png"), "exists already");
  expect_mistake(run("inspect a.hdf5 --picture c.png --frame 2"), "expected 0 to 1");
  expect_mistake(run("inspect a.hdf5 --picture c.png --trajectory 2"), "expected 0 to 1");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c.png"));
}

TEST_F(InspectTest, CountsWhatIsNotFinite) {
  write_well_file("a.hdf5", true);
  EXPECT_THAT(run("inspect a.hdf5").out, HasSubstr("4 value(s) are NaN or infinite."));
}

// libhdf5 breaks down in another program (tests/support/test_reader.cpp aborts on every file).
TEST_F(InspectTest, ACrashOfTheReaderIsOneLine) {
  write_well_file("a.hdf5", false);
  expect_mistake(run("inspect a.hdf5", "ROUNDTRIP_READER='" ROUNDTRIP_TEST_READER "'"),
                 "[file] a.hdf5: expected a file its library can work on, found that it crashes; "
                 "it is damaged: download or generate it again");
  expect_mistake(run("inspect a.hdf5", "ROUNDTRIP_READER=/nowhere/reader"),
                 "[program] /nowhere/reader: cannot be run: No such file or directory");
  EXPECT_EQ(run("inspect a.hdf5", "ROUNDTRIP_READER=in-process").out, run("inspect a.hdf5").out);
}

TEST_F(InspectTest, SummarisesAMatFile) {
  const std::vector<float> solution = {0, 1, 2, 3, 4, 5, 6, 7};  // [1, 2, 2, 2]
  write_fno_mat(folder_ / "u.mat",
                {.trajectories = 1, .height = 2, .width = 2, .times = {1, 2}, .solution = solution},
                MatLevel::level5);
  const auto json = read_json(run("inspect u.mat --json").out);
  EXPECT_EQ(json["rows"][0]["name"], "u");
  EXPECT_EQ(json["rows"][0]["shape"], (std::vector<int>{1, 2, 2, 2}));
  EXPECT_EQ(json["rows"][0]["mean"], 3.5);
}

TEST_F(InspectTest, SummarisesTensors) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  write_safetensors(folder_ / "w.safetensors", {{{.name = "weight",
                                                  .type = TensorType::f32,
                                                  .shape = {2, 3},
                                                  .bytes = std::as_bytes(std::span(values))}}});
  const ProgramResult result = run("inspect w.safetensors");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2x3"));
  EXPECT_THAT(result.out, HasSubstr("3.5"));
}

TEST_F(InspectTest, ShowsSeedsOfAnySizeAndForeignNotes) {
  const std::string seed = "18446744073709551615";
  write_well_file(
      "a.hdf5", false,
      header_from(R"({"data": {"system": "mhd"}, "version": "1", "seed": )" + seed + "}"));
  EXPECT_THAT(run("inspect a.hdf5").out, HasSubstr("system mhd, seed " + seed + ", roundtrip 1"));
  write_well_file("b.hdf5", false, header_from(R"({"data": {"system": 5}, "seed": [1]})"));
  EXPECT_THAT(run("inspect b.hdf5").out, HasSubstr("system 5, seed unknown"));
}

TEST_F(InspectTest, NestingWithoutEndInANoteIsNoCrash) {
  const std::string deep = std::string(30000, '[') + std::string(30000, ']');
  write_well_file("a.hdf5", false, header_from(R"({"data": {"x": )" + deep + "}}"));
  const ProgramResult result = run("inspect a.hdf5");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("note provenance"));
}

TEST_F(InspectTest, AFileCannotFalsifyWhatIsSaidOfIt) {
  const std::vector<int64_t> values = {-7, 9};
  write_safetensors(folder_ / "w.safetensors",
                    {{{.name = "steps",
                       .type = TensorType::i64,
                       .shape = {2},
                       .bytes = std::as_bytes(std::span(values))}}},
                    {{"path", "evil"}, {"kind", "evil"}, {"tensors", "evil"}});
  const auto json = read_json(run("inspect w.safetensors --json").out);
  const auto& data = json["context"]["data"];
  EXPECT_EQ(data["path"], "w.safetensors");
  EXPECT_EQ(data["kind"], "safetensors file");
  EXPECT_EQ(data["tensors"], 1);
  EXPECT_EQ(data["metadata"]["kind"], "evil");
  // Integers have their own values, not those of no floats.
  EXPECT_EQ(json["rows"][0]["min"], -7);
  EXPECT_EQ(json["rows"][0]["max"], 9);
  EXPECT_EQ(json["rows"][0]["mean"], 1);
}

TEST_F(InspectTest, TellsShapesAsStoredScalarsAndTimes) {
  WellHeader header = header_of_fields({"density", "profile"});
  header.fields[1].sample_varying = header.fields[1].time_varying = false;
  header.fields[1].dim_varying = {true, false};
  header.scalars = {{.name = "drive", .sample_varying = true, .values = {1, 3}}};
  header.notes = {{"kind", "evil"}};
  write_well_file("a.hdf5", false, header);
  const auto json = read_json(run("inspect a.hdf5 --json").out);
  EXPECT_EQ(json["rows"][1]["name"], "profile");
  EXPECT_EQ(json["rows"][1]["shape"], std::vector<int>{3});
  const auto& data = json["context"]["data"];
  EXPECT_EQ(data["kind"], "Well file");
  EXPECT_EQ(data["notes"]["kind"], "evil");
  EXPECT_EQ(data["frames"], 2);
  EXPECT_EQ(data["times"], (std::vector<double>{0, 1}));
  EXPECT_EQ(data["axes"][0]["points"], 3);
  EXPECT_EQ(data["scalars"]["drive"]["max"], 3);
  EXPECT_THAT(run("inspect a.hdf5").out, HasSubstr("scalar drive"));
}

TEST_F(InspectTest, NamesSayTheKindInAnyCaseAndElseTheContent) {
  write_well_file("a.hdf5", false);
  std::filesystem::copy_file(folder_ / "a.hdf5", folder_ / "A.HDF5");
  std::filesystem::copy_file(folder_ / "a.hdf5", folder_ / "a.nc");
  std::filesystem::copy_file(folder_ / "a.hdf5", folder_ / "a");
  for (const char* name : {"A.HDF5", "a.nc", "a"}) {
    EXPECT_THAT(run(std::string("inspect ") + name).out, HasSubstr("Well file")) << name;
  }
  const std::vector<float> solution = {0, 1, 2, 3, 4, 5, 6, 7};
  for (const MatLevel level : {MatLevel::level5, MatLevel::level73}) {
    write_fno_mat(
        folder_ / "u.dat",
        {.trajectories = 1, .height = 2, .width = 2, .times = {1, 2}, .solution = solution}, level);
    EXPECT_THAT(run("inspect u.dat").out, HasSubstr("FNO MAT file"));
  }
  write_safetensors(folder_ / "w.bin", {{{.name = "weight",
                                          .type = TensorType::f32,
                                          .shape = {8},
                                          .bytes = std::as_bytes(std::span(solution))}}});
  EXPECT_THAT(run("inspect w.bin").out, HasSubstr("safetensors file"));
  VideoWriter video(folder_ / "v.mp4", {.width = 16, .height = 16, .rate = 10});
  video.write(Image(16, 16));
  video.finish();
  std::filesystem::rename(folder_ / "v.mp4", folder_ / "v.clip");
  EXPECT_THAT(run("inspect v.clip").out, HasSubstr("video"));
}

TEST_F(InspectTest, WhatCannotBeDrawnIsToldAtOnce) {
  const std::vector<float> solution = {0, 1, 2, 3, 4, 5, 6, 7};
  write_fno_mat(folder_ / "u.mat",
                {.trajectories = 1, .height = 2, .width = 2, .times = {1, 2}, .solution = solution},
                MatLevel::level5);
  expect_mistake(run("inspect u.mat --picture q.png"), "expected a Well file or dataset");
  write_well_file("a.hdf5", false);
  expect_mistake(run("inspect a.hdf5 --frame 99"), "--frame requires --picture");
  const auto json = read_json(run("inspect a.hdf5 --picture a.png --frame 0 --json").out);
  EXPECT_EQ(json["context"]["data"]["picture"]["path"], "a.png");
  EXPECT_EQ(json["context"]["data"]["picture"]["frame"], 0);
}

TEST_F(InspectTest, SplitsThatDifferAreAMistake) {
  write_well_file("data/train/a.hdf5", false, header_of_fields({"density", "heat"}));
  write_well_file("data/valid/b.hdf5", false, header_of_fields({"density"}));
  expect_mistake(run("inspect ."), "b.hdf5: expected 2 frames of density heat on");
  write_well_file("data/valid/b.hdf5", false, header_of_fields({"density", "heat"}));
  EXPECT_EQ(run("inspect .").code, 0);
}

TEST_F(InspectTest, PipesDoNotHang) {
  for (const char* name : {"a.hdf5", "a.yaml", "a.mat", "a.safetensors", "a.mp4"}) {
    ASSERT_EQ(::mkfifo((folder_ / name).c_str(), 0600), 0);
    expect_mistake(run(std::string("inspect ") + name, "timeout 10"), "expected a regular file");
  }
}

TEST_F(InspectTest, NamesTheClipThatDoesNotOpen) {
  {
    VideoWriter video(folder_ / "a.mp4", {.width = 16, .height = 16, .rate = 10});
    video.write(Image(16, 16));
    video.finish();
  }
  write_file(folder_ / "b.mp4", "no video");
  write_clips(folder_, {{"a.mp4", "anna", "other"}});
  const auto listed = read_json(run("inspect . --json").out);
  EXPECT_EQ(listed["context"]["data"]["splits"], (nlohmann::json{{"other", 1}}));
  EXPECT_THAT(run("inspect .").out, HasSubstr("other 1"));
  write_clips(folder_, {{"a.mp4", "anna"}, {"b.mp4", "bert"}});
  expect_mistake(run("inspect ."), "b.mp4");
}

TEST_F(InspectTest, MistakesAreOneLine) {
  write_file(folder_ / "text.hdf5", "this is no HDF5");
  write_file(folder_ / "text.mat", "this is no MAT");
  write_file(folder_ / "text.mp4", "this is no video");
  write_file(folder_ / "text.safetensors", "no");
  write_file(folder_ / "notes.txt", "x");
  expect_mistake(run("inspect nowhere.hdf5"), "nowhere.hdf5");
  expect_mistake(run("inspect text.hdf5"), "text.hdf5");
  expect_mistake(run("inspect text.mat"), "text.mat");
  expect_mistake(run("inspect text.mp4"), "text.mp4");
  expect_mistake(run("inspect text.safetensors"), "text.safetensors");
  expect_mistake(run("inspect notes.txt"), "notes.txt");
  expect_mistake(run("inspect ."), "Well dataset");
}

}  // namespace
}  // namespace roundtrip
