/// The inside of LawKernels: compiled kernels with their launch settings, which may move from one thread to another
/// between uses; and the checks of laws before they are used.
#pragma once

#include <map>
#include <string>

#include "compute/program/program_plan.hpp"
#include "scenes/particles/model/device_particles.hpp"
#include "scenes/particles/model/law_kernels.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

class LawKernels {
 public:
  LawKernels(ProgramLibrary& programs, const World& world, const ForceVariant& variant, LawParts parts = LawParts::all);

  /// Launches each kernel once without work. Waits.
  void warm_up(const Device& device, const World& world);

  ForceVariant variant;              ///< with all choices made
  bool lists = false;                ///< there is a cutoff: neighbours are listed
  std::size_t laws = 0;              ///< number of pair laws; with 0 there are no pair kernels
  cl::Kernel pairs, observed_pairs;  ///< often equal: the second serves all steps, the first unobserved ones
  std::vector<std::string> columns;  ///< read by pair laws

  struct Group {
    cl::Kernel kernel;
    std::vector<std::string> columns;
  };
  std::vector<Group> groups;  ///< in the order of World::groups
  cl::Kernel gather;          ///< used if atomics are missing
  /// Laws of groups whose energy jumps where their particles pass a face of the periodic box.
  std::vector<std::string> jumping;
};

/// Finds a pair whose law is not finite (particles_blame.cl).
cl::Kernel blame_kernel(ProgramLibrary& programs, const World& world, const ForceVariant& variant);

/// Sources in which generated text replaces files.
KernelSources with_text(const std::map<std::string, std::string>& texts);
/// Sources with a world's pair laws.
KernelSources pair_sources(const World& world);

// ---- checks (law_check.cpp): results are numbers on a sample of the world's particles, and forces are the derivative
// of the energy. They wait for the device; any thread.

/// All throw a usage Error that names law, distance, and both values. The first takes the kernel check_pair_law,
/// compiled for double where the device has it.
void check_pair_laws(const Device& device, const World& world, cl::Kernel kernel);
void check_pair_laws(ProgramLibrary& programs, const World& world);
/// Returns LawKernels::jumping.
std::vector<std::string> check_group_laws(ProgramLibrary& programs, const World& world);
/// The programs that the last two functions build.
std::vector<ProgramPlan::Part> pair_check_programs(ProgramLibrary& programs, const World& world);
std::vector<ProgramPlan::Part> group_check_programs(ProgramLibrary& programs, const World& world);

}  // namespace orrery::particles
