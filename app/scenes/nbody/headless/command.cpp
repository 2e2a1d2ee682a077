#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "base/points/point_format.hpp"
#include "base/text.hpp"
#include "cli/silence.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scenes/nbody/headless/commands.hpp"
#include "scenes/nbody/headless/run.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;

std::string initial_help() {
  return "initial condition: a name from the list below, or a file of bodies (.csv, .npy, .npz, .tipsy, …); default " +
         NbodySettings{}.initial;
}

/// The requested moment of an archive, as text.
struct WantedMoment {
  std::string time, step;
};

void add_moment_options(CLI::App& app, WantedMoment& moment) {
  app.add_option("--at", moment.time,
                 "with --resume ARCHIVE: go to the step nearest to this time, with the bits of the run; the "
                 "archive does not change")
      ->type_name("T");
  app.add_option("--at-step", moment.step, "with --resume ARCHIVE: go to this step")->type_name("N");
}

// Settles the state file of a resumed run, or the moment at which it ends.
void settle_resumed(const CLI::App& app, NbodyOptions& options, const WantedMoment& moment) {
  const bool by_time = app.count("--at") > 0, by_step = app.count("--at-step") > 0;
  options.goes_to_moment = by_time || by_step;
  if (!options.goes_to_moment) {
    std::string& file = is_run_archive(options.resume) ? options.archive : options.state;
    if (file.empty()) file = options.resume;
    return;
  }
  const std::string name = by_time ? "--at" : "--at-step";
  if (by_time && by_step) throw usage_error("--at and --at-step exclude each other", {}, {});
  if (options.resume.empty()) throw usage_error(name + " needs --resume FILE, a file written by --archive", {}, {});
  if (app.count("--steps") > 0) throw usage_error(name + " sets the last step: leave out --steps", {}, {});
  if (by_time) {
    options.at = parse_real(moment.time);
    if (!options.at || !std::isfinite(*options.at)) throw usage_error(name, moment.time, "a number");
  } else {
    const std::optional<std::int64_t> step = parse_integer(moment.step);
    if (!step || *step < 0) throw usage_error(name, moment.step, "a whole number of 0 or more");
    options.steps = *step;
  }
}

void add_file_options(CLI::App& app, NbodyOptions& options) {
  app.add_option("--out", options.out,
                 "file for the final bodies, or with --every for the bodies of every N-th step: " + point_extensions())
      ->type_name("FILE");
  app.add_option("--diagnostics", options.diagnostics, "file for the conserved quantities after each burst")
      ->type_name("FILE.csv");
  app.add_option("--archive", options.archive,
                 "archive of exact states of the run; --resume continues from its end or goes to any of its "
                 "moments")
      ->type_name("FILE");
  app.add_option("--state", options.state,
                 "checkpoint file, written every few seconds and at the end; --resume continues from it")
      ->type_name("FILE");
  app.add_option("--resume", options.resume,
                 "continue from this checkpoint, or from the end of this archive, with its settings, up to "
                 "--steps in total; new states go to the same file unless --state or --archive names another "
                 "one")
      ->type_name("FILE");
}

bool parse_options(const Arguments& arguments, NbodyOptions& options) {
  WantedMoment moment;
  CLI::App app("Simulates bodies under their own gravity, in units with G = 1 or in named units.", "nbody");
  std::vector<Parameter> declared = parameters(options.settings, true);
  std::erase_if(declared, [](const Parameter& parameter) { return parameter.info().name == "initial"; });
  declared.push_back(
      {{.name = "steps", .label = "Steps", .help = "number of time steps", .minimum = 0, .maximum = 1e15},
       &options.steps});
  declared.push_back(
      {{.name = "archive-every",
        .label = "Steps between states",
        .help = "steps between two states of the archive, at ends of bursts; auto: about 200 states in total",
        .minimum = 1,
        .maximum = 1e15,
        .automatic = true},
       &options.archive_every});
  declared.push_back(frames_parameter(options.every));
  add_parameters(app, declared);
  app.add_option("--initial", options.settings.initial, initial_help())->type_name("NAME|FILE");
  add_file_options(app, options);
  add_moment_options(app, moment);
  add_device_options(app, options.devices);
  app.add_flag("--speed-up", options.speed_up,
               "repeat the run on the first device alone, and compare times and bodies");
  app.add_flag("--no-summary", options.no_summary,
               "print no summary at the end, and do not compare the tree's potential with sums over all bodies");
  list_under(app, "Bodies", {"bodies", "initial", "date", "units", "seed"});
  list_under(app, "Time steps",
             {"steps", "dt", "softening", "gravity", "integrator", "time-steps", "step-accuracy", "burst"});
  list_under(app, "Contact", {"contact", "radius", "restitution"});
  list_under(app, "Output",
             {"out", "every", "diagnostics", "archive", "archive-every", "state", "resume", "at", "at-step", "speed-up",
              "no-summary"});
  list_under(app, "Computation",
             {"precision", "forces", "force-error", "opening-angle", "order", "device", "split", "exchange",
              "work-group", "variant"});
  app.footer(
      "On many machines: mpirun -n N orrery nbody ..., or srun. Each rank uses a device of its "
      "machine, and the results are bit-identical to those of one device.\n\nInitial conditions:\n" +
      initial_table());
  if (!parse(app, arguments)) return false;
  for (const Parameter& parameter : parameters(options.settings, true))
    if (const std::string name(parameter.info().name); app.count("--" + name) > 0) options.given.push_back(name);
  settle_resumed(app, options, moment);
  if (app.count("--archive-every") > 0 && options.archive.empty())
    throw usage_error("--archive-every needs --archive FILE", {}, {});
  options.unset = {.dt = app.count("--dt") == 0, .softening = app.count("--softening") == 0};
  return true;
}

