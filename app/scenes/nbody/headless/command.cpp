#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/growing_file.hpp"
#include "base/files/path.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/log.hpp"
#include "base/platform/folders.hpp"
#include "base/platform/process.hpp"
#include "base/platform/signals.hpp"
#include "base/printable.hpp"
#include "base/shell_word.hpp"
#include "base/text.hpp"
#include "base/work/abandon.hpp"
#include "base/work/crash_report.hpp"
#include "base/work/interrupt.hpp"
#include "base/work/ranks.hpp"
#include "cli/options.hpp"
#include "compute/device/answering.hpp"
#include "compute/device/call_watch.hpp"
#include "compute/device/driver_check.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/device/refusal.hpp"
#include "compute/device/remote_servers.hpp"
#include "compute/program/kernel_sources.hpp"
#include "compute/tuning/variant_text.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/potential_check.hpp"
#include "scenes/nbody/checks/tuning.hpp"
#include "scenes/nbody/headless/commands.hpp"
#include "scenes/nbody/headless/run_state.hpp"
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
  std::string state, resume;
  bool state_is_asked_for = true;
  std::vector<std::string> given;  ///< names of the settings that the command line tells
  // A process whose devices fell silent starts this program again with these: the devices that remain, each as
  // PLATFORM:DEVICE:PART:PARTS, and the file of the state to go on from.
  std::vector<std::string> remaining;
  std::string kept;
};

constexpr const char* remaining_option = "--remaining-device";
constexpr const char* kept_option = "--kept-state";

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
  app.add_option("--state", options.state,
                 "file for the state of the run, kept every few seconds and at its end, from which --resume goes on")
      ->type_name("FILE");
  app.add_option("--resume", options.resume,
                 "continue from this state, with its settings, up to --steps in all; keeps the state there unless "
                 "--state names another file")
      ->type_name("FILE");
  add_device_options(app, options.devices);
  app.add_flag("--speed-up", options.speed_up,
               "repeat the run on the first of several devices, and compare times and bodies");
  app.add_option(remaining_option, options.remaining)
      ->group("")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option(kept_option, options.kept)->group("");
  list_under(app, "Bodies", {"bodies", "initial", "seed"});
  list_under(app, "Time steps", {"steps", "dt", "softening", "integrator", "burst"});
  list_under(app, "Output", {"out", "diagnostics", "state", "resume", "speed-up"});
  list_under(app, "Computation",
             {"precision", "forces", "force-error", "opening-angle", "order", "device", "split", "exchange",
              "work-group", "variant"});
  app.footer(
      "On many machines: mpirun -n N orrery nbody ..., or srun. Each rank takes a device of its machine, and the "
      "bits are those of one device.\n\nInitial conditions:\n" +
      initial_table());
  if (!parse(app, arguments)) return false;
  for (const Parameter& parameter : parameters(options.settings, true))
    if (const std::string name(parameter.info().name); app.count("--" + name) > 0) options.given.push_back(name);
  if (options.state.empty()) options.state = options.resume;
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
  check_output("--state", options.state);
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

// Seconds in which a slice of work has to end, and a call to a driver to return.
double longest_silence() { return patience(30); }

// Files without an owner: in the state folder, or where that cannot be.
std::string own_state_file(const char* name) {
  std::error_code none;
  const fs::path folder = state_folder().empty() ? fs::temp_directory_path(none) : state_folder();
  return folder.empty() ? std::string() : name_beside(folder / name).replace_extension(".state").string();
}

// Ends the process while one of its threads is inside a driver for ever.
[[noreturn]] void end_at_once(const std::string& line, int code) {
  remove_unfinished_files();
  if (!line.empty()) std::fprintf(stderr, "orrery: %s\n", line.c_str());
  std::fflush(stdout);
  std::_Exit(code);
}

/// The run starts this program again from these, where some of its devices fall silent.
struct Beginning {
  Arguments arguments;               ///< of this command, as they were given first
  std::vector<PlatformInfo> listed;  ///< all devices
};

