/// Runs a simulation over the frames of a window, from device to device.
///
/// A simulation is prepared on a worker thread, computed in bursts of time steps whose slices fit into frames,
/// published after each burst, and backed up on the host; its state moves along when the device changes. Its phase and
/// its course are in step_phase.hpp. Window thread; never waits.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/work/abandon.hpp"
#include "base/work/announced.hpp"
#include "base/work/background.hpp"
#include "compute/device/refusal.hpp"
#include "compute/program/program_plan.hpp"
#include "protocol/snapshot.hpp"
#include "scene/backups.hpp"
#include "scene/leaving.hpp"
#include "scene/news.hpp"
#include "scene/past.hpp"
#include "scene/step_phase.hpp"

namespace orrery {

/// The effect of new settings on a running simulation.
enum class SettingsChange {
  live,   ///< they apply from the next burst
  amend,  ///< parts are rebuilt in the background and exchanged between two bursts
  renew,  ///< everything is prepared again from the present state
  restart
};

/// A simulation's finding about its numbers.
struct Finding {
  enum class Kind {
    suspicion,   ///< a backup must count the non-finite ones
    divergence,  ///< some are not finite
    recovery,    ///< all are finite again
    fault        ///< a change was refused
  } kind;
  std::string why = {};  ///< cause of a divergence or a fault
};
/// "3 of 900 bodies became NaN or infinite at step 12"
inline std::string not_finite_text(std::size_t count, std::size_t all, std::string_view noun, std::int64_t step) {
  return std::to_string(count) + " of " + std::to_string(all) + " " + std::string(noun) +
         " became NaN or infinite at step " + std::to_string(step);
}

/// The window thread's time in a frame for enqueueing: short launches cost it as much as the device.
inline constexpr double enqueueing_seconds = 0.004;

enum class Pace { run, pause, one_burst /* then pause */ };

/// Why something has failed, for people; empty when all is well.
struct FaultText {
  std::string text, log;  ///< one line, and a compiler's many
  std::string title;      ///< failed action
  bool replaced = false;  ///< something else runs in its place
};

/// Whether a prepared simulation continues the history of its predecessor; an edited one continues a state changed by
/// hand, so its conserved quantities get a new reference.
enum class Start { continued, afresh, edited };

/// A simulation on a device, with the surfaces that it is published into.
template <class S>
concept Simulation =
    requires(S& s, const S& c, typename S::Settings& adopting, const typename S::Settings& settings,
             const typename S::Terms& terms, typename S::Context& context, typename S::Prepared prepared,
             typename S::Record& record, std::shared_ptr<const typename S::State> state, const Error& error,
             const std::shared_ptr<Announced<ProgramPlan>>& plan, const step::Burst& burst, double seconds) {
      // Record: the history for plots; it outlives the device.
      requires std::constructible_from<S, typename S::Context&, typename S::Prepared, typename S::Record&, Start>;
      { S::noun } -> std::convertible_to<std::string_view>;    // "bodies"
      { S::advice } -> std::convertible_to<std::string_view>;  // advice for non-finite numbers
      { S::splits_bursts } -> std::convertible_to<bool>;       // a burst may be computed in parts, to the same bits
      { S::computes_while_publishing } -> std::convertible_to<bool>;
      { S::publishes_behind } -> std::convertible_to<bool>;   // the picture may be enqueued behind a burst in flight
      { S::resets_to_resumed } -> std::convertible_to<bool>;  // a state that was resumed is the beginning

      // ---- settings and preparation. Terms: which settings the beginning decides.
      { S::merged(terms, terms, settings, settings) } -> std::same_as<typename S::Terms>;
      { S::change(settings, settings, terms, &context) } -> std::same_as<SettingsChange>;
      // It announces its programs before it builds the first one.
      {
        S::preparation(context, settings, terms, state, &c, plan, record)
        } -> std::same_as<std::function<typename S::Prepared()>>;
      { S::settings_of(prepared) } -> std::convertible_to<typename S::Settings>;
      S::adopt(adopting, settings, terms);
      { S::taken_back(settings, settings) } -> std::same_as<typename S::Settings>;
      { S::fallback(settings, error) } -> std::same_as<std::optional<typename S::Settings>>;
      { S::after_refusal(settings) } -> std::same_as<typename S::Settings>;
      { S::step_of(*state) } -> std::same_as<std::int64_t>;
      { S::title_of(settings) } -> std::convertible_to<std::string>;

      // ---- between two bursts
      s.take(settings);   // live settings
      s.amend(settings);  // begins to build
      { c.amending() } -> std::same_as<bool>;
      { s.take_amendment() } -> std::same_as<bool>;     // the settings have been built; throws where they were refused
      { s.give_up_amendment() } -> std::same_as<bool>;  // true: the settings had requested it
      s.expect_successor();                             // told of the preparation of a successor
      { s.settle(burst) } -> std::same_as<bool>;        // true: the simulation may continue
      { s.watch() } -> std::same_as<bool>;              // while paused; true: more is known
      { c.wants_worker(step::Course::go_on) } -> std::same_as<bool>;
      s.lend();                                 // a worker thread takes the simulation …
      { s.take_back() } -> std::same_as<bool>;  // … and has done its work; throws what that threw
      { c.backup_source() } -> BackupSource;
      { c.version() } -> std::equality_comparable;  // equal for equal states
      { c.at_beginning() } -> std::same_as<bool>;   // nothing has been computed that a backup would save
      { c.quiet() } -> std::same_as<bool>;          // only a burst or a publication may be in flight
      { c.told_all() } -> std::same_as<bool>;       // while paused: all data of the picture is known
      { c.size() } -> std::convertible_to<std::size_t>;

      // ---- a burst
      { c.evaluates(settings) } -> std::same_as<bool>;  // forces first
      { c.fixed_burst() } -> std::same_as<std::optional<std::int64_t>>;
      { s.begin_burst(burst, settings, Pace::run) } -> std::convertible_to<double>;  // its work
      { c.has_room() } -> std::same_as<bool>;                                        // the device will soon idle
      { c.slice_done() } -> std::same_as<bool>;  // nothing of the burst is in flight
      s.enqueue_slice();
      { c.burst_enqueued() } -> std::same_as<bool>;
      { c.burst_progress() } -> std::convertible_to<double>;
      s.end_burst(burst);
      s.interrupt();  // after a refusal: discards the work in flight

      // ---- pictures and texts
      { c.shown_first() } -> std::same_as<bool>;  // shown before its first burst
      { s.surface_free() } -> std::same_as<bool>;
      s.publish(step::Sight::burst);
      { s.published() } -> std::same_as<bool>;  // the last publication is now the front surface
      s.collect();
      s.flush();
      { s.take_finding() } -> std::same_as<std::optional<Finding>>;
      { c.shown_step() } -> std::same_as<std::int64_t>;
      { c.status() } -> std::convertible_to<std::string>;
      s.release(Leaving::at_once);  // before the destructor
    };

template <Simulation S>
class StepRunner {
 public:
  using Settings = typename S::Settings;
  using Terms = typename S::Terms;
  using State = typename S::State;
  using Context = typename S::Context;
  using Record = typename S::Record;
  using StatePtr = std::shared_ptr<const State>;
  /// True when moments can be recomputed bit-identically under equal relevant settings.
  static constexpr bool keeps_past = requires(const Settings& settings) { S::same_bits(settings, settings); };

