#include "scenes/nbody/window/archived_run.hpp"

#include <cstring>

#include "scenes/nbody/bodies/body_file.hpp"
#include "scenes/nbody/files/run_archive.hpp"

namespace orrery {
namespace {

// Four numbers a body, as the device has them.
template <class Real>
std::array<double, 4> quad_of(const std::vector<std::byte>& row, std::size_t body) {
  std::array<Real, 4> values;
  std::memcpy(values.data(), row.data() + body * sizeof values, sizeof values);
  return {double{values[0]}, double{values[1]}, double{values[2]}, double{values[3]}};
}

template <class Real>
Bodies bodies_of_rows(const NbodyRunState& state) {
  const auto& rows = state.exact.rows;
  Bodies bodies(state.bodies);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    std::array<double, 4> x = quad_of<Real>(rows[0], k), v = quad_of<Real>(rows[1], k);
    const double mass = x[3];
    if (state.precision == Precision::mixed) {
      const std::array<double, 4> dx = quad_of<Real>(rows[3], k), dv = quad_of<Real>(rows[4], k);
      for (std::size_t axis = 0; axis < 3; ++axis) x[axis] += dx[axis], v[axis] += dv[axis];
    }
    bodies[k] = {mass, x[0], x[1], x[2], v[0], v[1], v[2]};
  }
  return bodies;
}

std::shared_ptr<const NbodyState> state_of_run(NbodyRunState run) {
  NbodyState state{run.precision == Precision::double_ ? bodies_of_rows<double>(run) : bodies_of_rows<float>(run),
                   run.clock,
                   {},
                   {}};
  auto& rows = run.exact.rows;
  if (run.precision == Precision::mixed)
    state.mixed_rows = {std::move(rows[0]), std::move(rows[1]), std::move(rows[3]), std::move(rows[4])};
  return std::make_shared<const NbodyState>(std::move(state));
}

}  // namespace

ArchivedRun read_archived_run(const std::filesystem::path& path, const FileProgress& progress) {
  RunArchive archive(path);
  ArchivedRun run{.state = {}, .bodies = 0, .past = std::make_shared<NbodyPast>()};
  const std::size_t count = archive.entries().size();
  for (std::size_t k = 0; k < count; ++k) {
    NbodyRunState read = archive.state(k);
    NbodySettings settings;
    std::vector<Parameter> declared = parameters(settings, true);
    for (const auto& [name, value] : read.settings) find(declared, name)->assign(value);
    run.state = read.settings;
    run.bodies = read.bodies;
    const auto state = state_of_run(std::move(read));
    run.past->add({.step = state->clock.step,
                   .time = state->clock.time,
                   .state = state,
                   .settings = settings,
                   .changes = archive.entries()[k].as == ArchivedAs::edit,
                   .interrupted = forces_of(settings) == Forces::tree,
                   .bytes = memory_of(*state)});
    if (progress) progress(static_cast<double>(k + 1) / static_cast<double>(count));
  }
  const auto& last = run.past->moments().back().state;
  run.state.emplace_back("step", last->clock.step);
  run.state.emplace_back("time", last->clock.time);
  run.state.emplace_back("bodies-csv", matrix_of(std::shared_ptr<const Bodies>(last, &last->bodies)));
  run.state.emplace_back("paused", true);
  return run;
}

}  // namespace orrery
