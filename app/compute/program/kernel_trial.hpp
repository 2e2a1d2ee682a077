/// Edited kernels are built before they are used: whatever does not build leaves what runs as it is.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compute/program/build_log.hpp"
#include "compute/program/kernel_sources.hpp"
#include "compute/program/program.hpp"

namespace orrery {

struct KernelTrial {
  /// Those edits with which every program that they are part of builds, and has the kernels it had before.
  std::shared_ptr<const KernelSources> accepted;
  KernelSources::Edits refused;           ///< the others; where there was an accepted one of that file, it stays
  std::vector<CompilerMessage> messages;  ///< of the refused, and warnings of the others
  std::string log;                        ///< all that the compilers have said
};

/// Builds every program that has been built so far on these devices and that `wanted` in place of the edits in use
/// makes another one. Waits for compilers: a worker's. `present`: the sources in use.
KernelTrial try_kernels(std::span<ProgramLibrary* const> devices, const KernelSources& present,
                        const KernelSources::Edits& wanted);

}  // namespace orrery