  explicit StepRunner(Settings settings) : settings_(std::move(settings)), good_(settings_) {}

  // ---- requests of a person

  const Settings& settings() const { return settings_; }
  /// The settings of the last preparation that succeeded.
  const Settings& good() const { return good_; }
  const Terms& terms() const { return terms_; }
  /// Takes the terms after a person has set a value that the beginning was to decide.
  void narrow_terms(const Terms& terms) { terms_ = terms; }
  /// Takes other settings; changes that cannot be live are prepared in the background.
  void set(const Settings& settings, const Terms& terms = {}) {
    const Settings old = std::exchange(settings_, settings);
    terms_ = S::merged(terms_, terms, old, settings);
    fault_ = {};
    const SettingsChange change = S::change(old, settings, terms, stay_ ? &stay_->context : nullptr);
    if constexpr (keeps_past)
      if (!S::same_bits(old, settings)) goal_.reset();
    if (change == SettingsChange::restart) {
      beginning_.reset();
      forget_past();
      return restart();
    }
    if (change == SettingsChange::live) {
      if (simulation() != nullptr) simulation()->take(settings_);
      return;
    }
    rebuild(change);
  }
  /// Builds everything anew from the present state: a kernel's source has changed. Waits for the first simulation on a
  /// device, because a faulty source would leave nothing running.
  void reload() {
    if (is(step::PhaseName::preparing)) return turn(step::Turn::renew);
    rebuild(SettingsChange::renew);
  }
  /// Rebuilds the exchangeable parts with the tuner's new results.
  void retune() { rebuild(SettingsChange::amend); }
  /// Begins again from the beginning.
  void restart() {
    health_ = Health::sound;
    fault_ = {};
    drop_edits();
    kept_ = beginning_;
    goal_.reset();
    if (past_.before(0) == nullptr)
      forget_past();
    else
      going_ = past_.before(0)->settings;
    if (!begun()) return;
    stay_->backups.forget();
    start({nullptr, Start::afresh}, step::Turn::replace);
  }
  /// Goes back to the last state that was finite, or to the beginning.
  void rewind() {
    if (!kept_) return restart();
    go_back();
  }
  /// Goes back to this earlier state of the present simulation; null: to the beginning.
  void return_to(StatePtr state) {
    if (state == nullptr) return restart();
    kept_ = std::move(state);
    goal_.reset();
    if (const auto* moment = past_.before(S::step_of(*kept_))) {
      going_ = moment->settings;
      if (moment->step == S::step_of(*kept_) && moment->state != kept_) change_past(kept_);
    }
    go_back();
  }
  /// A change of the present state by hand.
  struct Edit {
    std::function<void(State&)> change;  ///< runs on a worker thread; throws Error if impossible
    /// The simulation goes on from `after` in place of `before`; both are null where the change was dropped.
    std::function<void(StatePtr before, StatePtr after)> done;
  };
  /// Changes the present state between two bursts; the simulation waits for the changed state.
  void edit(Edit edit) {
    fault_ = {};
    edits_.push_back(std::move(edit));
  }
  /// True while last_state() lacks a change by hand.
  bool editing() const {
    return !edits_.empty() || (stay_ && (stay_->edited != nullptr || stay_->successor.how == Start::edited));
  }
  /// Starts from this state instead of the beginning.
  void resume(State state) {
    kept_ = std::make_shared<const State>(std::move(state));
    if constexpr (S::resets_to_resumed) beginning_ = kept_;
    goal_.reset();
    forget_past();
    go_back();
  }

