#include "scenes/nbody/model/blocks.hpp"

#include <array>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "scenes/nbody/model/force.hpp"
#include "scenes/nbody/model/kernels.hpp"

namespace orrery {

void check_individual(const NbodySettings& settings) {
  if (!takes_individual_steps(settings)) return;
  const std::string with = " with --time-steps individual";
  if (settings.integrator != default_integrator().name)
    throw usage_error("--integrator", settings.integrator, std::string(default_integrator().name) + with);
  if (settings.contact != "pass") throw usage_error("--contact", settings.contact, "pass" + with);
  if (settings.forces == "pairs") throw usage_error("--forces", "pairs", "auto, gather or tree" + with);
}

ProgramSpec NbodyBlockKernels::program(const Device& device, Precision precision, bool doubles) {
  ProgramSpec spec{"nbody_blocks.cl", precision_definitions(device, precision)};
  if (precision == Precision::mixed) spec.definitions["MIXED"] = "1";
  if (doubles) spec.definitions["SUM_DOUBLE"] = "1";
  return spec;
}

NbodyBlockKernels::NbodyBlockKernels(ProgramLibrary& programs, const NbodyVariant& variant, bool doubles) {
  const Precision precision = variant.precision;
  const Device& device = programs.device();
  const auto built = programs.build(program(device, precision, doubles));
  open = built->kernel("open_steps");
  begin = built->kernel("begin_substep");
  end = built->kernel("end_substep");
  tell = built->kernel("tell_levels");
  sum = built->kernel("sum_field");
  Queue queue(device);
  const cl::Buffer nothing = device.buffer(bytes_of_real4(Precision::double_));
  queue.write_blocking(nothing, std::span<const cl_double4>(std::array{cl_double4{}}));
  NbodyBlocks blocks(device, 1, precision, doubles);
  const NbodyBlockBodies none{nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing};
  blocks.open(queue, *this, none, {1, 1, 1});
  blocks.begin(queue, *this, none, {1, 1, 1}, {}, true);
  blocks.end(queue, *this, none, {1, 1, 1}, true);
  blocks.tell(queue, *this, none, {1, 1, 1}, nothing);
  blocks.sum(queue, *this, {nothing, 1, {0, 1}, {1, 1}}, nothing);
  queue.finish();
}

NbodyBlocks::NbodyBlocks(const Device& device, std::size_t bodies, Precision precision, bool doubles)
    : device_(device),
      bodies_(bodies),
      precision_(precision),
      doubles_(doubles),
      levels_(device.buffer(bodies)),
      list_(device.buffer(bodies * sizeof(cl_uint))),
      clock_(device.buffer(sizeof(NbodyBlockClock))) {
  const NbodyBlockClock between_steps;
  Queue(device).write_blocking(clock_, std::span(&between_steps, 1));
}

namespace {

Wide wide_step(const NbodyBlockTerms& terms, Precision precision, bool doubles) {
  return {terms.dt, precision, doubles};
}

// criterion_t::scale in nbody_blocks.cl.
double level_scale(const NbodyBlockTerms& terms) {
  const double steps = terms.dt / terms.accuracy;
  return steps * steps;
}

double level_softening(const NbodyBlockTerms& terms) { return terms.by_potential() ? 0 : terms.softening; }

}  // namespace

void NbodyBlocks::launch(Queue& queue, const cl::Kernel& kernel) const {
  queue.launch(nbody_launch::substep, kernel, elementwise(queue.device(), bodies_));
}

void NbodyBlocks::open(Queue& queue, NbodyBlockKernels& kernels, const NbodyBlockBodies& of,
                       const NbodyBlockTerms& terms) {
  set_arguments(kernels.open, of.positions, of.velocities, of.velocity_corrections, of.accelerations, levels_,
                static_cast<cl_uint>(bodies_), wide_step(terms, precision_, doubles_),
                Real{level_scale(terms), precision_}, Real{level_softening(terms), precision_},
                Real{terms.gravity, precision_}, parity_, clock_);
  launch(queue, kernels.open);
  parity_ = 1 - parity_;
}

void NbodyBlocks::begin(Queue& queue, NbodyBlockKernels& kernels, const NbodyBlockBodies& of,
                        const NbodyBlockTerms& terms, const TargetRange& targets, bool last) {
  set_arguments(kernels.begin, of.positions, of.position_corrections, of.moved, of.moved_corrections, of.velocities,
                of.velocity_corrections, levels_, static_cast<cl_uint>(bodies_), wide_step(terms, precision_, doubles_),
                cl_uint{last}, static_cast<cl_uint>(targets.first), static_cast<cl_uint>(targets.end), list_, parity_,
                clock_);
  launch(queue, kernels.begin);
}

void NbodyBlocks::end(Queue& queue, NbodyBlockKernels& kernels, const NbodyBlockBodies& of,
                      const NbodyBlockTerms& terms, bool last) {
  set_arguments(kernels.end, of.positions, of.position_corrections, of.moved, of.moved_corrections, of.velocities,
                of.velocity_corrections, of.parts, static_cast<cl_uint>(of.rows), of.accelerations, levels_,
                static_cast<cl_uint>(bodies_), wide_step(terms, precision_, doubles_),
                Real{level_scale(terms), precision_}, Real{level_softening(terms), precision_},
                Real{terms.gravity, precision_}, Wide{terms.gravity, precision_, doubles_}, cl_uint{last}, parity_,
                clock_);
  launch(queue, kernels.end);
  parity_ = 1 - parity_;
}

void NbodyBlocks::sum(Queue& queue, NbodyBlockKernels& kernels, const NbodyFieldParts& of, const cl::Buffer& to) const {
  set_arguments(kernels.sum, of.parts, static_cast<cl_uint>(of.rows), static_cast<cl_uint>(bodies_),
                static_cast<cl_uint>(of.targets.first), static_cast<cl_uint>(of.targets.end),
                Wide{of.pull.gravity, precision_, doubles_}, to);
  queue.launch(nbody_launch::substep, kernels.sum, elementwise(queue.device(), of.targets.end - of.targets.first));
}

NbodyListed NbodyBlocks::list_groups(Queue& queue, cl::Kernel& kernel, const cl::Buffer& order,
                                     std::span<const TargetRange> groups) {
  for (const TargetRange& range : groups) {
    set_arguments(kernel, levels_, order, static_cast<cl_uint>(bodies_), static_cast<cl_uint>(range.first),
                  static_cast<cl_uint>(range.end), list_, parity_, clock_);
    queue.launch(nbody_launch::substep, kernel, elementwise(queue.device(), range.end - range.first));
  }
  return listed();
}

void NbodyBlocks::report(Queue& queue) {
  if (!mirror_) mirror_.emplace(device_, queue, sizeof(NbodyBlockClock), HostMirror::Mapping::queued);
  report_ = queue.read(clock_, mirror_->data_for(queue), sizeof(NbodyBlockClock));
  reported_parity_ = parity_;
}

NbodyBlockClock NbodyBlocks::clock() const {
  NbodyBlockClock clock = mirror_->as<NbodyBlockClock>(1).front();
  if (reported_parity_ == 1) std::swap(clock.moments[0], clock.moments[1]);
  return clock;
}

void NbodyBlocks::tell(Queue& queue, NbodyBlockKernels& kernels, const NbodyBlockBodies& of,
                       const NbodyBlockTerms& terms, const cl::Buffer& to) const {
  set_arguments(kernels.tell, of.positions, of.accelerations, static_cast<cl_uint>(bodies_),
                Real{level_scale(terms), precision_}, Real{level_softening(terms), precision_},
                Real{terms.gravity, precision_}, to);
  queue.launch(nbody_launch::cells, kernels.tell, elementwise(queue.device(), bodies_));
}

}  // namespace orrery
