#include "scenes/particles/model/law_kernels.hpp"

#include <algorithm>
#include <bit>
#include <future>
#include <iterator>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/platform/threads.hpp"
#include "base/text.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/program/arguments.hpp"
#include "scenes/particles/laws/law_text.hpp"
#include "scenes/particles/model/compiled_laws.hpp"

namespace orrery::particles {
namespace {

constexpr std::size_t few_particles = 65536;  // a GPU is filled only by several work-items per particle
constexpr std::size_t most_split = 8;         // WAYS in kernels/particles/particles_pairs.cl

// NVIDIA's compiler builds several programs side by side; PoCL builds one at a time, and some fail when called from
// several threads.
std::launch building(const Device& device) {
  return device.info().vendor.find("NVIDIA") != std::string::npos ? std::launch::async : std::launch::deferred;
}

// At most a register of 256 bits: with wider ones, more particles share a list, which is then longer.
std::size_t lanes_for(const DeviceInfo& cpu, Precision precision) {
  const bool doubles = precision == Precision::double_;
  const std::uint32_t preferred = doubles ? cpu.preferred_double_width : cpu.preferred_float_width;
  return std::clamp<std::size_t>(std::bit_floor(preferred), 1, doubles ? 4 : 8);
}

ForceVariant chosen(ForceVariant variant, const Device& device, std::size_t particles) {
  const DeviceInfo& info = device.info();
  check_work_group(variant.work_group, info);
  if (variant.precision != Precision::single && !info.fp64)
    throw usage_error("this device has no double precision", {}, "use --precision single", info.name);
  if (variant.lanes == 0) variant.lanes = is_cpu(info) ? lanes_for(info, variant.precision) : 1;
  if (variant.split == 0) variant.split = is_cpu(info) ? 1 : particles < few_particles ? 8 : 4;
  if (variant.work_group == 0 && variant.lanes == 1)
    variant.work_group = std::min<std::size_t>(128, info.max_work_group);
  if (variant.work_group == 0) {
    const std::size_t items = round_up(particles, block_size) / variant.lanes,
                      wanted = 8 * std::max<std::size_t>(info.compute_units, 1);
    variant.work_group = std::clamp<std::size_t>(std::bit_floor(std::max<std::size_t>(items / wanted, 1)), 1, 16);
  }
  if (variant.lanes > 1 || variant.split > most_split || variant.work_group % (variant.split * variant.team()) != 0)
    variant.split = 1;
  variant.fixed_atomics = variant.fixed_atomics && info.int64_atomics;
  return variant;
}

// The check of pair laws is in the program of the forces: on PoCL each program costs a tenth of a second.
bool checks_along(const Device& device) {
  return building(device) == std::launch::deferred && device.info().fp64 && is_cpu(device.info());
}

ProgramSpec pairs_spec(const Device& device, const ForceVariant& variant, bool lists, bool observed) {
  ProgramSpec spec{"particles_pairs.cl", particle_definitions(device, variant.precision)};
  spec.definitions["LANES"] = std::to_string(variant.lanes);
  spec.definitions["TEAM"] = std::to_string(variant.team());
  spec.definitions["SPLIT"] = std::to_string(variant.split);
  if (variant.split > 1) spec.definitions["WORK_GROUP"] = std::to_string(variant.work_group);
  if (variant.split > 1) spec.definitions["OBSERVED"] = observed ? "1" : "0";
  if (!lists) spec.definitions["ALL_PAIRS"] = "1";
  if (checks_along(device)) spec.definitions["CHECKED"] = "1";
  if (variant.precision != Precision::double_) spec.options = "-cl-single-precision-constant";
  return spec;
}

ProgramSpec groups_spec(const Device& device, const ForceVariant& variant) {
  ProgramSpec spec{"particles_groups.cl", particle_definitions(device, variant.precision)};
  if (variant.fixed_atomics) spec.definitions["FIXED_ATOMICS"] = "1";
  if (variant.precision == Precision::single) spec.options = "-cl-single-precision-constant";
  return spec;
}

ProgramSpec gather_spec(const Device& device, const ForceVariant& variant) {
  return {"particles_gather.cl", particle_definitions(device, variant.precision)};
}

KernelSources group_sources(const World& world, const GroupLaw& law) {
  return with_text({{"particles_group_law.clh", group_law_text(world, law)}});
}

}  // namespace

KernelSources with_text(const std::map<std::string, std::string>& texts) {
  const auto in_use = kernel_sources();
  KernelSources::Edits edits = in_use->edits();
  for (const auto& [file, text] : texts) edits[file] = text;
  return {in_use->folder(), std::move(edits)};
}

KernelSources pair_sources(const World& world) {
  return with_text(
      {{"particles_law.clh", pair_law_text(world)}, {"particles_law_checked.clh", checked_pair_law_text(world)}});
}

LawKernels::LawKernels(ProgramLibrary& programs, const World& world, const ForceVariant& wanted, LawParts parts)
    : variant(chosen(wanted, programs.device(), world.particles.size())),
      lists(cutoff_of(world) > 0),
      laws(world.pairs.size()),
      columns(pair_columns(world)) {
  const Device& device = programs.device();
  if (laws > 0) {
    const KernelSources sources = pair_sources(world);
    const auto built = [&](bool observed) {
      const auto program = programs.build(pairs_spec(device, variant, lists, observed), sources);
      if (checks_along(device) && observed) check_pair_laws(device, world, program->kernel("check_pair_law"));
      return program->kernel("pairs");
    };
    observed_pairs = built(true);
    pairs = variant.split > 1 && parts == LawParts::all ? built(false) : observed_pairs;
    check_compiled(work_group_limits(observed_pairs, device, "pairs", variant.work_group), device.info());
  }
  for (const Groups& each : world.groups) {
    const auto program = programs.build(groups_spec(device, variant), group_sources(world, each.law));
    groups.push_back({program->kernel("groups"), columns_of(world, each.law)});
  }
  if (!variant.fixed_atomics) gather = programs.build(gather_spec(device, variant))->kernel("gather_group_forces");
}

cl::Kernel blame_kernel(ProgramLibrary& programs, const World& world, const ForceVariant& variant) {
  ForceVariant plain = variant;
  plain.split = 1;
  ProgramSpec spec = pairs_spec(programs.device(), plain, cutoff_of(world) > 0, false);
  spec.source = "particles_blame.cl";
  spec.definitions.erase("CHECKED");
  return programs.build(spec, pair_sources(world))->kernel("blame");
}

// Some drivers compile at the first launch of a kernel with this range: each is launched once without work.
void LawKernels::warm_up(const Device& device, const World& world) {
  Queue queue(device);
  const auto n = static_cast<cl_uint>(world.particles.size());
  const std::size_t slots = round_up(world.particles.size(), block_size);
  const cl::Buffer zeros = device.read_only(std::span<const cl_double>(std::vector<cl_double>(
                       16 + std::max(columns.size() * 2 * block_size, slider_values(world).size()), 0.0))),
                   output = device.buffer(64);
  constexpr cl_uint none = 0, one = 1;
  for (cl::Kernel* kernel : {&observed_pairs, &pairs}) {
    if (laws == 0 || (kernel == &pairs && pairs() == observed_pairs())) continue;
    set_arguments(*kernel, zeros, zeros, zeros, one, one, zeros, none, zeros, none, zeros, zeros, zeros, zeros, output,
                  output, none, none, none, zeros);
    const std::size_t items = round_up(slots / variant.lanes * variant.split, variant.work_group);
    queue.launch(particles_launch::pairs, *kernel, {cl::NDRange(items), cl::NDRange(variant.work_group)});
  }
  for (std::size_t k = 0; k < groups.size(); ++k) {
    set_arguments(groups[k].kernel, zeros, n, zeros, none, zeros, zeros, one, zeros, cl_int{0}, zeros, zeros, output,
                  output, none, output, output, none, cl_int{0}, zeros);
    queue.launch(particles_launch::groups, groups[k].kernel,
                 elementwise(device.info(), std::max<std::size_t>(world.groups[k].size(), 1)));
  }
  queue.finish();
}

std::vector<ProgramPlan::Part> law_programs(ProgramLibrary& programs, const World& world, const ForceVariant& wanted,
                                            LawParts parts) {
  const Device& device = programs.device();
  const ForceVariant variant = chosen(wanted, device, world.particles.size());
  std::vector<ProgramPlan::Part> all = group_check_programs(programs, world);
  const auto add = [&](ProgramSpec spec, KernelSources sources) {
    all.push_back({&programs, std::move(spec), std::make_shared<const KernelSources>(std::move(sources))});
  };
  if (!world.pairs.empty()) {
    const bool lists = cutoff_of(world) > 0;
    add(pairs_spec(device, variant, lists, true), pair_sources(world));
    if (variant.split > 1 && parts == LawParts::all)
      add(pairs_spec(device, variant, lists, false), pair_sources(world));
    if (!checks_along(device)) std::ranges::move(pair_check_programs(programs, world), std::back_inserter(all));
  }
  for (const Groups& each : world.groups) add(groups_spec(device, variant), group_sources(world, each.law));
  if (!variant.fixed_atomics) all.push_back({&programs, gather_spec(device, variant)});
  return all;
}

ForceVariant chosen_variant(const Device& device, const World& world, const ForceVariant& variant) {
  return chosen(variant, device, world.particles.size());
}

std::optional<cl::Kernel> build_unobserved_pairs(ProgramLibrary& programs, const World& world,
                                                 const ForceVariant& wanted) {
  const ForceVariant variant = chosen(wanted, programs.device(), world.particles.size());
  if (variant.split == 1 || world.pairs.empty()) return std::nullopt;
  const ProgramSpec spec = pairs_spec(programs.device(), variant, cutoff_of(world) > 0, false);
  return programs.build(spec, pair_sources(world))->kernel("pairs");
}

std::shared_ptr<LawKernels> make_law_kernels(ProgramLibrary& programs, const World& world, const ForceVariant& variant,
                                             LawParts parts) {
  check(world);
  auto checked = std::async(building(programs.device()), [&] {
    give_signal_stack();
    if (!world.pairs.empty() && !checks_along(programs.device())) check_pair_laws(programs, world);
    return check_group_laws(programs, world);
  });
  auto kernels = std::make_shared<LawKernels>(programs, world, variant, parts);
  kernels->warm_up(programs.device(), world);
  kernels->jumping = checked.get();
  for (const std::string& law : kernels->jumping)
    log(Level::warning, "the law " + law +
                            " uses positions, which jump by a length of the box where a particle passes its face; "
                            "nearest(position1 - place) is the difference to the nearest image");
  return kernels;
}

std::optional<CompilerMessage> message_of(const Error& error) {
  const std::string& where = error.details().where;
  if (where.empty()) return std::nullopt;
  CompilerMessage message{CompilerMessage::Kind::error, where, 0, 0, error.what()};
  if (message.text.starts_with(where + ": ")) message.text.erase(0, where.size() + 2);
  // "LAW:line:column"; a law's name may contain colons.
  const std::size_t second = where.rfind(':'), first = second > 0 ? where.rfind(':', second - 1) : second;
  if (second == std::string::npos || first == std::string::npos) return message;
  const auto line = parse_integer(std::string_view(where).substr(first + 1, second - first - 1)),
             column = parse_integer(std::string_view(where).substr(second + 1));
  if (!line || !column) return message;
  message.file = where.substr(0, first);
  message.line = static_cast<int>(*line);
  message.column = static_cast<int>(*column);
  return message;
}

}  // namespace orrery::particles
