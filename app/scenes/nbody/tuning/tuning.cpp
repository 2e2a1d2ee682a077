#include "scenes/nbody/tuning/tuning.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/tuning/tuned.hpp"
#include "scenes/nbody/model/parts.hpp"

namespace orrery {
namespace {

// 0 is the pair kernel, which chooses its own tile.
TuneAxis tiles(std::size_t standard) {
  TuneAxis axis = powers_of_two("tile", 32, 1024, standard);
  if (axis.values.front() != 0) axis.values.insert(axis.values.begin(), 0);
  for (const std::int64_t value : axis.values) axis.names.push_back(value == 0 ? "own" : std::to_string(value));
  return axis;
}

std::string gather_refusal(const DeviceInfo& device, const NbodyVariant& v) {
  const std::size_t tile = v.tile * bytes_of_real4(v.precision);
  if (tile > device.local_bytes)
    return "too much local memory: a tile of " + std::to_string(v.tile) + " bodies takes " +
           bytes_text(static_cast<double>(tile)) + "; the device has " +
           bytes_text(static_cast<double>(device.local_bytes));
  if (v.unroll > v.tile) return "the unrolling exceeds the tile";
  return {};
}

std::string pairs_refusal(const DeviceInfo& device, const NbodyVariant& v, std::size_t bodies) {
  constexpr std::size_t rounds = 32;
  const std::size_t block = pair_team * v.lanes, part = parts_of(bodies).bodies;
  if (v.work_group % pair_team != 0)
    return "a work-group must be a multiple of " + std::to_string(pair_team) + " work-items";
  if (!hands_on(device) && v.work_group != pair_team)
    return "without shuffles within a warp, a work-group must have " + std::to_string(pair_team);
  if (part % block != 0)
    return "blocks of " + std::to_string(block) + " bodies do not divide a part of " + std::to_string(part);
  if (v.unroll > rounds) return "the unrolling exceeds the " + std::to_string(rounds) + " rounds";
  const std::size_t exchange = hands_on(device) ? 1 : v.work_group;
  const std::size_t local = (3 * v.work_group + exchange / 4) * bytes_of_real4(v.precision);
  if (local > device.local_bytes)
    return "too much local memory: " + bytes_text(static_cast<double>(local)) + "; the device has " +
           bytes_text(static_cast<double>(device.local_bytes));
  return {};
}

}  // namespace

std::string tuned_kernel(Precision precision) {
  return precision == Precision::double_ ? "nbody force, double" : "nbody force, single";
}

std::string tuned_problem(std::size_t bodies) {
  const std::size_t least = std::bit_floor(std::max<std::size_t>(bodies, 1));
  return std::to_string(least) + " … " + std::to_string(2 * least - 1) + " bodies";
}

TuneSpace nbody_tune_space(const DeviceInfo& device, const NbodyVariant& standard) {
  const bool cpu = device.device_class == DeviceClass::cpu;
  const auto kinds =
      std::vector<std::int64_t>{static_cast<std::int64_t>(Forces::gather), static_cast<std::int64_t>(Forces::pairs)};
  return {{powers_of_two("work-group", cpu ? 1 : 32, cpu ? 128 : 1024, standard.work_group),
           powers_of_two("lanes", 1, cpu ? 16 : 8, standard.lanes), tiles(standard.tile),
           powers_of_two("unroll", 1, 32, standard.unroll), TuneAxis{"forces", kinds, {"gather", "pairs"}}}};
}

NamedTuneValues nbody_named(const NbodyVariant& variant) {
  return {{"forces", std::string(name_of(variant.forces))},
          {"work-group", std::to_string(variant.work_group)},
          {"lanes", std::to_string(variant.lanes)},
          {"tile", variant.tile == 0 ? "own" : std::to_string(variant.tile)},
          {"unroll", std::to_string(variant.unroll)}};
}

TuneValues nbody_tune_values(const TuneSpace& space, const NbodyVariant& variant) {
  return *space.values(nbody_named(variant));
}

NbodyVariant nbody_variant_of(const TuneSpace& space, const TuneValues& values, const NbodyVariant& base) {
  const auto get = [&](std::string_view axis) { return static_cast<std::size_t>(space.get(values, axis)); };
  NbodyVariant variant = base;
  variant.forces = static_cast<Forces>(get("forces"));
  variant.work_group = get("work-group");
  variant.lanes = get("lanes");
  variant.tile = get("tile");
  variant.unroll = get("unroll");
  return variant;
}

NbodyVariant nbody_tune_standard(const DeviceInfo& device, Precision precision, std::size_t bodies) {
  NbodySettings settings;
  settings.precision = precision == Precision::double_ ? "double" : "single";
  settings.forces = name_of(exact_forces(device, precision, bodies));
  return standard_variant(device, settings, bodies);
}

TuneSubject nbody_tune_subject(Precision precision, std::size_t bodies) {
  const auto n = static_cast<double>(bodies);
  return {.kernel = tuned_kernel(precision),
          .problem = tuned_problem(bodies),
          .files = {"nbody_gather.cl", "nbody_pairs.cl"},
          .work = n * n,
          .unit = "interactions"};
}

// The pair kernel chooses its own tile; gather needs one.
NbodyVariant nbody_chosen_variant(const DeviceInfo& device, const NbodyVariant& standard, std::size_t bodies,
                                  const NamedTuneValues& chosen) {
  const TuneSpace space = nbody_tune_space(device, standard);
  const TuneValues values = space.overlaid(nbody_tune_values(space, standard), chosen);
  NbodyVariant variant = nbody_variant_of(space, values, standard);
  if (variant.forces == Forces::pairs) variant.tile = 0;
  const std::string refusal = variant.forces == Forces::gather && variant.tile == 0
                                  ? "gather needs a tile"
                                  : nbody_refusal(device, variant, bodies);
  if (!refusal.empty())
    throw usage_error("--variant " + in_quotes(space.text(values)) + ": " + refusal, {}, {}, device.name);
  return variant;
}

std::string nbody_refusal(const DeviceInfo& device, const NbodyVariant& v, std::size_t bodies) {
  if (std::string refusal = work_group_refusal(v.work_group, device); !refusal.empty()) return refusal;
  return v.forces == Forces::pairs ? pairs_refusal(device, v, bodies) : gather_refusal(device, v);
}

NbodyVariant tuned_variant(const DeviceInfo& device, const NbodyVariant& standard, std::size_t bodies) {
  const auto found = tuned(device, tuned_kernel(standard.precision), tuned_problem(bodies));
  const TuneSpace space = nbody_tune_space(device, standard);
  const auto values = found ? space.values(*found) : std::nullopt;
  if (!values) return standard;
  const auto get = [&](std::string_view axis) { return static_cast<std::size_t>(space.get(*values, axis)); };
  NbodyVariant variant = standard;
  variant.work_group = get("work-group");
  variant.tile = get("tile");
  variant.unroll = get("unroll");
  const bool same_bits = get("lanes") == standard.lanes && static_cast<Forces>(get("forces")) == standard.forces;
  return same_bits && nbody_refusal(device, variant, bodies).empty() ? variant : standard;
}

// ---- the tree

TuneSpace tree_tune_space(const DeviceInfo&, const NbodyVariant& standard) {
  return {{powers_of_two("leaf", 16, 64, standard.tree.leaf), powers_of_two("group", 32, 256, standard.tree.group),
           TuneAxis{"order", {0, 1}, {"monopole", "quadrupole"}}, powers_of_two("list", 64, 512, standard.tree.list),
           powers_of_two("lanes", 1, 16, standard.lanes), powers_of_two("unroll", 1, 32, standard.unroll)}};
}

NamedTuneValues tree_named(const NbodyVariant& variant) {
  return {{"leaf", std::to_string(variant.tree.leaf)},
          {"group", std::to_string(variant.tree.group)},
          {"order", variant.quadrupole ? "quadrupole" : "monopole"},
          {"list", std::to_string(variant.tree.list)},
          {"lanes", std::to_string(variant.lanes)},
          {"unroll", std::to_string(variant.unroll)}};
}

TuneValues tree_tune_values(const TuneSpace& space, const NbodyVariant& variant) {
  return *space.values(tree_named(variant));
}

NbodyVariant tree_variant_of(const TuneSpace& space, const TuneValues& values, const NbodyVariant& base) {
  const auto get = [&](std::string_view axis) { return static_cast<std::size_t>(space.get(values, axis)); };
  NbodyVariant variant = base;
  variant.tree = {get("leaf"), get("group"), get("list")};
  variant.quadrupole = get("order") == 1;
  variant.lanes = get("lanes");
  variant.work_group = variant.tree.group / variant.lanes;
  variant.unroll = get("unroll");
  return variant;
}

NbodyVariant tree_tune_standard(const DeviceInfo& device, std::size_t bodies) {
  NbodySettings settings;
  settings.forces = name_of(Forces::tree);
  return standard_variant(device, settings, bodies);
}

TuneSubject tree_tune_subject(std::size_t bodies) {
  return {.kernel = "nbody tree, single",
          .problem = tuned_problem(bodies),
          .files = {"nbody_tree.cl", "nbody_walk.cl"},
          .work = static_cast<double>(bodies),
          .unit = "bodies"};
}

std::string tree_refusal(const DeviceInfo& device, const NbodyVariant& v) {
  const TreeShape& shape = v.tree;
  if (shape.group % shape.leaf != 0)
    return "a group of " + std::to_string(shape.group) + " does not hold whole leaves of " + std::to_string(shape.leaf);
  if (std::string refusal = work_group_refusal(v.work_group, device); !refusal.empty()) return refusal;
  // walk_t in nbody_walk.cl
  constexpr std::size_t round = 32, levels = 16, node_rows = 3;
  const std::size_t local = std::max(shape.list, node_rows * round) * sizeof(cl_float4) +
                            3 * shape.group * sizeof(cl_float) +
                            (round * tree_branch * (levels - 1) + round + levels + 4) * sizeof(cl_uint);
  if (local > device.local_bytes)
    return "too much local memory: " + bytes_text(static_cast<double>(local)) + "; the device has " +
           bytes_text(static_cast<double>(device.local_bytes));
  return {};
}

// Roots of vectors of another width are rounded differently on processors (nbody_force.clh).
bool keeps_tree_bits(const DeviceInfo& device, const NbodyVariant& variant, const NbodyVariant& standard) {
  return variant.tree.leaf == standard.tree.leaf && variant.tree.group == standard.tree.group &&
         variant.quadrupole == standard.quadrupole &&
         (device.device_class != DeviceClass::cpu || variant.lanes == standard.lanes);
}

NbodyVariant chosen_tree(const DeviceInfo& device, const NbodyVariant& standard, const NamedTuneValues& chosen) {
  const TuneSpace space = tree_tune_space(device, standard);
  const TuneValues values = space.overlaid(tree_tune_values(space, standard), chosen);
  const NbodyVariant variant = tree_variant_of(space, values, standard);
  const std::string refusal = tree_refusal(device, variant);
  if (!refusal.empty())
    throw usage_error("--variant " + in_quotes(space.text(values)) + ": " + refusal, {}, {}, device.name);
  return variant;
}

NbodyVariant tuned_tree(const DeviceInfo& device, const NbodyVariant& standard, std::size_t bodies) {
  const auto found = tuned(device, tree_tune_subject(bodies).kernel, tuned_problem(bodies));
  const TuneSpace space = tree_tune_space(device, standard);
  const auto values = found ? space.values(*found) : std::nullopt;
  if (!values) return standard;
  const NbodyVariant variant = tree_variant_of(space, *values, standard);
  return keeps_tree_bits(device, variant, standard) && tree_refusal(device, variant).empty() ? variant : standard;
}

NbodyVariant nbody_variant(const DeviceInfo& device, const NbodySettings& settings, std::size_t bodies) {
  NbodyVariant variant = standard_variant(device, settings, bodies);
  variant.advance = chosen_element_group(device, 1, tuned_advance, choice_for(settings.variant, nbody_launch::advance));
  if (variant.forces == Forces::tree) {
    const NamedTuneValues chosen = choice_for(settings.variant, tree_kernel);
    if (!chosen.empty()) return chosen_tree(device, variant, chosen);
    return settings.work_group == 0 ? tuned_tree(device, variant, bodies) : variant;
  }
  const NamedTuneValues chosen = choice_for(settings.variant, kernel_name(variant.precision));
  if (!chosen.empty()) return nbody_chosen_variant(device, variant, bodies, chosen);
  return settings.work_group == 0 ? tuned_variant(device, variant, bodies) : variant;
}

}  // namespace orrery
