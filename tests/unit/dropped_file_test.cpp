/// What a file that is dropped onto the window means, and that a wrong one says what is wrong with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scratch.hpp"
#include "shell/files/dropped_file.hpp"

using namespace orrery;
using namespace orrery::shell;

namespace {

/// A file of that text, for as long as the test runs.
class DroppedFiles : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    files_.push_back(scratch(name));
    write_file(files_.back(), text);
    return files_.back().string();
  }
  void TearDown() override {
    for (const auto& path : files_) std::filesystem::remove(path);
  }

 private:
  std::vector<std::filesystem::path> files_;
};

std::string refusal(const std::vector<std::string>& paths) {
  try {
    (void)examine_dropped(scene_kinds(), paths);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  return "accepted";
}

Value value_of(const DroppedFile& dropped, const std::string& table, const std::string& key) {
  const StateSection& section = dropped.state.at(table);
  const auto found = std::ranges::find(section, key, [](const auto& entry) { return entry.first; });
  return found == section.end() ? Value(false) : found->second;
}

}  // namespace

TEST_F(DroppedFiles, BodiesAreBodies) {
  const Bodies two{{1, 0, 0, 0, 0, 0, 0}, {2, 1, 0, 0, 0, 0, 0}};
  for (const char* name : {"drop.csv", "drop.npy", "drop.tipsy"}) {
    const std::string path = file(name, "");
    write_bodies(path, two);
    const DroppedFile dropped = examine_dropped(scene_kinds(), {path});
    EXPECT_EQ(dropped.path, path);
    EXPECT_EQ(dropped.contents, "2 bodies");
    EXPECT_EQ(dropped.scene, "nbody");
    EXPECT_EQ(value_of(dropped, "nbody", "initial"), Value(path));
  }
}

TEST_F(DroppedFiles, TablesAreASession) {
  const std::string path =
      file("session.toml",
           "[window]\nscene = \"nbody\"\n[nbody]\ninitial = \"plummer\"\ndt = 0.25\nlater = 1\n[other]\nx = 1\n");
  const auto dropped = examine_dropped(scene_kinds(), {path});
  EXPECT_EQ(dropped.scene, "nbody");
  EXPECT_EQ(value_of(dropped, "nbody", "dt"), Value(0.25));
  EXPECT_EQ(dropped.unknown, (std::vector<std::string>{"key nbody.later", "table [other]"}));
}

TEST_F(DroppedFiles, KeysWithoutATableAreAView) {
  const std::string path = file("view.toml", "center = [\"-0.75\", \"0.1\"]\nspan = \"1e-3\"\niterations = 500\n");
  const auto dropped = examine_dropped(scene_kinds(), {path});
  EXPECT_EQ(dropped.scene, "mandelbrot");
  EXPECT_EQ(dropped.state.size(), 1U);
  EXPECT_EQ(value_of(dropped, "mandelbrot", "center-re"), Value(std::string("-0.75")));
  EXPECT_EQ(value_of(dropped, "mandelbrot", "iterations"), Value(std::int64_t{500}));
}

TEST_F(DroppedFiles, APlaceOfAnotherProgramIsAView) {
  const auto dropped = examine_dropped(scene_kinds(), {file("place.kfr", "Re: -1.25\nIm: 0.5\nZoom: 1e6\n")});
  EXPECT_EQ(dropped.scene, "mandelbrot");
  EXPECT_EQ(value_of(dropped, "mandelbrot", "center-re"), Value(std::string("-1.25")));
  EXPECT_NE(refusal({file("letter.txt", "Dear reader,\n")}).find("letter.txt"), std::string::npos);
  EXPECT_NE(refusal({file("photo.png", "no picture")}).find("photo.png"), std::string::npos);
}

TEST_F(DroppedFiles, AWrongOneSaysWhatIsWrong) {
  EXPECT_NE(refusal({file("notes.doc", "hello")}).find(".csv, .npy, .tipsy"), std::string::npos);
  EXPECT_NE(refusal({file("cut.csv", "mass,x,y,z,vx,vy,vz\n1,2,3\n")}).find("cut.csv:2:"), std::string::npos);
  EXPECT_NE(refusal({file("cut.tipsy", "short")}).find("a header of 32 bytes"), std::string::npos);
  EXPECT_NE(refusal({file("broken.toml", "span = = 3\n")}).find("broken.toml:1:"), std::string::npos);
  EXPECT_NE(refusal({file("strange.toml", "teapot = 1\n")}).find("teapot"), std::string::npos);
  EXPECT_NE(refusal({scratch("nowhere.csv").string()}).find("nowhere.csv"), std::string::npos);
  EXPECT_NE(refusal({scratch("nowhere.toml").string()}).find("nowhere.toml"), std::string::npos);
  EXPECT_NE(refusal({std::filesystem::temp_directory_path().string()}).find("not a file"), std::string::npos);
  EXPECT_NE(refusal({"/dev/zero"}).find("not a file"), std::string::npos);
  EXPECT_NE(refusal({"a.csv", "b.csv"}).find("one file at a time"), std::string::npos);
}

// A session is taken over whole or not at all, so it is tried before.
TEST_F(DroppedFiles, ASessionThatASceneWouldRefuseIsRefused) {
  EXPECT_NE(refusal({file("range.toml", "[mandelbrot]\nspan = \"1\"\n[nbody]\ndt = \"fast\"\n")}).find("dt"),
            std::string::npos);
  EXPECT_NE(refusal({file("count.toml", "[nbody]\ninitial = \"figure-eight\"\nbodies = 5\n")}).find("\"5\""),
            std::string::npos);
  EXPECT_NE(refusal({file("gone.toml", "[nbody]\ninitial = \"gone.csv\"\n")}).find("gone.csv"), std::string::npos);
}