void check_speed_up(const NbodyOptions& options, std::span<const DeviceInfo> devices) {
  if (!options.speed_up) return;
  if (devices.size() < 2)
    throw usage_error("--speed-up needs two or more devices: --device P:D,P:D or --split N", {}, {});
  if (options.steps == 0) throw usage_error("--steps", "0", "1 or more with --speed-up");
}

// Takes the same steps on the first device alone. Throws when they lead to other bodies.
void compare_with_one(NbodyOptions& options, const DeviceInfo& first, double seconds, const Bodies& bodies) {
  const std::string name = (first.parts > 1 ? "one part of " : "") + first.name;
  NbodyOptions alone = options;
  alone.diagnostics.clear();
  alone.archive.clear();
  alone.every = 0;
  NbodyRun one(alone, {first});
  one.go();
  if (interrupted())
    throw Interrupted(" while " + name + " took the same steps alone" + holding({options.out, options.diagnostics}));
  if (one.bodies() != bodies)
    throw failure("several devices and " + name + " alone give different bodies", "please report this");
  std::printf("  %s alone: %s s, %s, bit-identical bodies; speed-up %s\n", name.c_str(), brief(one.seconds()).c_str(),
              one.rate().c_str(), brief(one.seconds() / seconds, 3).c_str());
  one.end();
}

}  // namespace

void check(const NbodyOptions& options) {
  check_variant(options.settings);
  check_series(options.out, options.every);
  if (!options.out.empty()) {
    check_bodies_extension(options.out);
    check_output("--out", options.every > 0 ? frame_name(options.out, 0) : options.out);
  }
  check_output("--state", options.state);
  check_output("--archive", options.archive);
  check_distinct({{"--out", options.out},
                  {"--state", options.state},
                  {"--archive", options.archive},
                  {"--diagnostics", options.diagnostics}});
  if (options.diagnostics.empty()) return;
  if (fs::path(options.diagnostics).extension() != ".csv")
    throw usage_error("--diagnostics", options.diagnostics, "FILE.csv");
  check_output("--diagnostics", options.diagnostics);
}

int run_nbody(const Arguments& arguments) {
  NbodyOptions options;
  if (!parse_options(arguments, options)) return 0;
  if (const auto place = rank_place()) return run_on_many(options, arguments, *place);
  check(options);
  const std::vector<DeviceInfo> devices = open_choice(options.devices);
  check_speed_up(options, devices);
  double seconds = 0;
  Bodies bodies;
  limit_silence(longest_silence());
  {
    NbodyRun run(options, devices);
    run.go();
    run.write();
    if (interrupted())
      throw Interrupted(" at step " + std::to_string(run.steps()) + " of " + std::to_string(options.steps) +
                        holding(run.files()));
    if (!options.no_summary) run.summarise(), run.summarise_potential();
    if (options.speed_up && run.has_lost_devices())
      throw failure("a device was lost during the run, so --speed-up cannot compare");
    seconds = run.seconds();
    if (options.speed_up) bodies = run.bodies();
    run.end();
  }
  if (options.speed_up) compare_with_one(options, devices.front(), seconds, bodies);
  return 0;
}

}  // namespace orrery::cli
