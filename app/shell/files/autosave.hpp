/// Saves the document every few seconds, so that a crash loses no more.
///
/// Each process writes a file of its own, sessions/PID.toml in the state folder. At a regular end it becomes
/// sessions/last.toml, which the next process continues and takes over. A file whose process is gone comes from an
/// unexpected end: the next start offers it, or the report of a crash before the first save.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/files/state_text.hpp"
#include "base/work/background.hpp"

namespace orrery::shell {

/// Window thread; writes on a worker thread, for which leave() waits.
class Autosave {
 public:
  /// `folder` is created on demand; empty: nothing is saved.
  explicit Autosave(std::filesystem::path folder);

  /// True when the next save is due and the last one has ended.
  bool due(double now) const;
  /// Writes what `state` returns; it is called on the worker thread.
  void save(double now, std::function<StateTables()> state);
  /// True if the last save was an archive, because of many bodies.
  bool wrote_archive() const;
  /// Takes over the finished save. Returns the reason of a failure once.
  std::optional<std::string> poll();
  /// The file for the successor after a reset of the graphics driver. If that program fails to start, the next start
  /// offers the file.
  std::filesystem::path for_successor() const;
  /// Takes over the file of last_session(), which this process continues.
  void continue_from_last();
  /// Writes this state at a regular end; empty: removes the file. Throws an Error if the state cannot be written; the
  /// last save then replaces it.
  void leave(const StateSource& state);

  /// Files left by the newest process that closed unexpectedly.
  struct Left {
    std::filesystem::path state;        ///< its last save; empty: it ended before the first one
    std::filesystem::path report_file;  ///< crash report; may be empty
    std::string when;                   ///< time of its last save, else of its end: "17:03, 21 November"
    std::string report;                 ///< first line of report_file; empty: none
    const std::filesystem::path& file() const { return state.empty() ? report_file : state; }
  };
  const std::optional<Left>& left() const { return left_; }
  /// Removes the files that were left.
  void discard_left();
  /// Removes them after the next save, because the document continues from them.
  void continue_from_left();

 private:
  void set_namesakes_aside();
  static void remove(std::optional<Left>& left);
  void look_for_left();

  std::filesystem::path folder_, own_;
  std::optional<Left> left_, restored_;
  Background<std::string> writing_;
  double written_ = 0;   // start of the last save
  double seconds_ = 0;   // how long the last save took
  bool warned_ = false;  // a failed save was reported
};

/// sessions/ in the state folder; empty: none.
std::filesystem::path autosave_folder();
/// The state of the last process with a regular end; empty: none.
std::filesystem::path last_session();

}  // namespace orrery::shell
