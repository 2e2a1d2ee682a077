#include <algorithm>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/growing_file.hpp"
#include "base/log.hpp"
#include "base/points/point_format.hpp"
#include "base/points/point_series.hpp"
#include "base/text.hpp"
#include "base/work/crash_report.hpp"
#include "base/work/interrupt.hpp"
#include "base/written_number.hpp"
#include "cli/options.hpp"
#include "cli/silence.hpp"
#include "compute/device/kernel_limits.hpp"
#include "scenes/particles/files/particle_frame.hpp"
#include "scenes/particles/files/world_file.hpp"
#include "scenes/particles/headless/commands.hpp"
#include "scenes/particles/model/engine.hpp"
#include "scenes/particles/world/edited_laws.hpp"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;
using namespace particles;

struct ParticleOptions {
  std::string world;
  std::int64_t steps = 1000, burst = 100, seed = -1, work_group = 0, every = 0;
  double dt = 0, temperature = -1, pull = 1;
  bool minimize = false;
  std::string precision = "mixed", device, diagnostics;
  std::vector<std::string> out;
  bool precision_chosen = false;
  StateSection law_numbers;
};

std::string world_table() {
  std::string text = "Worlds:\n";
  for (const WorldEntry& world : known_worlds())
    text += "  " + world.name +
            std::string(std::max<std::size_t>(1, 14 - std::min<std::size_t>(13, world.name.size())), ' ') +
            world.about + "\n";
  return text;
}

/// Adds an option whose default is the value in the world's file.
void add_of_world(CLI::App& app, const Parameter& parameter) {
  const ParameterInfo& info = parameter.info();
  app.add_option_function<std::string>(
         "--" + std::string(info.name),
         [shared = std::make_shared<Parameter>(parameter)](const std::string& text) { shared->assign_text(text); },
         std::string(info.help) + " (" + range_text(info) + "); default: the world's")
      ->type_name(placeholder(parameter.info(), parameter.value()));
}

std::vector<Parameter> parameters_of(ParticleOptions& o) {
  return {
      {{.name = "steps", .label = "Steps", .help = "number of time steps", .minimum = 0, .maximum = 1e15}, &o.steps},
      {{.name = "burst",
        .label = "Burst",
        .help = "time steps between two rows of the diagnostics",
        .minimum = 1,
        .maximum = 1e9},
       &o.burst},
      {{.name = "precision",
        .label = "Precision",
        .help = "arithmetic; mixed: forces in single, integration in double",
        .choices = {"single", "mixed", "double"}},
       &o.precision},
      {{.name = "work-group",
        .label = "Work-group",
        .help = "work-items in a work-group of the force kernel",
        .minimum = 1,
        .maximum = 4096,
        .automatic = true},
       &o.work_group},
      frames_parameter(o.every)};
}

bool parse_options(const Arguments& arguments, ParticleOptions& o) {
  CLI::App app("Simulates the particles of a world under its laws.", "particles");
  app.add_option("world", o.world, "world: a name from the list below, or a .toml file")
      ->type_name("NAME|FILE")
      ->required();
  add_parameters(app, parameters_of(o));
  add_of_world(app, {{.name = "dt",
                      .label = "Time step",
                      .help = "length of a time step",
                      .minimum = 0,
                      .maximum = longest_time_step,
                      .above_minimum = true},
                     &o.dt});
  add_of_world(app, {{.name = "temperature",
                      .label = "Temperature",
                      .help = "temperature of the thermostat and of the initial velocities",
                      .minimum = 0,
                      .maximum = highest_temperature},
                     &o.temperature});
  add_of_world(app,
               {{.name = "seed", .label = "Seed", .help = "seed of the random numbers", .minimum = 0, .maximum = 9e18},
                &o.seed});
  add_law_numbers(app, arguments, "Laws", o.law_numbers);
  app.add_flag("--minimize", o.minimize, "minimize the energy by steepest descent before the first step");
  app.add_option("--out", o.out,
                 "file for the final world (.toml) or its particles, or with --every for the particles of "
                 "every N-th step: " +
                     point_extensions() + "; several: --out FILE --out FILE")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--diagnostics", o.diagnostics, "file for the observables after each burst")->type_name("FILE.csv");
  add_device_option(app, o.device);
  list_under(app, "Time steps", {"steps", "dt", "temperature", "seed", "minimize", "burst"});
  list_under(app, "Output", {"out", "every", "diagnostics"});
  list_under(app, "Computation", {"precision", "device", "work-group"});
  app.footer(world_table());
  const bool goes_on = parse(app, arguments);
  o.precision_chosen = app.count("--precision") > 0;
  std::erase(o.out, "");
  return goes_on;
}

bool is_world_file(const std::string& file) { return fs::path(file).extension() == ".toml"; }

