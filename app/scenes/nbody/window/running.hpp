/// Bodies on their devices, as the step runner runs them (scene/step_runner.hpp): their bursts, the surfaces that they
/// are published into, and their measurements. Window thread; nothing waits.
#pragma once

#include <functional>
#include <optional>

#include "base/work/background.hpp"
#include "compute/queue/slices_in_flight.hpp"
#include "scene/backups.hpp"
#include "scene/step_runner.hpp"
#include "scenes/nbody/window/measures.hpp"
#include "scenes/nbody/window/preparation.hpp"
#include "scenes/nbody/window/record.hpp"

namespace orrery {

/// The bodies of a simulation, as backups read them (scene/backups.hpp).
struct NbodyBackupSource {
  using State = NbodyState;
  using Download = NbodyDownload;

  const Device& device;
  Queue& queue;
  const NbodySimulation& simulation;

  bool fits(const NbodyDownload& download) const { return download.fits(simulation); }
  std::unique_ptr<NbodyDownload> make_download() const {
    return std::make_unique<NbodyDownload>(device, queue, simulation.bodies(), simulation.precision());
  }
  void begin(NbodyDownload& download) const {
    download.begin(queue, simulation);
    queue.flush();
  }
  static Backup<NbodyState> backup_of(const NbodyDownload& download);
  static std::string text_of(const NbodyState& state) { return std::to_string(state.bodies.size()) + " bodies"; }
};

class RunningNbody {
 public:
  using Context = ComputeContext;
  using Settings = NbodySettings;
  using Terms = Unset;
  using State = NbodyState;
  using Prepared = PreparedNbody;
  using Record = NbodyRecord;
  static constexpr std::string_view noun = "bodies";
  static constexpr std::string_view advice = "A shorter time step or a larger softening may help";
  static constexpr bool splits_bursts = true, computes_while_publishing = true, publishes_behind = true;
  static constexpr bool resets_to_resumed = false;

  // ---- settings and preparation

  static Unset merged(const Unset& old, const Unset& newer, const NbodySettings& from, const NbodySettings& to);
  static SettingsChange change(const NbodySettings& from, const NbodySettings& to, const Unset& unset,
                               const ComputeContext* context);
  static std::function<PreparedNbody()> preparation(const ComputeContext& context, const NbodySettings& settings,
                                                    const Unset& unset, std::shared_ptr<const NbodyState> state,
                                                    const RunningNbody* present,
                                                    const std::shared_ptr<Announced<ProgramPlan>>& plan,
                                                    NbodyRecord& record);
  static const NbodySettings& settings_of(const PreparedNbody& prepared) { return prepared.settings; }
  static void adopt(NbodySettings& settings, const NbodySettings& prepared, const Unset& unset);
  static NbodySettings taken_back(const NbodySettings& settings, const NbodySettings& good);
  static std::optional<NbodySettings> fallback(const NbodySettings& settings, const Error& error);
  static NbodySettings after_refusal(const NbodySettings& settings);
  static std::int64_t step_of(const NbodyState& state) { return state.clock.step; }
  static double time_of(const NbodyState& state) { return state.clock.time; }
  static std::size_t state_bytes(const NbodyState& state) { return memory_of(state); }
  /// True if both settings lead to the same bits; and a moment's settings, with those of `present` that change no bits.
  static bool same_bits(const NbodySettings& a, const NbodySettings& b);
  static NbodySettings with_bits_of(const NbodySettings& present, NbodySettings moment);
  /// The names of the devices: other devices may round differently.
  static std::string rounds_as(const ComputeContext& context);
  static const std::string& title_of(const NbodySettings& settings) { return settings.initial; }

  RunningNbody(ComputeContext& context, PreparedNbody prepared, NbodyRecord& record, Start how);

  // ---- queries and requests of the scene

  const PreparedNbody& prepared() const { return prepared_; }
  const NbodySimulation& model() const { return *prepared_.simulation; }
  /// The published bodies, for drawing; null before the first publication, which precedes the first field.
  Surface* front() const { return front_; }
  /// True if accelerations and potentials of the published bodies are known.
  bool field_known() const { return !at_beginning(); }
  BodyWatch& watch_of_body() { return watch_; }
  const BodyWatch& watch_of_body() const { return watch_; }
  /// Requests for each publication: a quantity of the bodies, and the boxes of the tree's cells.
  void want(Measured quantity, bool cells);
  /// The quantity of the published bodies, and its spread.
  struct MeasuredBodies {
    Measured quantity = Measured::nothing;
    LogSpread spread;
  };
  const MeasuredBodies& measured() const { return measured_; }
  /// True if the errors of all bodies are known and published.
  bool maps_all_errors() const { return error_mapping_.is_published(*prepared_.error_map) && !publication_; }
  /// The published boxes of all cell_levels(); null if there are none, or none are wanted.
  Surface* front_cells() const { return front_cells_; }
  /// Whether each publication needs the potential. Otherwise few enough have it to cost little.
  void want_potential(bool wanted) { potential_wanted_ = wanted; }
  /// The value of "forces" that sums over all pairs where a tree is in use, and vice versa.
  std::string_view other_forces() const;
  /// Begins or ends the measurement of bursts of all lengths.
  void measure_transfer(bool begin);
  /// Begins or ends the measurement of the cost of accuracy for bodies like these, which wait meanwhile.
  void measure_accuracy(bool begin, const NbodySettings& settings, std::shared_ptr<const NbodyState> state);
  void describe(NbodySnapshot& snapshot) const;

