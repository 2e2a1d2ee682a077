// Unsaved text of the kernel editor.
#include "shell/files/draft_keeper.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "base/files/file.hpp"
#include "scratch.hpp"

namespace orrery::shell {
namespace {

namespace fs = std::filesystem;

struct Drafts : testing::Test {
  fs::path originals = scratch("draft-originals"), mine = scratch("draft-mine") / "kernels";
  KernelEditStore store{originals, mine};
  ui::EditorUi typing;

  Drafts() {
    fs::create_directories(originals);
    write_file(originals / "a.cl", "original a\n");
    write_file(originals / "b.cl", "original b\n");
    typing.file = "a.cl";
    typing.text = "typed\n";
  }
  ~Drafts() override {
    fs::remove_all(originals);
    fs::remove_all(mine.parent_path());
  }
  std::string offered(ui::EditorUi& next) const { return DraftKeeper(store).offer(next); }
};

TEST_F(Drafts, EditsAreKeptForTheNextSession) {
  DraftKeeper(store).leave(typing);
  ui::EditorUi next;
  EXPECT_EQ(offered(next), "a.cl");
  EXPECT_EQ(next.drafts.at("a.cl"), "typed\n");
  EXPECT_TRUE(store.read().empty()) << "a draft is no copy: nothing runs it";
  EXPECT_EQ(read_file(originals / "a.cl"), "original a\n");
}

TEST_F(Drafts, EditsOfAKilledProcessAreKept) {
  DraftKeeper keeper(store);
  for (int i = 0; i < 10000 && !fs::exists(mine / "drafts" / "a.cl"); ++i) {
    EXPECT_EQ(keeper.follow(typing, 10), "");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ui::EditorUi next;
  EXPECT_EQ(offered(next), "a.cl");
}

TEST_F(Drafts, SavedAndRevertedEditsAreNoDrafts) {
  DraftKeeper(store).leave(typing);
  store.write("a.cl", typing.text);
  DraftKeeper(store).leave(typing);
  ui::EditorUi next;
  EXPECT_EQ(offered(next), "");
  typing.text = "typed more\n";
  DraftKeeper(store).leave(typing);
  EXPECT_EQ(offered(next), "a.cl");
  typing.text = "typed\n";  // equals the saved copy
  DraftKeeper(store).leave(typing);
  EXPECT_EQ(offered(next), "");
}

TEST_F(Drafts, DraftsOfHiddenFilesAreKept) {
  typing.drafts = {{"b.cl", "typed b\n"}, {"a.cl", "older\n"}};
  DraftKeeper(store).leave(typing);
  ui::EditorUi next;
  EXPECT_EQ(offered(next), "a.cl, b.cl");
  EXPECT_EQ(next.drafts.at("a.cl"), "typed\n") << "what is shown counts";
}

TEST_F(Drafts, AFailureToSaveIsReportedOnce) {
  fs::create_directories(mine.parent_path());
  write_file(mine, "a file where the folder ought to be");
  DraftKeeper keeper(store);
  std::string told;
  int times = 0;
  for (int i = 0; i < 300; ++i) {
    if (const std::string fault = keeper.follow(typing, 10.0 + i); !fault.empty()) told = fault, ++times;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(times, 1);
  EXPECT_NE(told.find("cannot keep"), std::string::npos) << told;
  EXPECT_EQ(DraftKeeper(KernelEditStore(originals, {})).follow(typing, 10), "")
      << "who has no folder is told at saving";
}

}  // namespace
}  // namespace orrery::shell
