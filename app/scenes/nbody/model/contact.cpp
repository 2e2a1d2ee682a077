#include "scenes/nbody/model/contact.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "compute/program/arguments.hpp"
#include "scenes/nbody/model/kernels.hpp"

namespace orrery {
namespace {

// meeting_t, LEVEL_WORDS and LEVELS, and NONE in nbody_contact.cl.
constexpr std::size_t words_of_meeting = 3, level_words = 8 + 256;
constexpr cl_uint no_index = 0xffffffffU;

}  // namespace

NbodyTouch touch_of(const NbodySettings& settings) { return {settings.radius, settings.restitution}; }

bool keeps_energy(const NbodySettings& settings) {
  const Contact contact = contact_of(settings);
  return contact == Contact::pass || settings.radius == 0 || (contact == Contact::bounce && settings.restitution == 1);
}

ProgramSpec NbodyContactKernels::program(const Device& device, Contact contact, Precision precision, bool doubles) {
  ProgramSpec spec{"nbody_contact.cl", precision_definitions(device, precision)};
  if (contact == Contact::bounce) spec.definitions["BOUNCE"] = "1";
  if (precision == Precision::mixed) spec.definitions["MIXED"] = "1";
  if (doubles) spec.definitions["SUM_DOUBLE"] = "1";
  return spec;
}

NbodyContactKernels::NbodyContactKernels(ProgramLibrary& programs, Contact contact, Precision precision, bool doubles) {
  const auto built = programs.build(program(programs.device(), contact, precision, doubles));
  put = built->kernel("put_into_cells");
  find = built->kernel("find_encounters");
  settle = built->kernel("settle_encounters");
  meet = built->kernel("meet_bodies");
  const Device& device = programs.device();
  const cl::Buffer nothing = device.buffer(bytes_of_real4(Precision::double_));
  constexpr cl_uint none = 0;
  const Real zero{0, precision};
  Queue queue(device);
  const Range few = elementwise(device.info(), 1);
  set_arguments(put, nothing, none, zero, nothing, none, nothing, nothing, nothing);
  set_arguments(find, nothing, nothing, none, zero, zero, nothing, none, nothing, nothing, nothing);
  set_arguments(settle, nothing, none, nothing);
  set_arguments(meet, nothing, nothing, nothing, nothing, none, zero, nothing, none, nothing, nothing);
  for (const cl::Kernel* each : {&put, &find, &settle, &meet}) queue.launch(nbody_launch::contact, *each, few);
  queue.finish();
}

namespace {

std::size_t buckets_for(std::size_t bodies) { return std::bit_ceil(std::max<std::size_t>(2 * bodies, 64)); }

}  // namespace

std::size_t NbodyContacts::bytes(std::size_t bodies) {
  return (buckets_for(bodies) + bodies * (1 + words_of_meeting) + level_words) * sizeof(cl_uint);
}

NbodyContacts::NbodyContacts(const Device& device, std::size_t bodies, Precision precision)
    : bodies_(bodies),
      buckets_(buckets_for(bodies)),
      precision_(precision),
      heads_(device.buffer(buckets_ * sizeof(cl_uint))),
      next_(device.buffer(bodies * sizeof(cl_uint))),
      meetings_(device.buffer(bodies * words_of_meeting * sizeof(cl_uint))),
      levels_(device.buffer(level_words * sizeof(cl_uint))) {
  Queue queue(device);
  const auto set = [&](const cl::Buffer& buffer, std::size_t words, cl_uint value) {
    queue.write_blocking(buffer, std::span<const cl_uint>(std::vector<cl_uint>(words, value)));
  };
  set(heads_, buckets_, no_index);
  set(meetings_, bodies * words_of_meeting, no_index);
  set(levels_, level_words, 0);
}

void NbodyContacts::enqueue(Queue& queue, NbodyContactKernels& kernels, const NbodyMoved& of, const NbodyTouch& touch,
                            bool backwards) {
  const auto bodies = static_cast<cl_uint>(bodies_), buckets = static_cast<cl_uint>(buckets_);
  const Real radius{touch.radius, precision_}, direction{backwards ? -1.0 : 1.0, precision_},
      restitution{touch.restitution, precision_};
  const Range range = elementwise(queue.device(), bodies_);
  const auto launch = [&](const cl::Kernel& kernel) {
    queue.launch(nbody_launch::contact, kernel, range, Work(static_cast<double>(bodies_) / 4));
  };
  set_arguments(kernels.put, of.positions, bodies, radius, heads_, buckets, next_, meetings_, levels_);
  launch(kernels.put);
  set_arguments(kernels.find, of.positions, of.velocities, bodies, radius, direction, heads_, buckets, next_, meetings_,
                levels_);
  launch(kernels.find);
  set_arguments(kernels.settle, of.positions, bodies, meetings_);
  launch(kernels.settle);
  set_arguments(kernels.meet, of.positions, of.position_corrections, of.velocities, of.velocity_corrections, bodies,
                restitution, heads_, buckets, meetings_, levels_);
  launch(kernels.meet);
}

}  // namespace orrery