/// The run, from its first bodies to its last step. Where one of several devices fails or stops responding,
/// the others continue from the last state that the host has: in this process where they answer here, else in a new one
/// in its place. A driver that never returns from a call leaves no other way.
class Run {
 public:
  /// `ranks`: those that share the bodies; null where this process is alone.
  Run(NbodyOptions& options, std::vector<DeviceInfo> devices, Beginning beginning, Ranks* ranks = nullptr)
      : options_(options),
        infos_(std::move(devices)),
        beginning_(std::move(beginning)),
        ranks_(ranks),
        state_file_(options.state),
        lost_(!options.remaining.empty()),
        calls_(longest_silence(), [this](const DeviceInfo& device) { leave_behind(device); }) {
    const std::string& from = options.kept.empty() ? options.resume : options.kept;
    if (from.empty())
      first_bodies_ = first_bodies();
    else
      resume(from);
  }
  ~Run() {
    if (!ended_) let_go();  // a failure: nobody waits for what the devices still do
    const DriverCall watched(infos_.front());
    computation_.reset();
    devices_.reset();
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// All that was asked for is done and told: what is left is to release the devices.
  void end() { ended_ = true; }

  void go() {
    for (;;) {
      try {
        begin();
        return take_steps();
      } catch (const Error& error) {
        const auto* silent = dynamic_cast<const DeviceSilent*>(&error);
        const bool is_of_a_device = silent != nullptr || !error.details().code.empty();
        if (ranks_ != nullptr || infos_.size() < 2 || !is_of_a_device) throw;
        std::vector<DeviceInfo> gone = gone_devices(), suspects = gone;
        if (gone.empty() && silent != nullptr) suspects = to_blame(*silent);
        std::vector<DeviceInfo> rest = answering(without(infos_, suspects), longest_answer());
        if (rest.empty() && gone.empty()) {  // events that a lost device ends falsely put the blame on the others
          rest = answering(suspects, longest_answer());
          gone = gone_devices();
          if (!gone.empty()) suspects = gone;
        }
        if (rest.size() == infos_.size()) rest.resize(silent != nullptr ? 1 : 0);  // they work alone, not together
        const std::string cause = gone.empty() ? error.what() : ended_text(gone);
        let_go();
        if (rest.empty() && !suspects.empty()) start_anew(suspects, cause);
        if (rest.empty()) throw;
        infos_ = std::move(rest);
        log(Level::warning,
            cause + "; continuing from step " + std::to_string(kept_step()) + " with " + names_of(infos_));
      }
    }
  }

  std::int64_t steps() const { return simulation().clock().step; }
  double seconds() const { return seconds_; }
  Bodies bodies() { return bodies_of(devices_->first(), computation_->queue, simulation()); }
  /// A tree computes fewer interactions than there are pairs: its work is counted in bodies.
  std::string rate() const {
    const auto bodies = static_cast<double>(simulation().bodies());
    const double work =
        (by_tree() ? 1 : bodies) * bodies * static_cast<double>(steps() - (resumed_ ? resumed_->step : 0));
    return (work > 0 && seconds_ > 0 ? brief(work / seconds_) : std::string("n/a")) +
           (by_tree() ? " bodies/s" : " interactions/s");
  }
  bool has_lost_devices() const { return lost_; }

  void write() {
    if (!is_first()) return;
    if (!options_.out.empty()) {
      Progress writing("writing bodies");
      write_bodies(options_.out, bodies(), {simulation().clock().time, options_.settings.softening},
                   [&](double part) { writing.show(part, options_.out); });
    }
    if (rows_) rows_->finish();
    if (options_.state_is_asked_for || steps() < options_.steps) keep_state();
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
    if (simulation().devices() > 1 || ranks_ != nullptr) summarise_shares();
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
    Bodies bodies;
    if (is_first()) {
      bodies = make_bodies(s.initial, s.bodies, automatic_bodies(s.initial, infos_.front().device_class),
                           static_cast<std::uint64_t>(s.seed), reading_from(s.initial));
      take(s, suggestion_of(s.initial, bodies), options_.unset);
    }
    if (ranks_ != nullptr) share_start(bodies);
    return bodies;
  }

  bool is_first() const { return ranks_ == nullptr || ranks_->first(); }

  // Machines may differ in their mathematical functions, and in their files.
  void share_start(Bodies& bodies) {
    std::uint64_t count = bodies.size();
    std::array<double, 2> chosen{options_.settings.dt, options_.settings.softening};
    ranks_->of_first(std::as_writable_bytes(std::span(&count, 1)));
    ranks_->of_first(std::as_writable_bytes(std::span(chosen)));
    bodies.resize(count);
    ranks_->of_first(std::as_writable_bytes(std::span(bodies)));
    options_.settings.dt = chosen[0];
    options_.settings.softening = chosen[1];
  }

  void begin() {
    devices_ = std::make_unique<DeviceGroup>(infos_);
    computation_ = std::make_unique<Computation>(*devices_, kept_ ? simulation_of(*kept_) : simulation_of_first());
    if (infos_.size() == 1 || ranks_ != nullptr) kept_.reset();
    tell_of_crashes();
  }

  std::int64_t kept_step() const { return kept_ ? kept_->clock.step : 0; }

  NbodyRunState present() const {
    NbodyRunState state{.settings = {},
                        .bodies = simulation().bodies(),
                        .precision = simulation().precision(),
                        .clock = simulation().clock(),
                        .hash = last_.hash,
                        .first_energy = first_->total(),
                        .exact = simulation().exact(computation_->queue)};
    NbodySettings settings = options_.settings;
    settings.forces = name_of(simulation().kernels().variant.forces);  // auto may choose otherwise elsewhere
    settings.bodies = static_cast<std::int64_t>(state.bodies);
    add_values(state.settings, parameters(settings, true));
    return state;
  }

  // The settings of the state, of which the command line may change those that change no bits.
  void resume(const std::string& from) {
    if (is_first()) kept_ = read_run_state(from);
    std::error_code none;
    for (const std::string& file : {from, options_.resume})
      keeps_in_place_ = keeps_in_place_ || fs::equivalent(fs::path(state_file_), file, none);
    if (is_first() && !kept_->is_proved) tell_of_old_state(from);
    if (!options_.kept.empty() && from != options_.state) fs::remove(from, none);
    if (ranks_ != nullptr) {
      const std::string header = ranks_->of_first(is_first() ? header_of(*kept_) : std::string());
      if (!is_first()) {
        kept_ = state_with_header(header, from);
        allocate_rows(*kept_);
      }
      for (std::vector<std::byte>& row : kept_->exact.rows) ranks_->of_first(std::span(row));
      ranks_->of_first(std::as_writable_bytes(std::span(kept_->exact.errors)));
    }
    resumed_ = {kept_->clock.step, kept_->hash, kept_->first_energy};
    constexpr std::array<std::string_view, 3> free{"burst", "work-group", "variant"};
    NbodySettings stored = options_.settings;
    std::vector<Parameter> declared = parameters(stored, true), asked = parameters(options_.settings, true);
    for (const auto& [name, value] : kept_->settings) {
      Parameter* parameter = find(declared, name);
      if (options_.kept.empty() && std::ranges::find(free, name) != free.end() && is_given(name)) {
        if (name == "variant") check_same_tree(std::get<std::string>(value));
        continue;
      }
      parameter->assign(value);
      const ParameterInfo& info = parameter->info();
      const std::string wanted = value_text(info, parameter->value()),
                        got = value_text(info, find(asked, name)->value());
      if (options_.kept.empty() && is_given(name) && got != wanted)
        throw usage_error("--" + name, got, in_quotes(wanted) + ", which " + options_.resume + " has");
    }
    options_.settings = stored;
    for (const DeviceInfo& device : infos_)
      if (precision_of(stored, device) != kept_->precision)
        throw usage_error("--device", device.name, "a device of the precision of " + from);
    if (resumed_->step > options_.steps)
      throw usage_error("--steps", std::to_string(options_.steps),
                        std::to_string(resumed_->step) + " or more, the step of " + from);
  }

  // Other accelerations than those of its bodies would go unnoticed, so the file stays as evidence.
  void tell_of_old_state(const std::string& file) {
    std::string text = file + " is of an older format, which proves masses, positions and velocities only";
    if (keeps_in_place_) old_state_copy_ = file + ".1", text += "; it will be kept as " + old_state_copy_;
    log(Level::warning, text);
  }

  void copy_old_state() {
    if (old_state_copy_.empty()) return;
    std::error_code error;
    fs::copy_file(options_.resume, old_state_copy_, fs::copy_options::skip_existing, error);
    if (error) throw failure("cannot write " + old_state_copy_ + ": " + error.message());
    old_state_copy_.clear();
  }

  // The file that the run goes on from is the evidence of a wrong continuation, until a step has succeeded.
  bool would_replace_evidence(std::int64_t step) const { return keeps_in_place_ && step <= resumed_->step; }

  // A tree of another shape has other bits.
  void check_same_tree(const std::string& variant) const {
    if (choice_for(options_.settings.variant, tree_kernel) != choice_for(variant, tree_kernel))
      throw usage_error("--variant", options_.settings.variant,
                        "the tree of " + in_quotes(variant) + ", which " + options_.resume + " has");
  }
  bool is_given(std::string_view name) const { return std::ranges::find(options_.given, name) != options_.given.end(); }

  NbodySimulation simulation_of(const NbodyRunState& state) {
    check_memory(infos_.front(), state.precision, state.bodies, forces_of(options_.settings));
    return nbody_simulation(devices_->programs(), options_.settings, state.bodies, state.exact, state.clock,
                            exchange_named(options_.devices.exchange), nbody_company(ranks_, infos_.size()));
  }

  // The first rank writes it: it has all of the state.
  void keep_state() {
    if (!is_first() || state_file_.empty() || would_replace_evidence(steps())) return;
    const NbodyRunState state = present();
    copy_old_state();
    try {
      write_run_state(state_file_, state);
    } catch (const Error& error) {
      if (options_.state_is_asked_for) throw;
      log(Level::warning, std::string(error.what()) + "; no state of this run is kept");
      state_file_.clear();
    }
    if (ranks_ == nullptr) return;
    if (state_file_.empty())
      ranks_->set_remedy("no state was kept");
    else
      ranks_->set_remedy("orrery nbody --resume " + shell_word(state_file_) + " goes on from step " +
                         std::to_string(state.clock.step));
  }

  // Takes a twentieth of the time at most.
  void keep_state_if_due() {
    constexpr double interval = 2, least_pause = 20;
    const double began = now_seconds();
    if (state_file_.empty() || began < state_due_) return;
    keep_state();
    const double now = now_seconds();
    state_due_ = now + std::max(interval, least_pause * (now - began));
  }

  NbodySimulation simulation_of_first() {
    const NbodySettings& s = options_.settings;
    const DeviceInfo& device = infos_.front();
    const Precision precision = precision_of(s, device);
    check_memory(device, precision, first_bodies_.size(), forces_of(s));
    try {
      return nbody_simulation(devices_->programs(), s, first_bodies_, {}, exchange_named(options_.devices.exchange), {},
                              nbody_company(ranks_, infos_.size()));
    } catch (const Error& error) {
      if (!is_memory_refusal(error)) throw;
      throw with_most_bodies(error, device, precision, first_bodies_.size(), forces_of(s));
    }
  }

  void take_steps() {
    const NbodySettings& s = options_.settings;
    NbodySimulation& moving = computation_->simulation;
    run_burst(moving, computation_->queue, {0, s.dt, s.softening});
    Progress progress("n-body");
    note_diagnostics(progress);
    keep_state_if_due();
    if (ranks_ == nullptr) interrupts_.emplace("the current step");  // before, there is nothing to keep
    while (steps() < options_.steps && !ends_here()) {
      const std::int64_t done = steps(), count = std::min(s.burst, options_.steps - done);
      const double began = now_seconds();
      run_burst(moving, computation_->queue, {count, s.dt, s.softening}, [&] {
        if (interrupted() && ranks_ == nullptr) moving.shorten_burst();
        const double part = static_cast<double>(steps() - done) * moving.burst_progress();
        progress.show((static_cast<double>(done) + part) / static_cast<double>(options_.steps),
                      "step " + std::to_string(steps()) + " of " + std::to_string(options_.steps));
      });
      seconds_ += now_seconds() - began;
      note_diagnostics(progress);
      copy_if_due();
      keep_state_if_due();
    }
  }

  // One rank may have been told to end, or hold other bodies than the first: both are everyone's business.
  bool ends_here() {
    if (ranks_ == nullptr) return interrupted();
    const std::string hash = by_tree() ? std::to_string(last_.hash) : std::string();
    const std::vector<std::string> all = ranks_->all((interrupted() ? "ends " : "goes on ") + hash);
    const auto text_behind = [](const std::string& text) { return text.substr(text.rfind(' ') + 1); };
    for (std::size_t rank = 1; rank < all.size(); ++rank)
      if (text_behind(all[rank]) != text_behind(all[0]))
        throw failure(ranks_->name(static_cast<int>(rank)) + " has other bodies than " + ranks_->name(0) + " at step " +
                          std::to_string(steps()),
                      "devices of one name and driver should round alike; --forces gather needs no such devices");
    return std::ranges::any_of(all, [](const std::string& text) { return text.starts_with("ends"); });
  }

  // With several devices. Takes a twentieth of the time at most.
  void copy_if_due() {
    constexpr double interval = 1, least_pause = 20;
    const double began = now_seconds();
    if (infos_.size() < 2 || ranks_ != nullptr || began < copy_due_) return;
    kept_ = present();
    first_bodies_ = {};
    const double now = now_seconds();
    copy_due_ = now + std::max(interval, least_pause * (now - began));
  }

  // The watch's thread; that of the run is inside a call to a driver, and does not come back.
  void leave_behind(const DeviceInfo& device) {
    if (ranks_ != nullptr && ranks_->waits_for_others()) return;
    const DeviceSilent silent(named({device}).front(), longest_silence());
    if (ranks_ != nullptr) ranks_->fail(silent.what(), 1);
    if (ended_) end_at_once({}, 0);
    try {
      if (interrupted())
        throw Interrupted(" at step " + std::to_string(kept_step()) + " of " + std::to_string(options_.steps) + "; " +
                          silent.what());
      // Those that have gone are to blame: PoCL 6.0 may then answer for none of its devices. Else, where some of
      // several answer and others do not, the others are: a call may wait for another device.
      const Answers answers = infos_.size() > 1 ? answers_of(infos_, longest_answer()) : Answers{};
      if (!answers.gone.empty()) {
        start_anew(answers.gone, ended_text(answers.gone));
      } else {
        std::vector<DeviceInfo> suspects = without(infos_, answers.right);
        if (suspects.empty() || suspects.size() == infos_.size()) suspects = {device};
        start_anew(suspects, DeviceSilent(named(suspects).front(), longest_silence()).what());
      }
      end_at_once(silent.what(), 1);
    } catch (const Interrupted& end) {
      end_at_once(end.what(), end.exit_code());
    } catch (const std::exception& error) {
      end_at_once(error.what(), 1);
    }
  }

  // With their places, where others have the same name.
  std::vector<DeviceInfo> named(std::vector<DeviceInfo> devices) const {
    for (DeviceInfo& device : devices)
      if (std::ranges::count(infos_, device.name, &DeviceInfo::name) > 1 && device.parts == 1)
        device.name = text_of(device.id) + " " + device.name;
    return devices;
  }

  std::string ended_text(const std::vector<DeviceInfo>& gone) const {
    return names_of(named(gone)) + ": the server on the other machine ended";
  }

  // Goes on with the others in a new process: this one has no thread left, or its drivers are of no use. Returns where
  // there are no others, and throws where no process can be started.
  void start_anew(const std::vector<DeviceInfo>& silent, const std::string& cause) {
    const DevicesLeft left = devices_without(silent, infos_, beginning_.listed);
    if (left.devices.empty()) return;
    Arguments arguments{"nbody"};
    std::ranges::copy(beginning_.arguments, std::back_inserter(arguments));
    for (const DeviceInfo& device : left.devices) {
      arguments.emplace_back(remaining_option);
      arguments.push_back(text_of(device.id) + ":" + std::to_string(device.part) + ":" + std::to_string(device.parts));
    }
    if (kept_) {
      const bool elsewhere = state_file_.empty() || would_replace_evidence(kept_->clock.step);
      const std::string file = elsewhere ? own_state_file("nbody-going-on") : state_file_;
      write_run_state(file, *kept_);
      arguments.insert(arguments.end(), {kept_option, file});
    }
    rows_.reset();
    remove_unfinished_files();
    if (platform::standard_error_is_a_terminal()) platform::put_on_standard_error("\r\033[K");  // a progress line
    log(Level::warning,
        cause + "; starting again from step " + std::to_string(kept_step()) + " with " + names_of(left.devices));
    auto variables = left.variables;
    variables.push_back(given_driver_folder());
    throw failure("Orrery cannot start again: " + platform::start_again(arguments, variables));
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
  std::vector<DeviceInfo> to_blame(const DeviceSilent& silent) const {
    std::vector<DeviceInfo> devices;
    for (const DeviceInfo& device : infos_)
      if (!computation_ && is_same(device, silent.device())) devices.push_back(device);
    if (!computation_) return devices;
    const DriverCall watched(infos_.front());
    for (const std::size_t k : simulation().behind()) devices.push_back(infos_[k]);
    return devices;
  }

  // The memory that a failed device may still use is kept until the process ends.
  void let_go() {
    lost_ = true;
    if (computation_) abandon(computation_);
    if (devices_) abandon(devices_);
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
    if (ranks_ != nullptr) {
      std::size_t own = 0;
      for (std::size_t k = 0; k < simulation().devices(); ++k) own += simulation().worked_for(k);
      for (const std::string& each : ranks_->all(std::to_string(own))) shares += (shares.empty() ? "" : " + ") + each;
      const std::size_t machines = ranks_->machines();
      std::printf("  shared by %d ranks on %zu machine%s: %s bodies\n", ranks_->count(), machines,
                  machines == 1 ? "" : "s", shares.c_str());
      return;
    }
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
    if (now.broken > 0 && (is_first() || by_tree()))
      throw failure(std::to_string(now.broken) + " bodies became NaN or infinite at step " + std::to_string(now.step),
                    "try a smaller --dt or a larger --softening");
    if (first_ && now.step <= last_.step) return;  // noted before a device was lost
    if (!first_) begin_diagnostics(now);
    last_ = now;
    if (const auto warning = watch_.look(now, options_.settings.dt)) progress.say(*warning);
    if (options_.diagnostics.empty() || !is_first()) return;
    if (rows_)
      rows_->append(csv_row(now) + "\n");
    else
      rows_.emplace(options_.diagnostics, earlier_rows(now.step) + csv_row(now) + "\n");
  }

  void begin_diagnostics(const NbodyDiagnostics& now) {
    first_ = now;
    if (!resumed_ || !is_first()) return;
    if (now.hash != resumed_->hash)
      throw failure("the state of the run is damaged: its bodies have the hash " + std::to_string(now.hash) +
                    " and it tells " + std::to_string(resumed_->hash));
    first_->potential = resumed_->first_energy - first_->kinetic;  // of which only the total is used
  }

  // Of a file of diagnostics that a resumed run continues: what is before its first step.
  std::string earlier_rows(std::int64_t step) const {
    constexpr FileKind rows_kind{"diagnostics", std::uint64_t{1} << 32};
    std::string kept = csv_header_of_diagnostics() + "\n";
    if (std::error_code none; !resumed_ || !fs::is_regular_file(options_.diagnostics, none)) return kept;
    std::istringstream lines(read_file(options_.diagnostics, rows_kind));
    std::string line;
    if (!std::getline(lines, line) || line + "\n" != kept) return kept;
    while (std::getline(lines, line)) {
      const auto row_step = parse_integer(line.substr(0, line.find(',')));
      if (row_step && *row_step < step) kept += line + "\n";
    }
    return kept;
  }

  NbodyOptions& options_;
  std::vector<DeviceInfo> infos_;
  Beginning beginning_;
  Ranks* ranks_;
  std::string state_file_;
  struct Resumed {
    std::int64_t step;
    StateHash hash;
    double first_energy;
  };
  std::optional<Resumed> resumed_;
  bool keeps_in_place_ = false;  // in the file that it goes on from
  std::string old_state_copy_;   // where that is kept before it is replaced, if it is of an older format
  double state_due_ = 0;
  // Where the run goes on from when a device is lost: the newest state on the host, before there is one the first
  // bodies.
  std::optional<NbodyRunState> kept_;
  Bodies first_bodies_;
  double copy_due_ = 0;
  std::unique_ptr<DeviceGroup> devices_;
  std::unique_ptr<Computation> computation_;
  std::optional<GrowingFile> rows_;
  std::optional<NbodyDiagnostics> first_;
  NbodyDiagnostics last_;
  StepWatch watch_;
  std::optional<InterruptWatch> interrupts_;
  double seconds_ = 0;  // of the steps
  bool lost_;           // a device has failed
  bool ended_ = false;  // all is done and told
  CallWatch calls_;
};

// Takes the same steps on the first device alone. Throws when they lead to other bodies.
void compare_with_one(NbodyOptions& options, const DeviceInfo& first, double seconds, const Bodies& bodies) {
  const std::string name = (first.parts > 1 ? "one part of " : "") + first.name;
  NbodyOptions alone = options;
  alone.diagnostics.clear();
  Run one(alone, {first}, {});
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

namespace {

// Ranks on one machine take its devices in turns, unless they are told which.
std::vector<DeviceInfo> devices_of_rank(const DeviceChoice& choice, const RankPlace& place) {
  if (!choice.spec.empty()) return open_choice(choice);
  const std::vector<PlatformInfo> platforms = enumerate_trusting();
  const DeviceInfo fastest = choose_device(platforms, {});
  std::vector<std::string> alike;
  for (const PlatformInfo& platform : platforms)
    for (const DeviceInfo& device : platform.devices)
      if (device.fault.empty() && device.name == fastest.name && device.platform == fastest.platform)
        alike.push_back(text_of(device.id));
  return choose_devices(platforms, alike[static_cast<std::size_t>(place.on_machine) % alike.size()], choice.split);
}

// All ranks must compute the same. Which devices each has is its own affair.
void check_agreement(Ranks& ranks, const Arguments& arguments) {
  std::string options;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const bool own = arguments[k].starts_with("--device") || arguments[k].starts_with("--split");
    if (!own) options += (options.empty() ? "" : " ") + arguments[k];
    if (own && arguments[k].find('=') == std::string::npos) ++k;
  }
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kernel_folder()))
    if (entry.path().extension() == ".cl") files.push_back(entry.path().filename().string());
  std::ranges::sort(files);
  const std::array<std::pair<std::string_view, std::string>, 3> own{
      {{"version", ORRERY_VERSION}, {"kernels", source_hash(*kernel_sources(), files)}, {"options", options}}};
  for (const auto& [what, value] : own) {
    const std::string wanted = ranks.of_first(value);
    const std::vector<std::string> all = ranks.all(value);
    for (std::size_t rank = 1; rank < all.size(); ++rank)
      if (all[rank] != wanted)
        throw usage_error("the " + std::string(what) + " of " + ranks.name(static_cast<int>(rank)), all[rank],
                          in_quotes(wanted) + ", as " + ranks.name(0) + " has");
  }
}

int run_on_many(NbodyOptions& options, const Arguments& arguments, const RankPlace& place) {
  if (options.speed_up) throw usage_error("--speed-up compares the devices of one process, and not ranks", {}, {});
  Ranks ranks(place);
  try {
    check_agreement(ranks, arguments);
    if (ranks.first()) check(options);
    const std::vector<DeviceInfo> devices = devices_of_rank(options.devices, place);
    options.state_is_asked_for = !options.state.empty();
    options.state = ranks.of_first(options.state_is_asked_for ? options.state : own_state_file("nbody-ranks"));
    const InterruptWatch watch;
    limit_silence(longest_silence());
    Run run(options, devices, {}, &ranks);
    if (!options.state.empty()) ranks.set_remedy("orrery nbody --resume " + shell_word(options.state) + " goes on");
    run.go();
    run.write();
    if (run.steps() < options.steps)  // this rank or another one was told to end
      throw Interrupted(" at step " + std::to_string(run.steps()) + " of " + std::to_string(options.steps) +
                        holding({options.out, options.diagnostics, options.state}));
    run.summarise();
    if (ranks.first()) run.summarise_potential();
    if (std::error_code none; ranks.first() && !options.state_is_asked_for)
      std::filesystem::remove(options.state, none);
    run.end();
    ranks.finish();
    return 0;
  } catch (const Interrupted& end) {
    ranks.fail(end.what(), end.exit_code());
  } catch (const std::exception& thrown) {
    const Error error = as_error(thrown);
    ranks.fail(error.what() + (error.details().log.empty() ? std::string() : "\n" + error.details().log),
               static_cast<int>(error.fault()));
  }
}

}  // namespace

