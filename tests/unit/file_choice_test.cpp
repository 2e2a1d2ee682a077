/// Typing and selecting in the file dialog, without a window; and the list of recent files.
#include "ui/file_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/file.hpp"
#include "scratch.hpp"
#include "shell/files/dropped_file.hpp"
#include "shell/files/recent_files.hpp"

namespace orrery::ui {
namespace {

using Step = FileChoice::Step;

/// A dialog with the given folders, without a disk.
struct Dialog {
  FileChoice choice;
  FilesSnapshot files;
  std::vector<std::string> asked;  ///< folders, in the order of listing

  explicit Dialog(bool saves, std::string name = {}) {
    command::Commands commands;
    choice.ask(
        {.id = "test", .title = "", .verb = "", .saves = saves, .name = std::move(name), .extensions = {".toml"}},
        "/home/me", commands);
    answer(commands);
  }
  void answer(const command::Commands& commands) {
    for (const command::Command& each : commands) {
      const std::string path = std::get<command::ListFolder>(each).path;
      asked.push_back(path);
      FolderListing listing{path, {}, false, {}};
      if (path == "/home/me")
        listing.entries = {{"worlds", true}, {"one.toml"}, {"onset.toml"}, {"b.txt"}};
      else if (path == "/home/me/worlds")
        listing.entries = {{"salt.toml"}};
      else
        listing.fault = "There is no folder " + path;
      files.listing = std::make_shared<const FolderListing>(std::move(listing));
    }
    command::Commands more;
    choice.follow(files, more);
    if (!more.empty()) answer(more);
  }
  void type(const std::string& text) {
    command::Commands commands;
    choice.type(text, commands);
    answer(commands);
  }
  void enter() {
    command::Commands commands;
    choice.accept(commands);
    answer(commands);
  }
  std::string answered() { return choice.take_answer("test").value_or(""); }
};

}  // namespace

TEST(FileChoice, APartOfANameFindsAFile) {
  Dialog dialog(false);
  dialog.type("set");
  dialog.enter();
  EXPECT_EQ(dialog.answered(), "/home/me/onset.toml");
  EXPECT_EQ(dialog.answered(), "") << "once";
  EXPECT_FALSE(dialog.choice.is_open());
}

TEST(FileChoice, EnterIncludesLettersTypedInTheSameFrame) {
  Dialog dialog(false);
  dialog.type("on");
  command::Commands commands;
  dialog.choice.type("onset.toml", commands);
  dialog.choice.accept(commands);
  EXPECT_EQ(dialog.answered(), "/home/me/onset.toml");
}

TEST(FileChoice, AFolderIsEnteredByItsSlashOrByEnter) {
  Dialog dialog(false);
  dialog.type("worlds/");
  EXPECT_EQ(dialog.asked.back(), "/home/me/worlds");
  EXPECT_EQ(dialog.choice.text(), "");
  dialog.type("../");
  EXPECT_EQ(dialog.asked.back(), "/home/me");
  dialog.type("wor");
  dialog.enter();
  EXPECT_EQ(dialog.choice.folder(), "/home/me/worlds");
  dialog.type("salt.toml");
  dialog.enter();
  EXPECT_EQ(dialog.answered(), "/home/me/worlds/salt.toml");
}

TEST(FileChoice, AWholePathIsTakenWhenItsFolderHasBeenRead) {
  Dialog dialog(false);
  command::Commands commands;
  dialog.choice.type("/home/me/worlds/salt", commands);
  dialog.choice.accept(commands);  // before the folder is listed
  EXPECT_EQ(dialog.choice.step(), Step::arriving);
  dialog.answer(commands);
  EXPECT_EQ(dialog.answered(), "/home/me/worlds/salt.toml");
}

TEST(FileChoice, AMissingFileIsReported) {
  Dialog dialog(false);
  dialog.type("nothing.toml");
  dialog.enter();
  EXPECT_EQ(dialog.choice.fault(), "There is no file \"nothing.toml\" in this folder");
  dialog.type("/gone/x.toml");
  dialog.enter();
  EXPECT_EQ(dialog.answered(), "");
  EXPECT_TRUE(dialog.choice.is_open());
}

TEST(FileChoice, ArrowsSelectAndFilesOfOtherKindsAreLeftOut) {
  Dialog dialog(false);
  for (int k = 0; k < 9; ++k) dialog.choice.move_mark(+1);
  EXPECT_EQ(dialog.files.listing->entries[*dialog.choice.marked()].name, "onset.toml");
  dialog.choice.show_all_files(true);
  dialog.type("b");
  dialog.enter();
  EXPECT_EQ(dialog.answered(), "/home/me/b.txt");
}

TEST(FileChoice, ASavedFileGetsItsExtensionAndReplacesOnlyAfterAQuestion) {
  Dialog dialog(true, "nbody.toml");
  EXPECT_EQ(dialog.choice.text(), "nbody.toml");
  dialog.type("one");
  dialog.enter();
  EXPECT_EQ(dialog.choice.step(), Step::overwriting);
  EXPECT_EQ(dialog.answered(), "");
  dialog.choice.step_back();
  EXPECT_EQ(dialog.choice.step(), Step::choosing);
  dialog.enter();
  dialog.enter();
  EXPECT_EQ(dialog.answered(), "/home/me/one.toml");

  Dialog other(true);
  other.type("two");
  other.enter();
  EXPECT_EQ(other.answered(), "/home/me/two.toml");
}

TEST(FileChoice, ANewFolderIsNamedAndTheNameOfTheFileStays) {
  Dialog dialog(true, "keep.toml");
  dialog.choice.name_new_folder();
  dialog.type("runs");
  command::Commands commands;
  dialog.choice.accept(commands);
  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(std::get<command::ListFolder>(commands[0]).path, "/home/me/runs");
  EXPECT_EQ(std::get<command::ListFolder>(commands[0]).how, command::ListFolder::How::made);
  EXPECT_EQ(dialog.choice.text(), "keep.toml");
}

}  // namespace orrery::ui

namespace orrery::shell {

TEST(RecentFiles, AreTenOfWhichTheNewestIsFirst) {
  const auto file = scratch("recent.toml");
  for (int k = 0; k < 14; ++k) remember_recent_files(file, {"/a/" + std::to_string(k) + ".toml"});
  std::vector<std::string> list = remember_recent_files(file, {"/a/7.toml", "/ä \"b\".csv"});
  EXPECT_EQ(list, read_recent_files(file));
  ASSERT_EQ(list.size(), most_recent_files);
  EXPECT_EQ(list[0], "/ä \"b\".csv");
  EXPECT_EQ(list[1], "/a/7.toml");
  EXPECT_EQ(std::ranges::count(list, "/a/7.toml"), 1);
  EXPECT_TRUE(looked_at(list)[0].missing);
  EXPECT_FALSE(looked_at({file.string()})[0].missing);
  write_file(file, "files = 7\n");
  EXPECT_TRUE(read_recent_files(file).empty());
  write_file(file, "files = [");
  EXPECT_TRUE(read_recent_files(file).empty());
  std::filesystem::remove(file);
}

TEST(RecentFiles, ReadableFilesAreRecognisedByTheirExtension) {
  const auto extensions = extensions_in(known_files(scene_kinds()));
  for (const char* each : {".toml", ".png", ".csv", ".npy", ".tipsy", ".kfr", ".txt"})
    EXPECT_EQ(std::ranges::count(extensions, each), 1) << each;
}

}  // namespace orrery::shell
