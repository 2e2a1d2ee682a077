/// The Mandelbrot kernels, specialised for a device, a precision and a work-group size.
///
/// Built and warmed up on any thread; afterwards they belong to the thread that launches them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"
#include "compute/tuning/element_group.hpp"
#include "scenes/mandelbrot/deep/ladder.hpp"
#include "scenes/mandelbrot/deep/perturbation.hpp"
#include "scenes/mandelbrot/model/precision.hpp"
#include "scenes/mandelbrot/model/settings.hpp"

namespace orrery::mandelbrot {

/// The profiler's names of the launches. With few pixels, most units of a GPU are idle and a step takes as long as for
/// one pixel: those launches have their own rate and name.
namespace launch {
inline constexpr std::string_view clear = "clear", begin = "begin pixels", resume = "continue pixels",
                                  resume_few = "continue few pixels", publish = "publish",
                                  begin_perturbed = "begin perturbed", resume_perturbed = "continue perturbed",
                                  resume_perturbed_few = "continue few perturbed", resume_passing = "continue passing",
                                  resume_passing_few = "continue few passing", begin_extended = "begin extended",
                                  resume_extended = "continue extended", resume_extended_few = "continue few extended",
                                  begin_ladder = "begin renormalised", resume_ladder = "continue renormalised",
                                  begin_ladder_pairs = "begin renormalised pairs",
                                  resume_ladder_pairs = "continue renormalised pairs";
}

/// Costs of a step of direct iteration (three fused multiply-adds and a product; the rare escape tests are not
/// counted), of a published pixel, and of a cleared number.
inline constexpr UnitCost iteration_cost{4, 0}, published_pixel_cost{1, 12}, cleared_number_cost{0, 4};

struct Variant {
  Precision precision = Precision::single;
  Formula formula = {};
  LadderNumbers ladder = LadderNumbers::doubles;           ///< for the ladder
  PerturbedNumbers perturbed = PerturbedNumbers::doubles;  ///< for perturbation
  bool exact = false;                                      ///< adds kernels for the pixels that doubles do not decide
  bool detail = false;  ///< pictures have a second plane: kernels/mandelbrot/mandelbrot_detail.clh
  bool interior_tests = true;
  bool fused = true;             ///< fused multiply-adds where the device has them
  std::uint32_t lanes = 1;       ///< pixels per work-item
  std::uint32_t work_group = 0;  ///< size in work-items
  std::uint32_t unroll = 8;      ///< steps between two escape tests
  ElementGroup publish = {};     ///< of the publishing kernel
  bool operator==(const Variant&) const = default;

  std::uint32_t pixels_per_group() const { return lanes * work_group; }
  bool doubles() const {
    return precision == Precision::double_ || (is_ladder(precision) && is_double(ladder)) ||
           (precision == Precision::perturbation && is_double(perturbed));
  }
};

/// The default variant for the device; `work_group` 0 chooses. Data are rounded as by a plain loop, so that they are
/// the same everywhere. Throws a usage Error for a size that the device does not support.
Variant standard_variant(const DeviceInfo& device, Precision precision, std::int64_t work_group,
                         Purpose purpose = Purpose::picture);
/// The cost of a step of a variant's kernels, for the ladder in numbers of that kind; 0 if unknown. Perturbation: a
/// step of the table, the most frequent kind (16 slots, and 8 for z and the tests on it), and its reads. The ladder:
/// the mean over the rows of the table, whose reads caches serve.
UnitCost step_cost(const Variant& variant, LadderNumbers kind);
inline UnitCost step_cost(const Variant& variant) { return step_cost(variant, variant.ladder); }

/// The kernels of perturbation in one format.
struct PerturbedKernels {
  PerturbedFormat format;
  cl::Kernel begin, resume, examine, build_level;
  cl::Kernel pass;  ///< `resume` and `examine` with the steps of passages; null where there are none
};

/// A ladder's table on a device. The constructor waits.
struct LadderBuffers {
  LadderBuffers(const Device& device, const PackedLadder& packed);
  cl::Buffer numbers, extents;
};

/// The kernels of a ladder in one kind of numbers, and its table.
struct LadderKernels {
  LadderNumbers kind = LadderNumbers::doubles;
  cl::Kernel begin, resume;
  LadderBuffers table;
};

struct Kernels {
  /// Whether each kernel is launched on a tiny picture, for a window: some drivers compile at the first launch of a
  /// kernel, and the first slice of a picture needs an idea of the device's speed.
  enum class Warm { yes, no };
  Kernels(ProgramLibrary& programs, const Variant& variant, Warm warm = Warm::no);
  /// The programs that the constructor builds.
  static std::vector<ProgramSpec> programs(const Device& device, const Variant& variant);

  Variant variant;
  /// `examine` is `resume` for long orbits, which looks for attracting cycles: null where there is none.
  cl::Kernel clear, begin, resume, examine, publish;
  std::vector<LadderKernels> ladders;  ///< in the variant's numbers, then in pairs if those are none
  /// Kernels of perturbation, in plain and in extended numbers: `begin` and `resume` are the first ones.
  std::vector<PerturbedKernels> perturbed;
  std::shared_ptr<References> references;  ///< of perturbation, shared by all users of these kernels
  std::shared_ptr<const Kernels> exact;    ///< of perturbation in pairs of doubles, if the variant has them
  WorkGroupLimits limits;                  ///< of `resume`
  double seconds_per_iteration = 1e-9;     ///< of the whole device; a guess unless warm

 private:
  void build_direct(ProgramLibrary& programs);
  void build_ladders(ProgramLibrary& programs);
  void build_perturbed(ProgramLibrary& programs);
  void build_ladder(ProgramLibrary& programs, LadderNumbers kind);
};

}  // namespace orrery::mandelbrot
