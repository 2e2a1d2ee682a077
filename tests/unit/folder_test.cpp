/// Folder listings, the pictures folder, and file names that overwrite nothing.
#include "base/files/folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/platform/folders.hpp"
#include "scratch.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

FolderListing listing_of(std::vector<FolderEntry> entries) { return {"/folder", std::move(entries), false, {}}; }

Names names(const FolderListing& listing, const FolderView& view) {
  Names names;
  for (const std::uint32_t i : entries_shown(listing, view)) names.push_back(listing.entries[i].name);
  return names;
}

struct FolderOnDisk : testing::Test {
  fs::path folder = scratch("folder");
  FolderOnDisk() { fs::create_directories(folder); }
  ~FolderOnDisk() override { fs::remove_all(folder); }
};

const FolderListing mixed = listing_of({{"run10.csv", false, 5, 30},
                                        {"run2.csv", false, 900, 20},
                                        {"Zoo", true},
                                        {".hidden", false},
                                        {"apple.TOML", false, 70, 10},
                                        {"bilder-ä", true},
                                        {"note.txt", false, 1, 40}});

}  // namespace

TEST(FolderView, FoldersComeFirstAndNumbersInOrder) {
  EXPECT_EQ(names(mixed, {}), (Names{"bilder-ä", "Zoo", "apple.TOML", "note.txt", "run2.csv", "run10.csv"}));
  EXPECT_EQ(names(mixed, {.order = FolderOrder::size, .descending = true}),
            (Names{"Zoo", "bilder-ä", "run2.csv", "apple.TOML", "run10.csv", "note.txt"}));
  EXPECT_EQ(names(mixed, {.order = FolderOrder::modified}).back(), "note.txt");
}

TEST(FolderView, IsFilteredByKindsAndPartsOfNames) {
  const Names kinds{".csv", ".toml"};
  EXPECT_EQ(names(mixed, {.extensions = kinds}), (Names{"bilder-ä", "Zoo", "apple.TOML", "run2.csv", "run10.csv"}));
  EXPECT_EQ(names(mixed, {.containing = "RUN"}), (Names{"run2.csv", "run10.csv"}));
  EXPECT_EQ(names(mixed, {.containing = ".h"}), (Names{".hidden"}));
}

TEST(FolderView, ATypedNameIsCompletedIfUnambiguous) {
  const auto shown = entries_shown(mixed, {});
  EXPECT_EQ(completed(mixed, shown, "r"), "run");
  EXPECT_EQ(completed(mixed, shown, "run1"), "run10.csv");
  EXPECT_EQ(completed(mixed, shown, "z"), "Zoo/");
  EXPECT_EQ(completed(mixed, shown, "nothing"), "nothing");
  const FolderListing alike = listing_of({{"gr\u00fc\u00dfe"}, {"gr\u00fc\u00e4"}});  // the last letters share a byte
  EXPECT_EQ(completed(alike, entries_shown(alike, {}), "g"), "gr\u00fc");
}

TEST(TypedPath, StartsAtTheFolderOrAtHome) {
  EXPECT_EQ(typed_path("a/../b.csv", "/x"), "/x/b.csv");
  EXPECT_EQ(typed_path("/y/", "/x"), "/y");
  EXPECT_EQ(typed_path("..", "/x/z"), "/x");
  EXPECT_EQ(typed_path("/", "/x"), "/");
  EXPECT_EQ(typed_path("~/a", "/x"), user_home() / "a");
}

TEST_F(FolderOnDisk, IsListed) {
  write_file(folder / "a\nb.csv", "12345");
  fs::create_directories(folder / "below");
  const FolderListing listing = list_folder(folder);
  EXPECT_TRUE(listing.fault.empty());
  ASSERT_EQ(listing.entries.size(), 2U);
  EXPECT_EQ(find_entry(listing, "a\nb.csv")->bytes, 5U);
  EXPECT_NEAR(static_cast<double>(find_entry(listing, "a\nb.csv")->modified), static_cast<double>(std::time(nullptr)),
              5);
  EXPECT_TRUE(find_entry(listing, "below")->is_folder);
  EXPECT_NE(list_folder(folder / "gone").fault.find("There is no folder"), std::string::npos);
  EXPECT_NE(list_folder(folder / "a\nb.csv").fault.find("is not a folder"), std::string::npos);
}

TEST_F(FolderOnDisk, ANewNameOverwritesNothing) {
  EXPECT_EQ(claim_free_name(folder / "new", "orrery", ".png"), folder / "new" / "orrery.png");
  EXPECT_EQ(claim_free_name(folder / "new", "orrery", ".png"), folder / "new" / "orrery-2.png");
  EXPECT_EQ(claim_free_name(folder / "new", "orrery", ".png"), folder / "new" / "orrery-3.png");
  write_file(folder / "file", "");
  EXPECT_THROW(claim_free_name(folder / "file", "orrery", ".png"), Error);
}

TEST(UserDirectories, AreReadAsXdgWritesThem) {
  const std::string text =
      "# XDG_PICTURES_DIR=\"$HOME/no\"\n XDG_DESKTOP_DIR=\"$HOME/Desktop\"\n"
      "XDG_PICTURES_DIR=\"$HOME/Meine \\\"Bilder\\\"\"\nXDG_MUSIC_DIR=\"/music\"\nXDG_TEMPLATES_DIR=relative\n";
  EXPECT_EQ(platform::user_directory(text, "XDG_PICTURES_DIR", "/home/me"), "/home/me/Meine \"Bilder\"");
  EXPECT_EQ(platform::user_directory(text, "XDG_MUSIC_DIR", "/home/me"), "/music");
  EXPECT_EQ(platform::user_directory(text, "XDG_TEMPLATES_DIR", "/home/me"), "");
  EXPECT_EQ(platform::user_directory(text, "XDG_VIDEOS_DIR", "/home/me"), "");
}

TEST_F(FolderOnDisk, ThePicturesFolderIsThatOfTheDesktop) {
  const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
  const auto at_end = [&](const char* name, const char* value) {
    value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
  };
  at_end("HOME", folder.c_str());
  at_end("XDG_PICTURES_DIR", nullptr);
  at_end("XDG_CONFIG_HOME", nullptr);
  EXPECT_EQ(find_pictures_folder(), folder / "Orrery");
  fs::create_directories(folder / "Pictures");
  EXPECT_EQ(find_pictures_folder(), folder / "Pictures" / "Orrery");
  fs::create_directories(folder / ".config");
  write_file(folder / ".config" / "user-dirs.dirs", "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n");
  EXPECT_EQ(find_pictures_folder(), folder / "Bilder" / "Orrery");
  at_end("XDG_PICTURES_DIR", "/elsewhere");
  EXPECT_EQ(find_pictures_folder(), "/elsewhere/Orrery");
  at_end("XDG_PICTURES_DIR", nullptr);
  at_end("HOME", home.c_str());
}

}  // namespace orrery
