#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "compute/kernel_limits.hpp"
#include "compute/refusal.hpp"
#include "model/nbody/body_file.hpp"
#include "model/nbody/device_group.hpp"
#include "model/nbody/initial.hpp"
#include "model/nbody/memory.hpp"
#include "model/nbody/publisher.hpp"
#include "model/nbody/step_watch.hpp"

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
  return "where the bodies begin: " + initial_choices() + "; default " + NbodySettings{}.initial;
}

bool parse_options(const Arguments& arguments, NbodyOptions& options) {
  CLI::App app("Bodies under their own gravity, G = 1.", "nbody");
  std::vector<Parameter> declared = parameters(options.settings, true);
  std::erase_if(declared, [](const Parameter& parameter) { return parameter.info().name == "initial"; });
  declared.push_back({{.name = "steps", .label = "Steps", .help = "time steps to take", .minimum = 0, .maximum = 1e15},
                      &options.steps});
  add_parameters(app, declared);
  app.add_option("--initial", options.settings.initial, initial_help())->type_name("NAME|FILE");
  app.add_option("--out", options.out, "the bodies at the end, to a .csv, .npy or .tipsy file")->type_name("FILE");
  app.add_option("--diagnostics", options.diagnostics, "conserved quantities after each burst, to a .csv file")
      ->type_name("FILE.csv");
  add_device_options(app, options.devices);
  app.add_flag("--speed-up", options.speed_up,
               "of several devices: afterwards the first one takes the same steps alone, to compare times and bodies");
  app.footer("Initial conditions (units that make G = 1):\n" + initial_table());
  if (!parse(app, arguments)) return false;
  options.unset = {.dt = app.count("--dt") == 0, .softening = app.count("--softening") == 0};
  return true;
}

// Before anything is computed.
void check(const NbodyOptions& options) {
  check_variant(options.settings);
  if (!options.out.empty()) {
    check_bodies_extension(options.out);
    check_output("--out", options.out);
  }
  if (options.diagnostics.empty()) return;
  if (fs::path(options.diagnostics).extension() != ".csv")
    throw usage_error("--diagnostics cannot be", options.diagnostics, "allowed: a .csv file");
  check_output("--diagnostics", options.diagnostics);
}

void check_speed_up(const NbodyOptions& options, std::span<const DeviceInfo> devices) {
  if (!options.speed_up) return;
  if (devices.size() < 2)
    throw usage_error("--speed-up cannot be with", devices.front().name,
                      "it compares several devices with one: --device P:D,P:D or --split N");
  if (options.steps == 0) throw usage_error("--speed-up cannot be with --steps", "0", "1 or more are to be timed");
}

class Run {
 public:
  Run(NbodyOptions& options, std::span<const DeviceInfo> devices)
      : options_(options),
        devices_(devices),
        queue_(devices_.first()),
        simulation_(begun()),
        publisher_(*devices_.programs().front(), simulation_.precision(), simulation_.bodies()) {}

  void go() {
    const NbodySettings& s = options_.settings;
    run_burst(simulation_, queue_, {0, s.dt, s.softening});
    Progress progress("n-body");
    note_diagnostics(progress, true);
    for (std::int64_t done = 0; done < options_.steps;) {
      const std::int64_t steps = std::min(s.burst, options_.steps - done);
      const double began = now_seconds();
      run_burst(simulation_, queue_, {steps, s.dt, s.softening}, [&] {
        const double part = static_cast<double>(steps) * simulation_.burst_progress();
        progress.show((static_cast<double>(done) + part) / static_cast<double>(options_.steps),
                      "step " + std::to_string(done + steps) + " of " + std::to_string(options_.steps));
      });
      seconds_ += now_seconds() - began;
      done += steps;
      note_diagnostics(progress, !options_.diagnostics.empty() || done >= options_.steps);
    }
  }

  double seconds() const { return seconds_; }
  Bodies bodies() { return bodies_of(devices_.first(), queue_, simulation_); }

  void write() {
    if (!options_.out.empty())
      write_bodies(options_.out, bodies(), {simulation_.clock().time, options_.settings.softening});
    if (!options_.diagnostics.empty()) write_diagnostics(options_.diagnostics, rows_);
  }

