// A process that is killed while it saves leaves the old file or the new one.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <random>

#include "base/files/file.hpp"
#include "base/files/state_text.hpp"
#include "compute/tuning/tuning_store.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scratch.hpp"
#include "shell/files/autosave.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

constexpr int kills = 30;  // per writer; about half of them interrupt a write

class Killed : public testing::Test {
 protected:
  Killed() { fs::create_directories(folder_); }
  ~Killed() override { fs::remove_all(folder_); }

  /// A child process saves repeatedly, and is killed shortly after its first write, on a machine of any speed.
  void kill_while(const std::function<void(int turn)>& save) {
    const int before = halves();
    const pid_t child = ::fork();
    if (child == 0) {
      for (int turn = 0;; ++turn) save(turn);
    }
    for (int k = 0; k < 100'000 && halves() == before; ++k) ::usleep(100);
    const double late = std::uniform_real_distribution<double>(0, 1)(random_);
    ::usleep(static_cast<useconds_t>(late * late * 20'000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it was to be at work when it was killed";
  }
  /// The number of partial files.
  int halves() const {
    int found = 0;
    for (const auto& entry : fs::directory_iterator(folder_)) found += entry.path().extension() == ".part";
    return found;
  }

  fs::path folder_ = scratch("killed");
  std::mt19937 random_{6};
};

TEST_F(Killed, AStateIsTheOldOneOrTheNewOne) {
  const fs::path file = folder_ / "state.toml";
  const std::string text(1 << 20, 'x');  // larger than one write
  const auto save = [&](int turn) {
    write_state(file, {{"nbody", {{"step", std::int64_t{turn}}, {"bodies-csv", text + std::to_string(turn)}}}});
  };
  save(0);
  for (int k = 0; k < kills; ++k) {
    kill_while(save);
    const StateTables state = read_state(file);
    const auto& section = state.at("nbody");
    std::int64_t step = -1;
    std::string bodies;
    for (const auto& [key, value] : section) {
      if (key == "step") step = std::get<std::int64_t>(value);
      if (key == "bodies-csv") bodies = std::get<std::string>(value);
    }
    ASSERT_EQ(bodies, text + std::to_string(step)) << "of one moment, and whole";
  }
  EXPECT_GT(halves(), 0) << "no process was killed in the middle of a write: nothing was tested";
}

TEST_F(Killed, BodiesAreThoseOfOneMoment) {
  const fs::path file = folder_ / "bodies.csv";
  const auto save = [&](int turn) { write_bodies(file, Bodies(5000, Body{1.0 * turn, 1, 2, 3, 4, 5, 6})); };
  save(0);
  for (int k = 0; k < kills; ++k) {
    kill_while(save);
    const Bodies bodies = parse_bodies_csv(read_file(file), "bodies.csv");
    ASSERT_EQ(bodies.size(), 5000U);
    for (const Body& body : bodies) ASSERT_EQ(body.mass, bodies.front().mass);
  }
}

TEST_F(Killed, KeepsTuningResults) {
  const fs::path file = folder_ / "tuning.toml";
  const auto save = [&](int turn) {
    TuningStore store;
    for (int k = 0; k < 40; ++k) {
      StoredSweep sweep;
      sweep.of = {"platform", "device", "driver", "kernel" + std::to_string(k), "problem", std::to_string(turn)};
      store.put(sweep);
    }
    store.save(file);
  };
  save(0);
  for (int k = 0; k < kills; ++k) {
    kill_while(save);
    std::vector<std::string> messages;
    const TuningStore store = TuningStore::load(file, messages);
    ASSERT_TRUE(messages.empty()) << messages.front();
    ASSERT_EQ(store.sweeps().size(), 40U);
    for (const StoredSweep& sweep : store.sweeps()) ASSERT_EQ(sweep.of.source, store.sweeps().front().of.source);
  }
}

TEST_F(Killed, TheNextSessionOffersTheLastWholeCopyAndRemovesPartialFiles) {
  const std::string text(1 << 20, 'x');
  for (int k = 0; k < 20; ++k)
    kill_while([&](int turn) {
      write_file(folder_ / (std::to_string(::getpid()) + ".toml"),
                 "[nbody]\nstep = " + std::to_string(turn) + "\nbodies-csv = \"" + text + "\"\n");
    });
  EXPECT_GT(halves(), 0);
  const shell::Autosave keeper(folder_);
  EXPECT_EQ(halves(), 0);
  ASSERT_TRUE(keeper.left());
  EXPECT_NO_THROW((void)read_state(keeper.left()->state));
}

}  // namespace
}  // namespace orrery
