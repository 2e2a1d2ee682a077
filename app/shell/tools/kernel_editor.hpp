/// Edits kernels while they run: watches the user's copies on disk, builds what has been saved beside what runs, and
/// puts it in use once all of it builds.
///
/// Window thread; worker threads read, write and compile. Only the destructor and leave() wait, for a build under way.
/// Copies of an earlier session are offered, and never used without the user's wish.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/work/background.hpp"
#include "compute/program/kernel_edit_store.hpp"
#include "compute/program/kernel_trial.hpp"
#include "compute/queue/queue.hpp"
#include "compute/tuning/tuned.hpp"
#include "protocol/editor_snapshot.hpp"
#include "protocol/kernel_command.hpp"

namespace orrery::shell {

class KernelEditor {
 public:
  explicit KernelEditor(KernelEditStore store) : store_(std::move(store)) {}

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
  bool building() const { return trial_.busy(); }
  EditorSnapshot snapshot() const;

  /// Releases the devices; a build under way begins again on the next devices.
  void leave();
  /// As leave(), where a compiler or a device does not answer: never waits.
  void abandon();

 private:
  enum class Deed { write, remove, open };
  struct Task {
    Deed deed;
    std::string file, text;
  };
  /// What a worker thread has seen on disk, after it has done its tasks there.
  struct Seen {
    std::vector<std::string> files;
    KernelSources::Edits copies;
    std::filesystem::file_time_type newest_original;
    std::map<std::string, std::string> unkept;  // files that cannot be written, with the reason
    std::string message;
    std::string shown;                            // a file, …
    std::shared_ptr<const std::string> original;  // … and its text
  };
  struct Tried {
    KernelTrial trial;
    std::shared_ptr<const TunedChoices> tuned;
  };

  static Seen look(const KernelEditStore& store, const std::vector<Task>& tasks, const std::string& shown);
  void look_again(double now);
  void take(const Seen& seen);
  void take_copies(const KernelSources::Edits& copies);
  void take_text(const std::string& file);
  void take(Tried tried, double now);
  void begin_trial(std::span<ProgramLibrary* const> devices);
  void use(std::shared_ptr<const KernelSources> sources);
  void take_back(const KernelSources::Edits& edits, const std::string& reason);
  KernelSources::Edits worth_trying() const;
  void forgive(const std::string& file);
  void publish_choices();
  std::shared_ptr<const std::string> text_of(const std::string& file) const;

  KernelEditStore store_;
  std::vector<std::string> files_;
  bool has_looked_ = false;
  std::vector<Task> tasks_, under_way_;
  Background<Seen> looking_;
  double looked_ = 0;
  KernelSources::Edits on_disk_;  // as last seen
  KernelSources::Edits kept_;     // those of an earlier session
  KernelSources::Edits wanted_;   // what the user wants to run
  /// What has been built, or is being built; nothing: whether wanted_ builds is unknown.
  std::optional<KernelSources::Edits> tried_;
  KernelSources::Edits refused_;         // by compilers …
  KernelSources::Edits taken_back_;      // … and after they had run
  std::vector<CompilerMessage> faults_;  // of those
  std::map<std::string, std::string> unkept_;
  std::optional<std::filesystem::file_time_type> newest_original_;
  bool originals_changed_ = false;

  Background<Tried> trial_;
  std::vector<CompilerMessage> messages_;
  std::string log_;
  std::optional<double> used_since_;           // when sources came in use that may still fail …
  std::shared_ptr<const KernelSources> good_;  // … and those before
  std::string fault_, fault_before_;           // of the scene: now, and when those sources came in use
  std::shared_ptr<const KernelSources> told_;  // the sources that the scenes know of
  Background<bool> publishing_;

  std::string shown_;
  std::shared_ptr<const std::string> original_, text_;
  std::uint64_t revision_ = 0;
  std::string message_;
};

/// Completes the statistics with the file of each kernel, and whether the user has edited it.
void name_sources(std::vector<KernelStatistics>& kernels, const Queue& queue, const ProgramLibrary& programs);

}  // namespace orrery::shell
