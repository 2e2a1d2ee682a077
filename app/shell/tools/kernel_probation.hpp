/// New kernels are on probation: where the scene fails with them within some seconds, the previous ones come back.
///
/// Window thread; nothing waits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/program/build_log.hpp"
#include "compute/program/kernel_sources.hpp"

namespace orrery::shell {

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

}  // namespace orrery::shell
