/// Runs a simulation over the frames of a window: prepares it in the background, hands its bursts to the device in
/// slices, publishes each finished burst, and carries the state from device to device. Window thread; never waits.
#pragma once

#include <optional>

#include "base/work/background.hpp"
#include "scenes/nbody/model/step_watch.hpp"
#include "scenes/nbody/window/copies.hpp"
#include "scenes/nbody/window/probe.hpp"
#include "scenes/nbody/window/transfer_sweep.hpp"

namespace orrery {

class NbodyEngine {
 public:
  explicit NbodyEngine(NbodySettings settings);

  const NbodySettings& settings() const { return settings_; }
  /// Takes new settings over: what can change live does at the next burst; the rest is prepared in the background while
  /// the present simulation runs on. What is `unset`, new bodies bring along.
  void set(const NbodySettings& settings, const Unset& unset = {});
  /// The bodies that will bring this setting are still being prepared.
  bool is_unset(std::string_view name) const;
  /// Builds everything anew from the present state: a kernel's source has changed.
  void reload() { renewing_ = context_ != nullptr && !wanted_; }
  /// Takes what tuning has found since.
  void retune() {
    if (context_ != nullptr && !wanted_) build_kernels();
  }
  /// Begins again from the initial condition.
  void restart();

  /// Numbers of the bodies have ceased to be finite; the engine has paused.
  bool not_finite() const { return not_finite_; }
  /// Goes back to the last state that was finite, or to the initial condition.
  void rewind();

  bool paused() const { return paused_; }
  void pause(bool paused) { paused_ = paused; }
  void step_once();

  /// Collects what is complete and enqueues what fits into the frame.
  void update(double seconds);
  /// What was published last; nothing before the first time, which is before the first field. `published()` counts.
  Surface* front();
  std::int64_t published() const { return published_; }
  /// The step of the bodies in front().
  std::int64_t shown_step() const { return shown_step_; }
  /// Counts the simulations that have run.
  std::int64_t generation() const { return generation_; }
  const PreparedNbody* running() const { return running_ ? &running_->prepared : nullptr; }
  /// What is published and observed of these bodies includes accelerations and potentials.
  bool field_known() const { return running_ && !at_start_; }
  const NbodyDiagnostics& diagnostics() const { return diagnostics_; }

  /// Which body to read in full with each published frame, and at once; nobody's when it is none of these bodies.
  void watch(std::optional<std::uint32_t> body) { watched_ = body; }
  /// The watched body at the moment that front() shows; nothing until it has been read.
  const std::optional<NbodyObservation>& observation() const { return observation_; }

  /// Bursts of all lengths one after another, timed, until it is done or given up.
  void measure_transfer(bool begin);

  /// Whether what the accelerations are off by is to be found for every body, in slices, and published.
  void survey(bool wanted) { surveys_ = wanted; }
  /// Of the errors of some bodies.
  const LogSpread& error_spread() const { return probe_.spread(); }

  const DiagnosticsHistory& history() const { return history_; }
  const std::string& fault() const { return fault_; }
  const std::string& fault_log() const { return fault_log_; }
  /// What is being prepared; empty when nothing is.
  std::string status() const;
  /// Counters for the panel: rates, burst progress, clock.
  void describe(NbodySnapshot& snapshot) const;

  void attach(ComputeContext& context);
  void detach();
  void abandon();
  /// What is being prepared on a worker thread is not waited for any more; the settings are those of what runs.
  void give_up();
  bool can_give_up() const { return running_ && preparing() && !needed_; }
  /// On a worker thread, which detach() waits for.
  bool preparing() const { return preparation_.busy() || kernels_.busy(); }
  bool ready_to_detach();

  /// The bodies of the present moment; nothing when they are those of the initial condition, or not on the host.
  std::shared_ptr<const NbodyState> state() const;
  /// The last ones that came to the host, mostly at most a second old; nothing before the first time.
  std::shared_ptr<const NbodyState> last_state() const { return state_; }
  /// Goes on from these bodies instead of the initial condition.
  void resume(NbodyState state);

 private:
  enum class Phase { idle, computing, publishing };
  struct Running {
    PreparedNbody prepared;
    SurfacePair surfaces;
    std::optional<SurfacePair> copies;  // to compare with, where those are shared
  };
  /// Of one published burst.
  struct Rate {
    double when, steps, interactions;
  };