  // ---- the past

  /// Continues from its last moment. `rounds_as`: see rounds_as(); empty: unknown.
  void resume(const Past<State, Settings>& past, const std::string& rounds_as) {
    kept_ = past.moments().back().state;
    goal_.reset();
    past_ = past;
    going_ = past.moments().back().settings;
    if (!rounds_as.empty()) {
      std::string present = std::exchange(rounds_as_, rounds_as);
      if (stay_) round_as(std::move(present));
    }
    go_back();
  }
  const Past<State, Settings>& past() const { return past_; }
  /// The devices that computed the past; others may round differently.
  const std::string& rounds_as() const { return rounds_as_; }
  /// Pauses and recomputes this step bit-identically from the last kept moment before it, with the settings of that
  /// time; if that is impossible, goes to the nearest kept moment.
  void go_to(std::int64_t step) {
    if constexpr (keeps_past) {
      pause(true);
      if (past_.moments().empty() || !begun()) return;
      goal_ = past_.reachable(step);
      const auto from = *past_.before(*goal_);
      if (is_on_the_way(from)) return;
      settings_ = S::with_bits_of(settings_, from.settings);
      going_ = from.settings;
      kept_ = from.state;
      go_back(Start::continued);
    }
  }
  /// The target step of go_to() while it is under way.
  std::optional<std::int64_t> goal() const { return goal_; }
  /// Swaps the branches: the run continues as before the last branching.
  void switch_branch() { past_.switch_branch(); }

  bool paused() const { return pace_ != Pace::run; }
  void pause(bool paused) { pace_ = paused ? Pace::pause : Pace::run; }
  void step_once() { pace_ = Pace::one_burst; }
  /// Sets the least seconds between the starts of two bursts; 0: none.
  void space_bursts(double seconds) { spacing_ = seconds; }

  /// True while a driver's compiler or a worker thread runs.
  bool preparing() const {
    return stay_ && (stay_->preparation.busy() || is(step::PhaseName::lent) ||
                     (stay_->simulation && stay_->simulation->amending()));
  }
  /// True while a new beginning is prepared and the old simulation is still shown.
  bool replacing() const {
    return simulation() != nullptr && stay_->preparation.busy() && stay_->successor.how == Start::afresh;
  }
  bool can_give_up() const {
    return simulation() != nullptr && stay_->course != step::Course::mend &&
           (stay_->preparation.busy() || simulation()->amending());
  }
  /// Cancels the preparation and returns to the settings of the running simulation.
  void give_up() {
    if (!can_give_up()) return;
    const bool prepares = stay_->preparation.busy();
    if (prepares) abandon(stay_->preparation);
    const bool amends = simulation()->amending() && simulation()->give_up_amendment();
    if (prepares) stay_->successor = {}, turn(step::Turn::give_up);
    if (prepares || amends) take_settings_back();
  }

  // ---- a frame

  /// Collects completed work and enqueues work for the frame. At most `pictures` pictures become visible; others wait.
  void update(double now, int pictures = all_pictures) {
    if (!stay_) return;
    stay_->pictures = pictures;
    if (is(step::PhaseName::attached)) start_from_kept();
    try_to(now, [&] { proceed(now); });
  }
  /// Between two frames: continues the burst in flight and begins the next one behind it, or continues a change by hand
  /// for the next picture. At most one picture per frame. False: there is nothing to do.
  bool feed(double now) {
    const bool edits = simulation() != nullptr && editing();
    if (!edits && !is(step::PhaseName::computing)) return false;
    if (stay_->context.yields) return true;
    try_to(now, [&] {
      if (edits) return proceed(now);
      compute();
      publish();
      if (is(step::PhaseName::resting)) rest(now);
      if (simulation() != nullptr) simulation()->flush();
    });
    return true;
  }

  // ---- change of device

  /// The context stays valid until leave().
  void attach(Context& context) {
    enter(step::Event::attach, step::phase::Attached{});
    stay_.emplace(context);
    if constexpr (keeps_past) {
      round_as(S::rounds_as(context));
    }
    if (const auto step = std::exchange(lost_at_, {}))
      log(Level::warning, "the " + std::string(S::noun) + " continue from " + last_backup() + "; they were at step " +
                              std::to_string(*step));
  }
  void leave(Leaving how) {
    if (!stay_) return;
    if (how != Leaving::in_order) return let_go(how);
    if (!begun()) return;
    stay_->pictures = all_pictures;
    if (stay_->course != step::Course::leave) turn(step::Turn::leave);
    proceed(now_seconds());
  }
  /// True when the host has the present state. The first preparation on a device changes no state.
  bool on_host() const {
    const bool edit_comes = editing() && kept_ != nullptr && health_ != Health::diverged;
    return !begun() || simulation() == nullptr || (expendable() && !edit_comes);
  }
  /// Likewise, with nothing in flight that delays the device's release.
  bool left() const {
    if (!begun() || is(step::PhaseName::vacant)) return true;
    const S* s = simulation();
    if (s == nullptr) return true;
    if (edits_wait()) return false;
    return stay_->course == step::Course::leave && !preparing() && is(step::PhaseName::resting) &&
           !stay_->publication && s->quiet() && (expendable() || health_ == Health::diverged);
  }

  // ---- pictures and status

