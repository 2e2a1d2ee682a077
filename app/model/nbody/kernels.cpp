#include "model/nbody/kernels.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "compute/kernel_limits.hpp"

namespace orrery {
namespace {

// A CPU's tile lies in its first-level cache whatever the group's size; a GPU's is what its items load, one each.
constexpr std::size_t cpu_tile = 256;

std::size_t lanes_of(const DeviceInfo& device, Precision precision) {
  if (device.device_class != DeviceClass::cpu) return 1;
  const std::size_t width =
      precision == Precision::double_ ? device.preferred_double_width : device.preferred_float_width;
  return std::clamp<std::size_t>(std::bit_floor(std::max<std::size_t>(width, 1)), 1, 16);
}

// Groups for every compute unit several times over, as long as there are bodies for it.
std::size_t automatic_work_group(const DeviceInfo& device, std::size_t lanes, std::size_t bodies) {
  const bool cpu = device.device_class == DeviceClass::cpu;
  const std::size_t largest = std::min<std::size_t>(cpu ? 16 : 256, std::max<std::size_t>(device.max_work_group, 1));
  const std::size_t smallest = std::min<std::size_t>(cpu ? 1 : 128, largest);
  const std::size_t groups = std::max<std::size_t>(device.compute_units, 1) * (cpu ? 8 : 1);
  return std::clamp(std::bit_floor(std::max<std::size_t>(bodies / (groups * lanes), 1)), smallest, largest);
}

bool has_fma(const Device& device, Precision precision) {
  const auto config = precision == Precision::double_ ? device.handle().getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>()
                                                      : device.handle().getInfo<CL_DEVICE_SINGLE_FP_CONFIG>();
  return (config & CL_FP_FMA) != 0;
}

ProgramSpec spec_of(const Device& device, const NbodyVariant& variant) {
  ProgramSpec spec{"nbody.cl", precision_definitions(device, variant.precision)};
  spec.definitions["WORK_GROUP"] = std::to_string(variant.work_group);
  spec.definitions["LANES"] = std::to_string(variant.lanes);
  spec.definitions["TILE"] = std::to_string(variant.tile);
  spec.definitions["UNROLL"] = device.info().device_class == DeviceClass::cpu ? "2" : "16";
  if (variant.integrator == Integrator::tutorial) spec.definitions["TUTORIAL"] = "1";
  return spec;
}

void set_no_bodies(NbodyKernels& kernels, const cl::Buffer& nothing) {
  constexpr cl_uint none = 0;
  const Real zero{0, kernels.variant.precision};
  set_arguments(kernels.open, nothing, nothing, nothing, nothing, none, zero);
  set_arguments(kernels.step, nothing, nothing, nothing, none, none, none, zero, zero);
  set_arguments(kernels.close, nothing, nothing, nothing, none, none, none, zero, zero);
}

}  // namespace

std::size_t bytes_of_real4(Precision precision) {
  return precision == Precision::double_ ? sizeof(cl_double4) : sizeof(cl_float4);
}

Range elementwise(const DeviceInfo& device, std::size_t bodies) {
  const std::size_t group = std::clamp<std::size_t>(device.max_work_group, 1, 64);
  return {round_up(bodies, group), group};
}

Range range_of(const NbodyVariant& variant, std::size_t bodies) {
  return {round_up(bodies, variant.bodies_per_group()) / variant.lanes, variant.work_group};
}

std::map<std::string, std::string> precision_definitions(const Device& device, Precision precision) {
  std::map<std::string, std::string> definitions;
  if (precision == Precision::double_) definitions["DOUBLE"] = "1";
  if (has_fma(device, precision)) definitions["FAST_FMA"] = "1";
  return definitions;
}

void set_argument(cl::Kernel& kernel, cl_uint index, const Real& value) {
  if (value.precision == Precision::double_)
    kernel.setArg(index, cl_double{value.value});
  else
    kernel.setArg(index, static_cast<cl_float>(value.value));
}

std::size_t local_bytes_per_item(const DeviceInfo&, Precision precision) { return bytes_of_real4(precision); }

NbodyVariant nbody_variant(const DeviceInfo& device, Precision precision, Integrator integrator, std::size_t work_group,
                           std::size_t bodies) {
  check_work_group(work_group, device, local_bytes_per_item(device, precision));
  NbodyVariant variant{.precision = precision, .integrator = integrator};
  variant.lanes = lanes_of(device, precision);
  variant.work_group = work_group > 0 ? work_group : automatic_work_group(device, variant.lanes, bodies);
  const bool cpu = device.device_class == DeviceClass::cpu;
  const std::size_t roomy = std::min<std::size_t>(cpu_tile, device.local_bytes / bytes_of_real4(precision));
  variant.tile = cpu ? std::max(roomy, variant.work_group) : variant.work_group;
  return variant;
}

NbodyKernels::NbodyKernels(ProgramLibrary& programs, const NbodyVariant& chosen, std::size_t bodies) : variant(chosen) {
  const Device& device = programs.device();
  const auto program = programs.build(spec_of(device, variant));
  open = program->kernel("open_step");
  step = program->kernel("next_step");
  close = program->kernel("close_step");
  limits = work_group_limits(step, device, "step", variant.work_group,
                             local_bytes_per_item(device.info(), variant.precision));
  const cl::Buffer nothing = device.buffer(bytes_of_real4(variant.precision));
  set_no_bodies(*this, nothing);
  Queue queue(device);
  queue.launch(nbody_launch::open, open, elementwise(device.info(), bodies));
  queue.launch(nbody_launch::step, step, range_of(variant, bodies));
  queue.launch(nbody_launch::close, close, range_of(variant, bodies));
  queue.finish();
}

}  // namespace orrery
