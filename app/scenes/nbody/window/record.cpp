#include "scenes/nbody/window/record.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "base/log.hpp"
#include "scene/history.hpp"
#include "scenes/nbody/bodies/initial.hpp"

namespace orrery {
namespace {

double length(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

}  // namespace

void NbodyRecord::forget_history() {
  history = {};
  step_watch = StepWatch(step_watch.crowd());
  errors = {};
}

void NbodyRecord::return_to(double time, double dt) {
  const auto is_later = [&](double row) { return dt < 0 ? row < time : row > time; };
  while (!history.time.empty() && is_later(history.time.back()))
    for (std::vector<double>* column : {&history.time, &history.kinetic, &history.potential, &history.total,
                                        &history.momentum, &history.angular_momentum, &history.virial})
      column->pop_back();
}

void NbodyRecord::add(const NbodyDiagnostics& row, double dt, double softening, const Integrator& integrator,
                      bool keeps_energy) {
  const NbodyDiagnostics before = std::exchange(diagnostics, row);
  if (!row.potential_known) {
    diagnostics.potential = before.potential;
    diagnostics.depth = before.depth;
    diagnostics.free_fall = before.free_fall;
    return;
  }
  if (history.time.empty()) {
    history.initial_total = row.total();
  } else if (history.time.back() == row.time) {
    return;  // the field of the same moment, evaluated again on another device
  }
  if (auto warning = step_watch.look(row, dt, softening, integrator, keeps_energy)) {
    log(Level::warning, *warning);
    history.step_warning = std::move(*warning);
    constexpr std::size_t most_marks = 256;  // more would merge into a bar
    if (history.long_steps.size() < most_marks) history.long_steps.push_back(row.time);
  }
  const auto append = [](std::vector<double>& column, double value) {
    make_room({&column});
    column.push_back(value);
  };
  append(history.time, row.time);
  append(history.kinetic, row.kinetic);
  append(history.potential, row.potential);
  append(history.total, row.total());
  append(history.momentum, length(row.momentum));
  append(history.angular_momentum, length(row.angular_momentum));
  append(history.virial, row.virial());
}

double NbodyRecord::energy_error() const {
  if (history.total.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::abs((history.total.back() - history.initial_total) / history.initial_total);
}

void NbodyRecord::describe(NbodySnapshot& snapshot) const {
  snapshot.diagnostics = history;
  snapshot.force_errors = {0, errors.history, errors.percentiles, accuracy.result()};
  snapshot.transfer = sweep.result();
  snapshot.state_hash = diagnostics.hash;
  snapshot.contacts.merged = diagnostics.gone;
}

std::shared_ptr<BodyReading> NbodyRecord::reading_of(const std::string& initial) {
  if (reading && reading->path() == initial) return reading;
  cancel_reading();
  if (find_initial(initial) == nullptr) reading = std::make_shared<BodyReading>(initial);
  return reading;
}

void NbodyRecord::cancel_reading() {
  if (reading) reading->progress().cancel();
  reading.reset();
}

}  // namespace orrery
