/// The meaning of a file that is dropped onto the window, and the errors of invalid files.
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

/// Creates files that exist during the test.
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

TEST_F(DroppedFiles, BodyFilesAreOpenedAsBodies) {
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

TEST_F(DroppedFiles, BodiesOfOtherProgramsReportTheColumnsRead) {
  for (const char* name : {"sheet.csv", "sheet.txt", "SHEET.CSV"})
    EXPECT_EQ(
        examine_dropped(scene_kinds(), {file(name, "Name;X;Y;Z\na;1,5;2;3\n")}).contents,
        "1 body (3 of 4 columns read (not Name); mass missing: 1 each; velocities missing: 0 each; decimal comma)");
}

TEST_F(DroppedFiles, AForeignTableIsPreviewedAndOrrerysOwnIsNot) {
  const Bodies two{{1, 0, 0, 0, 0, 0, 0}, {2, 1, 0, 0, 0, 0, 0}};
  for (const char* name : {"own.csv", "own.npy", "own.tipsy"}) {
    const std::string path = file(name, "");
    write_bodies(path, two);
    EXPECT_FALSE(examine_dropped(scene_kinds(), {path}).preview) << name;
  }
  std::string text = "id;y;x;z;vx;vy;vz\n";
  for (int i = 0; i < 1200; ++i) text += std::to_string(i) + ";2,5;" + std::to_string(i) + ";0;0;0;-1e-7\n";
  const auto preview = examine_dropped(scene_kinds(), {file("other.csv", text)}).preview;
  ASSERT_TRUE(preview);
  EXPECT_EQ(preview->name, scratch("other.csv").filename());
  EXPECT_EQ(preview->contents, "1,200 bodies");
  EXPECT_EQ(preview->assumed, "6 of 7 columns read (not id); mass missing: 1 each; decimal comma");
  EXPECT_EQ(preview->columns, (std::vector<std::string>{"mass", "x", "y", "z", "vx", "vy", "vz"}));
  ASSERT_EQ(preview->rows.size(), 5U);
  EXPECT_EQ(preview->rows[3], (std::vector<std::string>{"1", "3", "2.5", "0", "0", "0", "-1e-07"}));
  EXPECT_EQ(preview->files, 1U);
}

TEST_F(DroppedFiles, SeveralFilesOfBodiesCanBecomeOne) {
  const std::string own = file("one.csv", "mass,x,y,z,vx,vy,vz\n3,1,2,3,4,5,6\n"),
                    massless = file("two.csv", "x,y\n7,8\n"), other = file("three.doc", "hello");
  EXPECT_EQ(examine_dropped(scene_kinds(), {own, other, massless}).mergeable,
            (std::vector<std::string>{own, massless}));
  EXPECT_TRUE(examine_dropped(scene_kinds(), {own, other}).mergeable.empty());
  EXPECT_TRUE(examine_dropped(scene_kinds(), {own}).mergeable.empty());
  EXPECT_EQ(examine_dropped(scene_kinds(), {massless, own}).preview->files, 2U);

  const std::filesystem::path folder = scratch("merged");
  std::filesystem::remove_all(folder);
  std::string assumed;
  const std::vector<std::filesystem::path> both{own, massless};
  const std::string stem = both[0].stem().string() + " + " + both[1].stem().string();
  EXPECT_EQ(merge_bodies(both, folder, assumed), folder / (stem + ".npy"));
  EXPECT_EQ(assumed,
            both[1].filename().string() + ": 2 of 2 columns read; mass missing: 1 each; z, velocities missing: 0 each");
  EXPECT_EQ(merge_bodies(both, folder, assumed), folder / (stem + "-2.npy")) << "no file is replaced";
  EXPECT_EQ(read_bodies(folder / (stem + ".npy")), (Bodies{{3, 1, 2, 3, 4, 5, 6}, {1, 7, 8, 0, 0, 0, 0}}));
  std::filesystem::remove_all(folder);
}

TEST_F(DroppedFiles, AFileWithTablesIsASession) {
  const std::string path =
      file("session.toml",
           "[window]\nscene = \"nbody\"\n[nbody]\ninitial = \"plummer\"\ndt = 0.25\nlater = 1\n[other]\nx = 1\n");
  const auto dropped = examine_dropped(scene_kinds(), {path});
  EXPECT_EQ(dropped.scene, "nbody");
  EXPECT_EQ(value_of(dropped, "nbody", "dt"), Value(0.25));
  EXPECT_EQ(dropped.unknown, (std::vector<std::string>{"key nbody.later", "table [other]"}));
}

TEST_F(DroppedFiles, AFileWithoutTablesIsAView) {
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

TEST_F(DroppedFiles, AnInvalidFileNamesItsError) {
  EXPECT_NE(refusal({file("notes.doc", "hello")}).find(".csv, .tsv, .txt"), std::string::npos);
  EXPECT_NE(refusal({file("cut.csv", "mass,x,y,z,vx,vy,vz\n1,2,3\n")}).find("cut.csv:2:"), std::string::npos);
  EXPECT_NE(refusal({file("cut.tipsy", "short")}).find("a header of 32 bytes"), std::string::npos);
  EXPECT_NE(refusal({file("broken.toml", "span = = 3\n")}).find("broken.toml:1:"), std::string::npos);
  EXPECT_NE(refusal({file("strange.toml", "teapot = 1\n")}).find("teapot"), std::string::npos);
  EXPECT_NE(refusal({scratch("nowhere.csv").string()}).find("nowhere.csv"), std::string::npos);
  EXPECT_NE(refusal({scratch("nowhere.toml").string()}).find("nowhere.toml"), std::string::npos);
  EXPECT_NE(refusal({std::filesystem::temp_directory_path().string()}).find("not a file"), std::string::npos);
  EXPECT_NE(refusal({"/dev/zero"}).find("not a file"), std::string::npos);
  EXPECT_NE(refusal({"https://orrery.example/a.csv"}).find("address of the network"), std::string::npos);
}

TEST_F(DroppedFiles, AFileAddressOpensThatFile) {
  const std::string path = file("a file \u00fc%.kfr", "Re: -1.25\nIm: 0.5\nZoom: 1e6\n");
  std::string coded;
  for (const char c : path)
    coded += c == ' ' ? "%20" : c == '%' ? "%25" : c == '\xc3' ? "%C3" : c == '\xbc' ? "%bc" : std::string(1, c);
  for (const std::string& address : {"file:" + coded, "file://" + coded, "file://localhost" + coded, path}) {
    const auto dropped = examine_dropped(scene_kinds(), {address});
    EXPECT_EQ(dropped.path, path);
    EXPECT_EQ(dropped.scene, "mandelbrot");
  }
  EXPECT_NE(refusal({"file:/nowhere/%zz.csv"}).find("%zz.csv"), std::string::npos);
}

TEST_F(DroppedFiles, TheFirstOfSeveralIsOpenedAndTheOthersAreNamed) {
  const std::string path = file("first.kfr", "Re: -1.25\nIm: 0.5\nZoom: 1e6\n");
  const auto dropped = examine_dropped(scene_kinds(), {path, "/tmp/second.csv", "third.toml"});
  EXPECT_EQ(dropped.path, path);
  EXPECT_EQ(dropped.left_out, "second.csv, third.toml");
}

TEST_F(DroppedFiles, APlaceReportsItsIgnoredParts) {
  const auto dropped = examine_dropped(
      scene_kinds(), {file("odd.kfr", "Re: 0\nIm: 0.5\nZoom: 4\nIterations: 9000000000\nColors: 1\nIterDiv: 2\n")});
  EXPECT_EQ(value_of(dropped, "mandelbrot", "iterations"), Value(std::int64_t{0}));
  EXPECT_EQ(value_of(dropped, "mandelbrot", "height"), Value(std::string("1")));
  EXPECT_NE(dropped.contents.find("Colors, IterDiv are not read"), std::string::npos) << dropped.contents;
  EXPECT_NE(dropped.contents.find("9000000000 iterations"), std::string::npos) << dropped.contents;
}

// A session is loaded completely or not at all, so it is tried beforehand.
TEST_F(DroppedFiles, ASessionThatASceneWouldRefuseIsRefused) {
  EXPECT_NE(refusal({file("range.toml", "[mandelbrot]\nspan = \"1\"\n[nbody]\ndt = \"fast\"\n")}).find("dt"),
            std::string::npos);
  EXPECT_NE(refusal({file("count.toml", "[nbody]\ninitial = \"figure-eight\"\nbodies = 5\n")}).find("\"5\""),
            std::string::npos);
  EXPECT_NE(refusal({file("gone.toml", "[nbody]\ninitial = \"gone.csv\"\n")}).find("gone.csv"), std::string::npos);
}
