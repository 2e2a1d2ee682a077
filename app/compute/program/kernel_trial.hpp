/// Trial builds of edited kernels: an edit that does not build leaves the running kernels unchanged.
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
  /// The edits with which all their programs build and keep their kernels.
  std::shared_ptr<const KernelSources> accepted;
  KernelSources::Edits refused;           ///< the other edits; an accepted older edit of the file stays
  std::vector<CompilerMessage> messages;  ///< errors of the refused edits, and warnings of the others
  std::string log;                        ///< all output of the compilers
};

/// Builds every program, of those built so far on these devices, that `wanted` changes compared with the edits in use.
/// Waits for compilers, so workers call it. `present`: the sources in use.
KernelTrial try_kernels(std::span<ProgramLibrary* const> devices, const KernelSources& present,
                        const KernelSources::Edits& wanted);

}  // namespace orrery