  // ---- between two bursts

  void take(const NbodySettings&) {}
  void amend(const NbodySettings& settings);
  bool amending() const { return kernels_.busy(); }
  bool take_amendment();
  bool give_up_amendment();
  void expect_successor() { kernels_.forget(); }
  bool settle(const step::Burst& unfinished);
  bool watch();
  bool wants_worker(step::Course) const { return false; }
  void lend() {}
  bool take_back() { return true; }
  NbodyBackupSource backup_source() const { return {context_.device, context_.queue, model()}; }
  std::int64_t version() const { return model().clock().step; }
  /// The step at the end of the burst in flight.
  std::int64_t present_step() const { return model().clock().step; }
  bool at_beginning() const { return field_ != Field::known; }
  bool quiet() const { return !error_monitor_.under_way() && !watch_.under_way(); }
  bool told_all() const;
  std::size_t size() const { return model().bodies(); }

  // ---- a burst

  bool evaluates(const NbodySettings& settings) const;
  std::optional<std::int64_t> fixed_burst() const;
  double begin_burst(const step::Burst& burst, const NbodySettings& settings, Pace pace);
  bool has_room() const { return !model().waits() && in_flight_.seconds() < context_.ahead_seconds; }
  bool slice_done() const { return in_flight_.empty(); }
  void enqueue_slice();
  bool burst_enqueued() const { return model().burst_enqueued(); }
  double burst_progress() const { return model().burst_progress(); }
  void end_burst(const step::Burst&) {}
  void interrupt();

  // ---- publications and reports

  bool shown_first() const { return true; }
  bool surface_free() { return surfaces().back().idle() && (!cells_ || cells_->back().idle()); }
  void publish(step::Sight sight);
  bool published();
  void collect();
  std::optional<Finding> take_finding() { return std::exchange(finding_, {}); }
  void flush() { context_.queue.flush(); }
  std::int64_t shown_step() const { return front_step_; }
  std::string status() const;
  void release(Leaving how);

 private:
  enum class Field { unknown, enqueued, known /* and published */ };
  /// Settings of a burst for the report at its end.
  struct BurstTerms {
    double dt = 0;
    NbodyPull pull = {};
    bool keeps_energy = true;
  };
  /// A moment on its way to its surface.
  struct Publication {
    step::Sight sight;
    std::int64_t step;
    BurstTerms burst;
    SurfacePair* into;
    Measured measured = Measured::nothing;
    bool cells = false;
    double upload_seconds = 0;
  };

  NbodySimulation& model() { return *prepared_.simulation; }
  bool sweeps() const { return burst_.fixed.has_value() && record_->sweep.running(); }
  SurfacePair& surfaces();
  cl::Buffer measure(Measured quantity);
  void publish_cells(Surface::Path path);
  bool measurable(Measured quantity) const;
  bool lacks_what_is_wanted() const;
  std::optional<double> seconds_per_interaction() const;
  bool affords_potential(double evaluations) const;

  ComputeContext& context_;
  PreparedNbody prepared_;
  NbodyRecord* record_;
  SurfacePair surfaces_;
  std::optional<SurfacePair> copies_;  // for comparison with shared surfaces
  Surface* front_ = nullptr;
  std::int64_t front_step_ = 0;
  Background<std::vector<NbodyKernels>> kernels_;
  step::Burst burst_;  // the last burst that began …
  BurstTerms terms_;   // … and its settings
  Field field_ = Field::unknown;
  bool potential_wanted_ = true;
  double since_potential_ = 0;  // number of force evaluations
  SlicesInFlight in_flight_;
  std::optional<Publication> publication_;  // under way
  std::optional<Finding> finding_;
  ForceErrorMonitor error_monitor_;
  BodyWatch watch_;
  ForceErrorMapping error_mapping_;
  Measured wanted_ = Measured::nothing;
  bool cells_wanted_ = false;
  MeasuredBodies measured_;
  cl::Buffer of_tree_;                // the tree's values, or levels of steps, a float per body; null until wanted
  std::optional<SurfacePair> cells_;  // null until first wanted
  Surface* front_cells_ = nullptr;
};
static_assert(Simulation<RunningNbody>);

}  // namespace orrery
