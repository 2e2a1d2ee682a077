/// The processes (ranks) of one run on many machines, started by mpirun or srun.
///
/// MPI is loaded only under such a launcher (mpi_shim.h), so that other runs need none. A thread of this class makes
/// all calls of MPI in sequence; each rank requests them in the same order.
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

/// A rank's place, from the launcher's environment variables.
struct RankPlace {
  int rank = 0, ranks = 1;
  int on_machine = 0;    ///< index among the ranks of this machine
  std::string launcher;  ///< "mpirun"
};
/// Nothing for a single process. Any thread.
std::optional<RankPlace> rank_place();
/// Discards standard output and standard error of every rank but the first, which repeat the first one's. No effect on
/// a single process.
void silence_other_ranks();
/// Call before reporting a failure that all ranks have: every rank but the first waits, because the launcher ends the
/// first one when another ends. Restores the output of a rank without a launcher.
void let_first_rank_speak();

class Ranks {
 public:
  /// A message to or from another rank.
  struct Message {
    int peer = 0;
    bool sends = false;  ///< else receives
    std::span<std::byte> bytes;
  };

  /// Loads MPI and waits for all ranks. Throws Error. One per process; it must outlive its users.
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

  // ---- Calls that wait for all ranks; not allowed while messages are in flight.

  /// The text of each rank, at most 64 KiB.
  std::vector<std::string> all(const std::string& own);
  /// Returns the first rank's text; other ranks' arguments are ignored.
  std::string of_first(const std::string& text);
  void of_first(std::span<std::byte> bytes);

  // ---- Messages

  /// Sends and receives as soon as `ready` returns, then calls `done`; both on the thread of this class. Returns at
  /// once. Messages from one rank to another arrive in the order in which both ask for them.
  void swap(std::function<void()> ready, std::vector<Message> messages, std::function<void(bool arrived)> done);
  /// True while a swap's own data is ready and other ranks' data is not.
  bool waits_for_others() const { return waits_; }

  // ---- The end

  /// Sets the advice for messages of failures: "orrery nbody --resume run.state goes on from step 40". Any thread.
  void set_remedy(const std::string& text);
  /// A failure of this rank ends all processes of the run: the first rank prints the text, with the remedy unless it is
  /// a usage error. Any thread.
  [[noreturn]] void fail(const std::string& text, int code);
  /// Waits until all ranks have finished their work.
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
  std::jthread hurry_;  ///< on the first rank: ends it before the launcher kills it
};

}  // namespace orrery
