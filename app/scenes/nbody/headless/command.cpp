#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/growing_file.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/work/abandon.hpp"
#include "base/work/crash_report.hpp"
#include "base/work/interrupt.hpp"
#include "cli/options.hpp"
#include "compute/device/answering.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/device/refusal.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/potential_check.hpp"
#include "scenes/nbody/headless/commands.hpp"
#include "scenes/nbody/model/device_group.hpp"
#include "scenes/nbody/model/memory.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/model/step_watch.hpp"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;

struct NbodyOptions {
  NbodySettings settings;
  Unset unset;
  std::int64_t steps = 100;
  DeviceChoice devices;
  bool speed_up = false;
  std::string out, diagnostics;
};

std::string initial_help() {
  return "initial condition: a name from the list below, or a .csv, .npy or .tipsy file; default " +
         NbodySettings{}.initial;
}

bool parse_options(const Arguments& arguments, NbodyOptions& options) {
  CLI::App app("Simulates bodies under their own gravity, in units that make G = 1.", "nbody");
  std::vector<Parameter> declared = parameters(options.settings, true);
  std::erase_if(declared, [](const Parameter& parameter) { return parameter.info().name == "initial"; });
  declared.push_back(
      {{.name = "steps", .label = "Steps", .help = "number of time steps", .minimum = 0, .maximum = 1e15},
       &options.steps});
  add_parameters(app, declared);
  app.add_option("--initial", options.settings.initial, initial_help())->type_name("NAME|FILE");
  app.add_option("--out", options.out, "file for the final bodies: .csv, .npy or .tipsy")->type_name("FILE");
  app.add_option("--diagnostics", options.diagnostics, "file for the conserved quantities after each burst")
      ->type_name("FILE.csv");
  add_device_options(app, options.devices);
  app.add_flag("--speed-up", options.speed_up,
               "repeat the run on the first of several devices, and compare times and bodies");
  list_under(app, "Bodies", {"bodies", "initial", "seed"});
  list_under(app, "Time steps", {"steps", "dt", "softening", "integrator", "burst"});
  list_under(app, "Output", {"out", "diagnostics", "speed-up"});
  list_under(app, "Computation",
             {"precision", "forces", "force-error", "opening-angle", "order", "device", "split", "exchange",
              "work-group", "variant"});
  app.footer("Initial conditions:\n" + initial_table());
  if (!parse(app, arguments)) return false;
  options.unset = {.dt = app.count("--dt") == 0, .softening = app.count("--softening") == 0};
  return true;
}

// Checks before anything is computed.
void check(const NbodyOptions& options) {
  check_variant(options.settings);
  if (!options.out.empty()) {
    check_bodies_extension(options.out);
    check_output("--out", options.out);
  }
  if (options.diagnostics.empty()) return;
  if (fs::path(options.diagnostics).extension() != ".csv")
    throw usage_error("--diagnostics", options.diagnostics, "FILE.csv");
  check_output("--diagnostics", options.diagnostics);
}

void check_speed_up(const NbodyOptions& options, std::span<const DeviceInfo> devices) {
  if (!options.speed_up) return;
  if (devices.size() < 2)
    throw usage_error("--speed-up needs two or more devices: --device P:D,P:D or --split N", {}, {});
  if (options.steps == 0) throw usage_error("--steps", "0", "1 or more with --speed-up");
}

FileProgress reading_from(const std::string& file) {
  return [file, reading = std::make_shared<Progress>("reading bodies")](double part) {
    if (interrupted()) throw Interrupted(" while " + file + " was read");
    reading->show(part, file);
  };
}

/// The bodies of a moment on the host.
struct Moment {
  Bodies bodies;
  NbodyClock clock;
  TreeMemory tree;
};

/// The bodies on their devices. Borrows the devices.
struct Computation {
  Queue queue;
  NbodySimulation simulation;
  NbodyPublisher publisher;

  Computation(DeviceGroup& devices, NbodySimulation begun)
      : queue(devices.first()),
        simulation(std::move(begun)),
        publisher(*devices.programs().front(), simulation.precision(), simulation.bodies()) {}
};

/// The run, from its first bodies to its last step. Where one of several devices fails or stops responding,
/// the others continue from the last copy of the bodies on the host.
class Run {
 public:
  Run(NbodyOptions& options, std::vector<DeviceInfo> devices)
      : options_(options), infos_(std::move(devices)), copy_{first_bodies(), {}, {}} {}

