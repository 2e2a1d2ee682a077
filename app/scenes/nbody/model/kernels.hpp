/// The n-body kernels, specialised for a device, a precision, an integrator and a work-group size.
///
/// Built and warmed up on any thread; afterwards they belong to the thread that launches them.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "compute/program/arguments.hpp"
#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"
#include "compute/sort/radix_sort.hpp"
#include "compute/tuning/element_group.hpp"
#include "scenes/nbody/model/blocks.hpp"
#include "scenes/nbody/model/contact.hpp"
#include "scenes/nbody/model/exact.hpp"
#include "scenes/nbody/model/force_error_kernels.hpp"
#include "scenes/nbody/model/integrator.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// The names of the launches in the profiler.
namespace nbody_launch {
inline constexpr std::string_view force = "force", add = "add", tree = "tree", walk = "walk", cells = "cells",
                                  listed = "listed", advance = "advance", substep = "substep", contact = "contact",
                                  publish = "publish", diagnose = "diagnose";
}

/// Nodes below a node of the tree.
inline constexpr std::size_t tree_branch = 4;
/// The sizes of a tree and its walk. Groups and lists hold whole leaves. The last bits of the sums follow from leaf and
/// group, not from the list.
struct TreeShape {
  std::size_t leaf = 32;   ///< bodies of a leaf
  std::size_t group = 64;  ///< bodies that walk together
  std::size_t list = 128;  ///< near bodies in local memory at a time
  bool operator==(const TreeShape&) const = default;
};

struct NbodyVariant {
  Precision precision = Precision::single;
  const Integrator* integrator = &default_integrator();
  Forces forces = Forces::gather;
  std::size_t work_group = 0;  ///< work-items of a force kernel's group
  std::size_t lanes = 1;       ///< bodies per work-item
  std::size_t tile = 0;        ///< sources in local memory; the pair kernel chooses its own
  std::size_t unroll = 1;      ///< unrolling of the loop over a tile, or of the pair kernel's rounds
  TreeShape tree = {};
  bool quadrupole = false;    ///< the tree's nodes pull also by their second moments
  ElementGroup advance = {};  ///< work-group of the kernel that moves the bodies
  Contact contact = Contact::pass;
  bool individual = false;  ///< each body takes its own time steps
  bool operator==(const NbodyVariant&) const = default;

  std::size_t bodies_per_group() const { return work_group * lanes; }
};

/// Work-items of the pair kernel that share a block of bodies.
inline constexpr std::size_t pair_team = 64;

/// "single" or "double": the kernel that sums in that precision.
std::string kernel_name(Precision precision);
/// True if the device passes values between the items of a warp without local memory.
bool hands_on(const DeviceInfo& device);
/// The faster way of summing over all pairs: gather or pairs.
Forces exact_forces(const DeviceInfo& device, Precision precision, std::size_t bodies);

/// The settings with the sum that suits this number of sources: if few bodies pull many test particles, gather is
/// fastest.
NbodySettings for_sources(NbodySettings settings, std::size_t sources, std::size_t bodies);

/// The defaults for the device; 0 and Forces::automatic in `settings` are chosen for `bodies`: a tree where it is
/// faster at the requested error. Throws a usage Error for settings that the device does not support.
NbodyVariant standard_variant(const DeviceInfo& device, const NbodySettings& settings, std::size_t bodies);
/// Local memory per work-item of a group.
std::size_t local_bytes_per_item(const DeviceInfo& device, Precision precision);

TreeAccuracy tree_accuracy(const NbodySettings& settings);

/// The kernels that build the tree; the force kernels walk it.
struct NbodyTreeKernels {
  NbodyTreeKernels(ProgramLibrary& programs, const NbodyVariant& variant, std::size_t bodies);

  RadixSortKernels sort;
  ForceErrorKernels errors;  ///< hold the tree's accuracy
  cl::Kernel bounds, marks, keys, take, leaves, join, estimate, put, measure;
  cl::Kernel list, estimate_listed;  ///< null where all bodies take the same steps
};

struct NbodyKernels {
  /// Builds, and launches each kernel once without bodies: some drivers compile at the first launch of a kernel.
  /// Kernels of a tree need one, and are first launched during its calibration.
  NbodyKernels(ProgramLibrary& programs, const NbodyVariant& variant, std::size_t bodies);
  NbodyKernels(ProgramLibrary& programs, const NbodyVariant& variant, std::size_t bodies, bool doubles);
  /// The programs that the constructor builds.
  static std::vector<ProgramSpec> programs(const Device& device, const NbodyVariant& variant, bool doubles);

  /// `scaled`: see SofteningArguments.
  cl::Kernel& force(bool with_potential, bool scaled) { return forces[(scaled ? 2 : 0) + (with_potential ? 1 : 0)]; }
  /// The force kernel for the bodies whose individual steps end.
  cl::Kernel& listed(bool scaled) { return listed_forces[scaled ? 1 : 0]; }

  NbodyVariant variant;
  std::array<cl::Kernel, 4> forces;  ///< see force(); a scaled sum over all pairs always has the potential
  cl::Kernel count;                  ///< the interactions of the tree's walk; null without a tree
  cl::Kernel add;                    ///< adds the rows of the pair kernel; null for gather
  cl::Kernel advance;
  std::array<cl::Kernel, 2> listed_forces;     ///< see listed(); null where all bodies take the same steps
  std::optional<NbodyContactKernels> contact;  ///< none where bodies pass
  std::optional<NbodyBlockKernels> blocks;     ///< none where all bodies take the same steps
  std::optional<NbodyTreeKernels> tree;
  bool doubles;            ///< mixed precision moves the bodies in doubles, else in two floats
  WorkGroupLimits limits;  ///< limits of the force kernel
  double speed = 1;        ///< relative to other devices' kernels, where several share the bodies
  double measured = 0;     ///< interactions per second while alone; 0 if not measured
};

/// Cost per body of the other kernels: each value is read and written once. `parts` rows are added where a step closes.
UnitCost advance_cost(Precision precision, std::size_t parts);
UnitCost publish_cost(Precision precision);
UnitCost diagnose_cost(Precision precision);

/// Cost per interaction of the force kernel. Gather on a GPU: 13 operations and a reciprocal root, which keeps a unit
/// of its own busy; in double its estimate is refined. A processor has separate units for subtractions, and refines
/// the root's estimate: 12 operations, 17 in double. Pairs: 17 operations per two interactions, and 7/8 of a hand-over
/// of three values that eight bodies share; 20 operations in double. A source is read once for all bodies of
/// a group; with pairs once for a block of bodies, and as much is written.
UnitCost interaction_cost(const DeviceInfo& device, const NbodyVariant& variant);

/// A kernel argument of `advance`: in mixed precision a double, or the sum of two floats.
struct Wide {
  double value;
  Precision precision;
  bool doubles;
};
void set_argument(cl::Kernel& kernel, cl_uint index, const Wide& value);

}  // namespace orrery