  /// Null while nothing runs.
  S* simulation() { return stay_ ? stay_->simulation.get() : nullptr; }
  const S* simulation() const { return stay_ ? stay_->simulation.get() : nullptr; }
  Record& record() { return record_; }
  const Record& record() const { return record_; }
  const step::Phase& phase() const { return phase_; }
  std::optional<step::Course> course() const { return stay_ ? std::optional(stay_->course) : std::nullopt; }
  /// Counts the pictures that have been published, of all simulations.
  std::int64_t published() const { return published_; }
  /// The same without repeated pictures of a moment.
  std::int64_t moments() const { return moments_; }
  /// Steps from the state of restart() to the picture.
  std::int64_t steps() const {
    return simulation() == nullptr ? 0 : simulation()->shown_step() - (beginning_ ? S::step_of(*beginning_) : 0);
  }
  /// Counts the simulations that have run.
  std::int64_t generation() const { return generation_; }
  /// The start of the running simulation.
  Start began() const { return stay_ ? stay_->began : Start::afresh; }
  /// True after numbers became non-finite and the simulation was paused; rewind() recovers.
  bool diverged() const { return health_ == Health::diverged; }
  const FaultText& fault() const { return fault_; }
  RateMeter::Rate rate(double seconds = 1) const { return stay_ ? stay_->rates.rate(seconds) : RateMeter::Rate(); }
  SceneWork work() const {
    if (paused()) return {.idle = "The simulation is paused."};
    if (spacing_ > 0 && rate().steps * spacing_ > 0.9 * static_cast<double>(settings_.burst))
      return {.idle = "The speed is limited by Steps a second."};
    return {.burst = settings_.burst,
            .bursts_per_second = rate().steps / static_cast<double>(std::max<std::int64_t>(1, settings_.burst))};
  }
  /// Progress of the burst in flight, 0 … 1.
  double burst_progress() const {
    const auto share = [&](const step::Burst& burst, double of_part) {
      if (burst.fixed || burst.steps == 0) return of_part;
      const auto all = static_cast<double>(std::max(settings_.burst, burst.done()));
      return (static_cast<double>(burst.before) + of_part * static_cast<double>(burst.steps)) / all;
    };
    if (const auto* computing = std::get_if<step::phase::Computing>(&phase_))
      return share(computing->burst, simulation()->burst_progress());
    const auto* resting = std::get_if<step::phase::Resting>(&phase_);
    return resting != nullptr && resting->unfinished ? share(*resting->unfinished, 1) : 1;
  }
  /// True while a preparation is under way or about to begin.
  bool awaited() const {
    return is(step::PhaseName::attached) || course() == step::Course::renew || (stay_ && stay_->preparation.busy());
  }
  /// The pending preparation as text; empty once the simulation can compute.
  std::string status() const {
    if (awaited()) {
      const std::shared_ptr<const ProgramPlan> plan = stay_->preparation.busy() ? stay_->plan->told() : nullptr;
      const std::string building = plan != nullptr ? plan->status() : std::string();
      if (!building.empty()) return building;
      return goal_ ? "computing step " + grouped(*goal_) : "preparing " + std::string(S::title_of(settings_));
    }
    return simulation() != nullptr ? simulation()->status() : std::string();
  }
  /// The last state on the host, usually at most a second old; null before the first, and during the preparation of a
  /// new beginning.
  StatePtr last_state() const { return kept_; }
  /// True when it is paused and all data of the shown moment is known.
  bool rests() const {
    const S* s = simulation();
    if (s == nullptr || pace_ != Pace::pause || health_ != Health::sound || preparing() || stay_->publication)
      return false;
    const auto* resting = std::get_if<step::phase::Resting>(&phase_);
    return resting != nullptr && !resting->unfinished && !s->evaluates(settings_) && s->told_all();
  }
  /// True when it computes nothing until a person changes something.
  bool stuck() const { return is(step::PhaseName::vacant) || diverged(); }
  /// True when it is paused and last_state() will soon be the shown state.
  bool awaits_backup() const {
    if (editing() && simulation() != nullptr && health_ == Health::sound) return true;
    return pace_ == Pace::pause && simulation() != nullptr && health_ == Health::sound && !expendable() &&
           !replacing() && !stay_->told_of_no_backup;
  }

 private:
  enum class Health { sound, suspected, diverged };
  using Source = std::remove_cvref_t<decltype(std::declval<const S&>().backup_source())>;
  using Version = std::remove_cvref_t<decltype(std::declval<const S&>().version())>;
  /// The simulation in preparation.
  struct Successor {
    StatePtr from;  // null: from the beginning
    Start how = Start::afresh;
  };
  struct Publication {
    step::Burst burst;
    step::Sight sight;
  };
  /// Settings from some moment.
  struct InForce {
    Settings settings;
    bool changes;  // other settings were in force before
  };
  /// All that ends with the device.
  struct Stay {
    explicit Stay(Context& there) : context(there) {}
    Context& context;
    step::Course course = step::Course::go_on;
    Background<typename S::Prepared> preparation;
    std::shared_ptr<Announced<ProgramPlan>> plan;  // programs of the last preparation
    Successor successor;
    Background<StatePtr> editing;
    StatePtr edited;  // state edited by hand; null: none
    std::unique_ptr<S> simulation;
    Start began = Start::afresh;             // start of `simulation`
    std::optional<Publication> publication;  // publication in flight
    int pictures = all_pictures;             // limit for this frame
    PartLength part;
    RateMeter rates;
    Backups<Source> backups;
    bool told_of_no_backup = false;
    std::optional<Version> copying, on_host;  // versions of the backup under way and of the last one
  };

