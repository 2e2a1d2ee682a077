/// Edits kernels while they run: builds what has been saved beside what runs, and puts it in use once all of it builds.
///
/// Window thread; worker threads read, write and compile. Only the destructor and leave() wait, for a build under way.
/// Copies of an earlier session are offered, and never used without the user's wish.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/work/background.hpp"
#include "compute/program/kernel_trial.hpp"
#include "compute/queue/queue.hpp"
#include "compute/tuning/tuned.hpp"
#include "protocol/editor_snapshot.hpp"
#include "protocol/kernel_command.hpp"
#include "shell/tools/kernel_folder.hpp"
#include "shell/tools/kernel_probation.hpp"

namespace orrery::shell {

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
