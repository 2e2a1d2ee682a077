// Autosaved sessions, and recovery of sessions that ended unexpectedly.
#include "shell/files/autosave.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/platform/parallel.hpp"
#include "base/work/background.hpp"
#include "base/work/crash_report.hpp"

namespace orrery::shell {
namespace {

namespace fs = std::filesystem;

class AutosaveTest : public testing::Test {
 protected:
  AutosaveTest() : folder_(fs::temp_directory_path() / ("orrery-sessions-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~AutosaveTest() override { fs::remove_all(folder_); }

  fs::path own() const { return folder_ / (std::to_string(getpid()) + ".toml"); }
  /// The ID of a process that has ended.
  static pid_t gone_process() {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, nullptr, 0);
    return child;
  }
  fs::path leave_behind(const std::string& text, int seconds_ago) const {
    const fs::path file = folder_ / (std::to_string(gone_process()) + ".toml");
    std::ofstream(file) << text;
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::seconds(seconds_ago));
    return file;
  }
  static void finish_writing(Autosave& keeper, double now) {
    for (int i = 0; i < 1000 && !keeper.due(now + 1e6); ++i) {
      (void)keeper.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  fs::path folder_;
};

TEST_F(AutosaveTest, KeepsACopyAndRemovesItWhenTheSessionEndsInOrder) {
  Autosave keeper(folder_);
  EXPECT_FALSE(keeper.left());
  EXPECT_TRUE(keeper.due(100));
  keeper.save(100, [] { return StateTables{{"nbody", {{"seed", std::int64_t{7}}}}}; });
  finish_writing(keeper, 100);
  EXPECT_FALSE(keeper.due(101));
  const StateTables kept = read_state(own());
  EXPECT_EQ(std::get<std::int64_t>(kept.at("nbody").front().second), 7);
  keeper.leave({});
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(AutosaveTest, TheNextStartContinuesFromASessionThatEndedInOrder) {
  const auto seeded = [](std::int64_t seed) { return StateTables{{"nbody", {{"seed", seed}}}}; };
  const fs::path last = folder_ / "last.toml";
  Autosave(folder_).leave([&] { return seeded(7); });
  EXPECT_EQ(read_state(last), seeded(7));
  {
    Autosave next(folder_);
    EXPECT_FALSE(next.left()) << "nothing was lost";
    next.continue_from_last();
    EXPECT_FALSE(fs::exists(last));
    EXPECT_EQ(read_state(own()), seeded(7)) << "offered if this process is killed before its first save";
    EXPECT_THROW(next.leave([]() -> StateTables { throw failure("the disk is full"); }), Error);
  }
  EXPECT_EQ(read_state(last), seeded(7)) << "the last save stays where the state cannot be written";
}

TEST_F(AutosaveTest, ASessionThatCannotBecomeTheLastOneIsOfferedByTheNextStart) {
  const StateTables session{{"nbody", {{"seed", std::int64_t{7}}}}};
  fs::create_directories(folder_ / "last.toml" / "in the way");
  Autosave(folder_).leave([&] { return session; });
  const Autosave next(folder_);
  ASSERT_TRUE(next.left());
  EXPECT_EQ(read_state(next.left()->state), session);
}

TEST_F(AutosaveTest, OffersTheNewestSessionWhoseProcessHasEnded) {
  const fs::path older = leave_behind("[nbody]\n", 200), newer = leave_behind("[mandelbrot]\n", 100);
  std::ofstream(folder_ / (std::to_string(getppid()) + ".toml")) << "[nbody]\n";  // the parent is running
  std::ofstream(folder_ / "notes.toml") << "[nbody]\n";
  Autosave keeper(folder_);
  ASSERT_TRUE(keeper.left());
  EXPECT_EQ(keeper.left()->state, newer);
  EXPECT_FALSE(keeper.left()->when.empty());
  EXPECT_TRUE(keeper.left()->report.empty());
  keeper.discard_left();
  EXPECT_FALSE(fs::exists(newer));
  EXPECT_EQ(Autosave(folder_).left()->state, older);
}

// In a container every start may have the same process ID.
TEST_F(AutosaveTest, ASessionOfTheSameProcessNumberIsOfferedAndNotOverwritten) {
  std::ofstream(own()) << "[nbody]\nseed = 5\n";
  std::ofstream(fs::path(own()).replace_extension(".crash.txt")) << "it crashed\n";
  Autosave keeper(folder_);
  ASSERT_TRUE(keeper.left());
  EXPECT_EQ(keeper.left()->report, "it crashed");
  keeper.save(100, [] { return StateTables{{"nbody", {{"seed", std::int64_t{7}}}}}; });
  finish_writing(keeper, 100);
  const StateTables left = read_state(keeper.left()->state);
  EXPECT_EQ(std::get<std::int64_t>(left.at("nbody").front().second), 5);
  EXPECT_EQ(std::get<std::int64_t>(read_state(own()).at("nbody").front().second), 7);
  keeper.discard_left();
  keeper.leave({});
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(AutosaveTest, RestoredSessionIsDeletedWhenSavedAgain) {
  const fs::path file = leave_behind("[nbody]\n", 10);
  Autosave keeper(folder_);
  ASSERT_TRUE(keeper.left());
  keeper.continue_from_left();
  EXPECT_FALSE(keeper.left()) << "not offered any more";
  EXPECT_TRUE(fs::exists(file)) << "the only copy that there is";
  keeper.save(100, [] { return StateTables{}; });
  finish_writing(keeper, 100);
  EXPECT_FALSE(fs::exists(file));
  EXPECT_TRUE(fs::exists(own()));
}

TEST_F(AutosaveTest, ReportsOnceThatSavingFails) {
  const fs::path no_folder = folder_ / "file";
  std::ofstream(no_folder) << "in the way";
  Autosave keeper(no_folder);
  for (int k = 0; k < 2; ++k) {
    keeper.save(k, [] { return StateTables{}; });
    std::optional<std::string> told;
    for (int i = 0; i < 1000 && !keeper.due(1e9); ++i) {
      if (const auto fault = keeper.poll()) told = fault;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_EQ(told.has_value(), k == 0);
    if (told) {
      EXPECT_NE(told->find("cannot write"), std::string::npos) << *told;
    }
  }
  Autosave nowhere({});
  EXPECT_FALSE(nowhere.due(1e9));
}

TEST_F(AutosaveTest, ACrashLeavesAReportAndEndsTheProcess) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE}) {
    const pid_t child = fork();
    if (child == 0) {
      Autosave keeper(folder_);
      keeper.save(0, [] { return StateTables{{"nbody", {{"seed", std::int64_t{9}}}}}; });
      finish_writing(keeper, 0);
      std::raise(signal);
      _exit(3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
    Autosave keeper(folder_);
    ASSERT_TRUE(keeper.left());
    EXPECT_NE(keeper.left()->report.find(sigabbrev_np(signal)), std::string::npos) << keeper.left()->report;
    EXPECT_EQ(std::get<std::int64_t>(read_state(keeper.left()->state).at("nbody").front().second), 9);
    keeper.discard_left();
  }
}

TEST_F(AutosaveTest, ACrashBeforeTheFirstCopyIsOfferedOnce) {
  const fs::path older = leave_behind("[nbody]\n", 100);
  const pid_t child = fork();
  if (child == 0) {
    Autosave keeper(folder_);
    std::raise(SIGSEGV);
    _exit(3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const fs::path stale = folder_ / (std::to_string(gone_process()) + ".crash.txt");
  std::ofstream(stale) << "long ago\n";
  fs::last_write_time(stale, fs::file_time_type::clock::now() - std::chrono::hours(99));
  Autosave keeper(folder_);
  ASSERT_TRUE(keeper.left());
  EXPECT_TRUE(keeper.left()->state.empty()) << "there is nothing to restore";
  EXPECT_EQ(keeper.left()->file(), folder_ / (std::to_string(child) + ".crash.txt"));
  EXPECT_NE(keeper.left()->report.find("SIGSEGV"), std::string::npos) << keeper.left()->report;
  EXPECT_FALSE(keeper.left()->when.empty());
  EXPECT_FALSE(fs::exists(stale)) << "reports of one crash are enough";
  keeper.discard_left();
  EXPECT_EQ(Autosave(folder_).left()->state, older) << "what can be restored is offered then";
}

TEST_F(AutosaveTest, AReportOfARunningProcessIsNotOffered) {
  const fs::path running = folder_ / (std::to_string(getppid()) + ".crash.txt");
  std::ofstream(running) << "not ended yet\n";
  const Autosave keeper(folder_);
  EXPECT_FALSE(keeper.left());
  EXPECT_TRUE(fs::exists(running));
}

// The addition after the call prevents a tail call.
int overflow(int depth) {
  volatile char memory[65536] = {};
  memory[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : overflow(depth + 1) + memory[0];
}

TEST_F(AutosaveTest, AStackThatOverflowsOnAWorkersThreadLeavesAReport) {
  for (const bool in_parallel_part : {false, true}) {
    const pid_t child = fork();
    if (child == 0) {
      Autosave keeper(folder_);
      if (in_parallel_part) {
        in_parallel(64, [](std::size_t begin, std::size_t) { _exit(begin > 0 ? overflow(0) : (sleep(60), 4)); });
      } else {
        Background<int> work;
        work.start([] { return overflow(0); });
        sleep(60);
      }
      _exit(3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    Autosave keeper(folder_);
    ASSERT_TRUE(keeper.left());
    EXPECT_NE(keeper.left()->report.find("SIGSEGV"), std::string::npos) << keeper.left()->report;
    keeper.discard_left();
  }
}

}  // namespace
}  // namespace orrery::shell