  void go() {
    for (;;) {
      try {
        begin();
        return take_steps();
      } catch (const Error& error) {
        const std::vector<DeviceInfo> gone = gone_devices();
        std::vector<DeviceInfo> rest = others_after(error, gone);
        let_go(error);
        if (rest.empty()) throw;
        infos_ = std::move(rest);
        const std::string cause =
            gone.empty() ? error.what() : names_of(gone) + ": the server on the other machine ended";
        log(Level::warning,
            cause + "; continuing from step " + std::to_string(copy_.clock.step) + " with " + names_of(infos_));
      }
    }
  }

  std::int64_t steps() const { return simulation().clock().step; }
  double seconds() const { return seconds_; }
  Bodies bodies() { return bodies_of(devices_->first(), computation_->queue, simulation()); }
  /// A tree computes fewer interactions than there are pairs: its work is counted in bodies.
  std::string rate() const {
    const auto bodies = static_cast<double>(simulation().bodies());
    const double work = (by_tree() ? 1 : bodies) * bodies * static_cast<double>(options_.steps);
    return (work > 0 && seconds_ > 0 ? brief(work / seconds_) : std::string("n/a")) +
           (by_tree() ? " bodies/s" : " interactions/s");
  }
  bool has_lost_devices() const { return lost_; }

  void write() {
    if (!options_.out.empty()) {
      Progress writing("writing bodies");
      write_bodies(options_.out, bodies(), {simulation().clock().time, options_.settings.softening},
                   [&](double part) { writing.show(part, options_.out); });
    }
    if (rows_) rows_->finish();
  }

  void summarise() {
    std::printf(
        "%zu bodies, %lld steps of %s (softening %s, %s, %s) to t = %s in %s s on %s: %s, energy %s "
        "(off by "
        "%s)\n",
        simulation().bodies(), static_cast<long long>(options_.steps), shortest(options_.settings.dt).c_str(),
        shortest(options_.settings.softening).c_str(), options_.settings.integrator.c_str(),
        options_.settings.precision.c_str(), brief(last_.time).c_str(), brief(seconds_).c_str(),
        devices_->names().c_str(), rate().c_str(), brief(last_.total(), 6).c_str(),
        brief(std::abs(last_.total() - first_->total()) / std::max(std::abs(first_->total()), 1e-300), 2).c_str());
    if (by_tree()) summarise_tree();
    if (simulation().devices() > 1) summarise_shares();
  }

  // Which potential the diagnostics have, where it is not the sum over all pairs.
  void summarise_potential() {
    if (options_.diagnostics.empty() || simulation().kernels().variant.forces != Forces::tree) return;
    const auto field =
        computation_->queue.read_blocking<cl_float4>(simulation().buffers().accelerations, simulation().bodies());
    std::vector<double> potentials(field.size());
    std::ranges::transform(field, potentials.begin(), [](const cl_float4& row) { return double{row.s[3]}; });
    const PotentialCheck check = check_potential(bodies(), potentials, options_.settings.softening);
    std::printf("  potential by the tree: relative error %s, known to %s, by sums over all for %zu bodies\n",
                brief(check.error, 2).c_str(), brief(check.deviation, 2).c_str(), check.bodies);
  }

 private:
  const NbodySimulation& simulation() const { return computation_->simulation; }
  bool by_tree() const { return simulation().kernels().variant.forces == Forces::tree; }

  Bodies first_bodies() {
    NbodySettings& s = options_.settings;
    for (const DeviceInfo& device : infos_) {
      const Precision precision = precision_of(s, device);
      check_work_group(static_cast<std::size_t>(s.work_group), device, local_bytes_per_item(device, precision));
      check_memory(device, precision, static_cast<std::size_t>(s.bodies), forces_of(s));
    }
    Bodies bodies = make_bodies(s.initial, s.bodies, automatic_bodies(s.initial, infos_.front().device_class),
                                static_cast<std::uint64_t>(s.seed), reading_from(s.initial));
    take(s, suggestion_of(s.initial, bodies), options_.unset);
    return bodies;
  }

  void begin() {
    devices_ = std::make_unique<DeviceGroup>(infos_);
    computation_ = std::make_unique<Computation>(*devices_, simulation_of(copy_));
    tell_of_crashes();
  }