  // ---- transitions

  bool is(step::PhaseName name) const { return step::name_of(phase_) == name; }
  bool begun() const { return !is(step::PhaseName::empty) && !is(step::PhaseName::attached); }
  void enter(step::Event event, step::Phase next) {
    if (step::after(step::name_of(phase_), event) != step::name_of(next))
      throw std::logic_error("StepRunner: illegal change of phase");
    phase_ = std::move(next);
  }
  void turn(step::Turn turn) {
    const auto next = step::after(stay_->course, turn);
    if (!next) throw std::logic_error("StepRunner: illegal change of course");
    stay_->course = *next;
  }

  // ---- preparation

  void start(Successor successor, step::Turn why) {
    stay_->successor = std::move(successor);
    if (simulation() == nullptr)
      enter(step::Event::prepare, step::phase::Preparing{});
    else
      simulation()->expect_successor();
    turn(why);
    stay_->plan = std::make_shared<Announced<ProgramPlan>>();
    stay_->preparation.start(
        S::preparation(stay_->context, settings_, terms_, stay_->successor.from, simulation(), stay_->plan, record_));
  }
  void start_from(StatePtr state, Start how) {
    const step::Turn why = state ? step::Turn::hand_over : step::Turn::replace;
    start({std::move(state), how}, why);
  }
  void start_from_kept() { start_from(kept_, kept_ ? Start::continued : Start::afresh); }
  void go_back(Start how = Start::afresh) {
    health_ = Health::sound;
    fault_ = {};
    drop_edits();
    if (!begun()) return;
    stay_->backups.forget();
    start_from(kept_, how);
  }
  void drop_edits() {
    if (stay_) stay_->editing.forget(), stay_->edited.reset();
    for (Edit& edit : std::exchange(edits_, {})) edit.done(nullptr, nullptr);
  }
  // Prepares a successor from the present state, which is on the host; applies changes by hand first.
  void hand_over() {
    if (!edits_.empty()) return change_state();
    const Start how = stay_->edited ? Start::edited : Start::continued;
    start({stay_->edited ? std::exchange(stay_->edited, nullptr) : kept_, how}, step::Turn::hand_over);
  }
  void change_state() {
    const StatePtr before = stay_->edited ? stay_->edited : kept_;
    try {
      if (!stay_->editing.busy())
        stay_->editing.start([before, change = edits_.front().change]() -> StatePtr {
          auto after = std::make_shared<State>(*before);
          change(*after);
          return after;
        });
      const std::optional<StatePtr> after = stay_->editing.poll();
      if (!after) return;
      stay_->edited = *after;
      std::exchange(edits_.front().done, nullptr)(before, *after);
    } catch (const Error& error) {
      fault_ = {error.what(), {}, "The change was refused"};
      edits_.front().done(nullptr, nullptr);
    }
    edits_.pop_front();
  }
  // True while the state on the host lacks a change by hand made in its last moment.
  bool edits_wait() const {
    return (!edits_.empty() || stay_->edited != nullptr) && kept_ != nullptr && health_ != Health::diverged;
  }
  // Applies the last changes by hand to the state on the host, because the device is released.
  void take_edits_along() {
    if (kept_ == nullptr || !expendable() || health_ == Health::diverged) return;
    if (!edits_.empty()) change_state();
    if (edits_.empty() && stay_->edited) kept_ = std::exchange(stay_->edited, nullptr), change_past(kept_);
  }
  // Repeats the preparation with other settings.
  void start_again() {
    const Successor again = stay_->successor;
    start_from(again.from, again.how);
  }

  void rebuild(SettingsChange change) {
    if (!begun()) return;
    if (simulation() == nullptr || stay_->preparation.busy()) return start_again();
    if (change == SettingsChange::renew) return turn(step::Turn::renew);
    simulation()->amend(settings_);
  }

  void take_prepared() {
    std::optional<typename S::Prepared> ready;
    try {
      ready = stay_->preparation.poll();
    } catch (const Error& error) {
      return preparation_failed(error);
    }
    if (!ready) return;
    Stay& stay = *stay_;
    good_ = S::settings_of(*ready);
    stay.publication.reset();
    stay.part = {};
    stay.rates = {};
    stay.on_host.reset();
    stay.copying.reset();
    stay.backups.forget();
    const Successor successor = std::exchange(stay.successor, {});
    if (stay.simulation) stay.simulation->release(Leaving::at_once);
    stay.simulation = std::make_unique<S>(stay.context, std::move(*ready), record_, successor.how);
    stay.began = successor.how;
    if (stay.began == Start::afresh) drop_edits();  // they applied to other objects
    S::adopt(settings_, good_, std::exchange(terms_, {}));
    if (settings_ != good_) stay.simulation->take(settings_);
    kept_ = successor.from ? successor.from : beginning_;
    if (successor.from) stay.on_host = stay.simulation->version();
    if (successor.from && past_.moments().empty()) add_to_past(successor.from, {settings_, false});
    if (successor.how == Start::edited) change_past(successor.from);
    health_ = Health::sound;
    ++generation_;
    turn(step::Turn::arrive);
    if (stay.simulation->shown_first())
      enter(step::Event::show, step::phase::Unseen{{}, step::Sight::first});
    else
      enter(step::Event::rest, step::phase::Resting{});
  }

