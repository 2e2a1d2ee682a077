/// Runs a simulation over the frames of a window, from device to device.
///
/// A simulation is prepared on a worker thread, computed in bursts of time steps whose slices fit into frames,
/// published after each burst, and backed up on the host; its state moves along when the device changes. What the
/// simulation is doing and where it is bound are in step_phase.hpp. Window thread; never waits.
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

/// What other settings ask of a running simulation.
enum class SettingsChange {
  live,   ///< they count from the next burst on
  amend,  ///< parts of the simulation are built anew in the background, and exchanged between two bursts
  renew,  ///< everything is prepared anew from the present state
  restart
};

/// What a simulation has found out about its numbers.
struct Finding {
  enum class Kind {
    suspicion,   ///< a backup must tell which are not finite
    divergence,  ///< some are not finite
    recovery,    ///< all are finite again
    fault        ///< a change was refused
  } kind;
  std::string why = {};  ///< of a divergence or a fault
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
  std::string title;      ///< what has failed
  bool replaced = false;  ///< something else runs in its place
};

/// Whether a prepared simulation continues the history of its predecessor; an edited one goes on from a state that was
/// changed by hand: what is conserved is counted anew.
enum class Start { continued, afresh, edited };

/// A simulation on a device, with the surfaces that it is published into.
template <class S>
concept Simulation =
    requires(S& s, const S& c, typename S::Settings& adopting, const typename S::Settings& settings,
             const typename S::Terms& terms, typename S::Context& context, typename S::Prepared prepared,
             typename S::Record& record, std::shared_ptr<const typename S::State> state, const Error& error,
             const std::shared_ptr<Announced<ProgramPlan>>& plan, const step::Burst& burst, double seconds) {
      // Record: what is told over time; it outlives the device.
      requires std::constructible_from<S, typename S::Context&, typename S::Prepared, typename S::Record&, Start>;
      { S::noun } -> std::convertible_to<std::string_view>;    // "bodies"
      { S::advice } -> std::convertible_to<std::string_view>;  // for numbers that are not finite
      { S::splits_bursts } -> std::convertible_to<bool>;       // a burst may be computed in parts, to the same bits
      { S::computes_while_publishing } -> std::convertible_to<bool>;
      { S::publishes_behind } -> std::convertible_to<bool>;   // the picture may be enqueued behind a burst in flight
      { S::resets_to_resumed } -> std::convertible_to<bool>;  // a state that was resumed is the beginning

      // ---- settings and preparation. Terms: which settings the beginning decides.
      { S::merged(terms, terms, settings, settings) } -> std::same_as<typename S::Terms>;
      { S::change(settings, settings, terms, &context) } -> std::same_as<SettingsChange>;
      // It tells its programs before it builds the first one.
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
      s.take(settings);   // live ones
      s.amend(settings);  // begins to build
      { c.amending() } -> std::same_as<bool>;
      { s.take_amendment() } -> std::same_as<bool>;     // the settings have been built; throws where they were refused
      { s.give_up_amendment() } -> std::same_as<bool>;  // the settings had asked for it
      s.expect_successor();                             // everything is being prepared anew
      { s.settle(burst) } -> std::same_as<bool>;        // nothing needs the simulation to stand still any more
      { s.watch() } -> std::same_as<bool>;              // while paused; more has become known
      { c.wants_worker(step::Course::go_on) } -> std::same_as<bool>;
      s.lend();                                 // a worker thread takes the simulation …
      { s.take_back() } -> std::same_as<bool>;  // … and has done its work; throws what that threw
      { c.backup_source() } -> BackupSource;
      { c.version() } -> std::equality_comparable;  // equal for equal states
      { c.at_beginning() } -> std::same_as<bool>;   // nothing has been computed that a backup would save
      { c.quiet() } -> std::same_as<bool>;          // nothing in flight, but a burst or a publication, needs it
      { c.told_all() } -> std::same_as<bool>;       // while paused: nothing more is to become known of what is shown
      { c.size() } -> std::convertible_to<std::size_t>;

      // ---- a burst
      { c.evaluates(settings) } -> std::same_as<bool>;  // forces first
      { c.fixed_burst() } -> std::same_as<std::optional<std::int64_t>>;
      { s.begin_burst(burst, settings, Pace::run) } -> std::convertible_to<double>;  // its work
      { c.has_room() } -> std::same_as<bool>;    // the device will soon have nothing to do
      { c.slice_done() } -> std::same_as<bool>;  // nothing of the burst is in flight
      s.enqueue_slice();
      { c.burst_enqueued() } -> std::same_as<bool>;
      { c.burst_progress() } -> std::convertible_to<double>;
      s.end_burst(burst);
      s.interrupt();  // the device has refused something: nothing in flight is of use

      // ---- what is shown and told
      { c.shown_first() } -> std::same_as<bool>;  // before its first burst
      { s.surface_free() } -> std::same_as<bool>;
      s.publish(step::Sight::burst);
      { s.published() } -> std::same_as<bool>;  // what was published last can be drawn, and is in front now
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
  /// Its moments can be computed again to the same bits, which some of its settings decide.
  static constexpr bool keeps_past = requires(const Settings& settings) { S::same_bits(settings, settings); };

  explicit StepRunner(Settings settings) : settings_(std::move(settings)), good_(settings_) {}

  // ---- what a person wants

  const Settings& settings() const { return settings_; }
  /// The settings of the last preparation that succeeded.
  const Settings& good() const { return good_; }
  const Terms& terms() const { return terms_; }
  /// Settings that were to be decided by the beginning have been given meanwhile.
  void narrow_terms(const Terms& terms) { terms_ = terms; }
  /// Takes other settings; what cannot change live is prepared in the background while the simulation goes on.
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
  /// Builds everything anew from the present state: a kernel's source has changed. The first simulation on a device is
  /// awaited: were the new source wrong, nothing would run.
  void reload() {
    if (is(step::PhaseName::preparing)) return turn(step::Turn::renew);
    rebuild(SettingsChange::renew);
  }
  /// Builds anew what can be exchanged: the tuner has found something.
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
  /// Goes back to this state, which was a moment of the present simulation; null: to the beginning.
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
    std::function<void(State&)> change;  ///< on a worker thread; throws Error where it has no sense
    /// The simulation goes on from `after` in place of `before`; both are null where the change was dropped.
    std::function<void(StatePtr before, StatePtr after)> done;
  };
  /// Changes the present state between two bursts; the simulation stands still until it goes on from the changed one.
  void edit(Edit edit) {
    fault_ = {};
    edits_.push_back(std::move(edit));
  }
  /// A change by hand is not in last_state() yet.
  bool editing() const {
    return !edits_.empty() || (stay_ && (stay_->edited != nullptr || stay_->successor.how == Start::edited));
  }
  /// Goes on from this state instead of the beginning.
  void resume(State state) {
    kept_ = std::make_shared<const State>(std::move(state));
    if constexpr (S::resets_to_resumed) beginning_ = kept_;
    goal_.reset();
    forget_past();
    go_back();
  }

  // ---- the past

  /// Goes on from its last moment. `rounds_as`: see rounds_as(); empty where that is not known.
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
  /// The devices that the past was computed on; others may round otherwise.
  const std::string& rounds_as() const { return rounds_as_; }
  /// Pauses, and computes the moment of this step again from the last one before it that is kept, with the settings
  /// that were in force there: with the same bits; where that is impossible, the nearest moment that is kept.
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
  /// The step that is being gone to; nothing where there is none.
  std::optional<std::int64_t> goal() const { return goal_; }
  /// The branches change places: the run goes on as it did before the last branching.
  void switch_branch() { past_.switch_branch(); }

  bool paused() const { return pace_ != Pace::run; }
  void pause(bool paused) { pace_ = paused ? Pace::pause : Pace::run; }
  void step_once() { pace_ = Pace::one_burst; }
  /// A burst of a running simulation begins so many seconds after the one before at the soonest; 0: at once.
  void space_bursts(double seconds) { spacing_ = seconds; }

  /// A driver's compiler or a worker thread is at work.
  bool preparing() const {
    return stay_ && (stay_->preparation.busy() || is(step::PhaseName::lent) ||
                     (stay_->simulation && stay_->simulation->amending()));
  }
  /// Another beginning is being prepared, and what it will replace is still shown.
  bool replacing() const {
    return simulation() != nullptr && stay_->preparation.busy() && stay_->successor.how == Start::afresh;
  }
  bool can_give_up() const {
    return simulation() != nullptr && stay_->course != step::Course::mend &&
           (stay_->preparation.busy() || simulation()->amending());
  }
  /// What is being prepared is not waited for any more; the settings are those of what runs.
  void give_up() {
    if (!can_give_up()) return;
    const bool prepares = stay_->preparation.busy();
    if (prepares) abandon(stay_->preparation);
    const bool amends = simulation()->amending() && simulation()->give_up_amendment();
    if (prepares) stay_->successor = {}, turn(step::Turn::give_up);
    if (prepares || amends) take_settings_back();
  }

  // ---- a frame

  /// Collects what is complete and enqueues what fits into the frame. So many pictures come to the front at the most;
  /// the next ones wait.
  void update(double now, int pictures = all_pictures) {
    if (!stay_) return;
    stay_->pictures = pictures;
    if (is(step::PhaseName::attached)) start_from_kept();
    try_to(now, [&] { proceed(now); });
  }
  /// Between two frames: goes on with the burst in flight, and begins the next one behind it; or with a change by hand,
  /// so that it is in the next picture. There is one picture a frame at the most. False where nothing is done.
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

  // ---- from device to device

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
  /// The host has the present state. The first preparation on a device has changed none.
  bool on_host() const {
    const bool edit_comes = editing() && kept_ != nullptr && health_ != Health::diverged;
    return !begun() || simulation() == nullptr || (expendable() && !edit_comes);
  }
  /// Likewise, and nothing in flight holds up the device's release.
  bool left() const {
    if (!begun() || is(step::PhaseName::vacant)) return true;
    const S* s = simulation();
    if (s == nullptr) return true;
    if (edits_wait()) return false;
    return stay_->course == step::Course::leave && !preparing() && is(step::PhaseName::resting) &&
           !stay_->publication && s->quiet() && (expendable() || health_ == Health::diverged);
  }

  // ---- what is seen and told

  /// Null while nothing runs.
  S* simulation() { return stay_ ? stay_->simulation.get() : nullptr; }
  const S* simulation() const { return stay_ ? stay_->simulation.get() : nullptr; }
  Record& record() { return record_; }
  const Record& record() const { return record_; }
  const step::Phase& phase() const { return phase_; }
  std::optional<step::Course> course() const { return stay_ ? std::optional(stay_->course) : std::nullopt; }
  /// Counts the pictures that have been published, of all simulations.
  std::int64_t published() const { return published_; }
  /// The same without those of moments that had been seen, of which only more was computed.
  std::int64_t moments() const { return moments_; }
  /// From where restart() goes to what is shown.
  std::int64_t steps() const {
    return simulation() == nullptr ? 0 : simulation()->shown_step() - (beginning_ ? S::step_of(*beginning_) : 0);
  }
  /// Counts the simulations that have run.
  std::int64_t generation() const { return generation_; }
  /// How the one that runs has begun.
  Start began() const { return stay_ ? stay_->began : Start::afresh; }
  /// Numbers have ceased to be finite, and the simulation was paused: rewind() helps.
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
  /// Of the burst in flight, 0 … 1.
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
  /// A preparation is under way, or is about to begin.
  bool awaited() const {
    return is(step::PhaseName::attached) || course() == step::Course::renew || (stay_ && stay_->preparation.busy());
  }
  /// Tells what is awaited; empty once the simulation can compute.
  std::string status() const {
    if (awaited()) {
      const std::shared_ptr<const ProgramPlan> plan = stay_->preparation.busy() ? stay_->plan->told() : nullptr;
      const std::string building = plan != nullptr ? plan->status() : std::string();
      if (!building.empty()) return building;
      return goal_ ? "computing step " + grouped(*goal_) : "preparing " + std::string(S::title_of(settings_));
    }
    return simulation() != nullptr ? simulation()->status() : std::string();
  }
  /// The last state that came to the host, mostly at most a second old; null before the first, and while another
  /// beginning is being prepared.
  StatePtr last_state() const { return kept_; }
  /// It is paused, and all that is wanted of the moment that it shows is known.
  bool rests() const {
    const S* s = simulation();
    if (s == nullptr || pace_ != Pace::pause || health_ != Health::sound || preparing() || stay_->publication)
      return false;
    const auto* resting = std::get_if<step::phase::Resting>(&phase_);
    return resting != nullptr && !resting->unfinished && !s->evaluates(settings_) && s->told_all();
  }
  /// It computes nothing any more, before a person changes something.
  bool stuck() const { return is(step::PhaseName::vacant) || diverged(); }
  /// It is paused, and last_state() is about to be what it shows.
  bool awaits_backup() const {
    if (editing() && simulation() != nullptr && health_ == Health::sound) return true;
    return pace_ == Pace::pause && simulation() != nullptr && health_ == Health::sound && !expendable() &&
           !replacing() && !stay_->told_of_no_backup;
  }

 private:
  enum class Health { sound, suspected, diverged };
  using Source = std::remove_cvref_t<decltype(std::declval<const S&>().backup_source())>;
  using Version = std::remove_cvref_t<decltype(std::declval<const S&>().version())>;
  /// What is being prepared.
  struct Successor {
    StatePtr from;  // null: from the beginning
    Start how = Start::afresh;
  };
  struct Publication {
    step::Burst burst;
    step::Sight sight;
  };
  /// Settings from a moment on.
  struct InForce {
    Settings settings;
    bool changes;  // others were in force before
  };
  /// All that ends with the device.
  struct Stay {
    explicit Stay(Context& there) : context(there) {}
    Context& context;
    step::Course course = step::Course::go_on;
    Background<typename S::Prepared> preparation;
    std::shared_ptr<Announced<ProgramPlan>> plan;  // of the last preparation
    Successor successor;
    Background<StatePtr> editing;
    StatePtr edited;  // by hand, from the last state; null where it was not
    std::unique_ptr<S> simulation;
    Start began = Start::afresh;             // it
    std::optional<Publication> publication;  // in flight
    int pictures = all_pictures;             // that may come to the front in this frame
    PartLength part;
    RateMeter rates;
    Backups<Source> backups;
    bool told_of_no_backup = false;
    std::optional<Version> copying, on_host;  // of the backup under way, and of the last one
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
  // From the present state, which is on the host. What was changed by hand comes into it first.
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
  // The state on the host gets what was changed by hand in its last moment before it is told.
  bool edits_wait() const {
    return (!edits_.empty() || stay_->edited != nullptr) && kept_ != nullptr && health_ != Health::diverged;
  }
  // The device is let go: the state on the host gets what was changed by hand in its last moment.
  void take_edits_along() {
    if (kept_ == nullptr || !expendable() || health_ == Health::diverged) return;
    if (!edits_.empty()) change_state();
    if (edits_.empty() && stay_->edited) kept_ = std::exchange(stay_->edited, nullptr), change_past(kept_);
  }
  // The same preparation once more, with other settings.
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
    if (stay.began == Start::afresh) drop_edits();  // they were of other objects
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

  // What is in flight is of no use; what is shown stays until the last backup goes on, with settings that every device
  // takes.
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

  // Between two bursts everything may change.
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
        // A backup of a paused simulation holds exactly what a person sees.
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

  // The next whole burst is not due yet.
  bool waits(double now) {
    const bool whole = !std::get<step::phase::Resting>(phase_).unfinished && !simulation()->evaluates(settings_);
    if (!whole || pace_ != Pace::run || goal_) return false;
    if (now < begun_ + spacing_) return true;
    begun_ = now < begun_ + 2 * spacing_ ? begun_ + spacing_ : now;  // steady, but nothing is made up for
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

  // The present state needs no backup.
  bool expendable() const {
    return !is(step::PhaseName::lent) && (simulation()->at_beginning() || stay_->on_host == simulation()->version());
  }
  std::string last_backup() const {
    return kept_ ? "step " + std::to_string(S::step_of(*kept_)) : std::string("the beginning");
  }
  // What cannot be backed up is computed all the same.
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
  // The simulation is computed on these devices from now on.
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
  // The past has the beginning before the first step is made.
  bool begins_past() const { return keeps_past && past_.moments().empty() && !simulation()->evaluates(settings_); }
  // The state that was there is not the one from which the simulation goes on.
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
  // The simulation stands between this moment, which is the last one before the goal, and the goal.
  bool is_on_the_way(const typename Past<State, Settings>::Moment& from) const {
    const auto* resting = std::get_if<step::phase::Resting>(&phase_);
    if (resting == nullptr || resting->unfinished || simulation() == nullptr || stay_->preparation.busy()) return false;
    const std::int64_t present = simulation()->present_step();
    return stay_->course == step::Course::go_on && from.step <= present && present <= *goal_ && going_ &&
           S::same_bits(*going_, settings_) && S::same_bits(from.settings, settings_);
  }
  // Settings by which steps get other bits are noted in the past before the first of these. False while that has to
  // wait for a backup under way.
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
        if (!stay_->backups.busy()) past_.lose(step);  // the device has no room for one
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
  // Files and devices go on from the last good state.
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
  Settings good_;  // of the last preparation that succeeded, to go back to
  step::Phase phase_;
  std::optional<Stay> stay_;
  Pace pace_ = Pace::run;
  double spacing_ = 0, begun_ = 0;  // of bursts, and when the last one was to begin; seconds
  Health health_ = Health::sound;
  StatePtr beginning_;                   // in place of the initial condition
  StatePtr kept_;                        // the last finite state on the host
  std::deque<Edit> edits_;               // that the present state does not have yet
  std::optional<std::int64_t> lost_at_;  // the step at which the last device was lost
  Past<State, Settings> past_;
  std::optional<Settings> going_;     // of the last burst that began, or of the moment gone back to
  std::optional<InForce> copied_;     // of the last backup that began
  std::optional<std::int64_t> goal_;  // a step to compute, then to stand
  std::string rounds_as_;             // the devices that the past was computed on
  Refusals refusals_;
  Record record_;
  std::int64_t published_ = 0, moments_ = 0, generation_ = 0;
  FaultText fault_;
};

}  // namespace orrery
