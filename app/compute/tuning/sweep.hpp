/// Tunes one kernel: builds candidates, checks what each computes, and times those that are right in turns until their
/// medians are known well enough or the time is up.
///
/// step() never waits, so that a sweep runs from a frame loop as well as headless; building, references and comparisons
/// run on worker threads. Nothing is timed while one of those is under way. One thread.
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
#include "compute/tuning/tune_entry.hpp"
#include "compute/tuning/tune_target.hpp"

namespace orrery {

struct SweepSettings {
  double seconds = 60;          ///< for everything; the standard is measured in any case
  double spread = 0.01;         ///< half the confidence interval over the median: known well enough
  std::size_t most_runs = 25;   ///< of each candidate
  std::size_t exhaustive = 48;  ///< up to so many candidates, all are tried
  std::size_t probes = 6;       ///< drawn at random at a time where a search ends
  std::uint64_t seed = 1;
  std::function<double()> now = now_seconds;
};

/// Of a sweep of the same subject that was stopped.
struct KnownEntries {
  std::vector<TuneEntry> entries;
  bool host_times = false;  ///< see Sweep::host_times()
};

class Sweep {
 public:
  /// So many runs have a confidence interval.
  static constexpr std::size_t fewest_runs = 6;

  /// Goes on from what is `known`. The target must outlive it.
  Sweep(TuneTarget& target, SweepSettings settings, const KnownEntries& known = {});

  /// Takes note of what is complete and begins what comes next, enqueueing about `budget_seconds` of device time; with
  /// a budget of 0, nothing to be timed. False once the sweep is done. Errors of candidates are noted, not thrown.
  bool step(double budget_seconds);
  /// Stops after what is under way; what is known stays.
  void cancel() { cancelled_ = true; }
  /// The candidate under way does not end: it has failed, and so has the sweep, which must be kept as it is from then
  /// on. What to say of it.
  std::string give_up_running(std::string reason);

  bool done() const { return phase_ == Phase::done; }
  /// A candidate's launches are under way, as far as it is known: whatever else the device does spoils their times.
  bool on_device() const {
    return (activity_ == Activity::checked_run || activity_ == Activity::timed_run) && !slice_due_;
  }
  /// Nothing was left to try when it was done.
  bool complete() const { return complete_; }
  /// Every legal candidate is tried, as far as time allows; else a search along the axes and random probes.
  bool exhaustive() const { return exhaustive_; }
  /// The driver's stamps tell nothing (zero, or out of order): all times are the host's.
  bool host_times() const { return host_times_; }
  /// Why the standard itself cannot be used; empty as long as it can. The sweep ends there.
  const std::string& fault() const { return fault_; }
  double elapsed() const { return settings_.now() - began_; }
  /// Of the time that it may take, 0 … 1.
  double progress() const;
  /// What it is doing, for a line of text: "building work-group 64".
  std::string activity() const;

  /// The standard comes first.
  const std::vector<TuneEntry>& entries() const { return entries_; }
  const TuneEntry& standard() const { return entries_.front(); }
  /// The right one with the smallest median; null before one is timed.
  const TuneEntry* best() const;
  /// As well, among those that keep the bits of the standard: what "auto" may take.
  const TuneEntry* choice() const;

 private:
  enum class Phase { reference, trying, confirming, done };
  enum class Activity { none, reference, building, checked_run, checking, timed_run };

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
    double pace = 1;  // of its slices: those of slow candidates are cut shorter, so that they hold up nobody
  };
  std::vector<Samples> samples_;  // of each entry
  std::set<TuneValues> seen_;
  std::vector<std::size_t> batch_;  // that is being built and timed, besides the standard and the best
  std::vector<std::size_t> round_;  // still to be run in this turn

  Phase phase_ = Phase::reference;
  Activity activity_ = Activity::none;
  std::size_t current_ = 0;
  bool enqueued_ = false;   // the whole run under way
  bool slice_due_ = false;  // … of which the next slice waits for a budget
  double asked_ = 0;        // budget of the slice under way
  TuneRun::Times times_{0.0, 0.0};
  bool confirmed_ = false;
  std::size_t axis_ = 0, lines_without_gain_ = 0;
  TuneValues line_of_;  // the best when the last line was opened

  Background<bool> reference_;
  Background<std::unique_ptr<TuneRun>> building_;
};

}  // namespace orrery
