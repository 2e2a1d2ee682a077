/// Kernels that a person edits while they run: keeps the copies, follows them on disk, builds what was saved beside
/// what runs, and puts it in use once all of it builds.
///
/// Window thread; disk and compilers are workers'. Nothing waits but the destructor and leave(), for a build that is
/// under way. Copies of an earlier session are offered, never used by themselves.
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

  /// Each frame; the devices that compute, none while there is none. True when other sources are in use than before,
  /// or the installation's own have changed: scenes build their kernels anew.
  bool follow(std::span<ProgramLibrary* const> devices, double now);
  /// Each frame before that, with what the scene says: what built, but fails where it runs, is taken back.
  void judge(const std::string& scene_fault, bool compiling, double now);
  /// Nothing edited is in use any more, for this reason.
  void withdraw(const std::string& reason);

  /// Something to tell, once.
  std::string message() { return std::exchange(message_, {}); }
  bool building() const { return trial_.busy(); }
  EditorSnapshot snapshot() const;

  /// Lets go of the devices; what is being built is built again on the next.
  void leave();
  /// Likewise, where a compiler or a device does not answer: never waits.
  void abandon();

 private:
  enum class Deed { write, remove, open };
  struct Task {
    Deed deed;
    std::string file, text;
  };
  /// What a worker has seen on disk, after what it was to do there.
  struct Seen {
    std::vector<std::string> files;
    KernelSources::Edits copies;
    std::filesystem::file_time_type newest_original;
    std::map<std::string, std::string> unkept;  // files that could not be written, and why
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
  KernelSources::Edits on_disk_;  // as seen last
  KernelSources::Edits kept_;     // of them, those of an earlier session
  KernelSources::Edits wanted_;   // what is to run
  /// What has been built, or is; nothing: what is wanted is not known to build.
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
  std::optional<double> used_since_;           // sources that have not proved themselves yet …
  std::shared_ptr<const KernelSources> good_;  // … and those before
  std::string fault_, fault_before_;           // of the scene: now, and when they came
  std::shared_ptr<const KernelSources> told_;  // the sources that the scenes know of
  Background<bool> publishing_;

  std::string shown_;
  std::shared_ptr<const std::string> original_, text_;
  std::uint64_t revision_ = 0;
  std::string message_;
};

/// Tells of each kernel from which file it was built, and whether a person has edited that.
void name_sources(std::vector<KernelStatistics>& kernels, const Queue& queue, const ProgramLibrary& programs);

}  // namespace orrery::shell
