/// The processes of one run on many machines, as mpirun or srun starts them: a rank each.
///
/// MPI is a library that is loaded here, and only where such a launcher is (mpi_shim.h); nobody else needs one. All
/// calls of MPI are made by a thread of this class, one after another; each rank asks for them in the same order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"

namespace orrery {

class RankWatch;

/// What the launcher tells in the environment.
struct RankPlace {
  int rank = 0, ranks = 1;
  int on_machine = 0;    ///< index among the ranks of this machine
  std::string launcher;  ///< "mpirun"
};
/// Nothing where the process is alone. Any thread.
std::optional<RankPlace> rank_place();
/// In every rank but the first, standard output and standard error go nowhere from now on: what they tell is what the
/// first one tells. Does nothing where the process is alone.
void silence_other_ranks();
/// For a rank that is about to tell of a failure that all have: the launcher ends the first one as soon as another has
/// ended. Waits in every rank but the first, and lets one speak that no launcher has started.
void let_first_rank_speak();

class Ranks {
 public:
  /// A message to or from another rank.
  struct Message {
    int peer = 0;
    bool sends = false;  ///< else receives
    std::span<std::byte> bytes;
  };

  /// Loads MPI and waits for all ranks. Throws Error. One in a process; it must outlive all that uses it.
  explicit Ranks(RankPlace place);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return place_.rank; }
  int count() const { return place_.ranks; }
  bool first() const { return place_.rank == 0; }
  /// "rank 2 on node7"
  std::string name(int rank) const;
  /// The number of machines.
  std::size_t machines() const;

  // ---- Waits for all ranks. Not while messages are on their way.

  /// The text of each rank, at most 64 KiB.
  std::vector<std::string> all(const std::string& own);
  /// That of the first rank; the others' is not looked at.
  std::string of_first(const std::string& text);
  void of_first(std::span<std::byte> bytes);

  // ---- Messages

  /// Sends and receives as soon as `ready` returns, then calls `done`; both on the thread of this class. Returns at
  /// once. Messages from one rank to another arrive in the order in which both ask for them.
  void swap(std::function<void()> ready, std::vector<Message> messages, std::function<void(bool arrived)> done);
  /// The own data of a swap is ready, and that of others is not.
  bool waits_for_others() const { return waits_; }

  // ---- The end

  /// How to go on after a failure, for its message: "orrery nbody --resume run.state goes on from step 40". Any thread.
  void set_remedy(const std::string& text);
  /// A failure of this rank ends all processes of the run: the first rank prints the text, with the remedy unless it is
  /// a usage error. Any thread.
  [[noreturn]] void fail(const std::string& text, int code);
  /// All ranks have come to the end of their work: waits for them.
  void finish();

 private:
  class Shim;

  void work();
  void run(std::function<void()> call);
  void check(int code) const;
  void meet();
  bool claim_end() { return !ending_.exchange(true); }
  [[noreturn]] void end(const std::string& line, int code);
  std::string for_the_user(const std::string& text, int code);
  void end_in_time(double seconds, const std::stop_token& stop);

  RankPlace place_;
  std::unique_ptr<Shim> shim_;
  std::vector<std::string> hosts_;
  std::unique_ptr<RankWatch> watch_;
  std::mutex remedy_mutex_;
  std::string remedy_;
  std::atomic<bool> ending_ = false, waits_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> calls_;
  bool stop_ = false;
  std::thread thread_;
  std::jthread hurry_;  ///< of the first rank, where the launcher soon kills what it has told to end
};

}  // namespace orrery
