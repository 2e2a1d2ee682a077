#include "scenes/mandelbrot/model/kernels.hpp"

#include <algorithm>
#include <iterator>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/tuning/variant_text.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"

namespace orrery::mandelbrot {
namespace {

// Compilers for CPUs do not vectorise loops of unequal length: two registers' worth of pixels keeps the pipelines full.
std::uint32_t lanes_of(const DeviceInfo& device, bool doubles) {
  if (device.device_class != DeviceClass::cpu) return 1;
  if (!doubles) return device.preferred_float_width >= 8 ? 16 : 8;
  return device.preferred_double_width >= 4 ? 8 : 4;
}

std::map<std::string, std::string> definitions_of(const Device& device, const Variant& variant) {
  std::map<std::string, std::string> definitions{{"LANES", std::to_string(variant.lanes)}};
  if (!variant.formula.quadratic()) definitions["POWER"] = std::to_string(variant.formula.power);
  if (variant.doubles()) definitions["DOUBLE"] = "1";
  if (variant.detail) definitions["DETAIL"] = "1";
  if (variant.fused && device.info().has_fma(variant.doubles())) definitions["FAST_FMA"] = "1";
  return definitions;
}

LadderNumbers ladder_numbers_of(const DeviceInfo& device, Purpose purpose) {
  if (!device.fp64) return LadderNumbers::float_pairs;
  return purpose == Purpose::data ? LadderNumbers::double_pairs : LadderNumbers::doubles;
}

}  // namespace

UnitCost step_cost(const Variant& variant, LadderNumbers kind) {
  constexpr UnitCost table_step{24, 84};
  switch (variant.precision) {
    case Precision::ladder:
    case Precision::cusp:
    case Precision::valley:
      return is_pairs(kind) ? UnitCost{}
                            : UnitCost{packed_ladder(point_of(variant.precision), kind).operations_of_step(), 0};
    case Precision::perturbation:
      return is_pairs(variant.perturbed) ? UnitCost{} : table_step;
    default:
      return iteration_cost;
  }
}

Variant standard_variant(const DeviceInfo& device, Precision precision, std::int64_t work_group, Purpose purpose) {
  check_work_group(static_cast<std::size_t>(work_group), device);
  const bool cpu = device.device_class == DeviceClass::cpu;
  const std::size_t fitting = std::min<std::size_t>(cpu ? 16 : 256, device.max_work_group);
  Variant variant{
      .precision = precision,
      .ladder = ladder_numbers_of(device, purpose),
      .fused = purpose == Purpose::picture || is_ladder(precision),
      .work_group = static_cast<std::uint32_t>(work_group > 0 ? static_cast<std::size_t>(work_group) : fitting),
      .unroll = cpu ? 8u : 32u,
      .publish = standard_element_group(device)};
  if (precision == Precision::perturbation) {
    variant.perturbed = device.fp64 ? PerturbedNumbers::doubles : PerturbedNumbers::float_pairs;
    variant.fused = true;
  } else {
    variant.lanes = lanes_of(device, variant.doubles());
  }
  return variant;
}

namespace {

ProgramSpec publish_spec(const Variant& variant) {
  return {"mandelbrot_publish.cl", {{"DETAIL", variant.detail ? "1" : "0"}}};
}

ProgramSpec direct_spec(const Device& device, const Variant& variant) {
  ProgramSpec spec{"mandelbrot.cl", definitions_of(device, variant)};
  spec.definitions["UNROLL"] = std::to_string(variant.unroll);
  spec.definitions["INTERIOR_TESTS"] = variant.interior_tests ? "1" : "0";
  return spec;
}

// Floats are always extended: their range alone is not worth a program.
std::vector<bool> extended_of(const Variant& variant) {
  return is_double(variant.perturbed) ? std::vector<bool>{false, true} : std::vector<bool>{true};
}

ProgramSpec table_spec(const Device& device, const Variant& variant, bool extended) {
  ProgramSpec spec{"mandelbrot_table.cl", definitions_of(device, variant)};
  spec.definitions["EXTENDED"] = extended ? "1" : "0";
  if (is_pairs(variant.perturbed)) spec.definitions["PAIRS"] = "1";
  return spec;
}

ProgramSpec perturbed_spec(const Device& device, const Variant& variant, bool extended) {
  ProgramSpec spec = table_spec(device, variant, extended);
  spec.source = "mandelbrot_perturbation.cl";
  spec.definitions["INTERIOR_TESTS"] = variant.interior_tests ? "1" : "0";
  return spec;
}

std::vector<LadderNumbers> ladders_of(const Variant& variant) {
  if (is_pairs(variant.ladder)) return {variant.ladder};
  return {variant.ladder, LadderNumbers::double_pairs};
}

ProgramSpec ladder_spec(const Device& device, const Variant& variant, LadderNumbers kind) {
  ProgramSpec spec{"mandelbrot_ladder.cl", definitions_of(device, variant)};
  spec.definitions.merge(packed_ladder(point_of(variant.precision), kind).definitions());
  return spec;
}

Variant exact_variant(const Device& device, const Variant& variant) {
  Variant pairs = standard_variant(device.info(), Precision::perturbation, variant.work_group);
  pairs.perturbed = PerturbedNumbers::double_pairs;
  pairs.formula = variant.formula;
  pairs.detail = variant.detail;
  return pairs;
}

}  // namespace

LadderBuffers::LadderBuffers(const Device& device, const PackedLadder& packed) {
  Queue queue(device);
  const auto filled = [&]<class T>(const std::vector<T>& data) {
    const cl::Buffer buffer = device.buffer(data.size() * sizeof(T));
    queue.write_blocking(buffer, std::span<const T>(data));
    return buffer;
  };
  numbers = is_double(packed.kind) ? filled(packed.numbers)
                                   : filled(std::vector<float>(packed.numbers.begin(), packed.numbers.end()));
  extents = filled(packed.extents);
}

std::vector<ProgramSpec> Kernels::programs(const Device& device, const Variant& variant) {
  std::vector<ProgramSpec> all{publish_spec(variant)};
  switch (variant.precision) {
    case Precision::perturbation:
      for (const bool extended : extended_of(variant)) {
        all.push_back(table_spec(device, variant, extended));
        all.push_back(perturbed_spec(device, variant, extended));
      }
      break;
    case Precision::ladder:
    case Precision::cusp:
    case Precision::valley:
      for (const LadderNumbers kind : ladders_of(variant)) all.push_back(ladder_spec(device, variant, kind));
      break;
    default:
      all.push_back(direct_spec(device, variant));
  }
  if (variant.exact) std::ranges::move(programs(device, exact_variant(device, variant)), std::back_inserter(all));
  return all;
}

Kernels::Kernels(ProgramLibrary& programs, const Variant& chosen, Warm warm) : variant(chosen) {
  const Device& device = programs.device();
  switch (variant.precision) {
    case Precision::perturbation:
      build_perturbed(programs);
      break;
    case Precision::ladder:
    case Precision::cusp:
    case Precision::valley:
      build_ladders(programs);
      break;
    default:
      build_direct(programs);
  }
  publish = programs.build(publish_spec(variant))->kernel("publish");
  limits = work_group_limits(resume, device, std::string(launch::resume), variant.work_group);
  if (limits.kernel_maximum < variant.work_group) {
    throw usage_error(
        "--work-group", std::to_string(variant.work_group),
        "a whole number from 1 to " + std::to_string(limits.kernel_maximum) + " (the kernel's limit), or auto",
        device.info().name);
  }
  const auto leave_out_where_too_large = [&](cl::Kernel& kernel) {
    if (kernel() == nullptr) return;
    const WorkGroupLimits own = work_group_limits(kernel, device, std::string(launch::resume), variant.work_group);
    if (own.kernel_maximum < variant.work_group) kernel = {};
  };
  leave_out_where_too_large(examine);
  for (PerturbedKernels& each : perturbed) {
    leave_out_where_too_large(each.examine);
    leave_out_where_too_large(each.pass);
  }
  if (variant.exact) {
    exact = std::make_shared<const Kernels>(programs, exact_variant(device, variant), warm);
  }
  if (warm == Warm::yes) seconds_per_iteration = warmed_up(device, *this);
}

void Kernels::build_direct(ProgramLibrary& programs) {
  const auto program = programs.build(direct_spec(programs.device(), variant));
  clear = program->kernel("clear");
  begin = program->kernel("begin_pixels");
  resume = program->kernel("continue_pixels");
  if (variant.interior_tests) examine = program->kernel("examine_pixels");
}

void Kernels::build_perturbed(ProgramLibrary& programs) {
  references = std::make_shared<References>();
  for (const bool extended : extended_of(variant)) {
    const auto table = programs.build(table_spec(programs.device(), variant, extended));
    const auto pixels = programs.build(perturbed_spec(programs.device(), variant, extended));
    const PerturbedFormat format{variant.perturbed, extended};
    perturbed.push_back(
        {format, pixels->kernel("begin_perturbed"), pixels->kernel("continue_perturbed"),
         variant.interior_tests && !extended ? pixels->kernel("examine_perturbed") : cl::Kernel(),
         table->kernel("build_level"),
         has_passages(format) && variant.formula.quadratic() ? pixels->kernel("pass_perturbed") : cl::Kernel()});
    clear = pixels->kernel("clear");
  }
  begin = perturbed.front().begin;
  resume = perturbed.back().resume;  // the kernel that needs more of the device
}

void Kernels::build_ladders(ProgramLibrary& programs) {
  for (const LadderNumbers kind : ladders_of(variant)) build_ladder(programs, kind);
  begin = ladders.front().begin;
  resume = ladders.back().resume;  // the kernel that needs more of the device
}

void Kernels::build_ladder(ProgramLibrary& programs, LadderNumbers kind) {
  const Device& device = programs.device();
  const auto program = programs.build(ladder_spec(device, variant, kind));
  LadderKernels ladder{.kind = kind,
                       .begin = program->kernel("begin_pixels"),
                       .resume = program->kernel("continue_pixels"),
                       .table = LadderBuffers(device, packed_ladder(point_of(variant.precision), kind))};
  ladders.push_back(std::move(ladder));
  clear = program->kernel("clear");
}

}  // namespace orrery::mandelbrot
