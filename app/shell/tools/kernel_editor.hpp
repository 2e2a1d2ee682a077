/// Edits kernels while they run: builds saved text in the background, and uses it once all of it builds.
///
/// Window thread; worker threads read, write and compile. Only the destructor and leave() wait, for a build under way.
/// Copies of an earlier session are offered, and never used without the user's wish.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/work/background.hpp"
#include "compute/program/build_log.hpp"
#include "compute/program/kernel_edit_store.hpp"
#include "compute/program/kernel_sources.hpp"
#include "compute/queue/queue.hpp"
#include "compute/tuning/tuned.hpp"
#include "protocol/editor_snapshot.hpp"
#include "protocol/kernel_command.hpp"

namespace orrery::shell {

/// The user's copies of kernels on disk: writes, removes and opens them, and detects changes by other programs. Window
/// thread, never waits; a worker thread reads and writes.
class KernelFolder {
 public:
  using Edits = KernelSources::Edits;

  /// The findings of one look at the folders.
  struct News {
    std::optional<Edits> kept = {};  ///< copies of an earlier session; set by the first look
    /// Copies that appeared or changed, with their text; without a text: removed.
    std::map<std::string, std::optional<std::string>> changes = {};
    bool originals_changed = false;                    ///< the installation's own files
    std::string shown;                                 ///< a file, …
    std::shared_ptr<const std::string> original = {};  ///< … and its text in the installation
    std::string message, fault;                        ///< a finished action and a failure, for the user
  };

  explicit KernelFolder(KernelEditStore store) : store_(std::move(store)) {}

  void write(const std::string& file, std::string text);
  void remove(const std::string& file);
  void open_elsewhere(const std::string& file) { tasks_.push_back({Deed::open, file, {}}); }
  void look_soon() { looked_ = 0; }

  /// Called each frame: begins a look every half second, and at once if there is a task. Returns the findings of the
  /// last look once. `shown`: the file whose original is read. Throws an Error for a failed task.
  std::optional<News> follow(const std::string& shown, double now);

  /// Names of the installation's files.
  const std::vector<std::string>& files() const { return files_; }
  /// Why a file's copy could not be written; empty: it was.
  std::string unkept(const std::string& file) const;
  std::string path() const { return store_.folder().string(); }

 private:
  enum class Deed { write, remove, open };
  struct Task {
    Deed deed;
    std::string file, text;
  };
  /// The state of the disk, as seen by a worker thread after its tasks.
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
  double looked_ = 0;             // start of the last look
  std::optional<Edits> on_disk_;  // copies last seen on disk
  std::map<std::string, std::string> unkept_;
  std::optional<std::filesystem::file_time_type> newest_original_;
};

/// New kernels are on probation: if the scene fails with them within some seconds, the previous ones return. Window
/// thread; never waits.
class KernelProbation {
 public:
  using Edits = KernelSources::Edits;

  /// Starts the probation of sources that replace `before`.
  void begin(std::shared_ptr<const KernelSources> before, double now);
  /// Called each frame with the scene's fault: returns the sources to restore if `present` have failed.
  std::shared_ptr<const KernelSources> judge(const KernelSources& present, const std::string& scene_fault,
                                             bool compiling, double now);
  /// Marks these edits as failed, for this reason.
  void take_back(const Edits& edits, const std::string& reason);
  /// Allows the file again, because the user has changed it.
  void forgive(const std::string& file);

  /// Edits that failed while they ran, and a message for each.
  const Edits& taken_back() const { return taken_back_; }
  const std::vector<CompilerMessage>& messages() const { return messages_; }

 private:
  /// Sources that may still fail.
  struct Trial {
    double since;
    std::shared_ptr<const KernelSources> before;
    std::string fault_before;  // the scene's fault
  };
  std::optional<Trial> trial_;
  std::string fault_;  // the scene's present fault
  Edits taken_back_;
  std::vector<CompilerMessage> messages_;
};

/// The message in the form that compilers use: "nbody_gather.cl:12:3: error: …"
std::string line_of(const CompilerMessage& message);

class KernelEditor {
 public:
  explicit KernelEditor(KernelEditStore store) : folder_(std::move(store)) {}

  void apply(const command::ShowKernel& show);
  void apply(const command::SaveKernel& save);
  void apply(const command::RestoreKernel& restore);
  void apply(const command::UseKeptKernel& use);
  void apply(const command::OpenKernelElsewhere& open);
  void apply(const command::GiveUpBuilding& give_up);

  /// Called each frame; `devices`: the devices in use. True when the sources in use or the installation's files have
  /// changed: scenes rebuild their kernels.
  bool follow(std::span<ProgramLibrary* const> devices, double now);
  /// Called each frame before follow(): withdraws kernels that build, but with which the scene fails.
  void judge(const std::string& scene_fault, bool compiling, double now);
  /// Returns to the installation's kernels, for this reason.
  void withdraw(const std::string& reason);

  /// A notice for the user, once.
  std::string message() { return std::exchange(message_, {}); }
  /// The last error of the folder of kernels, once.
  std::string fault() { return std::exchange(fault_, {}); }
  bool building() const { return trial_.busy(); }
  EditorSnapshot snapshot() const;

  /// Releases the devices; a build under way begins again on the next devices.
  void leave();
  /// Like leave(), for a compiler or a device that does not answer: never waits.
  void abandon();

 private:
  using Edits = KernelSources::Edits;
  struct Tried {
    KernelTrial trial;
    std::shared_ptr<const TunedChoices> tuned;
  };
  /// The file in the panel, with its original text and the user's text.
  struct Shown {
    std::string file;
    std::shared_ptr<const std::string> original = {}, text = {};
    std::uint64_t revision = 0;  // counts changes of the text from outside the panel
  };

  void take(const KernelFolder::News& news);
  void offer(const Edits& kept);
  void take_change(const std::string& file, const std::optional<std::string>& text);
  void show_text_of(const std::string& file);
  void take(Tried tried, double now);
  void begin_trial(std::span<ProgramLibrary* const> devices);
  void use(std::shared_ptr<const KernelSources> sources);
  Edits worth_trying() const;
  void publish_choices();
  std::shared_ptr<const std::string> wanted_text() const;

  KernelFolder folder_;
  Shown shown_;
  Edits kept_;    // copies of an earlier session
  Edits wanted_;  // edits that the user wants to run
  /// Edits built or being built; nothing: whether wanted_ builds is unknown.
  std::optional<Edits> tried_;
  Background<Tried> trial_;
  Edits refused_;  // refused by compilers, with their messages
  std::vector<CompilerMessage> messages_;
  std::string log_;
  KernelProbation probation_;
  std::shared_ptr<const KernelSources> told_;  // the sources that the scenes know of
  Background<bool> publishing_;
  std::string message_, fault_;
  std::string folder_fault_;  // fault of the last look
};

/// Completes the statistics with the file of each kernel, and whether the user has edited it.
void name_sources(std::vector<KernelStatistics>& kernels, const Queue& queue, const ProgramLibrary& programs);
/// Source file of `kernel`; if empty, of the slowest kernel (any kernel without timings). Empty before such a kernel
/// has run.
std::string file_to_edit(std::string_view kernel, Queue& queue, const ProgramLibrary& programs);

}  // namespace orrery::shell