  NbodySimulation simulation_of(const Moment& moment) {
    const NbodySettings& s = options_.settings;
    const DeviceInfo& device = infos_.front();
    const Precision precision = precision_of(s, device);
    check_memory(device, precision, moment.bodies.size(), forces_of(s));
    try {
      return nbody_simulation(devices_->programs(), s, moment.bodies, moment.clock,
                              exchange_named(options_.devices.exchange), moment.tree);
    } catch (const Error& error) {
      if (!is_memory_refusal(error)) throw;
      throw with_most_bodies(error, device, precision, moment.bodies.size(), forces_of(s));
    }
  }

  void take_steps() {
    const NbodySettings& s = options_.settings;
    NbodySimulation& moving = computation_->simulation;
    run_burst(moving, computation_->queue, {0, s.dt, s.softening});
    Progress progress("n-body");
    note_diagnostics(progress);
    while (steps() < options_.steps && !interrupted()) {
      const std::int64_t done = steps(), count = std::min(s.burst, options_.steps - done);
      const double began = now_seconds();
      run_burst(moving, computation_->queue, {count, s.dt, s.softening}, [&] {
        if (interrupted()) moving.shorten_burst();
        const double part = static_cast<double>(steps() - done) * moving.burst_progress();
        progress.show((static_cast<double>(done) + part) / static_cast<double>(options_.steps),
                      "step " + std::to_string(steps()) + " of " + std::to_string(options_.steps));
      });
      seconds_ += now_seconds() - began;
      note_diagnostics(progress);
      copy_if_due();
    }
  }

  // With several devices. Takes a twentieth of the time at most.
  void copy_if_due() {
    constexpr double interval = 1, least_pause = 20;
    const double began = now_seconds();
    if (infos_.size() < 2 || began < copy_due_) return;
    NbodyDownload download(devices_->first(), computation_->queue, simulation().bodies(), simulation().precision());
    download.begin(computation_->queue, simulation());
    computation_->queue.finish();
    copy_ = {download.bodies(), download.clock(), download.tree()};
    const double now = now_seconds();
    copy_due_ = now + std::max(interval, least_pause * (now - began));
  }

  // Empty where the failure is not that of one device of several.
  std::vector<DeviceInfo> others_after(const Error& error, const std::vector<DeviceInfo>& gone) const {
    const auto* silent = dynamic_cast<const DeviceSilent*>(&error);
    if (infos_.size() < 2 || (silent == nullptr && error.details().code.empty())) return {};
    std::vector<DeviceInfo> asked = infos_;
    std::erase_if(asked, [&](const DeviceInfo& device) {
      return std::ranges::find(gone, device.id, &DeviceInfo::id) != gone.end();
    });
    if (silent != nullptr && gone.empty())
      std::erase_if(asked, [&](const DeviceInfo& device) { return is_to_blame(device, *silent); });
    std::vector<DeviceInfo> rest = answering(asked, longest_answer);
    if (rest.size() < infos_.size()) return rest;
    rest.resize(silent != nullptr ? 1 : 0);  // each works alone; together they do not
    return rest;
  }

  // Only PoCL-Remote tells that a device has gone; the others wait for what it was to send.
  std::vector<DeviceInfo> gone_devices() const {
    std::vector<DeviceInfo> gone;
    if (!devices_) return gone;
    for (const Device& device : devices_->devices()) try {
        check_available(device.handle(), device.info());
      } catch (const Error&) {
        gone.push_back(device.info());
      }
    return gone;
  }

  // While several devices work together, all but the silent one wait for it.
  bool is_to_blame(const DeviceInfo& device, const DeviceSilent& silent) const {
    const auto is = [&](const DeviceInfo& other) { return device.id == other.id && device.part == other.part; };
    if (!computation_) return is(silent.device());
    return std::ranges::any_of(simulation().behind(), [&](std::size_t k) { return is(infos_[k]); });
  }

  // The memory that a failed device may still use is kept until the process ends.
  void let_go(const Error& error) {
    lost_ = lost_ || infos_.size() > 1;
    if (dynamic_cast<const DeviceSilent*>(&error) != nullptr || !error.details().code.empty()) {
      if (computation_) abandon(computation_);
      if (devices_) abandon(devices_);
    }
    computation_.reset();
    devices_.reset();
  }

