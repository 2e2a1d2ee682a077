/// Prepares laws: reads the user's text, writes it as OpenCL, compiles it, tries it on a sample of the world's own
/// particles, and compares the forces with the exact derivative of the energy.
///
/// Used on any thread, for example a worker's while another law runs; then the engine takes the result.
#pragma once

#include <memory>
#include <optional>

#include "base/error.hpp"
#include "compute/program/build_log.hpp"
#include "compute/program/precision.hpp"
#include "compute/program/program_plan.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// The way in which forces are computed; equal variants use the same kernels.
struct ForceVariant {
  Precision precision = Precision::single;
  std::size_t work_group = 0;  ///< 0: a size that suits the device
  std::size_t lanes = 0;       ///< particles per work-item; 0: a number that suits the device
  std::size_t split = 0;       ///< work-items that share a particle's neighbours, up to 8; 0: a number that suits
  bool fixed_atomics = true;   ///< 64-bit atomics, where the device has them
  bool operator==(const ForceVariant&) const = default;
  /// Consecutive slots that share a list of neighbours; of a variant with all choices made.
  std::size_t team() const { return lanes > 1 ? lanes : 8; }
};

/// A world's compiled laws. Opaque; never shared, because kernels keep arguments.
class LawKernels;

/// If several work-items share a particle's neighbours, unobserved steps have a separate kernel, which is a few per
/// cent faster. NVIDIA's compiler takes as long for it as for all other kernels of a law.
enum class LawParts { all, needed_at_once };

/// A refused law throws a usage Error: details().where is "LAW:line:column" with line numbers of the user's text,
/// or "LAW". Laws are refused that are not of the language (law_language.hpp), do not end, give NaN or infinity on
/// the sample, or whose dEdR (force1 …) is not the derivative of their energy.
std::shared_ptr<LawKernels> make_law_kernels(ProgramLibrary& programs, const World& world, const ForceVariant& variant,
                                             LawParts parts = LawParts::all);
/// The programs that make_law_kernels() builds. Throws as it does where a law's text is refused.
std::vector<ProgramPlan::Part> law_programs(ProgramLibrary& programs, const World& world, const ForceVariant& variant,
                                            LawParts parts = LawParts::all);
/// The kernel for unobserved steps, for Engine::take_unobserved_pairs(); nothing if these laws have no separate one.
/// Any thread; throws Error.
std::optional<cl::Kernel> build_unobserved_pairs(ProgramLibrary& programs, const World& world,
                                                 const ForceVariant& variant);
/// The variant with all choices made for this device and world.
ForceVariant chosen_variant(const Device& device, const World& world, const ForceVariant& variant);
/// The Error of a refused law for an editor: `file` is the law's name, `line` is 0 where the Error has no line.
std::optional<CompilerMessage> message_of(const Error& error);

}  // namespace orrery::particles
