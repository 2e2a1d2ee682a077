/// The inside of LawKernels: compiled kernels with what they are to be launched with. Movable from one thread to
/// another between uses.
#pragma once

#include <map>
#include <string>

#include "scenes/particles/model/device_particles.hpp"

namespace orrery::particles {

class LawKernels {
 public:
  LawKernels(ProgramLibrary& programs, const World& world, const ForceVariant& variant);

  /// Launches each once, where nothing is to be done. Waits.
  void warm_up(const Device& device, const World& world);

  ForceVariant variant;              ///< nothing of it is left to be chosen
  bool lists = false;                ///< there is a cutoff: neighbours are listed
  std::size_t laws = 0;              ///< of pairs; with none there are no pair kernels
  cl::Kernel pairs, observed_pairs;  ///< often one and the same
  std::vector<std::string> columns;  ///< that pair laws see

  struct Group {
    cl::Kernel kernel;
    std::vector<std::string> columns;
  };
  std::vector<Group> groups;  ///< in the order of World::groups
  cl::Kernel gather;          ///< where atomics are missing
};

/// Sources in which generated text takes the place of files.
KernelSources with_text(const std::map<std::string, std::string>& texts);
/// With a world's pair laws.
KernelSources pair_sources(const World& world);

}  // namespace orrery::particles