  void summarise_tree() {
    const bool chosen = options_.settings.forces == "auto";
    std::printf("  forces by a tree%s: ", chosen ? ", which auto chose" : "");
    if (const auto found = simulation().tree_error(computation_->queue))
      std::printf("99 of 100 accelerations have a relative error below %s, %s was allowed\n", brief(*found, 2).c_str(),
                  shortest(options_.settings.force_error).c_str());
    else
      std::printf("%s radians\n", shortest(options_.settings.opening_angle).c_str());
  }

  void summarise_shares() const {
    std::string shares;
    for (std::size_t k = 0; k < simulation().devices(); ++k) {
      shares += (k == 0 ? "" : " + ") + std::to_string(simulation().worked_for(k));
    }
    std::printf("  shared by %zu devices: %s bodies; exchange %s\n", simulation().devices(), shares.c_str(),
                options_.devices.exchange.c_str());
  }

  void note_diagnostics(const Progress& progress) {
    for (const Device& device : devices_->devices()) check_available(device.handle(), device.info());
    computation_->publisher.diagnose(computation_->queue, simulation());
    computation_->queue.finish();
    const NbodyDiagnostics now = computation_->publisher.diagnostics();
    if (now.broken > 0)
      throw failure(std::to_string(now.broken) + " bodies became NaN or infinite at step " + std::to_string(now.step),
                    "try a smaller --dt or a larger --softening");
    if (first_ && now.step <= last_.step) return;  // noted before a device was lost
    if (!first_) first_ = now;
    last_ = now;
    if (const auto warning = watch_.look(now, options_.settings.dt)) progress.say(*warning);
    if (options_.diagnostics.empty()) return;
    if (rows_)
      rows_->append(csv_row(now) + "\n");
    else
      rows_.emplace(options_.diagnostics, csv_header_of_diagnostics() + "\n" + csv_row(now) + "\n");
  }

  inline static const double longest_answer = patience(10);  // seconds, of a device that may have failed

  NbodyOptions& options_;
  std::vector<DeviceInfo> infos_;
  Moment copy_;
  double copy_due_ = 0;
  std::unique_ptr<DeviceGroup> devices_;
  std::unique_ptr<Computation> computation_;
  std::optional<GrowingFile> rows_;
  std::optional<NbodyDiagnostics> first_;
  NbodyDiagnostics last_;
  StepWatch watch_;
  double seconds_ = 0;  // of the steps
  bool lost_ = false;   // a device has failed
};

// Takes the same steps on the first device alone. Throws when they lead to other bodies.
void compare_with_one(NbodyOptions& options, const DeviceInfo& first, double seconds, const Bodies& bodies) {
  const std::string name = (first.parts > 1 ? "one part of " : "") + first.name;
  NbodyOptions alone = options;
  alone.diagnostics.clear();
  Run one(alone, {first});
  one.go();
  if (interrupted())
    throw Interrupted(" while " + name + " took the same steps alone" + holding({options.out, options.diagnostics}));
  if (one.bodies() != bodies)
    throw failure("several devices and " + name + " alone give different bodies", "please report this");
  std::printf("  %s alone: %s s, %s, bit-identical bodies; speed-up %s\n", name.c_str(), brief(one.seconds()).c_str(),
              one.rate().c_str(), brief(one.seconds() / seconds, 3).c_str());
}

}  // namespace

int run_nbody(const Arguments& arguments) {
  NbodyOptions options;
  if (!parse_options(arguments, options)) return 0;
  check(options);
  const std::vector<DeviceInfo> devices = open_choice(options.devices);
  check_speed_up(options, devices);
  double seconds = 0;
  Bodies bodies;
  const InterruptWatch watch;
  limit_silence(patience(30));
  {
    Run run(options, devices);
    run.go();
    run.write();
    if (interrupted())
      throw Interrupted(" at step " + std::to_string(run.steps()) + " of " + std::to_string(options.steps) +
                        holding({options.out, options.diagnostics}));
    run.summarise();
    run.summarise_potential();
    if (options.speed_up && run.has_lost_devices())
      throw failure("a device was lost during the run, so --speed-up cannot compare");
    seconds = run.seconds();
    if (options.speed_up) bodies = run.bodies();
  }
  if (options.speed_up) compare_with_one(options, devices.front(), seconds, bodies);
  return 0;
}

}  // namespace orrery::cli