  void summarise() const {
    const NbodyDiagnostics &first = rows_.front(), &last = rows_.back();
    const auto bodies = static_cast<double>(simulation_.bodies());
    const double interactions = bodies * bodies * static_cast<double>(options_.steps);
    const std::string rate = interactions > 0 && seconds_ > 0 ? brief(interactions / seconds_) : "n/a";
    std::printf(
        "%zu bodies, %lld steps of %s (softening %s, %s, %s) to t = %s in %s s on %s: %s interactions/s, energy %s "
        "(off by "
        "%s)\n",
        simulation_.bodies(), static_cast<long long>(options_.steps), shortest(options_.settings.dt).c_str(),
        shortest(options_.settings.softening).c_str(), options_.settings.integrator.c_str(),
        options_.settings.precision.c_str(), brief(last.time).c_str(), brief(seconds_).c_str(),
        devices_.names().c_str(), rate.c_str(), brief(last.total(), 6).c_str(),
        brief(std::abs(last.total() - first.total()) / std::max(std::abs(first.total()), 1e-300), 2).c_str());
    if (simulation_.devices() > 1) summarise_shares();
  }

 private:
  NbodySimulation begun() {
    NbodySettings& s = options_.settings;
    for (const Device& device : devices_.devices()) {
      const Precision precision = precision_of(s, device.info());
      check_work_group(static_cast<std::size_t>(s.work_group), device.info(),
                       local_bytes_per_item(device.info(), precision));
      check_memory(device.info(), precision, static_cast<std::size_t>(s.bodies));
    }
    const DeviceClass first = devices_.first().info().device_class;
    const Bodies bodies =
        make_bodies(s.initial, s.bodies, automatic_bodies(s.initial, first), static_cast<std::uint64_t>(s.seed));
    take(s, suggestion_of(s.initial, bodies), options_.unset);
    return simulation_of(bodies);
  }

  NbodySimulation simulation_of(const Bodies& bodies) {
    const NbodySettings& s = options_.settings;
    const DeviceInfo& device = devices_.first().info();
    const Precision precision = precision_of(s, device);
    check_memory(device, precision, bodies.size());
    try {
      return nbody_simulation(devices_.programs(), s, bodies, {}, exchange_of(options_.devices));
    } catch (const Error& error) {
      if (!is_memory_refusal(error)) throw;
      throw with_most_bodies(error, device, precision, bodies.size());
    }
  }

  void summarise_shares() const {
    std::string shares;
    for (std::size_t k = 0; k < simulation_.devices(); ++k) {
      const NbodyShare& share = simulation_.share(k);
      shares += (k == 0 ? "" : " + ") + std::to_string(share.end - share.first);
    }
    std::printf("  shared by %zu devices: %s bodies; exchange %s\n", simulation_.devices(), shares.c_str(),
                options_.devices.exchange.c_str());
  }

  void note_diagnostics(const Progress& progress, bool keep) {
    publisher_.diagnose(queue_, simulation_);
    queue_.finish();
    const NbodyDiagnostics row = publisher_.diagnostics();
    if (keep) rows_.push_back(row);
    if (row.broken > 0)
      throw failure(std::to_string(row.broken) + " bodies are not finite at step " + std::to_string(row.step),
                    "try a smaller --dt or a larger --softening");
    if (const auto warning = watch_.look(row, options_.settings.dt)) progress.say(*warning);
  }

  NbodyOptions& options_;
  DeviceGroup devices_;
  Queue queue_;
  NbodySimulation simulation_;
  NbodyPublisher publisher_;
  std::vector<NbodyDiagnostics> rows_;
  StepWatch watch_;
  double seconds_ = 0;  // of the steps
};

// The same steps on the first device alone. Throws when they lead to other bodies.
void compare_with_one(NbodyOptions& options, const DeviceInfo& first, double seconds, const Bodies& bodies) {
  const std::string name = (first.parts > 1 ? "one part of " : "") + first.name;
  Run one(options, std::span(&first, 1));
  one.go();
  if (one.bodies() != bodies)
    throw failure("several devices lead to other bodies than " + name + " alone", "please report this");
  const double work = static_cast<double>(bodies.size()) * static_cast<double>(bodies.size());
  std::printf("  %s alone: %s s, %s interactions/s, the same bodies to the last bit; speed-up %s\n", name.c_str(),
              brief(one.seconds()).c_str(), brief(work * static_cast<double>(options.steps) / one.seconds()).c_str(),
              brief(one.seconds() / seconds, 3).c_str());
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
  {
    Run run(options, devices);
    run.go();
    run.write();
    run.summarise();
    seconds = run.seconds();
    if (options.speed_up) bodies = run.bodies();
  }
  if (options.speed_up) compare_with_one(options, devices.front(), seconds, bodies);
  return 0;
}

}  // namespace orrery::cli
