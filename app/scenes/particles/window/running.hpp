/// Particles on their device, as the step runner runs them (scene/step_runner.hpp): their bursts, the surfaces that
/// they are published into, and the laws and minimisations that the user requests meanwhile. Window thread; nothing
/// waits.
#pragma once

#include <functional>
#include <optional>
#include <variant>

#include "base/work/background.hpp"
#include "compute/queue/slices_in_flight.hpp"
#include "scene/backups.hpp"
#include "scene/scene.hpp"
#include "scene/step_runner.hpp"
#include "scenes/particles/window/law_exchange.hpp"
#include "scenes/particles/window/preparation.hpp"
#include "scenes/particles/window/record.hpp"

namespace orrery {

/// The particles of a moment as backups read them (scene/backups.hpp), and the world and laws that they belong to.
struct ParticlesDownload {
  particles::Download moment;
  std::shared_ptr<const particles::World> world = {};
  EditedLaws laws = {};
  std::optional<EditedLaws> own_laws = {};

  bool complete() const { return moment.complete(); }
  bool arrived() const { return moment.arrived(); }
  double seconds() const { return moment.seconds(); }
};

struct ParticlesBackupSource {
  using State = ParticlesState;
  using Download = ParticlesDownload;

  const Device& device;
  Queue& queue;
  const PreparedParticles& prepared;
  const EditedLaws& laws;

  bool fits(const ParticlesDownload& download) const { return download.moment.fits(*prepared.engine); }
  std::unique_ptr<ParticlesDownload> make_download() const {
    return std::make_unique<ParticlesDownload>(ParticlesDownload{particles::Download(device, queue, *prepared.engine)});
  }
  void begin(ParticlesDownload& download) const {
    download.world = prepared.world;
    download.laws = laws;
    download.own_laws = prepared.own_laws;
    download.moment.begin(queue, *prepared.engine);
    queue.flush();
  }
  static Backup<ParticlesState> backup_of(const ParticlesDownload& download);
  static std::string text_of(const ParticlesState& state) {
    return std::to_string(state.moment.position.size()) + " particles";
  }
};

/// "10 × 10 × 10", "open space"
std::string box_text(const particles::Box& box);

class RunningParticles {
 public:
  using Context = ComputeContext;
  using Settings = ParticlesSettings;
  /// Parameters given by the user, which override those of a world.
  using Terms = std::map<std::string, Value, std::less<>>;
  using State = ParticlesState;
  using Prepared = PreparedParticles;
  using Record = ParticlesRecord;
  static constexpr std::string_view noun = "particles";
  static constexpr std::string_view advice = "A shorter time step or a gentler law may help";
  static constexpr bool splits_bursts = false, computes_while_publishing = true, publishes_behind = false;
  static constexpr bool resets_to_resumed = true;

  // ---- settings and preparation

  static Terms merged(const Terms& old, const Terms& newer, const ParticlesSettings& from, const ParticlesSettings& to);
  static SettingsChange change(const ParticlesSettings& from, const ParticlesSettings& to, const Terms& given,
                               const ComputeContext* context);
  static std::function<PreparedParticles()> preparation(const ComputeContext& context,
                                                        const ParticlesSettings& settings, const Terms& given,
                                                        const std::shared_ptr<const ParticlesState>& state,
                                                        const RunningParticles* present,
                                                        const std::shared_ptr<Announced<ProgramPlan>>& plan,
                                                        ParticlesRecord&);
  static const ParticlesSettings& settings_of(const PreparedParticles& prepared) { return prepared.settings; }
  static void adopt(ParticlesSettings& settings, const ParticlesSettings& prepared, const Terms& given);
  static ParticlesSettings taken_back(const ParticlesSettings& settings, const ParticlesSettings& good);
  static std::optional<ParticlesSettings> fallback(const ParticlesSettings& settings, const Error& error);
  static ParticlesSettings after_refusal(const ParticlesSettings& settings);
  static std::int64_t step_of(const ParticlesState& state) { return state.moment.clock.step; }
  static const std::string& title_of(const ParticlesSettings& settings) { return settings.world; }

  RunningParticles(ComputeContext& context, PreparedParticles prepared, ParticlesRecord& record, Start how);

  // ---- queries and requests of the scene

