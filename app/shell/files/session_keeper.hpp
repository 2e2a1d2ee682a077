/// Keeps the session on disk while it runs, so that no end of the process loses more than some seconds of it.
///
/// Each process writes a file of its own, sessions/PID.toml in the state folder, and removes it when it leaves in
/// order. A file whose process is gone is a session that ended otherwise: it is offered at the next start. So is the
/// report of a process that crashed before there was a copy.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/work/background.hpp"
#include "shell/files/state_file.hpp"

namespace orrery::shell {

/// Window thread; writes on a worker thread, which leave() waits for.
class SessionKeeper {
 public:
  /// `folder` is created when it is needed; empty: nothing is kept.
  explicit SessionKeeper(std::filesystem::path folder);

  /// It is time for the next copy, and the last one is written.
  bool due(double now) const;
  /// Writes what `state` returns; it is called on the worker thread.
  void keep(double now, std::function<State()> state);
  /// Collects what has been written. Returns why nothing can be kept, once; else nothing.
  std::optional<std::string> poll();
  /// Where a state is to be kept that this very process goes on from in another program, after a reset: a session that
  /// did not end in order, should it not come to that.
  std::filesystem::path for_successor() const;
  /// The session ends in order: its copy is removed.
  void leave();

  /// A session that ended otherwise: the newest one.
  struct Left {
    std::filesystem::path state;        ///< its last copy; empty where it ended before there was one
    std::filesystem::path report_file;  ///< what the fault left behind, if it did
    std::string when;                   ///< "17:03, 21 November", of its last copy, else of its end
    std::string report;                 ///< the first line of report_file; empty when there is none
    const std::filesystem::path& file() const { return state.empty() ? report_file : state; }
  };
  const std::optional<Left>& left() const { return left_; }
  /// Nobody wants it.
  void forget_left();
  /// It has been restored: it goes when this session has been kept itself.
  void go_on_from_left();

 private:
  void keep_namesakes();
  static void forget(std::optional<Left>& left);
  void look_for_left();

  std::filesystem::path folder_, own_;
  std::optional<Left> left_, restored_;
  Background<std::string> writing_;
  double written_ = 0;  // when the last copy was begun
  double seconds_ = 0;  // that it took
  bool told_ = false;
};

/// sessions/ in the state folder; empty where there is none.
std::filesystem::path sessions_folder();

}  // namespace orrery::shell
