/// Individual time steps on a device: the level of each body, and the clock of the substeps
/// (kernels/nbody/nbody_blocks.cl).
///
/// A body's step is dt/2^level, and follows from its acceleration alone when it begins: nothing but the bodies has to
/// be kept in files. Kernels are built on any thread; afterwards they belong to the thread that launches them.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "compute/program/arguments.hpp"
#include "compute/program/program.hpp"
#include "compute/queue/host_mirror.hpp"
#include "compute/tuning/element_group.hpp"

namespace orrery {

struct NbodySettings;
struct NbodyVariant;
struct NbodyPull;
struct TargetRange;

/// Levels of steps; the steps of the first level are dt.
inline constexpr std::size_t block_levels = 21;
/// Ticks of a step dt.
inline constexpr cl_uint block_ticks = 1U << (block_levels - 1);

/// block_clock_t in nbody_blocks.clh.
struct NbodyBlockClock {
  cl_ulong evaluations = 0;
  cl_uint steps = 0, bodies = 0, groups = 0, unlisted = 0;
  std::array<cl_uint, block_levels> counts{};
  std::array<cl_uint, 2> moments{block_ticks, block_ticks};  ///< after a report the present one comes first
  /// Ticks since the step began; block_ticks between two steps.
  cl_uint moment() const { return moments.front(); }
};

/// Throws a usage Error for settings that individual steps do not allow.
void check_individual(const NbodySettings& settings);

/// The terms that determine the levels of a burst, besides the accelerations.
struct NbodyBlockTerms {
  double dt = 0;
  double accuracy = 0;  ///< a body's step is at most accuracy·√(ℓ/|a|); ℓ: see level_of in nbody_blocks.cl
  double softening = 0, gravity = 1;
  /// True if the softening is too short to determine levels, which then depend on the potential, too.
  bool by_potential() const { return softening < 1e-15; }
};

struct NbodyBlockKernels {
  /// Launches each kernel once for a body without mass: some drivers compile then.
  NbodyBlockKernels(ProgramLibrary& programs, const NbodyVariant& variant, bool doubles);
  static ProgramSpec program(const Device& device, Precision precision, bool doubles);

  cl::Kernel open, begin, end, tell, sum;
};

/// The buffers of the bodies. Null corrections except in mixed precision.
struct NbodyBlockBodies {
  const cl::Buffer &positions, &position_corrections;
  const cl::Buffer &moved, &moved_corrections;  ///< at the end of the substep
  const cl::Buffer &velocities, &velocity_corrections, &accelerations;
  const cl::Buffer& parts;  ///< the field, in this number of rows; 0: one row of sums
  std::size_t rows = 1;
};

/// Where the field at the end of a substep comes from.
enum class NbodySubstep {
  unshared,  ///< each device sums the field of all bodies whose steps end
  shared,    ///< each device sums its share of it
  last,      ///< all bodies' steps end: the field is a whole one
};

/// The field of these bodies in rows of parts, and its terms.
struct NbodyFieldParts {
  const cl::Buffer& parts;
  std::size_t rows;
  const TargetRange& targets;
  const NbodyPull& pull;
};

/// Bodies, or groups of a tree, whose field a substep needs: their number is known to the device alone.
struct NbodyListed {
  const cl::Buffer &list, &clock;
};

/// Owns levels, list and clock. `precision` and `doubles` are those of the kernels.
class NbodyBlocks {
 public:
  /// Allocates, and waits for it.
  NbodyBlocks(const Device& device, std::size_t bodies, Precision precision, bool doubles);
  /// The bytes that it owns.
  static std::size_t bytes(std::size_t bodies) { return bodies * (1 + sizeof(cl_uint)) + sizeof(NbodyBlockClock); }

  /// Enqueues the start of a step. Does nothing, like the launches below, where the clock is at another place.
  void open(Queue& queue, NbodyBlockKernels& kernels, const NbodyBlockBodies& of, const NbodyBlockTerms& terms);
  /// Enqueues the motion of all bodies to the end of the next substep, and the list of the bodies within `targets`
  /// whose steps end there; `last`: it is the last of the step, and nothing is listed.
  void begin(Queue& queue, NbodyBlockKernels& kernels, const NbodyBlockBodies& of, const NbodyBlockTerms& terms,
             const TargetRange& targets, bool last);
  /// Enqueues the end of that substep; the field of all bodies whose steps end there is complete.
  void end(Queue& queue, NbodyBlockKernels& kernels, const NbodyBlockBodies& of, const NbodyBlockTerms& terms,
           bool last);
  /// Enqueues 2^level of the step that each body would begin now, a float each.
  void tell(Queue& queue, NbodyBlockKernels& kernels, const NbodyBlockBodies& of, const NbodyBlockTerms& terms,
            const cl::Buffer& to) const;
  /// Enqueues the sums of the parts of the field of these bodies.
  void sum(Queue& queue, NbodyBlockKernels& kernels, const NbodyFieldParts& of, const cl::Buffer& to) const;
  /// Enqueues the list of the groups with a body that ends its step, within these ranges of groups; between begin() and
  /// end(). `order`: the bodies'.
  NbodyListed list_groups(Queue& queue, cl::Kernel& kernel, const cl::Buffer& order,
                          std::span<const TargetRange> groups);
  NbodyListed listed() const { return {list_, clock_}; }

  /// Enqueues a read of the clock; one at a time.
  void report(Queue& queue);
  bool reported() const { return is_complete(report_); }
  /// After reported().
  NbodyBlockClock clock() const;
  /// Waits for `queue`.
  NbodyBlockClock read(Queue& queue) const { return queue.read_blocking<NbodyBlockClock>(clock_, 1).front(); }

 private:
  void launch(Queue& queue, const cl::Kernel& kernel) const;

  Device device_;
  std::size_t bodies_;
  Precision precision_;
  bool doubles_;
  cl::Buffer levels_, list_, clock_;
  cl_uint parity_ = 0, reported_parity_ = 0;
  std::optional<HostMirror> mirror_;  // null before the first report
  cl::Event report_;
};

}  // namespace orrery
