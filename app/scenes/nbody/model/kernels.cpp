#include "scenes/nbody/model/kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/program/arguments.hpp"
#include "compute/tuning/variant_text.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/model/parts.hpp"

namespace orrery {
namespace {

// A CPU's tile fits its first-level cache whatever the group's size; on a GPU each item loads one body of the tile.
constexpr std::size_t largest_cpu_tile = 256, smallest_cpu_tile = 64;

// Measured on an H200: from this number of bodies on, a GPU's item holds two, and from these on, computing each pair
// once is faster.
constexpr std::size_t blocked_bodies = 12288;
constexpr std::size_t paired_bodies = 24576, paired_bodies_in_double = 12288, most_paired_bodies = std::size_t{1} << 21;
// The work of a tree is about proportional to error^−0.6: a quadrupole's error falls with the fifth power of an angle,
// the work with the third.
constexpr double work_by_error = 0.6;

std::size_t lanes_of(const DeviceInfo& device, Precision precision, std::size_t bodies) {
  if (!is_cpu(device)) return bodies < blocked_bodies ? 1 : 2;
  const std::size_t width =
      precision == Precision::double_ ? device.preferred_double_width : device.preferred_float_width;
  return std::clamp<std::size_t>(std::bit_floor(std::max<std::size_t>(width, 1)), 1, 16);
}

// A CPU gets several groups per compute unit, if there are enough bodies. A GPU is filled by the parts that the sources
// are divided into.
std::size_t automatic_work_group(const DeviceInfo& device, std::size_t lanes, std::size_t bodies) {
  const std::size_t allowed = std::max<std::size_t>(device.max_work_group, 1);
  if (!is_cpu(device)) return std::min<std::size_t>(bodies < blocked_bodies ? 128 : 256, allowed);
  const std::size_t groups = std::max<std::size_t>(device.compute_units, 1) * 8;
  return std::clamp<std::size_t>(std::bit_floor(std::max<std::size_t>(bodies / (groups * lanes), 1)), 1,
                                 std::min<std::size_t>(16, allowed));
}

// Tiles are computed whole: they are as large as possible while the last one of a part is nearly full.
std::size_t cpu_tile(const DeviceInfo& device, Precision precision, std::size_t bodies) {
  const std::size_t part = parts_of(bodies).bodies;
  std::size_t tile = std::min(largest_cpu_tile, device.local_bytes / bytes_of_real4(precision));
  while (tile > smallest_cpu_tile && 16 * round_up(part, tile) > 17 * part) tile /= 2;
  return tile;
}

std::size_t unroll_of(const DeviceInfo& device, const NbodyVariant& variant) {
  if (variant.forces == Forces::pairs) return hands_on(device) ? 8 : 1;
  if (is_cpu(device)) return 2;
  return variant.precision == Precision::double_ ? 16 : 32;
}

// Names of kernels and axes given by the user belong to the sum over all pairs.
bool tree_pays(const DeviceInfo& device, const NbodySettings& settings, Precision precision, std::size_t bodies) {
  if (precision == Precision::double_ || !choice_for(settings.variant, kernel_name(precision)).empty()) return false;
  const double by_error = std::pow(NbodySettings().force_error / settings.force_error, work_by_error);
  return static_cast<double>(bodies) >= by_error * static_cast<double>(tree_pays_from(device));
}

std::string force_source(Forces forces) {
  return forces == Forces::tree ? "nbody_walk.cl" : forces == Forces::pairs ? "nbody_pairs.cl" : "nbody_gather.cl";
}

void define_tree(ProgramSpec& spec, const NbodyVariant& variant) {
  spec.definitions["LEAF"] = std::to_string(variant.tree.leaf);
  spec.definitions["BRANCH"] = std::to_string(tree_branch);
  spec.definitions["GROUP"] = std::to_string(variant.tree.group);
  if (variant.quadrupole) spec.definitions["QUADRUPOLE"] = "1";
}

ProgramSpec tree_spec(const Device& device, const NbodyVariant& variant) {
  ProgramSpec spec{"nbody_tree.cl", precision_definitions(device, Precision::single)};
  define_tree(spec, variant);
  if (is_cpu(device.info())) spec.definitions["CONTIGUOUS"] = "1";
  if (variant.individual) spec.definitions["INDIVIDUAL"] = "1";
  return spec;
}

ProgramSpec force_spec(const Device& device, const NbodyVariant& variant) {
  const bool pairs = variant.forces == Forces::pairs, tree = variant.forces == Forces::tree,
             cpu = is_cpu(device.info());
  ProgramSpec spec{force_source(variant.forces), precision_definitions(device, variant.precision)};
  spec.definitions["WORK_GROUP"] = std::to_string(variant.work_group);
  spec.definitions["UNROLL"] = std::to_string(variant.unroll);
  if (pairs) {
    spec.definitions["BODIES"] = std::to_string(variant.lanes);
  } else {
    spec.definitions["LANES"] = std::to_string(variant.lanes);
    if (!tree) spec.definitions["TILE"] = std::to_string(variant.tile);
  }
  if (tree) {
    define_tree(spec, variant);
    spec.definitions["LIST"] = std::to_string(variant.tree.list);
  }
  if (variant.individual) spec.definitions["INDIVIDUAL"] = "1";
  if (!cpu && variant.precision != Precision::double_) {
    spec.definitions["NATIVE_ROOT"] = "1";
    spec.options = "-cl-denorms-are-zero";
  }
  return spec;
}

ProgramSpec advance_spec(const Device& device, const NbodyVariant& variant, bool doubles) {
  ProgramSpec spec{"nbody_advance.cl", precision_definitions(device, variant.precision)};
  if (!variant.integrator->definition.empty()) spec.definitions[std::string(variant.integrator->definition)] = "1";
  if (variant.precision == Precision::mixed) spec.definitions["MIXED"] = "1";
  if (doubles) spec.definitions["SUM_DOUBLE"] = "1";
  return spec;
}

void warm_up(NbodyKernels& kernels, const Device& device) {
  constexpr cl_uint none = 0;
  const Precision precision = kernels.variant.precision;
  const Real zero{0, precision};
  const Wide wide_zero{0, precision, kernels.doubles};
  const cl::Buffer nothing = device.buffer(bytes_of_real4(precision));
  Queue queue(device);
  const Range one_group{kernels.variant.work_group, kernels.variant.work_group};
  const Range few = elementwise(device.info(), 1);
  for (cl::Kernel& force : kernels.forces) {
    if (kernels.tree) break;  // a walk needs a tree
    if (kernels.variant.forces == Forces::pairs)
      set_arguments(force, nothing, nothing, none, nothing, cl_uint{1}, cl_uint{1}, none, none, none, zero, zero);
    else
      set_arguments(force, nothing, nothing, none, none, none, cl_uint{1}, none, none, none, zero, zero);
    queue.launch(nbody_launch::force, force, one_group);
  }
  if (kernels.tree) {
    cl::Kernel& measure = kernels.tree->measure;
    set_arguments(kernels.count, nothing, nothing, nothing, nothing, none, nothing, zero, nothing, none, none, nothing);
    queue.launch(nbody_launch::cells, kernels.count, one_group);
    set_arguments(measure, nothing, none, nothing, none, nothing);
    queue.launch(nbody_launch::cells, measure, few);
  }
  if (kernels.add()) {
    set_arguments(kernels.add, nothing, nothing, none, nothing, cl_uint{1}, cl_uint{1}, none);
    queue.launch(nbody_launch::add, kernels.add, few);
  }
  set_arguments(kernels.advance, nothing, nothing, nothing, nothing, nothing, nothing, nothing, none, nothing, none,
                none, none, wide_zero, wide_zero, wide_zero, wide_zero);
  queue.launch(nbody_launch::advance, kernels.advance, few);
  queue.finish();
}

}  // namespace

UnitCost advance_cost(Precision precision, std::size_t parts) {
  const double rows =
      4 + (precision == Precision::mixed ? 4 : 0);  // position and velocity in and out, and their low parts
  const double sums = static_cast<double>(parts);
  return {4 * sums + 12, (rows + std::max(sums, 1.0)) * static_cast<double>(bytes_of_real4(precision))};
}

UnitCost publish_cost(Precision precision) {
  return {8, 3 * static_cast<double>(bytes_of_real4(precision)) + 2 * sizeof(cl_float4)};
}

UnitCost diagnose_cost(Precision precision) { return {0, 3 * static_cast<double>(bytes_of_real4(precision))}; }

UnitCost interaction_cost(const DeviceInfo& device, const NbodyVariant& variant) {
  const bool doubles = variant.precision == Precision::double_;
  const auto body = static_cast<double>(bytes_of_real4(variant.precision));
  if (variant.forces == Forces::pairs)
    return {doubles ? 20.0 / 2 : (17 + 7.0 / 8) / 2, body / static_cast<double>(pair_team * variant.lanes)};
  const double bytes = body / static_cast<double>(variant.bodies_per_group());
  if (is_cpu(device)) return {doubles ? 17.0 : 12.0, bytes};
  return {doubles ? 17.0 : 13.25, bytes};
}

void set_argument(cl::Kernel& kernel, cl_uint index, const Wide& value) {
  if (value.precision != Precision::mixed) return set_argument(kernel, index, Real{value.value, value.precision});
  if (value.doubles) return static_cast<void>(kernel.setArg(index, cl_double{value.value}));
  const auto high = static_cast<cl_float>(value.value);
  kernel.setArg(index, cl_float2{{high, static_cast<cl_float>(value.value - static_cast<double>(high))}});
}

std::string kernel_name(Precision precision) { return precision == Precision::double_ ? "double" : "single"; }

// Tested on NVIDIA devices only: the kernel uses their instruction.
bool hands_on(const DeviceInfo& device) { return device.vendor.find("NVIDIA") != std::string::npos; }

Forces exact_forces(const DeviceInfo& device, Precision precision, std::size_t bodies) {
  const std::size_t enough = precision == Precision::double_ ? paired_bodies_in_double : paired_bodies;
  const bool pays = hands_on(device) && bodies >= enough && bodies <= most_paired_bodies;
  return pays ? Forces::pairs : Forces::gather;
}

NbodySettings for_sources(NbodySettings settings, std::size_t sources, std::size_t bodies) {
  constexpr std::size_t few = 1024;  // a tree takes about as many interactions for a body
  if (settings.forces == "auto" && sources < bodies && sources <= few) settings.forces = name_of(Forces::gather);
  return settings;
}

std::size_t local_bytes_per_item(const DeviceInfo&, Precision precision) { return bytes_of_real4(precision); }

NbodyVariant standard_variant(const DeviceInfo& device, const NbodySettings& settings, std::size_t bodies) {
  check_individual(settings);
  const Precision precision = precision_of(settings, device);
  const auto work_group = static_cast<std::size_t>(settings.work_group);
  check_work_group(work_group, device, local_bytes_per_item(device, precision));
  NbodyVariant variant{.precision = precision,
                       .integrator = &integrator_of(settings.integrator),
                       .forces = forces_of(settings),
                       .advance = standard_element_group(device),
                       .contact = contact_of(settings),
                       .individual = takes_individual_steps(settings)};
  if (variant.forces == Forces::automatic)
    variant.forces = tree_pays(device, settings, precision, bodies) ? Forces::tree
                     : variant.individual                           ? Forces::gather
                                                                    : exact_forces(device, precision, bodies);
  variant.unroll = unroll_of(device, variant);
  if (variant.forces == Forces::tree) {
    if (precision == Precision::double_)
      throw usage_error("--precision", "double", "single or mixed with --forces tree", device.name);
    variant.quadrupole = settings.order == "quadrupole";
    // A group walks together whatever the work-group is: the bits are the same. On a CPU an item always fills a vector
    // register, because roots of other widths are rounded differently (nbody_force.clh).
    const bool cpu = is_cpu(device);
    const std::size_t wide = cpu ? lanes_of(device, precision, bodies) : 2;
    const std::size_t group = variant.tree.group;
    const std::size_t wanted = work_group > 0 && !cpu ? std::bit_floor(work_group) : group / wide;
    variant.work_group = std::clamp<std::size_t>(wanted, group / 16, group);
    variant.lanes = group / variant.work_group;
    variant.unroll = cpu ? 2 : 8;
    return variant;
  }
  if (variant.forces == Forces::pairs) {
    // The block of a team does not depend on the group: 512 bodies in single and 256 in double on NVIDIA devices.
    // Blocks are whole within a part.
    variant.lanes = !hands_on(device) ? 2 : precision == Precision::double_ ? 4 : 8;
    while (parts_of(bodies).bodies % (pair_team * variant.lanes) != 0) variant.lanes /= 2;
    const std::size_t most = hands_on(device) ? (precision == Precision::double_ ? 4 : 8) : 1;
    variant.work_group = std::clamp<std::size_t>(work_group / pair_team, 1, most) * pair_team;
    return variant;
  }
  variant.lanes = lanes_of(device, precision, bodies);
  variant.work_group = work_group > 0 ? work_group : automatic_work_group(device, variant.lanes, bodies);
  variant.tile = is_cpu(device) ? cpu_tile(device, precision, bodies) : variant.work_group;
  return variant;
}

// The radius of a cube around its middle is √3/2 of its edge, which is what the opening angle is measured by.
TreeAccuracy tree_accuracy(const NbodySettings& settings) {
  constexpr double any = 1e30, closest = 1.2;  // an error; a distance in radii, where the expansion still converges
  if (settings.opening_angle > 0) return {4.0 / 3 / (settings.opening_angle * settings.opening_angle), any, any};
  // Errors of distant nodes are alike for many bodies, so that they add up in the energy and the momentum. With this
  // part of the force's error, the energy of Plummer spheres and discs varies about as much as with all pairs.
  constexpr double of_potential = 0.03;
  return {closest * closest, settings.force_error, of_potential * settings.force_error};
}

NbodyTreeKernels::NbodyTreeKernels(ProgramLibrary& programs, const NbodyVariant& variant, std::size_t bodies)
    : sort(programs), errors(programs, variant.precision, bodies, sums_on(programs.device().info())) {
  const auto built = programs.build(tree_spec(programs.device(), variant));
  bounds = built->kernel("find_bounds");
  marks = built->kernel("find_marks");
  keys = built->kernel("find_keys");
  take = built->kernel("take_bodies");
  leaves = built->kernel("make_leaves");
  join = built->kernel("join_nodes");
  estimate = built->kernel("estimate_groups");
  put = built->kernel("put_field");
  measure = built->kernel("measure_leaves");
  if (!variant.individual) return;
  list = built->kernel("list_groups");
  estimate_listed = built->kernel("estimate_listed");
}

std::vector<ProgramSpec> NbodyKernels::programs(const Device& device, const NbodyVariant& variant, bool doubles) {
  std::vector<ProgramSpec> all{force_spec(device, variant), advance_spec(device, variant, doubles)};
  if (variant.contact != Contact::pass)
    all.push_back(NbodyContactKernels::program(device, variant.contact, variant.precision, doubles));
  if (variant.individual) all.push_back(NbodyBlockKernels::program(device, variant.precision, doubles));
  if (variant.forces != Forces::tree) return all;
  all.push_back(tree_spec(device, variant));
  all.push_back(RadixSortKernels::program(device));
  all.push_back(ForceErrorKernels::program(device, variant.precision, sums_on(device.info())));
  return all;
}

NbodyKernels::NbodyKernels(ProgramLibrary& programs, const NbodyVariant& chosen, std::size_t bodies)
    : NbodyKernels(programs, chosen, bodies, programs.device().info().fp64) {}

NbodyKernels::NbodyKernels(ProgramLibrary& programs, const NbodyVariant& chosen, std::size_t bodies, bool in_doubles)
    : variant(chosen), doubles(in_doubles) {
  const Device& device = programs.device();
  const auto program = programs.build(force_spec(device, variant));
  const bool pairs = variant.forces == Forces::pairs;
  const bool walks = variant.forces == Forces::tree;
  const std::string entry = walks ? "walk" : pairs ? "pairs" : "gather";
  const auto force_kernel = [&](const char* name) { return program->kernel((entry + name).c_str()); };
  forces = {force_kernel(""), force_kernel("_with_potential"), force_kernel("_scaled")};
  forces[3] = walks ? force_kernel("_scaled_with_potential") : forces[2];
  if (walks) {
    count = program->kernel("count_interactions");
    tree.emplace(programs, variant, bodies);
  }
  if (pairs) add = program->kernel("add_rows");
  advance = programs.build(advance_spec(device, variant, doubles))->kernel("advance");
  if (variant.individual) {
    listed_forces = {force_kernel("_listed"), force_kernel("_listed_scaled")};
    blocks.emplace(programs, variant, doubles);
  }
  if (variant.contact != Contact::pass) contact.emplace(programs, variant.contact, variant.precision, doubles);
  limits = work_group_limits(forces[1], device, "force", variant.work_group,
                             local_bytes_per_item(device.info(), variant.precision));
  if (pairs && limits.kernel_maximum < pair_team)
    throw usage_error("--forces", "pairs",
                      "gather, tree or auto: a team of pairs has " + std::to_string(pair_team) +
                          " work-items, and this driver allows its kernel " + std::to_string(limits.kernel_maximum),
                      device.info().name);
  check_compiled(limits, device.info());
  warm_up(*this, device);
}

}  // namespace orrery