void check_output_file(const std::string& out, std::int64_t every) {
  const bool is_world = is_world_file(out);
  if (!is_world && find_point_format(out) == nullptr && (every == 0 || out.empty()))
    throw usage_error("--out", out, "FILE.toml, or a file named " + point_extensions());
  if (!is_world)
    check_series(out, every);
  else if (every > 0 && frame_name(out, 0) == out)
    throw usage_error("--out", out, "with --every a name with one %d or %06d, \"world-%06d.toml\"");
  check_output("--out", every > 0 ? frame_name(out, 0) : out);
}

void check_files(const ParticleOptions& o) {
  if (o.out.empty()) check_series({}, o.every);
  for (const std::string& out : o.out) check_output_file(out, o.every);
  if (!o.diagnostics.empty() && fs::path(o.diagnostics).extension() != ".csv")
    throw usage_error("--diagnostics", o.diagnostics, "FILE.csv");
  check_output("--diagnostics", o.diagnostics);
  std::vector<NamedOutput> outputs{{"--diagnostics", o.diagnostics}};
  for (const std::string& out : o.out) outputs.emplace_back("--out", out);
  check_distinct(outputs);
}

World world_of(const ParticleOptions& o) {
  World world = read_world(find_world(o.world));
  if (o.seed >= 0) world.seed = static_cast<std::uint64_t>(o.seed);
  if (o.dt > 0) world.ensemble.dt = o.dt;
  if (o.temperature >= 0) {
    world.ensemble.temperature = o.temperature;
    world.ensemble.final_temperature.reset();
  }
  if (o.temperature >= 0 || o.seed >= 0) draw_velocities(world, world.ensemble.temperature);
  world.minimize = world.minimize || o.minimize;
  if (o.law_numbers.empty()) return world;
  EditedLaws laws = laws_of(world);
  for (const auto& [name, value] : o.law_numbers) set_number(laws, world.box, name, value);
  return with_laws(world, laws);
}

std::string precision_on(const DeviceInfo& device, const ParticleOptions& o) {
  if (o.precision_chosen || device.fp64) return o.precision;
  log(Level::warning, device.name + " has no double precision: --precision single is used");
  return "single";
}

class Run {
 public:
  explicit Run(const ParticleOptions& o)
      : options_(o),
        device_(open_choice(o.device)),
        precision_(precision_on(device_.info(), o)),
        queue_(device_),
        programs_(device_),
        engine_(programs_, world_of(o),
                {.precision = precision_of(precision_, device_.info()),
                 .work_group = static_cast<std::size_t>(o.work_group)}) {
    for (const std::string& out : o.out)
      is_world_file(out) ? worlds_.push_back(out) : void(frames_.emplace_back(out, o.every));
  }

  void prepare() {
    if (engine_.world().minimize) minimize();
    note();
    keep_frame_if_due();
  }

  void go() {
    Progress progress("particles");
    const double began = now_seconds();
    for (std::int64_t done = 0; done < options_.steps && !interrupted();) {
      const std::int64_t end = done + std::min(options_.burst, options_.steps - done);
      while (done < end && !interrupted()) done = take_steps(done, next_frame(done, options_.every, end), progress);
      if (engine_.range_changes().times > 0 && !std::exchange(range_told_, true))
        progress.say(sentence_of(engine_.range_changes()));
      if (!options_.diagnostics.empty() || done >= options_.steps) note();
    }
    seconds_ = now_seconds() - began;
  }

  void write() {
    if (rows_) rows_->finish();
    for (PointSeries& frames : frames_) frames.finish();
    if (options_.out.empty() || options_.every > 0) return;
    const World world = now();
    for (const std::string& out : options_.out)
      is_world_file(out) ? write_world(out, continuing(world))
                         : write_points(out, frame_of(world, steps(), engine_.clock().time));
  }

  /// The requested files that have results.
  std::vector<std::string> files() const {
    std::vector<std::string> files = options_.out;
    if (options_.every > 0) files = kept_frames_ > 0 ? worlds_ : std::vector<std::string>();
    if (options_.every > 0)
      for (const PointSeries& frames : frames_) files.push_back(frames.files());
    files.push_back(options_.diagnostics);
    return files;
  }

  std::int64_t steps() const { return engine_.clock().step; }

  void summarise() const {
    const Observables &first = *first_, &last = last_;
    const auto n = static_cast<double>(last.particles), steps = static_cast<double>(options_.steps);
    std::printf("%s: %zu particles, %lld steps of %s (%s) to t = %s in %s s on %s: %s particle-steps/s\n",
                engine_.world().name.c_str(), last.particles, static_cast<long long>(options_.steps),
                shortest(engine_.world().ensemble.dt).c_str(), precision_.c_str(), brief(last.time).c_str(),
                brief(seconds_).c_str(), device_.info().name.c_str(),
                brief(n * steps / std::max(seconds_, 1e-9)).c_str());
    std::printf("  temperature %s, energy per particle %s potential, %s total (%s at first)%s\n",
                brief(last.temperature, 5).c_str(), brief(last.energy_per_particle(), 6).c_str(),
                brief(last.total() / n, 6).c_str(), brief(first.total() / n, 6).c_str(),
                last.pressure ? (", pressure " + brief(*last.pressure, 5)).c_str() : "");
    for (const LawEnergy& e : last.energies)
      std::printf("  %s: %s per particle\n", e.law.c_str(), brief(e.energy / n, 6).c_str());
  }

