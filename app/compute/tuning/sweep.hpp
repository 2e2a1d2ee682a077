/// Tunes one kernel: builds candidates, checks their results, and times the correct ones in turns until their medians
/// are precise enough or the time is up.
///
/// step() never waits, so that a sweep works in a frame loop and headless; building, references and comparisons run on
/// worker threads. Nothing is timed during such work. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/work/background.hpp"
#include "compute/tuning/tune_space.hpp"
#include "compute/tuning/tune_target.hpp"

namespace orrery {

struct SweepSettings {
  double seconds = 60;          ///< total; the standard is always measured
  double spread = 0.01;         ///< target of half the confidence interval divided by the median
  std::size_t most_runs = 25;   ///< per candidate
  std::size_t exhaustive = 48;  ///< up to this number of candidates, all are tried
  std::size_t probes = 6;       ///< random candidates drawn at a time where a search ends
  std::uint64_t seed = 1;
  std::function<double()> now = now_seconds;
};

/// Candidates known from an interrupted sweep of the same subject.
struct KnownEntries {
  std::vector<TuneEntry> entries;
  bool host_times = false;  ///< see Sweep::host_times()
};

class Sweep {
 public:
  /// Number of runs that a confidence interval needs.
  static constexpr std::size_t fewest_runs = 6;

  /// Continues from `known`. The target must outlive the sweep.
  Sweep(TuneTarget& target, SweepSettings settings, const KnownEntries& known = {});

  /// Records completed work and begins the next, enqueueing about `budget_seconds` of device time; with a budget of 0,
  /// nothing that is timed. False once the sweep is done. Errors of candidates are recorded, not thrown.
  bool step(double budget_seconds);
  /// Stops after the running work; results stay.
  void cancel() { cancelled_ = true; }
  /// Marks the running candidate as endless. It has failed, and so has the sweep, which must not be used from then on.
  /// Returns the message.
  std::string give_up_running(std::string reason);

  bool done() const { return phase_ == Phase::done; }
  /// True while a candidate is probably running: other work on the device would spoil its times.
  bool on_device() const {
    return (activity_ == Activity::checked_run || activity_ == Activity::timed_run) && slice_ != Slice::due;
  }
  /// True if nothing was left to try.
  bool complete() const { return complete_; }
  /// True if every legal candidate is tried, time permitting; otherwise a search along the axes and random probes.
  bool exhaustive() const { return exhaustive_; }
  /// True if the driver's times are unusable (zero, or out of order) and all times are the host's.
  bool host_times() const { return host_times_; }
  /// Why the standard cannot be used, which ends the sweep; empty if it can.
  const std::string& fault() const { return fault_; }
  double elapsed() const { return settings_.now() - began_; }
  /// The fraction of its time, 0 … 1.
  double progress() const;
  /// The current activity as text: "building work-group 64".
  std::string activity() const;

  /// All candidates; the standard is first.
  const std::vector<TuneEntry>& entries() const { return entries_; }
  const TuneEntry& standard() const { return entries_.front(); }
  /// The correct candidate with the smallest median; null before one is timed.
  const TuneEntry* best() const;
  /// The same among bit-identical candidates: the choice of "auto".
  const TuneEntry* choice() const;

 private:
  enum class Phase { reference, trying, confirming, done };
  enum class Activity { none, reference, building, checked_run, checking, timed_run };
  /// The present run's slice waits for a budget, is enqueued, or is enqueued as the run's last one.
  enum class Slice { due, enqueued, last };

  bool progressed(double budget);
  void begin_next(double budget);
  void begin_building(std::size_t index);
  void begin_run(std::size_t index, Activity activity, double budget);
  bool poll_building(double budget);
  bool poll_run(double budget);
  void enqueue_slice(double budget);
  bool poll_check();
  void account();
  void summarise(std::size_t index);
  void take_up(const TuneEntry& entry);
  void give_up(std::size_t index, TuneState state, std::string reason);

  bool must_stop() const;
  bool must_build(std::size_t index) const;
  bool is_settled(const TuneEntry& entry) const;
  void drop_slow_ones();
  double bound_of_others(bool keeping_bits) const;
  std::optional<std::size_t> next_of_round(bool only_new);
  void begin_round(bool only_new);
  void close_batch();
  bool open_batch();
  bool open_line();
  bool open_probes();
  bool add(const TuneValues& values);
  void begin_confirming(double budget);
  void end(bool complete);
  std::optional<std::size_t> index_of_best(bool keeping_bits) const;
  std::set<std::size_t> beside_batch() const;

  TuneTarget& target_;
  SweepSettings settings_;
  std::mt19937_64 random_;
  double began_;
  bool exhaustive_ = false, host_times_ = false, cancelled_ = false, complete_ = false;
  std::string fault_;

  std::vector<TuneEntry> entries_;
  struct Samples {
    std::unique_ptr<TuneRun> run;
    std::vector<double> device, host;
    double pace = 1;  // factor of slice lengths; below 1 for slow candidates, so that they do not block other work
  };
  std::vector<Samples> samples_;  // samples of each entry
  std::set<TuneValues> seen_;
  std::vector<std::size_t> batch_;  // built and timed beside the standard and the best
  std::vector<std::size_t> round_;  // entries to run in this turn

  Phase phase_ = Phase::reference;
  Activity activity_ = Activity::none;
  std::size_t current_ = 0;
  Slice slice_ = Slice::due;
  double asked_ = 0;  // budget of the current slice
  TuneRun::Times times_{0.0, 0.0};
  std::size_t axis_ = 0, lines_without_gain_ = 0;
  TuneValues line_of_;  // the best candidate when the current line began

  Background<bool> reference_;
  Background<std::unique_ptr<TuneRun>> building_;
};

}  // namespace orrery