  void preparation_failed(const Error& error) {
    goal_.reset();
    if (stay_->course == step::Course::mend) throw error;  // the device has failed
    if (simulation() != nullptr) {
      fault_ = {error.what(), error.details().log, not_prepared()};
      stay_->successor = {};
      turn(step::Turn::give_up);
      return take_settings_back();
    }
    const std::optional<Settings> next = S::fallback(settings_, error);
    if (!next && error.fault() == Fault::failure) throw error;
    fault_ = {error.what(), error.details().log, not_prepared(), next.has_value()};
    terms_ = {};
    if (!next) return enter(step::Event::fail, step::phase::Vacant{});
    settings_ = *next;
    start_from_kept();
  }
  std::string not_prepared() const { return "Could not prepare " + std::string(S::title_of(settings_)); }
  void take_settings_back() {
    terms_ = {};
    settings_ = S::taken_back(settings_, good_);
  }

  void take_amendment() {
    try {
      if (simulation()->take_amendment()) good_ = settings_;
    } catch (const Error& error) {
      fault_ = {error.what(), error.details().log, "Could not change the kernels"};
      take_settings_back();
    }
  }

  // Discards the work in flight and restarts from the last backup, with settings that every device supports; the last
  // picture stays on screen.
  void mend(const Error& refusal) {
    log(Level::error, refusal.what());
    stay_->publication.reset();
    simulation()->interrupt();
    if (!is(step::PhaseName::lent)) enter(step::Event::interrupt, step::phase::Resting{});
    if (auto backup = stay_->backups.rescue()) keep(std::move(*backup));
    if (stay_->successor.how == Start::edited) kept_ = stay_->successor.from, change_past(kept_);
    settings_ = S::after_refusal(settings_);
    fault_ = {std::string(refusal.what()) + ". The " + std::string(S::noun) + " continue from " + last_backup(),
              {},
              "The device refused a kernel"};
    start({kept_, Start::continued}, step::Turn::mend);
  }

  // ---- a frame

  void try_to(double now, auto&& work) {
    try {
      work();
    } catch (const Error& error) {
      if (!is_refusal(error) || simulation() == nullptr || refusals_.add(now)) throw;
      mend(error);
    }
  }

  void proceed(double now) {
    if (is(step::PhaseName::lent) && !take_back()) return;
    if (S* s = simulation()) {
      finish_publication(now);
      s->collect();
      heed();
    }
    if (!stay_->publication && (simulation() == nullptr || simulation()->quiet())) take_prepared();
    if (!edits_.empty() && stay_->course == step::Course::go_on && simulation() != nullptr &&
        !simulation()->at_beginning())
      turn(step::Turn::renew);
    const bool yields = stay_->context.yields && stay_->course != step::Course::leave;
    if (simulation() == nullptr || yields) return;
    compute();
    publish();
    if (is(step::PhaseName::resting)) rest(now);
    if (simulation() == nullptr) return;
    simulation()->flush();
    // The publication that finish_publication() handed over above may have arrived meanwhile.
    finish_publication(now);
    publish();
  }

  // Runs between two bursts, where everything may change.
  void rest(double now) {
    if (stay_->publication && !S::computes_while_publishing) return;
    S& s = *simulation();
    take_amendment();
    const auto unfinished = std::get<step::phase::Resting>(phase_).unfinished;
    if (!s.settle(unfinished.value_or(step::Burst()))) return;
    heed();
    const bool stands = stay_->course == step::Course::hand_over || stay_->course == step::Course::mend;
    if (!stands && s.wants_worker(stay_->course)) {
      if (stay_->publication || !s.quiet()) return;
      s.lend();
      return enter(step::Event::lend, step::phase::Lent{});
    }
    take_backup();
    if (health_ == Health::suspected && !stay_->backups.busy()) {
      begin_backup(now);
      health_ = Health::sound;
    }
    if (is_at_goal()) goal_.reset();
    const bool steps_wanted = pace_ != Pace::pause || unfinished || s.evaluates(settings_) || goal_;
    const bool expendable_now = expendable() || stay_->preparation.busy();
    switch (step::next_of({stay_->course, expendable_now, health_ == Health::diverged, steps_wanted})) {
      case step::Next::stand:
        if (stay_->course == step::Course::leave) take_edits_along();
        return;
      case step::Next::fetch:
        return begin_backup(now);
      case step::Next::hand_over:
        return hand_over();
      case step::Next::rewind:
        return rewind();
      case step::Next::watch:
        // A backup of a paused simulation is exactly the shown state.
        if (!expendable() && !replacing() && health_ == Health::sound && stay_->backups.due(now)) begin_backup(now);
        if (s.watch()) enter(step::Event::show_again, step::phase::Unseen{{}, step::Sight::again});
        return publish();
      case step::Next::compute:
        if (waits(now) || !note_settings(now)) return;
        begin_burst(now);
        compute();
        return publish();
    }
  }

  // True while the next whole burst is not due.
  bool waits(double now) {
    const bool whole = !std::get<step::phase::Resting>(phase_).unfinished && !simulation()->evaluates(settings_);
    if (!whole || pace_ != Pace::run || goal_) return false;
    if (now < begun_ + spacing_) return true;
    begun_ = now < begun_ + 2 * spacing_ ? begun_ + spacing_ : now;  // steady; missed bursts are not made up
    return false;
  }