 private:
  /// The world with its particles as they are now.
  World now() {
    Snapshot state = engine_.snapshot_blocking(queue_);
    World world = engine_.world();
    world.particles.position = std::move(state.position);
    world.particles.velocity = std::move(state.velocity);
    return world;
  }

  std::int64_t take_steps(std::int64_t done, std::int64_t end, Progress& progress) {
    const bool observes = !options_.diagnostics.empty() && (end == options_.steps || end % options_.burst == 0);
    run_burst(engine_, queue_, {end - done, observes}, [&] {
      progress.show((static_cast<double>(done) + static_cast<double>(end - done) * engine_.burst_progress()) /
                        static_cast<double>(options_.steps),
                    "step " + std::to_string(done) + " of " + std::to_string(options_.steps));
    });
    keep_frame_if_due();
    return end;
  }

  /// The world of a run that continues from this moment.
  World continuing(World world) const {
    world.minimize = false;
    ++world.seed;  // the same random forces again would add up
    const double time = engine_.clock().time;
    world.ensemble.temperature = world.ensemble.temperature_at(time);
    world.ensemble.ramp_time = std::max(0.0, world.ensemble.ramp_time - time);
    return world;
  }

  // Writes a world before the points of its step, so that a program that sees these finds the world.
  void keep_frame_if_due() {
    if (options_.every == 0 || steps() % options_.every != 0 || steps() / options_.every < kept_frames_) return;
    const World world = now();
    const std::int64_t frame = steps() / options_.every;
    for (const std::string& name : worlds_) write_world(frame_name(name, frame), continuing(world));
    for (PointSeries& frames : frames_) frames.keep(frame_of(world, steps(), engine_.clock().time));
    kept_frames_ = frame + 1;
  }

  void minimize() {
    Progress progress("minimizing");
    const Minimized m = engine_.minimize(queue_, 10, 5000, [&](const MinimizeProgress& now) {
      progress.show(static_cast<double>(now.step) / static_cast<double>(now.most_steps));
    });
    if (m.overlapping > 0)
      std::printf("%zu pairs of particles overlapped, the closest %s apart, and were first pushed apart\n",
                  m.overlapping, brief(m.closest, 3).c_str());
    std::printf("energy %s, minimized to %s in %lld steps; the largest force is %s\n", brief(m.before).c_str(),
                brief(m.after).c_str(), static_cast<long long>(m.steps), brief(m.largest_force).c_str());
  }

  void note() {
    last_ = observe_blocking(engine_, queue_);
    if (last_.broken > 0)
      throw failure(
          std::to_string(last_.broken) + " particles became NaN or infinite at step " + std::to_string(last_.step),
          "try a smaller --dt, or --minimize");
    if (!first_) first_ = last_;
    if (options_.diagnostics.empty()) return;
    if (rows_)
      rows_->append(csv_row(last_) + "\n");
    else
      rows_.emplace(options_.diagnostics, csv_header(last_) + "\n" + csv_row(last_) + "\n");
  }

  const ParticleOptions& options_;
  Device device_;
  std::string precision_;
  Queue queue_;
  ProgramLibrary programs_;
  Engine engine_;
  std::vector<std::string> worlds_;  // requested files, or their names with %d
  std::deque<PointSeries> frames_;
  std::int64_t kept_frames_ = 0;
  std::optional<GrowingFile> rows_;
  std::optional<Observables> first_;
  Observables last_;
  bool range_told_ = false;
  double seconds_ = 0;
};

}  // namespace

void add_law_numbers(CLI::App& app, const Arguments& arguments, const std::string& group, StateSection& given) {
  std::set<std::string> flags{"--LAW/NAME"};  // --help shows it for all
  for (const std::string& argument : arguments)
    if (const std::string flag = argument.substr(0, argument.find('='));
        flag.starts_with("--") && flag.find('/') != std::string::npos)
      flags.insert(flag);
  for (const std::string& flag : flags)
    app.add_option_function<std::string>(
           registered(flag),
           [flag, &given](const std::string& text) {
             const auto value = typed_real(flag, text);
             if (!value) throw usage_error(flag, text, "a number");
             given.emplace_back(flag.substr(2), *value);
           },
           "a law's parameter or its cutoff, as in --lennard-jones/sigma 1.1; default: the world's")
        ->type_name("X")
        ->group(group);
}

int run_particles(const Arguments& arguments) {
  ParticleOptions options;
  if (!parse_options(arguments, options)) return 0;
  check_files(options);
  const SilenceWatch silence;
  Run run(options);
  tell_of_crashes();
  run.prepare();
  const InterruptWatch watch("the current burst of steps");
  run.go();
  run.write();
  if (interrupted())
    throw Interrupted(" at step " + std::to_string(run.steps()) + " of " + std::to_string(options.steps) +
                      holding(run.files()));
  run.summarise();
  return 0;
}

}  // namespace orrery::cli
