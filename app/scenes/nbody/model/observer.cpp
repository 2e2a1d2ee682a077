#include "scenes/nbody/model/observer.hpp"
#include "compute/program/arguments.hpp"

namespace orrery {
namespace {

constexpr std::string_view observe_launch = "observe";

// In units of real4; nbody_observe.cl uses the same names.
namespace row {
enum : std::size_t { position, velocity, acceleration, first_pull };
}

std::array<double, 4> row_at(const HostMirror& mirror, std::size_t row, Precision precision) {
  std::array<double, 4> values{};
  for (std::size_t k = 0; k < 4; ++k)
    values[k] = precision == Precision::double_ ? mirror.as<cl_double4>(row + 1)[row].s[k]
                                                : static_cast<double>(mirror.as<cl_float4>(row + 1)[row].s[k]);
  return values;
}

}  // namespace

ProgramSpec NbodyObserver::program(const Device& device, Precision precision, std::size_t bodies) {
  ProgramSpec spec{"nbody_observe.cl", precision_definitions(device, precision)};
  spec.definitions["WORK_GROUP"] = std::to_string(reduction_over(bodies, device.info()).group);
  return spec;
}

NbodyObserver::NbodyObserver(ProgramLibrary& programs, Precision precision, std::size_t bodies)
    : NbodyObserver(programs, Queue(programs.device()), precision, bodies) {}

NbodyObserver::NbodyObserver(ProgramLibrary& programs, Queue queue, Precision precision, std::size_t bodies)
    : precision_(precision),
      reduction_(reduction_over(bodies, programs.device().info())),
      rows_(programs.device().buffer((row::first_pull + reduction_.groups) * bytes_of_real4(precision))),
      mirror_(programs.device(), queue, (row::first_pull + reduction_.groups) * bytes_of_real4(precision)) {
  observe_ = programs.build(program(programs.device(), precision, bodies))->kernel("observe");
  // Some drivers compile at the first launch of a kernel.
  const cl::Buffer nothing = programs.device().buffer(bytes_of_real4(precision));
  set_arguments(observe_, nothing, nothing, nothing, cl_uint{0}, cl_uint{0}, Real{0, precision}, rows_);
  queue.launch(observe_launch, observe_, {reduction_.groups * reduction_.group, reduction_.group});
  queue.finish();
}

void NbodyObserver::observe(Queue& queue, const NbodySimulation& simulation, std::uint32_t index, double softening,
                            bool field_known) {
  const auto [positions, velocities, accelerations] = simulation.buffers();
  set_arguments(observe_, positions, velocities, accelerations, static_cast<cl_uint>(simulation.bodies()),
                cl_uint{index}, Real{softening * softening, precision_}, rows_);
  queue.launch(observe_launch, observe_, {reduction_.groups * reduction_.group, reduction_.group},
               static_cast<double>(simulation.bodies()));
  read_ = queue.read(rows_, mirror_.data_for(queue), mirror_.size());
  header_ = {};
  header_.index = index;
  header_.clock = simulation.clock();
  header_.field_known = field_known;
}

NbodyObservation NbodyObserver::observation() const {
  NbodyObservation result = header_;
  const auto x = row_at(mirror_, row::position, precision_), v = row_at(mirror_, row::velocity, precision_);
  result.body = {x[3], x[0], x[1], x[2], v[0], v[1], v[2]};
  if (!result.field_known) return result;
  const auto a = row_at(mirror_, row::acceleration, precision_);
  result.acceleration = {a[0], a[1], a[2]};
  result.potential = a[3];
  double strength = 0;
  for (std::size_t group = 0; group < reduction_.groups; ++group) {
    const auto pull = row_at(mirror_, row::first_pull + group, precision_);
    if (!(pull[0] > strength)) continue;
    strength = pull[0];
    result.distance = pull[1];
    result.strongest = static_cast<std::uint32_t>(pull[2]);
  }
  return result;
}

}  // namespace orrery