  void prepare(std::shared_ptr<const NbodyState> state, bool keep_history);
  void build_kernels();
  void take_over(Phase phase);
  void take_prepared();
  void take_kernels();
  void keep_fault(const Error& error);
  void take_back();
  void go_on(double seconds);
  void begin_again_after(const Error& refusal, double seconds);
  void renew();
  void copy_now_and_then(double seconds);
  void begin_copy();
  void take_copy();
  void begin_burst();
  bool burst_has_more() const;
  void end_part();
  void fit_part();
  double burst_progress() const;
  void compute();
  void publish(bool field_known, bool again = false);
  SurfacePair& surfaces();
  void begin_survey();
  double survey_slice(double budget);
  void go_on_surveying();
  void finish_publishing(double seconds);
  void observe(bool field_known);
  void finish_observing();
  bool is_observed() const;
  void record(const NbodyDiagnostics& row);
  void forget_history();
  void fetch();
  void keep(NbodyCopy copy);
  void look_at_the_bodies();
  std::string last_copy() const;
  void note_loss();
  void stop_at(std::size_t not_finite, std::int64_t step);
  NbodySimulation& simulation() { return *running_->prepared.simulation; }

  NbodySettings settings_;
  Unset unset_;
  NbodySettings good_;  // of the last preparation that succeeded, to go back to
  ComputeContext* context_ = nullptr;
  Background<PreparedNbody> preparation_;
  Background<std::vector<NbodyKernels>> kernels_;
  bool wanted_ = true;         // nothing has been prepared on this device yet
  bool keep_history_ = false;  // of the preparation in progress
  bool leaving_ = false;       // no burst begins any more: the device is to be let go
  bool needed_ = false;        // without what is being prepared nothing goes on
  bool held_ = false;          // the preparation goes on from the present state, which therefore stands still
  bool renewing_ = false;      // all of it is to be prepared anew from the present state

  std::optional<Running> running_;
  Phase phase_ = Phase::idle;
  cl::Event slice_;
  bool publishes_field_ = false;     // the publication in flight includes it, …
  bool publishes_again_ = false;     // … is of bodies that have been published before, …
  std::int64_t publishes_step_ = 0;  // … and is of this step
  bool paused_ = false;
  bool once_ = false;       // one burst although paused
  bool at_start_ = true;    // the field of these bodies has not been published yet …
  bool unseen_ = true;      // … nor have they themselves
  double softening_ = -1;   // of the rows in the history
  std::int64_t steps_ = 0;  // of the burst in flight
  double work_ = 0;
  // A long burst is computed in parts, so that copies can be made between them: of so many steps, …
  std::int64_t part_ = 1;
  double part_began_ = 0;
  bool between_parts_ = false;  // … and not all of them have begun

  std::optional<std::uint32_t> watched_;
  bool observing_ = false;
  std::optional<NbodyObservation> observation_;

  NbodyCopies copies_;
  bool copies_told_ = false;                 // that there are none
  bool looks_ = false;                       // for bodies that are not finite
  std::vector<double> refusals_;             // when the device has refused something lately
  std::shared_ptr<const NbodyState> state_;  // the last finite one on the host …
  bool state_is_present_ = false;            // … and nothing has been computed since
  bool not_finite_ = false;
  std::optional<std::int64_t> lost_at_;  // the step that the bodies were at when their device was lost
  Surface* shown_ = nullptr;             // what was published last
  std::int64_t published_ = 0, generation_ = 0, shown_step_ = 0;
  NbodyDiagnostics diagnostics_;
  StepWatch step_watch_;
  std::string step_warning_;  // the last
  DiagnosticsHistory history_;
  NbodyProbe probe_;
  NbodySweep sweep_;
  bool swept_ = false;         // the burst in flight is measured
  double upload_seconds_ = 0;  // of what is being published
  SurfacePair* publishes_into_ = nullptr;
  bool surveys_ = false;
  std::int64_t surveyed_step_ = -1;  // that the survey was begun at …
  std::size_t surveyed_ = 0;         // … and how many of its bodies have been published
  std::vector<Rate> rates_;
  std::string fault_, fault_log_;
};

}  // namespace orrery