  void begin_burst(double now) {
    S& s = *simulation();
    const bool backs_up = stay_->course == step::Course::go_on && health_ != Health::diverged && !goal_;
    if (backs_up && (begins_past() || (!s.at_beginning() && stay_->backups.due(now)))) begin_backup(now);
    step::Burst burst;
    const auto& unfinished = std::get<step::phase::Resting>(phase_).unfinished;
    if (!s.evaluates(settings_)) {
      if (unfinished) burst = {unfinished->done(), 0, {}, unfinished->work, 0};
      if (!unfinished) burst.fixed = goal_ ? std::optional(steps_to_goal()) : s.fixed_burst();
      const std::int64_t rest = std::max<std::int64_t>(1, settings_.burst - burst.before);
      burst.steps = burst.fixed ? *burst.fixed : S::splits_bursts ? std::min(rest, stay_->part.steps()) : rest;
    }
    if (burst.done() > 0 && pace_ == Pace::one_burst && !goal_) pace_ = Pace::pause;
    burst.work += s.begin_burst(burst, settings_, pace_);
    burst.part_began = now_seconds();
    enter(step::Event::begin_burst, step::phase::Computing{burst});
  }

  void compute() {
    auto* computing = std::get_if<step::phase::Computing>(&phase_);
    if (computing == nullptr) return;
    S& s = *simulation();
    const double began = now_seconds();
    while (!s.burst_enqueued() && s.has_room()) {
      s.enqueue_slice();
      if (now_seconds() - began > enqueueing_seconds) break;
    }
    const step::Burst burst = computing->burst;
    const bool more = S::splits_bursts && burst.has_more(settings_.burst);
    if (!s.burst_enqueued() || (!S::publishes_behind && !s.slice_done())) return;
    if (more) {
      stay_->part.fit(now_seconds() - burst.part_began, settings_.burst);
      return enter(step::Event::end_part, step::phase::Resting{burst});
    }
    s.end_burst(burst);
    enter(step::Event::end_burst, step::phase::Unseen{burst, step::Sight::burst});
    heed();
  }

  void publish() {
    const auto* unseen = std::get_if<step::phase::Unseen>(&phase_);
    if (unseen == nullptr || stay_->publication || !simulation()->surface_free()) return;
    const step::phase::Unseen what = *unseen;
    simulation()->publish(what.sight);
    stay_->publication = Publication{what.burst, what.sight};
    enter(step::Event::publish, step::phase::Resting{});
  }

  void finish_publication(double now) {
    if (!stay_->publication || stay_->pictures == 0 || !simulation()->published()) return;
    --stay_->pictures;
    const Publication done = *std::exchange(stay_->publication, {});
    ++published_;
    if (done.sight == step::Sight::first || done.burst.done() > 0) ++moments_;
    if (done.sight != step::Sight::burst) return;
    if (done.burst.steps > 0) stay_->part.fit(now_seconds() - done.burst.part_began, settings_.burst);
    stay_->rates.add(now, {static_cast<double>(done.burst.done()), done.burst.work});
  }

  bool take_back() {
    try {
      if (!simulation()->take_back()) return false;
    } catch (const Error& error) {
      if (error.fault() == Fault::failure && stay_->course == step::Course::leave) throw;
      fault_ = {error.what(), error.details().log, "Could not continue on this device"};
    }
    enter(step::Event::give_back, step::phase::Resting{});
    return true;
  }

  // ---- backups

  // True when the present state needs no backup.
  bool expendable() const {
    return !is(step::PhaseName::lent) && (simulation()->at_beginning() || stay_->on_host == simulation()->version());
  }
  std::string last_backup() const {
    return kept_ ? "step " + std::to_string(S::step_of(*kept_)) : std::string("the beginning");
  }
  // Computing continues even if a backup fails.
  void begin_backup(double now) { begin_backup(now, {going_.value_or(settings_), false}); }
  void begin_backup(double now, InForce in_force) {
    if (stay_->backups.busy()) return;
    try {
      copied_ = std::move(in_force);
      stay_->backups.begin(simulation()->backup_source(), now);
      stay_->copying = simulation()->version();
    } catch (const Error& error) {
      if (!is_refusal(error)) throw;
      if (!std::exchange(stay_->told_of_no_backup, true))
        log(Level::warning, "no backup of the " + std::string(S::noun) + " can be made: " + error.what());
    }
  }
  void take_backup() {
    if (auto backup = stay_->backups.poll()) keep(std::move(*backup));
  }
  void keep(Backup<State> backup) {
    if (backup.not_finite > 0)
      diverge(not_finite_text(backup.not_finite, simulation()->size(), S::noun, S::step_of(*backup.state)));
    else
      stay_->backups.retire(std::exchange(kept_, backup.state)), add_to_past(backup.state, *copied_);
    stay_->on_host = std::exchange(stay_->copying, {});
  }

  // ---- the past