  const PreparedParticles& prepared() const { return prepared_; }
  /// The published particles, for drawing; null before the first publication. During a minimisation, its last sight.
  Surface* front() const { return sight_ ? sight_->surface.get() : front_; }
  /// Counts the sights of minimisations; 0 while the present particles are shown.
  std::int64_t sight() const { return sight_ ? sight_->serial : 0; }
  /// The temperature that velocities are compared with: the thermostat's, or without one the present one.
  double reference_temperature(const ParticlesSettings& settings) const;
  void describe(const ParticlesSettings& settings, ParticlesSnapshot& snapshot) const;
  void edit(const std::string& law, const std::string& text);
  /// The name of the new law; `ready` empty: a law without a force.
  std::string add_law(const std::string& ready);
  void add_parameter(const std::string& law, const std::string& name);
  void remove_law(const std::string& law);
  void reset_law(const std::string& law);
  std::vector<LawView> laws() const;
  /// "lennard-jones/sigma", as LawBook::set() takes it.
  void set_number(const std::string& number, const Value& value);
  void set_laws(const EditedLaws& laws);
  void minimize() { minimize_wanted_ = true; }

  // ---- between two bursts

  void take(const ParticlesSettings& settings);
  void amend(const ParticlesSettings&) {}
  bool amending() const { return laws_.building() || laws_.ready(); }
  bool take_amendment() { return false; }
  bool give_up_amendment();
  void expect_successor() {}
  bool settle(const step::Burst& unfinished);
  bool watch() { return false; }
  bool wants_worker(step::Course course) const {
    return laws_.ready() || (minimize_wanted_ && course != step::Course::leave);
  }
  void lend();
  bool take_back();
  ParticlesBackupSource backup_source() const {
    return {context_.device, context_.queue, prepared_, record_->laws.running()};
  }
  /// Identifies a state: laws and minimisations change it without a step.
  struct Version {
    std::int64_t step = 0, changes = 0;
    bool operator==(const Version&) const = default;
  };
  Version version() const { return {engine().clock().step, changes_of_state_}; }
  bool at_beginning() const { return false; }
  bool quiet() const { return observation_ == Observation::none && slice_done(); }
  bool told_all() const { return quiet() && front_ != nullptr && changes_.empty() && !minimize_wanted_ && !sight_; }
  std::size_t size() const { return engine().size(); }

  // ---- a burst

  bool evaluates(const ParticlesSettings&) const { return forces_wanted_; }
  std::optional<std::int64_t> fixed_burst() const { return std::nullopt; }
  double begin_burst(const step::Burst& burst, const ParticlesSettings& settings, Pace pace);
  bool has_room() const { return in_flight_.seconds() < context_.ahead_seconds; }
  bool slice_done() const { return in_flight_.empty(); }
  void enqueue_slice();
  bool burst_enqueued() const { return engine().burst_enqueued(); }
  double burst_progress() const { return engine().burst_progress(); }
  void end_burst(const step::Burst& burst);
  void interrupt();

  // ---- publications and reports

  bool shown_first() const { return prepared_.minimize; }
  bool surface_free() { return surfaces_.back().idle(); }
  void publish(step::Sight sight);
  bool published();
  void collect();
  std::optional<Finding> take_finding() { return std::exchange(finding_, {}); }
  void flush() { context_.queue.flush(); }
  std::int64_t shown_step() const { return shown_clock_.step; }
  std::string status() const;
  void release(Leaving how);

 private:
  /// The tasks of a worker thread with the engine.
  struct UseOfLaws {
    LawExchange::Built built;
  };
  struct Minimization {
    std::shared_ptr<Announced<MinimizeSight>> sight;
  };
  struct DrawnSight {
    std::int64_t serial = 0;
    std::shared_ptr<const std::vector<std::array<float, 4>>> of;
    std::unique_ptr<Surface> surface;
  };
  using Errand = std::variant<std::monostate, UseOfLaws, Minimization>;
  enum class Observation { none, under_way };
  using Change = std::function<void(particles::Engine&)>;  // applied between two bursts

  particles::Engine& engine() const { return *prepared_.engine; }
  void build_laws() { laws_.build(record_->laws, context_.programs, prepared_); }
  void accept(const LawExchange::Built& built);
  void refuse(const EditedLaws& laws, const Error& error);
  void make_changes();
  void follow_sight();
  bool minimizing() const { return std::holds_alternative<Minimization>(errand_); }

  ComputeContext& context_;
  PreparedParticles prepared_;
  ParticlesRecord* record_;
  SurfacePair surfaces_;
  Surface* front_ = nullptr;
  LawExchange laws_;
  Errand errand_;
  std::optional<DrawnSight> sight_;
  Background<std::string> worker_;
  std::vector<Change> changes_;
  std::int64_t changes_of_state_ = 0;
  bool forces_wanted_;    // evaluate them before the next step
  bool minimize_wanted_;  // by the user or the world
  SlicesInFlight in_flight_;
  step::Burst burst_;            // the last burst that began …
  bool observed_burst_ = false;  // … computes the values of an observation
  double measured_when_ = 0, distribution_when_ = 0;
  Observation observation_ = Observation::none;
  particles::EngineClock shown_clock_;
  std::optional<Finding> finding_;
};
static_assert(Simulation<RunningParticles>);

}  // namespace orrery
