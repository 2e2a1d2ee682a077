/// The user's copies of kernels on disk: writes, removes and opens them, and sees what others do with them.
///
/// Window thread, which never waits; a worker thread reads and writes.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/work/background.hpp"
#include "compute/program/kernel_edit_store.hpp"

namespace orrery::shell {

class KernelFolder {
 public:
  using Edits = KernelSources::Edits;

  /// The findings of one look at the folders.
  struct News {
    std::optional<Edits> kept = {};  ///< at the first look: copies of an earlier session
    /// Copies that have appeared or changed, with their text, or that are gone.
    std::map<std::string, std::optional<std::string>> changes = {};
    bool originals_changed = false;                    ///< the installation's own files
    std::string shown;                                 ///< a file, …
    std::shared_ptr<const std::string> original = {};  ///< … and its text in the installation
    std::string message, fault;                        ///< for the user: what was done, and what failed
  };

  explicit KernelFolder(KernelEditStore store) : store_(std::move(store)) {}

  void write(const std::string& file, std::string text);
  void remove(const std::string& file);
  void open_elsewhere(const std::string& file) { tasks_.push_back({Deed::open, file, {}}); }
  void look_soon() { looked_ = 0; }

  /// Each frame: begins a look every half second, and at once when there is something to do. Returns the findings of
  /// the last look once. `shown`: the file whose original is read. Throws an Error for what a worker could not do.
  std::optional<News> follow(const std::string& shown, double now);

  /// Names of the installation's files.
  const std::vector<std::string>& files() const { return files_; }
  /// Why a file's copy could not be written; empty if it could.
  std::string unkept(const std::string& file) const;
  std::string path() const { return store_.folder().string(); }

 private:
  enum class Deed { write, remove, open };
  struct Task {
    Deed deed;
    std::string file, text;
  };
  /// The state of the disk that a worker thread has seen after its tasks.
  struct Seen {
    std::vector<std::string> files;
    Edits copies;
    std::filesystem::file_time_type newest_original;
    std::map<std::string, std::string> unkept;  // files that cannot be written, with the reason
    std::string message, fault;
    std::string shown;
    std::shared_ptr<const std::string> original;
  };

  static Seen look(const KernelEditStore& store, const std::vector<Task>& tasks, const std::string& shown);
  News news_of(Seen seen);
  void note_written(const Seen& seen);

  KernelEditStore store_;
  std::vector<std::string> files_;
  std::vector<Task> tasks_, under_way_;
  Background<Seen> looking_;
  double looked_ = 0;             // when the last look began
  std::optional<Edits> on_disk_;  // as last seen
  std::map<std::string, std::string> unkept_;
  std::optional<std::filesystem::file_time_type> newest_original_;
};

}  // namespace orrery::shell
