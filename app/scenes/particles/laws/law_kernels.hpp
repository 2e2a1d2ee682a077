/// Laws made ready to run: a person's text read, written as OpenCL and compiled, tried on a sample of the world's own
/// particles, and the forces that it adds compared with the exact derivative of its energy.
///
/// Made on any thread, a worker's while another law runs; then the engine takes it.
#pragma once

#include <memory>
#include <optional>

#include "base/error.hpp"
#include "compute/program/build_log.hpp"
#include "compute/program/program.hpp"
#include "scenes/nbody/model/settings.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// How forces are to be computed; equal where the same kernels serve.
struct ForceVariant {
  Precision precision = Precision::single;
  std::size_t work_group = 0;  ///< 0: what suits the device
  std::size_t lanes = 0;       ///< particles of a work-item; 0: what suits the device
  std::size_t split = 0;       ///< work-items that share a particle's neighbours; 0: what suits
  bool fixed_atomics = true;   ///< 64-bit atomics, where the device has them
  bool operator==(const ForceVariant&) const = default;
};

/// A world's laws, compiled. Opaque; shared by nobody: kernels keep arguments.
class LawKernels;

/// A law that is refused throws a usage Error: details().where is "LAW:line:column" with the person's own line numbers,
/// or "LAW". Refused are laws that are not of the language (law_language.hpp), do not end, give what is not a number on
/// the sample, or whose dEdR (force1 …) is not the derivative of their energy.
std::shared_ptr<LawKernels> make_law_kernels(ProgramLibrary& programs, const World& world, const ForceVariant& variant);
/// Such an Error for an editor: `file` is the law's name, `line` 0 where no line is to blame.
std::optional<CompilerMessage> message_of(const Error& error);

}  // namespace orrery::particles
