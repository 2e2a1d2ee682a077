/// The n-body kernels, specialised for a device, a precision, an integrator and a work-group size.
///
/// Built and warmed up on any thread; afterwards they belong to the thread that launches them.
#pragma once

#include <array>
#include <string_view>

#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"
#include "compute/tuning/element_group.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// The names under which the profiler knows the launches.
namespace nbody_launch {
inline constexpr std::string_view force = "force", add = "add", advance = "advance", publish = "publish",
                                  diagnose = "diagnose";
}

struct NbodyVariant {
  Precision precision = Precision::single;
  Integrator integrator = Integrator::leapfrog;
  Forces forces = Forces::gather;
  std::size_t work_group = 0;  ///< work-items of a force kernel's group
  std::size_t lanes = 1;       ///< bodies a work-item
  std::size_t tile = 0;        ///< sources in local memory; a pair kernel's is its own
  std::size_t unroll = 1;      ///< of the loop over a tile, or of a pair kernel's rounds
  ElementGroup advance = {};   ///< of the kernel that moves the bodies
  bool operator==(const NbodyVariant&) const = default;

  std::size_t bodies_per_group() const { return work_group * lanes; }
};

/// Of the pair kernel: work-items that share a block of bodies.
inline constexpr std::size_t pair_team = 64;

/// Values are handed on within a warp, without local memory.
bool hands_on(const DeviceInfo& device);

/// What suits the device; 0 and Forces::automatic in `settings` are chosen for `bodies`. Throws a usage Error for what
/// the device cannot do.
NbodyVariant standard_variant(const DeviceInfo& device, const NbodySettings& settings, std::size_t bodies);
/// As well, with what tuning has found to be faster where the work-group is automatic. The bits stay the same.
NbodyVariant nbody_variant(const DeviceInfo& device, const NbodySettings& settings, std::size_t bodies);
/// Local memory that a work-group size costs, for each of its items.
std::size_t local_bytes_per_item(const DeviceInfo& device, Precision precision);

struct NbodyKernels {
  /// Builds, and launches each kernel once on no bodies: some drivers compile at the first launch of a kernel.
  NbodyKernels(ProgramLibrary& programs, const NbodyVariant& variant, std::size_t bodies);
  NbodyKernels(ProgramLibrary& programs, const NbodyVariant& variant, std::size_t bodies, bool doubles);

  cl::Kernel& force(bool with_potential) { return forces[with_potential ? 1 : 0]; }

  NbodyVariant variant;
  std::array<cl::Kernel, 2> forces;  ///< without and with the potential
  cl::Kernel add;                    ///< of the pair kernel's rows; null for gather
  cl::Kernel advance;
  bool doubles;            ///< what mixed precision moves the bodies in: doubles, or two floats
  WorkGroupLimits limits;  ///< of the force kernel
  double speed = 1;        ///< beside that of other devices' kernels, where several share the bodies
  double measured = 0;     ///< interactions a second of them alone; 0 when nobody asked
};

/// Of the others, for one body: what they read and write, once each. `parts` rows are added where a step closes.
UnitCost advance_cost(Precision precision, std::size_t parts);
UnitCost publish_cost(Precision precision);
UnitCost diagnose_cost(Precision precision);

/// Of the force kernel, for one interaction. Gather on a GPU: 13 operations and a reciprocal root, which keeps a unit
/// of its own busy; in double its estimate is refined. On a processor subtractions have units of their own, and the
/// root's estimate is refined: 12 operations, 17 in double. Pairs: of two interactions 17 operations and, of three
/// values that eight bodies share, 7/8 of a hand-over; 20 operations in double. A source is read once for all bodies of
/// a group, with pairs once for a block of them, which leaves as much behind for it.
UnitCost interaction_cost(const DeviceInfo& device, const NbodyVariant& variant);

/// The launch of a kernel with one body an item.
Range elementwise(const ElementGroup& group, std::size_t bodies);
Range elementwise(const DeviceInfo& device, std::size_t bodies);

/// A number that a kernel takes in its own precision.
struct Real {
  double value;
  Precision precision;
};
/// A number that `advance` takes: in mixed precision a double, or the sum of two floats.
struct Wide {
  double value;
  Precision precision;
  bool doubles;
};
void set_argument(cl::Kernel& kernel, cl_uint index, const Real& value);
void set_argument(cl::Kernel& kernel, cl_uint index, const Wide& value);
inline void set_argument(cl::Kernel& kernel, cl_uint index, cl_uint value) { kernel.setArg(index, value); }
inline void set_argument(cl::Kernel& kernel, cl_uint index, const cl::Buffer& value) { kernel.setArg(index, value); }
template <class... Values>
void set_arguments(cl::Kernel& kernel, const Values&... values) {
  cl_uint index = 0;
  (set_argument(kernel, index++, values), ...);
}

std::size_t bytes_of_real4(Precision precision);
/// -D DOUBLE=1 and -D FAST_FMA=1 where they apply.
std::map<std::string, std::string> precision_definitions(const Device& device, Precision precision);

}  // namespace orrery