  void forget_past() {
    past_.clear();
    going_.reset();
  }
  // Notes the devices that compute from now on.
  void round_as(std::string devices) {
    const std::string before = std::exchange(rounds_as_, std::move(devices));
    if (!before.empty() && before != rounds_as_ && kept_) past_.interrupt(S::step_of(*kept_));
  }
  auto moment_of(const StatePtr& state, const InForce& in_force) const {
    return typename Past<State, Settings>::Moment{.step = S::step_of(*state),
                                                  .time = S::time_of(*state),
                                                  .state = state,
                                                  .settings = in_force.settings,
                                                  .changes = in_force.changes,
                                                  .bytes = S::state_bytes(*state)};
  }
  void add_to_past(const StatePtr& state, const InForce& in_force) {
    if constexpr (keeps_past) past_.add(moment_of(state, in_force));
  }
  // True when the past still lacks the beginning, before the first step.
  bool begins_past() const { return keeps_past && past_.moments().empty() && !simulation()->evaluates(settings_); }
  // Replaces the past's moment by this state, from which the simulation continues.
  void change_past(const StatePtr& state) {
    if constexpr (keeps_past) past_.change(moment_of(state, {going_.value_or(settings_), true}));
  }
  std::int64_t steps_to_goal() const {
    if constexpr (keeps_past)
      return *goal_ - simulation()->present_step();
    else
      return 0;
  }
  bool is_at_goal() const {
    const bool goes_there = stay_->course == step::Course::go_on && !stay_->preparation.busy();
    return goal_ && goes_there && !simulation()->evaluates(settings_) && steps_to_goal() <= 0;
  }
  // True when the simulation is between this moment, the last before the goal, and the goal.
  bool is_on_the_way(const typename Past<State, Settings>::Moment& from) const {
    const auto* resting = std::get_if<step::phase::Resting>(&phase_);
    if (resting == nullptr || resting->unfinished || simulation() == nullptr || stay_->preparation.busy()) return false;
    const std::int64_t present = simulation()->present_step();
    return stay_->course == step::Course::go_on && from.step <= present && present <= *goal_ && going_ &&
           S::same_bits(*going_, settings_) && S::same_bits(from.settings, settings_);
  }
  // Notes settings that change the bits of steps in the past, before the first such step. False: must wait for a backup
  // under way.
  bool note_settings(double now) {
    if constexpr (keeps_past) {
      if (simulation()->evaluates(settings_) || goal_) return true;
      const bool changes = going_ && !S::same_bits(*going_, settings_);
      if (changes && stay_->backups.busy()) return false;
      const std::int64_t step = simulation()->present_step();
      past_.branch(step, changes);
      const auto* const moment = past_.before(step);
      if (changes && moment != nullptr && moment->step == step) {
        add_to_past(moment->state, {settings_, true});
      } else if (changes) {
        begin_backup(now, {settings_, true});
        if (!stay_->backups.busy()) past_.lose(step);  // the device has no memory for one
      }
      going_ = settings_;
    }
    return true;
  }

  // ---- numbers that are not finite

  void heed() {
    const std::optional<Finding> finding = simulation()->take_finding();
    if (!finding) return;
    switch (finding->kind) {
      case Finding::Kind::suspicion:
        if (health_ == Health::diverged) return;
        pause(true);
        health_ = Health::suspected;
        return;
      case Finding::Kind::divergence:
        return diverge(finding->why);
      case Finding::Kind::fault:
        fault_ = {finding->why, {}, "The change was refused"};
        return;
      case Finding::Kind::recovery:
        if (std::exchange(health_, Health::sound) == Health::diverged) fault_ = {};
        return;
    }
  }
  // Pauses; files and devices continue from the last good state.
  void diverge(const std::string& why) {
    pause(true);
    goal_.reset();
    if (std::exchange(health_, Health::diverged) == Health::diverged && !fault_.text.empty()) return;
    fault_ = {why + ". Paused; Rewind goes back to " + last_backup() + ". " + std::string(S::advice),
              {},
              "The simulation diverged"};
    log(Level::warning, fault_.text);
  }

  // ---- the end of a stay

  void let_go(Leaving how) {
    Stay& stay = *stay_;
    S* const s = stay.simulation.get();
    if (how == Leaving::unanswered) abandon(stay.preparation);
    orrery::leave(stay.preparation);
    if (stay.edited) stay.successor = {std::exchange(stay.edited, nullptr), Start::edited};
    if (s != nullptr) s->release(how);
    if (auto backup = stay.backups.rescue(); backup && s != nullptr && !expendable()) keep(std::move(*backup));
    if (s != nullptr && !expendable() && health_ != Health::diverged) lost_at_ = s->shown_step();
    if (how == Leaving::unanswered) {
      stay.backups.abandon();
      abandon(stay.simulation);
    }
    if (stay.successor.how == Start::edited) kept_ = stay.successor.from, change_past(kept_);
    stay_.reset();
    enter(step::Event::leave, step::phase::Empty{});
  }

  Settings settings_;
  Terms terms_{};
  Settings good_;  // settings of the last successful preparation
  step::Phase phase_;
  std::optional<Stay> stay_;
  Pace pace_ = Pace::run;
  double spacing_ = 0, begun_ = 0;  // spacing of bursts, and planned start of the last; seconds
  Health health_ = Health::sound;
  StatePtr beginning_;                   // replaces the initial condition
  StatePtr kept_;                        // the last finite state on the host
  std::deque<Edit> edits_;               // changes missing in the present state
  std::optional<std::int64_t> lost_at_;  // the step at which the last device was lost
  Past<State, Settings> past_;
  std::optional<Settings> going_;     // settings of the last burst begun, or moment gone back to
  std::optional<InForce> copied_;     // settings of the last backup begun
  std::optional<std::int64_t> goal_;  // step at which go_to() pauses
  std::string rounds_as_;             // the devices that the past was computed on
  Refusals refusals_;
  Record record_;
  std::int64_t published_ = 0, moments_ = 0, generation_ = 0;
  FaultText fault_;
};

}  // namespace orrery
