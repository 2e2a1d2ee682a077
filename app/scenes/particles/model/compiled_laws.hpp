/// The inside of LawKernels: compiled kernels with their launch settings. May move from one thread to
/// another between uses.
#pragma once

#include <map>
#include <string>

#include "scenes/particles/model/device_particles.hpp"

namespace orrery::particles {

class LawKernels {
 public:
  LawKernels(ProgramLibrary& programs, const World& world, const ForceVariant& variant);

  /// Launches each kernel once without work. Waits.
  void warm_up(const Device& device, const World& world);

  ForceVariant variant;              ///< with all choices made
  bool lists = false;                ///< there is a cutoff: neighbours are listed
  std::size_t laws = 0;              ///< number of pair laws; with 0 there are no pair kernels
  cl::Kernel pairs, observed_pairs;  ///< often the same
  std::vector<std::string> columns;  ///< read by pair laws

  struct Group {
    cl::Kernel kernel;
    std::vector<std::string> columns;
  };
  std::vector<Group> groups;  ///< in the order of World::groups
  cl::Kernel gather;          ///< where atomics are missing
};

/// Sources in which generated text replaces files.
KernelSources with_text(const std::map<std::string, std::string>& texts);
/// Sources with a world's pair laws.
KernelSources pair_sources(const World& world);

}  // namespace orrery::particles
