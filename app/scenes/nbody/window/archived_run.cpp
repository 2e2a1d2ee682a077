#include "scenes/nbody/window/archived_run.hpp"

#include <utility>

#include "scenes/nbody/bodies/body_file.hpp"
#include "scenes/nbody/files/run_archive.hpp"

namespace orrery {
namespace {

std::shared_ptr<const NbodyState> state_of_run(NbodyRunState run) {
  NbodyState state{bodies_of(run), run.clock, run.of_window ? run.of_window->tree : TreeMemory(), {}};
  auto& rows = run.exact.rows;
  if (run.precision == Precision::mixed)
    state.mixed_rows = {std::move(rows[0]), std::move(rows[1]), std::move(rows[rows.size() - 2]),
                        std::move(rows[rows.size() - 1])};
  return std::make_shared<const NbodyState>(std::move(state));
}

NbodyRunState run_of(const NbodyPast::Moment& moment, const DeviceInfo& info, std::string_view forces,
                     const std::string& device) {
  const NbodyState& state = *moment.state;
  NbodySettings settings = moment.settings;
  NbodyRunState run{.settings = {},
                    .bodies = state.bodies.size(),
                    .precision = precision_of(settings, info),
                    .clock = state.clock,
                    .exact = {},
                    .of_window = WindowMoment{state.tree, device, moment.interrupted}};
  settings.bodies = static_cast<std::int64_t>(run.bodies);
  settings.precision = name_of(run.precision);
  if (forces_of(settings) == Forces::automatic) settings.forces = forces;
  add_values(run.settings, parameters(settings, true));
  const bool rounded = run.precision == Precision::mixed && !state.mixed_rows.empty();
  run.exact.rows = rounded ? state.mixed_rows : rows_of(state.bodies, run.precision);
  return run;
}

}  // namespace

ArchivedRun read_archived_run(const std::filesystem::path& path, const FileProgress& progress) {
  RunArchive archive(path);
  ArchivedRun run{.state = {}, .bodies = 0, .content = std::make_shared<PastOfDevice>()};
  NbodyPast& past = run.content->past;
  const std::size_t count = archive.entries().size();
  for (std::size_t k = 0; k < count; ++k) {
    NbodyRunState read = archive.state(k);
    NbodySettings settings;
    std::vector<Parameter> declared = parameters(settings, true);
    for (const auto& [name, value] : read.settings) find(declared, name)->assign(value);
    run.state = read.settings;
    run.bodies = read.bodies;
    const std::optional<WindowMoment> of_window = read.of_window;
    if (of_window) run.content->device = of_window->device;
    const auto state = state_of_run(std::move(read));
    past.add({.step = state->clock.step,
              .time = state->clock.time,
              .state = state,
              .settings = settings,
              .changes = archive.entries()[k].as == ArchivedAs::edit,
              .interrupted = of_window ? of_window->interrupted : forces_of(settings) == Forces::tree,
              .bytes = memory_of(*state)});
    if (progress) progress(static_cast<double>(k + 1) / static_cast<double>(count));
  }
  const auto& last = past.moments().back().state;
  run.state.emplace_back("step", last->clock.step);
  run.state.emplace_back("time", last->clock.time);
  if (last->clock.edited()) run.state.emplace_back("cohorts", text_of(*last->clock.cohorts));
  run.state.emplace_back("bodies-csv", matrix_of(std::shared_ptr<const Bodies>(last, &last->bodies)));
  run.state.emplace_back("paused", true);
  return run;
}

void write_archived_run(const std::filesystem::path& path, const PastOfDevice& run, const DeviceInfo& info,
                        std::string_view forces, const FileProgress& progress) {
  const auto& moments = run.past.moments();
  write_run_archive(
      path, moments.size(),
      [&](std::size_t k) {
        return std::pair{run_of(moments[k], info, forces, run.device),
                         moments[k].changes ? ArchivedAs::edit : ArchivedAs::frame};
      },
      progress);
}

}  // namespace orrery
