/// Edits kernels while they run: builds what has been saved beside what runs, and puts it in use once all of it builds.
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

/// The user's copies of kernels on disk: writes, removes and opens them, and sees what others do with them. Window
/// thread, which never waits; a worker thread reads and writes.
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

/// New kernels are on probation: where the scene fails with them within some seconds, the previous ones come back.
/// Window thread; nothing waits.
class KernelProbation {
 public:
  using Edits = KernelSources::Edits;

  /// Other sources than `before` are in use from now on.
  void begin(std::shared_ptr<const KernelSources> before, double now);
  /// Each frame, with the scene's fault: the sources to come back to, if `present` have failed.
  std::shared_ptr<const KernelSources> judge(const KernelSources& present, const std::string& scene_fault,
                                             bool compiling, double now);
  /// These edits have failed, for this reason.
  void take_back(const Edits& edits, const std::string& reason);
  /// The user has changed the file.
  void forgive(const std::string& file);

  /// Edits that failed while they ran, and a message for each.
  const Edits& taken_back() const { return taken_back_; }
  const std::vector<CompilerMessage>& messages() const { return messages_; }

 private:
  /// Sources that may still fail.
  struct Trial {
    double since;
    std::shared_ptr<const KernelSources> before;
    std::string fault_before;  // of the scene
  };
  std::optional<Trial> trial_;
  std::string fault_;  // of the scene, now
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

  /// Each frame; `devices`: those that compute. True when other sources are in use than before, or the installation's
  /// own have changed: scenes build their kernels again.
  bool follow(std::span<ProgramLibrary* const> devices, double now);
  /// Each frame before follow(): withdraws kernels that build, but with which the scene fails.
  void judge(const std::string& scene_fault, bool compiling, double now);
  /// Puts the installation's kernels in use again, for this reason.
  void withdraw(const std::string& reason);

  /// A notice for the user, once.
  std::string message() { return std::exchange(message_, {}); }
  /// The last error of the folder of kernels, once.
  std::string fault() { return std::exchange(fault_, {}); }
  bool building() const { return trial_.busy(); }
  EditorSnapshot snapshot() const;

  /// Releases the devices; a build under way begins again on the next devices.
  void leave();
  /// As leave(), where a compiler or a device does not answer: never waits.
  void abandon();

 private:
  using Edits = KernelSources::Edits;
  struct Tried {
    KernelTrial trial;
    std::shared_ptr<const TunedChoices> tuned;
  };
  /// The file that the panel shows, its text in the installation, and as the user wants it.
  struct Shown {
    std::string file;
    std::shared_ptr<const std::string> original = {}, text = {};
    std::uint64_t revision = 0;  // counts the texts that did not come from the panel
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
  Edits wanted_;  // what the user wants to run
  /// What has been built, or is being built; nothing: whether wanted_ builds is unknown.
  std::optional<Edits> tried_;
  Background<Tried> trial_;
  Edits refused_;  // by compilers, with what they said
  std::vector<CompilerMessage> messages_;
  std::string log_;
  KernelProbation probation_;
  std::shared_ptr<const KernelSources> told_;  // the sources that the scenes know of
  Background<bool> publishing_;
  std::string message_, fault_;
  std::string folder_fault_;  // of the last look
};

/// Completes the statistics with the file of each kernel, and whether the user has edited it.
void name_sources(std::vector<KernelStatistics>& kernels, const Queue& queue, const ProgramLibrary& programs);
/// The file of that kernel; without a name, of the one that takes most of the time, or of any where nobody measures.
/// Empty before such a kernel has run.
std::string file_to_edit(std::string_view kernel, Queue& queue, const ProgramLibrary& programs);

}  // namespace orrery::shell