namespace {

// Those of a process that is not the first one of its run end with what the process before has added.
Arguments first_arguments(const Arguments& arguments) {
  return {arguments.begin(), std::ranges::find(arguments, remaining_option)};
}

std::vector<DeviceInfo> remaining_devices(std::span<const PlatformInfo> listed, const std::vector<std::string>& names) {
  std::vector<DeviceInfo> devices;
  for (const std::string& name : names) {
    const std::size_t parts = name.rfind(':'), part = parts > 0 ? name.rfind(':', parts - 1) : std::string::npos;
    const auto count = part < parts ? parse_integer(name.substr(parts + 1)) : std::nullopt;
    const auto index = part < parts ? parse_integer(name.substr(part + 1, parts - part - 1)) : std::nullopt;
    if (!count || !index || *index < 0 || *index >= *count)
      throw usage_error(remaining_option, name, "PLATFORM:DEVICE:PART:PARTS, with PART from 0 to PARTS - 1");
    const DeviceInfo whole = choose_device(listed, name.substr(0, part));
    devices.push_back(split_device(whole, *count)[static_cast<std::size_t>(*index)]);
  }
  return devices;
}

}  // namespace

int run_nbody(const Arguments& arguments) {
  NbodyOptions options;
  if (!parse_options(arguments, options)) return 0;
  if (const auto place = rank_place()) return run_on_many(options, arguments, *place);
  check(options);
  const std::vector<PlatformInfo> listed = options.remaining.empty() ? enumerate_trusting() : enumerate_safely();
  const std::vector<DeviceInfo> devices = options.remaining.empty()
                                              ? choose_devices(listed, options.devices.spec, options.devices.split)
                                              : remaining_devices(listed, options.remaining);
  if (options.remaining.empty()) check_speed_up(options, devices);
  double seconds = 0;
  Bodies bodies;
  limit_silence(longest_silence());
  {
    Run run(options, devices, {first_arguments(arguments), listed});
    run.go();
    run.write();
    if (interrupted())
      throw Interrupted(" at step " + std::to_string(run.steps()) + " of " + std::to_string(options.steps) +
                        holding({options.out, options.diagnostics, options.state}));
    run.summarise();
    run.summarise_potential();
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
