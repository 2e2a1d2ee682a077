/// Saves the document every few seconds, so that no end of the process loses more.
///
/// Each process writes a file of its own, sessions/PID.toml in the state folder. When it ends as it should, that
/// becomes sessions/last.toml, from which the next start continues, and whose own it then is. A file whose process is
/// gone has been left by a process that closed unexpectedly: the next start offers it. So it does with the report of a
/// process that crashed before its first save.
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
  /// `folder` is created when it is needed; empty: nothing is saved.
  explicit Autosave(std::filesystem::path folder);

  /// It is time for the next save, and the last one has ended.
  bool due(double now) const;
  /// Writes what `state` returns; it is called on the worker thread.
  void save(double now, std::function<StateTables()> state);
  /// The last save has so many bodies that it is an archive.
  bool wrote_archive() const;
  /// Takes over the finished save. Returns why nothing can be saved, once; else nothing.
  std::optional<std::string> poll();
  /// The file from which this process continues in another program after a reset of the graphics driver. The next start
  /// offers it where that program does not start.
  std::filesystem::path for_successor() const;
  /// This process continues from last_session(): the file becomes its own.
  void continue_from_last();
  /// The process ends as it should, with this state to continue from; empty: its file is removed. Throws an Error where
  /// the state cannot be written; the last save then takes its place.
  void leave(const StateSource& state);

  /// What the newest process that closed unexpectedly has left.
  struct Left {
    std::filesystem::path state;        ///< its last save; empty where it ended before the first one
    std::filesystem::path report_file;  ///< of its crash; perhaps there is none
    std::string when;                   ///< "17:03, 21 November", of its last save, else of its end
    std::string report;                 ///< the first line of report_file; empty when there is none
    const std::filesystem::path& file() const { return state.empty() ? report_file : state; }
  };
  const std::optional<Left>& left() const { return left_; }
  /// Removes it.
  void discard_left();
  /// The document continues from it: removes it after the next save.
  void continue_from_left();

 private:
  void set_namesakes_aside();
  static void remove(std::optional<Left>& left);
  void look_for_left();

  std::filesystem::path folder_, own_;
  std::optional<Left> left_, restored_;
  Background<std::string> writing_;
  double written_ = 0;   // when the last save began
  double seconds_ = 0;   // how long the last save took
  bool warned_ = false;  // of a save that failed
};

/// sessions/ in the state folder; empty where there is none.
std::filesystem::path autosave_folder();
/// The state of the last process that ended as it should; empty where there is none.
std::filesystem::path last_session();

}  // namespace orrery::shell
