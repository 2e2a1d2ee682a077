#include "scenes/nbody/headless/run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "base/shell_word.hpp"
#include "base/text.hpp"
#include "base/work/abandon.hpp"
#include "base/work/crash_report.hpp"
#include "cli/silence.hpp"
#include "compute/device/kernel_limits.hpp"
#include "compute/device/refusal.hpp"
#include "compute/tuning/variant_text.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scenes/nbody/checks/field_check.hpp"
#include "scenes/nbody/headless/commands.hpp"
#include "scenes/nbody/model/memory.hpp"
#include "scenes/nbody/model/range.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

namespace orrery::cli {

namespace fs = std::filesystem;

struct NbodyRun::Computation {
  Queue queue;
  NbodySimulation simulation;
  NbodyPublisher publisher;

  Computation(DeviceGroup& devices, NbodySimulation begun)
      : queue(devices.first()),
        simulation(std::move(begun)),
        publisher(*devices.programs().front(), simulation.precision(), simulation.bodies()) {}
};

namespace {

FileProgress reading_from(const std::string& file) {
  return [file, reading = std::make_shared<Progress>("reading bodies")](double part) {
    if (interrupted()) throw Interrupted(" while " + file + " was read");
    reading->show(part, file);
  };
}

}  // namespace

NbodyRun::NbodyRun(NbodyOptions& options, std::vector<DeviceInfo> devices, Ranks* ranks)
    : options_(options),
      infos_(std::move(devices)),
      ranks_(ranks),
      checkpoint_(options.state, options.state_is_asked_for, options.resume),
      archiving_(options.archive, options.archive_every),
      calls_(longest_silence(), answers, [this](const DeviceInfo& device) { leave_behind(device); }) {
  if (options.resume.empty()) {
    first_bodies_ = first_bodies();
    const NbodySettings& s = options_.settings;
    if (s.softening == 0) watch_ = StepWatch(crowd_among(first_bodies_, precision_of(s, infos_.front())));
  } else {
    resume();
  }
}

NbodyRun::~NbodyRun() {
  if (!ended_) let_go();  // after a failure, do not wait for the devices
  const DriverCall watched(infos_.front());
  computation_.reset();
  devices_.reset();
}

const NbodySimulation& NbodyRun::simulation() const { return computation_->simulation; }

void NbodyRun::go() {
  for (;;) {
    try {
      begin();
      return take_steps();
    } catch (const Error& error) {
      const bool is_of_a_device = dynamic_cast<const DeviceSilent*>(&error) != nullptr || !error.details().code.empty();
      if (ranks_ != nullptr || infos_.size() < 2 || !is_of_a_device) throw;
      continue_without_lost(error);
    }
  }
}

Bodies NbodyRun::first_bodies() {
  NbodySettings& s = options_.settings;
  for (const DeviceInfo& device : infos_) {
    const Precision precision = precision_of(s, device);
    check_work_group(static_cast<std::size_t>(s.work_group), device, local_bytes_per_item(device, precision));
    check_memory(device, {s, precision}, static_cast<std::size_t>(s.bodies));
  }
  Bodies bodies;
  if (is_first()) {
    bodies = make_bodies(s.initial, s.bodies, automatic_bodies(s.initial, infos_.front()),
                         static_cast<std::uint64_t>(s.seed), reading_from(s.initial), terms_of(s));
    take(s, suggestion_of(s.initial, bodies, s.units, gravity_of(s), options_.unset), options_.unset);
  }
  if (ranks_ != nullptr) share_start(bodies);
  return bodies;
}

// Machines may differ in their mathematical functions, and in their files.
void NbodyRun::share_start(Bodies& bodies) {
  std::uint64_t count = bodies.size();
  std::array<double, 2> chosen{options_.settings.dt, options_.settings.softening};
  ranks_->of_first(std::as_writable_bytes(std::span(&count, 1)));
  ranks_->of_first(std::as_writable_bytes(std::span(chosen)));
  bodies.resize(count);
  ranks_->of_first(std::as_writable_bytes(std::span(bodies)));
  options_.settings.dt = chosen[0];
  options_.settings.softening = chosen[1];
}

void NbodyRun::begin() {
  devices_ = std::make_unique<DeviceGroup>(infos_);
  computation_ = std::make_unique<Computation>(*devices_, kept_ ? simulation_of(*kept_) : simulation_of_first());
  if (infos_.size() == 1 || ranks_ != nullptr) kept_.reset();
  tell_of_crashes();
}

NbodyRunState NbodyRun::present() const {
  NbodyRunState state = present_without_rows();
  allocate_rows(state);
  for (std::size_t k = 0; k < state.exact.rows.size(); ++k)
    simulation().read_row(computation_->queue, k, 0, state.exact.rows[k]);
  return state;
}

NbodyRunState NbodyRun::present_without_rows() const {
  NbodyRunState state{.settings = {},
                      .bodies = simulation().bodies(),
                      .precision = simulation().precision(),
                      .clock = simulation().clock(),
                      .hash = last_.hash,
                      .first_energy = first_->total(),
                      .exact = simulation().exact_terms(computation_->queue)};
  NbodySettings settings = options_.settings;
  settings.forces = name_of(simulation().kernels().variant.forces);  // auto may differ on other devices
  settings.bodies = static_cast<std::int64_t>(state.bodies);
  add_values(state.settings, parameters(settings, true));
  return state;
}

void NbodyRun::resume() {
  if (is_first()) kept_ = read_state();
  if (ranks_ != nullptr) share_state();
  resumed_ = {kept_->clock.step, kept_->hash, kept_->first_energy, kept_->of_window.has_value()};
  checkpoint_.continue_from(resumed_->step);
  take_settings();
  for (const DeviceInfo& device : infos_)
    if (precision_of(options_.settings, device) != kept_->precision)
      throw usage_error("--device", device.name, "a device of the precision of " + options_.resume);
  if (resumed_->step > options_.steps)
    throw usage_error("--steps", std::to_string(options_.steps),
                      std::to_string(resumed_->step) + " or more, the step of " + options_.resume);
}

// Sets the last step if a moment is requested by its time.
NbodyRunState NbodyRun::read_state() {
  if (is_run_archive(options_.resume)) return read_archive();
  if (options_.at)
    throw usage_error("--at", shortest(*options_.at), "--resume with a file written by --archive", options_.resume);
  return checkpoint_.read();
}

NbodyRunState NbodyRun::read_archive() {
  RunArchive archive(options_.resume);
  if (options_.at) options_.steps = archive.step_at(*options_.at);
  const std::int64_t last = options_.goes_to_moment ? options_.steps : archive.entries().back().step;
  std::size_t entry = 0;
  NbodyRunState state = archive.state_before(last, &entry);
  if (state.of_window && state.of_window->interrupted && last > state.clock.step) {
    const auto& entries = archive.entries();
    const std::string next = entry + 1 < entries.size() ? " or " + std::to_string(entries[entry + 1].step) : "";
    throw usage_error(
        "the step", std::to_string(last),
        std::to_string(state.clock.step) + next + ", which are kept; the run between them " + "is not kept",
        options_.resume);
  }
  archiving_.continue_behind(options_.resume, archive.entries()[entry]);
  return state;
}

void NbodyRun::share_state() {
  ranks_->of_first(std::as_writable_bytes(std::span(&options_.steps, 1)));
  const std::string header = ranks_->of_first(is_first() ? header_of(*kept_) : std::string());
  if (!is_first()) {
    kept_ = state_with_header(header, options_.resume);
    allocate_rows(*kept_);
  }
  for (std::vector<std::byte>& row : kept_->exact.rows) ranks_->of_first(std::span(row));
  ranks_->of_first(std::as_writable_bytes(std::span(kept_->exact.errors)));
}

// Takes the settings of the state; the command line may change only those that change no bits.
void NbodyRun::take_settings() {
  constexpr std::array<std::string_view, 3> free{"burst", "work-group", "variant"};
  NbodySettings stored = options_.settings;
  std::vector<Parameter> declared = parameters(stored, true), asked = parameters(options_.settings, true);
  for (const auto& [name, value] : kept_->settings) {
    Parameter* parameter = find(declared, name);
    if (std::ranges::find(free, name) != free.end() && is_given(name)) {
      if (name == "variant") check_same_tree(std::get<std::string>(value));
      continue;
    }
    parameter->assign(value);
    const ParameterInfo& info = parameter->info();
    const std::string wanted = value_text(info, parameter->value()), got = value_text(info, find(asked, name)->value());
    if (is_given(name) && got != wanted)
      throw usage_error("--" + name, got, in_quotes(wanted) + ", which " + options_.resume + " has");
  }
  options_.settings = stored;
}

// A tree of another shape has other bits.
void NbodyRun::check_same_tree(const std::string& variant) const {
  if (choice_for(options_.settings.variant, tree_kernel) != choice_for(variant, tree_kernel))
    throw usage_error("--variant", options_.settings.variant,
                      "the tree of " + in_quotes(variant) + ", which " + options_.resume + " has");
}

bool NbodyRun::is_given(std::string_view name) const {
  return std::ranges::find(options_.given, name) != options_.given.end();
}

NbodySimulation NbodyRun::simulation_of(const NbodyRunState& state) {
  check_memory(infos_.front(), {options_.settings, state.precision}, state.bodies);
  const NbodySharing sharing{exchange_named(options_.devices.exchange), nbody_company(ranks_, infos_.size())};
  if (!state.of_window)
    return nbody_simulation(devices_->programs(), options_.settings, state.exact, state.clock, sharing);
  NbodySimulation simulation = nbody_simulation(devices_->programs(), options_.settings, bodies_of(state), state.clock,
                                                sharing, state.of_window->tree);
  simulation.set_rows(state.exact.rows);
  return simulation;
}

NbodySimulation NbodyRun::simulation_of_first() {
  const NbodySettings& s = options_.settings;
  const DeviceInfo& device = infos_.front();
  const Precision precision = precision_of(s, device);
  check_memory(device, {s, precision}, first_bodies_.size());
  try {
    return nbody_simulation(devices_->programs(), s, first_bodies_, {},
                            {exchange_named(options_.devices.exchange), nbody_company(ranks_, infos_.size())});
  } catch (const Error& error) {
    if (!is_memory_refusal(error)) throw;
    throw with_most_bodies(error, device, {s, precision}, first_bodies_.size());
  }
}

void NbodyRun::take_steps() {
  const NbodySettings& s = options_.settings;
  run_burst(computation_->simulation, computation_->queue, {0, s.dt, s.softening, true, gravity_of(s)});
  Progress progress("n-body");
  note_diagnostics(progress);
  // No first save: the resumed file has this state, and for many bodies, which take long to write, the initial file.
  constexpr std::size_t many_bodies = std::size_t{1} << 20;
  if (ranks_ == nullptr && (resumed_ || simulation().bodies() > many_bodies))
    checkpoint_.took(now_seconds(), now_seconds());
  else
    keep_state_if_due();
  archive_if_due();
  keep_frame_if_due();
  if (ranks_ == nullptr) interrupts_.emplace("the current step");  // before, there is no state to keep
  while (steps() < options_.steps && !ends_here()) {
    take_burst(steps() + std::min(s.burst, options_.steps - steps()), progress);
    note_diagnostics(progress);
    copy_if_due();
    keep_state_if_due();
    archive_if_due();
  }
}

// Keeps frames within the burst; all ranks divide the burst in the same way.
void NbodyRun::take_burst(std::int64_t end, Progress& progress) {
  const NbodySettings& s = options_.settings;
  NbodySimulation& moving = computation_->simulation;
  const double gravity = gravity_of(s);
  while (steps() < end) {
    const std::int64_t done = steps(), next = next_frame(done, options_.every, end);
    const double began = now_seconds();
    run_burst(moving, computation_->queue,
              {next - done, s.dt, s.softening, true, gravity, touch_of(s), s.step_accuracy}, [&] {
                if (interrupted() && ranks_ == nullptr) moving.shorten_burst();
                const double part = static_cast<double>(steps() - done) * moving.burst_progress();
                progress.show((static_cast<double>(done) + part) / static_cast<double>(options_.steps),
                              "step " + std::to_string(steps()) + " of " + std::to_string(options_.steps));
              });
    seconds_ += now_seconds() - began;
    keep_frame_if_due();
    if (steps() < next) return;  // interrupted
  }
}

// All ranks must learn that one of them was told to end, or holds other bodies than the first.
bool NbodyRun::ends_here() {
  if (ranks_ == nullptr) return interrupted();
  const std::string hash = simulation().moves_all() ? std::to_string(last_.hash) : std::string();
  const std::vector<std::string> all = ranks_->all((interrupted() ? "ends " : "goes on ") + hash);
  const auto text_behind = [](const std::string& text) { return text.substr(text.rfind(' ') + 1); };
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (text_behind(all[rank]) != text_behind(all[0]))
      throw failure(
          ranks_->name(static_cast<int>(rank)) + " has other bodies than " + ranks_->name(0) + " at step " +
              std::to_string(steps()),
          "devices of one name and driver should round alike; --forces gather with --time-steps shared needs no "
          "such devices");
  return std::ranges::any_of(all, [](const std::string& text) { return text.starts_with("ends"); });
}

// Copies the state with several devices, in at most a twentieth of the time.
void NbodyRun::copy_if_due() {
  constexpr double interval = 1, least_pause = 20;
  const double began = now_seconds();
  if (infos_.size() < 2 || ranks_ != nullptr || began < copy_due_) return;
  kept_ = present();
  first_bodies_ = {};
  const double now = now_seconds();
  copy_due_ = now + std::max(interval, least_pause * (now - began));
}

// The first rank writes it: it has all of the state.
void NbodyRun::keep_state() {
  if (!is_first() || !checkpoint_.takes(steps())) return;
  const bool kept =
      checkpoint_.keep(present_without_rows(), [this](std::size_t row, std::size_t offset, std::span<std::byte> into) {
        simulation().read_row(computation_->queue, row, offset, into);
      });
  if (ranks_ == nullptr) return;
  ranks_->set_remedy(kept ? "orrery nbody --resume " + shell_word(checkpoint_.file()) + " continues from step " +
                                std::to_string(steps())
                          : "no state was kept");
}

void NbodyRun::keep_state_if_due() {
  const double began = now_seconds();
  if (!checkpoint_.due(began)) return;
  keep_state();
  checkpoint_.took(began, now_seconds());
}

void NbodyRun::archive_if_due() {
  if (is_first() && archiving_.due(steps(), interrupted() ? steps() : options_.steps)) archiving_.keep(present());
}

void NbodyRun::keep_frame_if_due() {
  if (!is_first() || options_.every == 0) return;
  if (!frames_) frames_.emplace(options_.out, options_.every, resumed_ ? resumed_->step : 0);
  if (frames_->due(steps())) frames_->keep(frame_of(bodies(), notes()));
}

// Throws where no device is left.
void NbodyRun::continue_without_lost(const Error& error) {
  const auto* silent = dynamic_cast<const DeviceSilent*>(&error);
  std::vector<DeviceInfo> gone = gone_devices(), suspects = gone;
  if (gone.empty() && silent != nullptr) suspects = to_blame(*silent);
  std::vector<DeviceInfo> rest = answering(without(infos_, suspects), longest_answer());
  if (rest.empty() && gone.empty()) {  // a lost device can make events of others fail
    rest = answering(suspects, longest_answer());
    gone = gone_devices();
    if (!gone.empty()) suspects = gone;
  }
  if (rest.size() == infos_.size()) rest.resize(silent != nullptr ? 1 : 0);  // each works alone, but not together
  const std::string cause = gone.empty() ? error.what() : ended_text(gone);
  let_go();
  if (rest.empty() && suspects.empty()) throw;
  if (rest.empty()) throw failure(cause + keep_last(suspects));
  infos_ = std::move(rest);
  log(Level::warning, cause + "; continuing from step " + std::to_string(kept_step()) + " with " + names_of(infos_));
}

// Runs on the watch's thread while the run's thread hangs in a call to a driver.
void NbodyRun::leave_behind(const DeviceInfo& device) {
  if (ranks_ != nullptr && ranks_->waits_for_others()) return;
  const DeviceSilent silent(named({device}).front(), longest_silence());
  if (ranks_ != nullptr) ranks_->fail(silent.what(), 1);
  if (ended_) end_at_once({}, 0);
  if (interrupted()) {
    const Interrupted end(" at step " + std::to_string(kept_step()) + " of " + std::to_string(options_.steps) + "; " +
                          silent.what());
    end_at_once(end.what(), end.exit_code());
  }
  try {
    // Blames the devices that have gone: PoCL 6.0 may then answer for none of its devices. Else blames those that do
    // not answer while others do: a call may wait for another device.
    const Answers answers = infos_.size() > 1 ? answers_of(infos_, longest_answer()) : Answers{};
    std::vector<DeviceInfo> suspects = answers.gone.empty() ? without(infos_, answers.right) : answers.gone;
    if (answers.gone.empty() && (suspects.empty() || suspects.size() == infos_.size())) suspects = {device};
    const std::string cause = answers.gone.empty() ? DeviceSilent(named(suspects).front(), longest_silence()).what()
                                                   : ended_text(answers.gone);
    end_at_once(cause + keep_last(suspects), 1);
  } catch (const std::exception& error) {
    end_at_once(silent.what() + std::string("; ") + error.what(), 1);
  }
}

// Adds the device's index to names that are not unique.
std::vector<DeviceInfo> NbodyRun::named(std::vector<DeviceInfo> devices) const {
  for (DeviceInfo& device : devices)
    if (std::ranges::count(infos_, device.name, &DeviceInfo::name) > 1 && device.parts == 1)
      device.name = text_of(device.id) + " " + device.name;
  return devices;
}

std::string NbodyRun::ended_text(const std::vector<DeviceInfo>& gone) const {
  return names_of(named(gone)) + ": the server on the other machine ended";
}

// Only PoCL-Remote reports that a device has gone; the others wait for its data.
std::vector<DeviceInfo> NbodyRun::gone_devices() const {
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
std::vector<DeviceInfo> NbodyRun::to_blame(const DeviceSilent& silent) const {
  std::vector<DeviceInfo> devices;
  for (const DeviceInfo& device : infos_)
    if (!computation_ && is_same(device, silent.device())) devices.push_back(device);
  if (!computation_) return devices;
  const DriverCall watched(infos_.front());
  for (const std::size_t k : simulation().behind()) devices.push_back(infos_[k]);
  return devices;
}

// Returns how the run can be continued without these devices; nothing where the host has no state.
std::string NbodyRun::keep_last(const std::vector<DeviceInfo>& lost) {
  if (!kept_) return {};
  const std::string file = checkpoint_.keep_last(*kept_);
  if (file.empty()) return {};
  std::string devices;
  for (const DeviceInfo& device : without(infos_, lost))
    if (device.parts == 1) devices += (devices.empty() ? " --device " : ",") + text_of(device.id);
  return "; orrery nbody --resume " + shell_word(file) + " --steps " + std::to_string(options_.steps) + devices +
         " continues from step " + std::to_string(kept_step());
}

// The memory that a failed device may still use is kept until the process ends.
void NbodyRun::let_go() {
  lost_ = true;
  if (computation_) abandon(computation_);
  if (devices_) abandon(devices_);
}

void NbodyRun::note_diagnostics(const Progress& progress) {
  for (const Device& device : devices_->devices()) check_available(device.handle(), device.info());
  computation_->publisher.diagnose(computation_->queue, simulation());
  computation_->queue.finish();
  const NbodyDiagnostics now = computation_->publisher.diagnostics();
  if (now.broken > 0 && (is_first() || simulation().moves_all()))
    throw failure(std::to_string(now.broken) + " bodies became NaN or infinite at step " + std::to_string(now.step),
                  advice_on_broken(now.step));
  if (first_ && now.step <= last_.step) return;  // recorded before a device was lost
  if (!first_) begin_diagnostics(now);
  last_ = now;
  const NbodySettings& s = options_.settings;
  const double dt = simulation().individual() ? 0 : s.dt;
  if (const auto warning = watch_.look(now, dt, s.softening, integrator_of(s.integrator), keeps_energy(s)))
    progress.say(*warning);
  if (options_.diagnostics.empty() || !is_first()) return;
  if (rows_)
    rows_->append(csv_row(now) + "\n");
  else
    rows_.emplace(options_.diagnostics, earlier_rows(now.step) + csv_row(now) + "\n");
}

void NbodyRun::begin_diagnostics(const NbodyDiagnostics& now) {
  first_ = now;
  if (!resumed_ || resumed_->of_window || !is_first()) return;
  if (now.hash != resumed_->hash)
    throw failure("the state of the run is damaged: the bodies hash to " + std::to_string(now.hash) +
                  ", but the file says " + std::to_string(resumed_->hash));
  first_->potential = resumed_->first_energy - first_->kinetic;  // only the total is used
}

// The rows before the first step of a resumed run, which continues its file of diagnostics after them.
std::string NbodyRun::earlier_rows(std::int64_t step) const {
  constexpr FileKind rows_kind{"diagnostics", std::uint64_t{1} << 32};
  const std::string header = csv_header_of_diagnostics(named_units(options_.settings)) + "\n";
  std::string kept = header;
  if (std::error_code none; !resumed_ || !fs::is_regular_file(options_.diagnostics, none)) return kept;
  const std::string text = read_file(options_.diagnostics, rows_kind);
  if (!text.starts_with(header)) return kept;
  std::istringstream lines(text.substr(header.size()));
  std::string line;
  while (std::getline(lines, line)) {
    const auto row_step = parse_integer(line.substr(0, line.find(',')));
    if (row_step && *row_step < step) kept += line + "\n";
  }
  return kept;
}

BodyFileNotes NbodyRun::notes() const {
  return {simulation().clock().time, options_.settings.softening, named_units(options_.settings), steps()};
}

Bodies NbodyRun::bodies() { return bodies_of(devices_->first(), computation_->queue, simulation()); }

std::string NbodyRun::rate() const {
  const auto bodies = static_cast<double>(simulation().bodies());
  const bool gathers = simulation().kernels().variant.forces == Forces::gather;
  const double sources = gathers ? static_cast<double>(simulation().sources()) : bodies;
  const double evaluations = simulation().individual()
                                 ? static_cast<double>(simulation().block_clock(computation_->queue).evaluations)
                                 : bodies * static_cast<double>(steps() - (resumed_ ? resumed_->step : 0));
  const double work = (by_tree() ? 1 : sources) * evaluations;
  return (work > 0 && seconds_ > 0 ? brief(work / seconds_) : std::string("n/a")) +
         (by_tree() ? " bodies/s" : " interactions/s");
}

void NbodyRun::write() {
  if (!is_first()) return;
  if (frames_) frames_->finish();
  if (!options_.out.empty() && options_.every == 0) {
    Progress writing("writing bodies");
    write_bodies(options_.out, bodies(), notes(), [&](double part) { writing.show(part, options_.out); });
  }
  if (rows_) rows_->finish();
  archiving_.finish();
  if ((options_.state_is_asked_for || steps() < options_.steps) && !checkpoint_.has(steps())) keep_state();
}

std::vector<std::string> NbodyRun::files() const {
  const std::string out = options_.every == 0 ? options_.out : frames_ ? frames_->files() : std::string();
  return {out, options_.diagnostics, options_.state, options_.archive};
}

void NbodyRun::summarise() {
  const UnitSystem& units = units_named(options_.settings.units);
  std::printf(
      "%zu bodies, %lld steps of %s (softening %s, %s, %s) to t = %s in %s s on %s: %s, energy %s "
      "(off by "
      "%s)\n",
      simulation().bodies(), static_cast<long long>(options_.steps),
      with_unit(shortest(options_.settings.dt), units.time).c_str(),
      with_unit(shortest(options_.settings.softening), units.length).c_str(), options_.settings.integrator.c_str(),
      options_.settings.precision.c_str(), with_unit(brief(last_.time), units.time).c_str(), brief(seconds_).c_str(),
      devices_->names().c_str(), rate().c_str(), with_unit(brief(last_.total(), 6), units.energy).c_str(),
      brief(std::abs(last_.total() - first_->total()) / std::max(std::abs(first_->total()), 1e-300), 2).c_str());
  if (contact_of(options_.settings) != Contact::pass || last_.gone > 0) summarise_contacts();
  if (simulation().individual()) summarise_levels();
  if (by_tree()) summarise_tree();
  if (simulation().devices() > 1 || ranks_ != nullptr) summarise_shares();
}

void NbodyRun::summarise_contacts() {
  const std::int64_t bodies = static_cast<std::int64_t>(simulation().bodies()), gone = last_.gone;
  std::printf("  contact %s: %lld bodies have merged into others, %lld are left%s\n", options_.settings.contact.c_str(),
              static_cast<long long>(gone), static_cast<long long>(bodies - gone),
              keeps_energy(options_.settings) ? "" : "; the energy includes the losses by contacts");
}

// Lists the levels of the last step.
void NbodyRun::summarise_levels() {
  const NbodyBlockClock clock = simulation().block_clock(computation_->queue);
  const auto bodies = static_cast<double>(simulation().bodies());
  std::string levels;
  std::size_t last = 0;
  const auto& counts = simulation().block_burst().levels();
  for (std::size_t level = 0; level < counts.size(); ++level)
    if (counts[level] > 0) last = level;
  for (std::size_t level = 0; level <= last; ++level)
    levels += (level == 0 ? "" : " + ") + std::to_string(counts[level]);
  const std::string evaluations = brief(static_cast<double>(clock.evaluations) / std::max(1.0, clock.steps * bodies));
  std::printf(
      "  individual steps: %s evaluation%s of the field per body and step; bodies with steps of dt, dt/2, dt/4 ...: "
      "%s\n",
      evaluations.c_str(), evaluations == "1" ? "" : "s", levels.c_str());
}

void NbodyRun::summarise_potential() {
  if (options_.diagnostics.empty() || simulation().kernels().variant.forces != Forces::tree) return;
  const auto field =
      computation_->queue.read_blocking<cl_float4>(simulation().buffers().accelerations, simulation().bodies());
  std::vector<double> potentials(field.size());  // with G = 1
  const double gravity = gravity_of(options_.settings);
  std::ranges::transform(field, potentials.begin(),
                         [gravity](const cl_float4& row) { return double{row.s[3]} / gravity; });
  const PotentialCheck check = check_potential(bodies(), potentials, options_.settings.softening);
  std::printf("  potential by the tree: relative error %s ± %s, from sums over all pairs for %zu bodies\n",
              brief(check.error, 2).c_str(), brief(check.deviation, 2).c_str(), check.bodies);
}

void NbodyRun::summarise_tree() {
  const bool chosen = options_.settings.forces == "auto";
  std::printf("  forces by a tree%s: ", chosen ? ", which auto chose" : "");
  if (const auto found = simulation().tree_error(computation_->queue))
    std::printf("99 of 100 accelerations have a relative error below %s (%s was allowed)\n", brief(*found, 2).c_str(),
                shortest(options_.settings.force_error).c_str());
  else
    std::printf("%s radians\n", shortest(options_.settings.opening_angle).c_str());
}

void NbodyRun::summarise_shares() const {
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

}  // namespace orrery::cli
