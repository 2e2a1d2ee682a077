/// Runs particles over the frames of a window: prepares them in the background, hands their bursts to the device in
/// slices, publishes each finished burst, takes over laws that a person types once they are accepted, and carries the
/// state from device to device. Window thread; never waits.
#pragma once

#include <functional>
#include <optional>

#include "base/work/background.hpp"
#include "protocol/particles_snapshot.hpp"
#include "scene/scene.hpp"
#include "scenes/particles/window/law_book.hpp"
#include "scenes/particles/window/preparation.hpp"

namespace orrery {

class ParticlesEngine {
 public:
  explicit ParticlesEngine(ParticlesSettings settings = {});

  const ParticlesSettings& settings() const { return settings_; }
  /// What can change live does between two bursts; the rest is prepared in the background while the present particles
  /// run on. Another world brings its own numbers, but for those that are `given`.
  void set(const ParticlesSettings& settings, const std::map<std::string, Value>& given = {});
  /// Begins again from the world's file, or from the world that a state file has brought.
  void restart();
  void rewind();
  /// Builds everything anew from the present state: a kernel's source has changed.
  void reload() { renewing_ = running_.has_value(); }
  /// Goes on from this state.
  void resume(ParticlesState state);

  void edit(const std::string& law, const std::string& text);
  void add_law(const std::string& ready);
  void remove_law(const std::string& law);
  void set_law_parameter(const std::string& law, const std::string& name, double value);
  void minimize() { minimize_ = running_.has_value(); }

  bool paused() const { return paused_; }
  void pause(bool paused) { paused_ = paused; }
  void step_once() { paused_ = once_ = true; }

  /// Collects what is complete and enqueues what fits into the frame.
  void update(double seconds);
  /// What was published last; nothing before the first time.
  Surface* front() { return shown_; }
  std::int64_t published() const { return published_; }
  /// Counts the worlds that have run.
  std::int64_t generation() const { return generation_; }
  const PreparedParticles* running() const { return running_ ? &running_->prepared : nullptr; }
  const particles::Observables* observables() const { return observed_once_ ? &observables_ : nullptr; }
  /// That velocities are compared with: the thermostat's, or without one the present one.
  double reference_temperature() const;

  const std::string& fault() const { return fault_; }
  const std::string& fault_log() const { return fault_log_; }
  /// Particles have ceased to be finite, or their forces to be numbers; the engine has paused, and rewind() helps.
  bool not_finite() const { return not_finite_; }
  std::string status() const;
  void describe(ParticlesSnapshot& snapshot) const;

  void attach(ComputeContext& context);
  void detach();
  void abandon();
  /// What is being prepared, or built of laws, is not waited for any more; what runs goes on.
  void give_up();
  bool can_give_up() const { return running_ && (preparation_.busy() || building_.busy()); }
  bool minimizing() const { return job_.busy() && minimizing_; }
  bool preparing() const { return preparation_.busy() || building_.busy() || job_.busy(); }
  bool ready_to_detach();
  /// The last state that came to the host; nothing before the first time.
  std::shared_ptr<const ParticlesState> last_state() const { return state_; }

 private:
  struct Running {
    PreparedParticles prepared;
    SurfacePair surfaces;
  };
  /// What a worker has done with the engine, which it had to itself.
  struct JobResult {
    std::optional<particles::Snapshot> moment;
    std::int64_t not_finite = 0;  // particles of the moment, which is not worth keeping then
    std::optional<std::string> minimized;
    std::optional<PreparedLaws> laws;  // that are in use now
  };
  struct Rate {
    double when, steps;
  };

  particles::Engine& engine() { return *running_->prepared.engine; }
  void prepare(ParticlesRequest request);
  void prepare_present();
  void take_prepared();
  void keep_fault(const Error& error);
  void finish_job();
  bool begin_job(double seconds);
  void build_laws();
  void take_laws();
  void accept(PreparedLaws laws);
  void refuse_laws(const Error& error);
  void apply_changes();
  void go_on(double seconds);
  void compute(double seconds);
  void begin_burst(double seconds);
  void publish(double seconds);
  void finish_publishing(double seconds);
  void finish_observing(double seconds);
  void record();
  void stop(const std::string& why);
  void stop_at(std::int64_t not_finite, std::int64_t step);
  void describe_measures(ParticlesSnapshot& snapshot) const;

  ParticlesSettings settings_;
  std::map<std::string, Value> given_;  // parameters that count more than those of the world under preparation
  ParticlesSettings good_;              // of the last preparation that succeeded, to go back to
  ComputeContext* context_ = nullptr;
  Background<PreparedParticles> preparation_;
  Background<PreparedLaws> building_;
  Background<JobResult> job_;
  bool wanted_ = true;     // nothing has been prepared on this device yet
  bool renewing_ = false;  // all of it is to be prepared anew from the present state
  bool leaving_ = false, held_ = false;

  std::optional<Running> running_;
  LawBook laws_;
  EditedLaws built_laws_;                   // under construction
  EditedLaws taken_laws_;                   // built, and taken over by a worker
  std::optional<PreparedLaws> ready_laws_;  // to be taken over between two bursts
  bool taking_laws_ = false;
  double law_seconds_ = 0;                                        // that the last ones took
  std::vector<std::function<void(particles::Engine&)>> changes_;  // to be made between bursts
  bool bursting_ = false, unpublished_ = false, publishing_ = false, observing_ = false;
  bool observes_ = false;  // the burst in flight does
  bool evaluate_ = false;  // forces anew before the next step
  bool paused_ = false, once_ = false, minimize_ = false, minimizing_ = false;
  cl::Event slice_;
  std::int64_t steps_ = 0;  // of the burst in flight
  double measured_when_ = 0, distribution_when_ = 0, kept_when_ = 0;
  particles::EngineClock shown_clock_;

  std::shared_ptr<const ParticlesState> state_;
  bool state_is_present_ = false;
  bool resumed_ = false;  // the particles come from a state file: Reset reads the world anew
  Surface* shown_ = nullptr;
  std::int64_t published_ = 0, generation_ = 0;
  particles::Observables observables_;
  particles::Histogram distribution_;  // g(r), which is measured less often
  bool observed_once_ = false, not_finite_ = false;
  ParticlesHistory history_;
  std::string minimized_;
  std::string range_note_;  // that forces have left the range of their sums
  std::vector<Rate> rates_;
  std::string fault_, fault_log_;
};

}  // namespace orrery
