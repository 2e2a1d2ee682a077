// New kernels on probation, and the folder of the user's copies.
#include "shell/tools/kernel_editor.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/files/file.hpp"
#include "scratch.hpp"

namespace orrery::shell {
namespace {

namespace fs = std::filesystem;
using Edits = KernelSources::Edits;

std::shared_ptr<const KernelSources> with(Edits edits) {
  return std::make_shared<const KernelSources>(fs::path("kernels"), std::move(edits));
}

struct Probation : testing::Test {
  std::shared_ptr<const KernelSources> before = with({{"a.cl", "1"}}), present = with({{"a.cl", "1"}, {"b.cl", "2"}});
  KernelProbation probation;
};

TEST_F(Probation, AFaultRestoresThePreviousKernelsAndNamesTheNewOnes) {
  probation.begin(before, 10);
  EXPECT_EQ(probation.judge(*present, "", false, 10.5), nullptr);
  EXPECT_EQ(probation.judge(*present, "the energy is not finite", false, 11), before);
  EXPECT_EQ(probation.taken_back(), (Edits{{"b.cl", "2"}}));
  ASSERT_EQ(probation.messages().size(), 1U);
  EXPECT_EQ(line_of(probation.messages()[0]), "b.cl: error: the energy is not finite");
  EXPECT_EQ(probation.judge(*before, "the energy is not finite", false, 11.1), nullptr) << "once";
  probation.forgive("b.cl");
  EXPECT_TRUE(probation.taken_back().empty());
  EXPECT_TRUE(probation.messages().empty());
}

TEST_F(Probation, AnEarlierFaultIsNotBlamedOnNewKernels) {
  EXPECT_EQ(probation.judge(*before, "too large", false, 9), nullptr);
  probation.begin(before, 10);
  EXPECT_EQ(probation.judge(*present, "too large", false, 11), nullptr);
  EXPECT_EQ(probation.judge(*present, "not finite", false, 12), before);
}

TEST_F(Probation, ItEndsAfterSecondsWithoutAFaultButNotDuringCompilation) {
  probation.begin(before, 10);
  EXPECT_EQ(probation.judge(*present, "", true, 100), nullptr);
  EXPECT_EQ(probation.judge(*present, "not finite", false, 101), before) << "it has run for no time yet";
  probation.begin(before, 200);
  EXPECT_EQ(probation.judge(*present, "", false, 204), nullptr);
  EXPECT_EQ(probation.judge(*present, "not finite", false, 205), nullptr) << "that has another cause";
}

struct Folder : testing::Test {
  fs::path originals = scratch("kernels-of-installation"), mine = scratch("kernels-of-user") / "kernels";
  double now = 0;
  Folder() {
    fs::create_directories(originals);
    write_file(originals / "a.cl", "original");
  }
  ~Folder() override {
    fs::remove_all(originals);
    fs::remove_all(mine.parent_path());
  }
  /// Waits for the next scan of the folder and returns its findings.
  KernelFolder::News news(KernelFolder& folder, const std::string& shown = "") {
    now += 1;
    for (int k = 0; k < 2000; ++k) {
      if (auto found = folder.follow(shown, now)) return *found;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ADD_FAILURE() << "no look ended within ten seconds";
    return {};
  }
};

TEST_F(Folder, OffersCopiesOfAnEarlierSessionAndReportsChangesByOtherPrograms) {
  const KernelEditStore store(originals, mine);
  store.write("a.cl", "old");
  KernelFolder folder(store);
  const auto first = news(folder, "a.cl");
  EXPECT_EQ(first.kept, (Edits{{"a.cl", "old"}}));
  EXPECT_TRUE(first.changes.empty());
  ASSERT_TRUE(first.original);
  EXPECT_EQ(*first.original, "original");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"a.cl"});
  store.write("a.cl", "by another editor");
  (void)news(folder);  // this scan may have begun before the change
  now += 1;
  KernelFolder again(store);
  EXPECT_EQ(news(again).kept, (Edits{{"a.cl", "by another editor"}}));
  store.remove("a.cl");
  std::optional<std::string> gone = "not told";
  for (int k = 0; k < 3 && gone; ++k) {
    const auto found = news(again);
    if (found.changes.contains("a.cl")) gone = found.changes.at("a.cl");
  }
  EXPECT_FALSE(gone);
}

TEST_F(Folder, WritesCopiesAndReportsFailures) {
  KernelFolder folder(KernelEditStore(originals, mine));
  (void)news(folder);
  folder.write("a.cl", "new");
  (void)news(folder);
  (void)news(folder);
  EXPECT_EQ(KernelEditStore(originals, mine).read(), (Edits{{"a.cl", "new"}}));
  EXPECT_EQ(folder.unkept("a.cl"), "");

  KernelFolder nowhere(KernelEditStore(originals, "/proc/self"));
  nowhere.write("a.cl", "new");
  (void)news(nowhere);
  (void)news(nowhere);
  EXPECT_NE(nowhere.unkept("a.cl").find("a.cl"), std::string::npos) << nowhere.unkept("a.cl");
}

}  // namespace
}  // namespace orrery::shell
