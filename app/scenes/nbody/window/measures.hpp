/// Measurements of running bodies besides their diagnostics: the place of one body, errors of accelerations, the cost
/// of accuracy, and the time of transfers. Window thread; nothing waits.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/work/background.hpp"
#include "compute/device/device_info.hpp"
#include "compute/device/opencl.hpp"
#include "compute/queue/host_mirror.hpp"
#include "scenes/nbody/checks/force_error_map.hpp"
#include "scenes/nbody/model/force_error_sample.hpp"
#include "scenes/nbody/model/simulation.hpp"
#include "scenes/nbody/panels/snapshot.hpp"
#include "scenes/nbody/tuning/tree_calibration.hpp"
#include "scenes/nbody/window/preparation.hpp"

namespace orrery {

/// A quantity published for each body besides its state and field; computed only while displayed.
enum class Measured { nothing, error, leaf_size, interactions, level };

/// Reads the place of one body at each published moment.
class BodyWatch {
 public:
  /// A body at a moment.
  struct Seen {
    std::uint32_t body = 0;
    std::int64_t step = 0;
    std::array<double, 3> place{};
  };

  BodyWatch(const Device& device, Queue& queue);

  /// Sets the body to be read; an index beyond the bodies reads none.
  void choose(std::optional<std::uint32_t> body) { body_ = body; }
  /// The chosen body at a published moment; nothing until it has been read.
  const std::optional<Seen>& seen() const { return seen_; }

  bool under_way() const { return coming_.has_value(); }
  bool arrived() const { return is_complete(read_); }
  /// True if the chosen body has been read at this moment, or there is none.
  bool is_seen(const NbodySimulation& simulation) const;
  void begin(Queue& queue, const NbodySimulation& simulation);
  void collect();
  /// The read under way will not arrive.
  void forget() { coming_.reset(); }

 private:
  bool is_there(const NbodySimulation& simulation) const { return body_ && *body_ < simulation.bodies(); }

  std::optional<std::uint32_t> body_;
  HostMirror row_;  // x, y, z and the mass
  cl::Event read_;
  std::optional<Seen> coming_, seen_;
  Precision precision_ = Precision::single;  // precision of the row
};

/// Finds the errors of all accelerations in slices.
class ForceErrorMapping {
 public:
  void want(bool wanted) { wanted_ = wanted; }
  /// Begins with the present moment, unless it has been mapped or a map is under way.
  void begin(ForceErrorMap& map, Queue& queue, const NbodySimulation& simulation, const NbodyPull& pull);
  /// Enqueues what fits into the budget; returns the expected seconds.
  double enqueue_slice(ForceErrorMap& map, Queue& queue, double budget) const;
  /// True if more errors are known than were published.
  bool has_news(const ForceErrorMap& map) const { return map.done() != published_; }
  void note_published(const ForceErrorMap& map) { published_ = map.done(); }
  /// True if all errors are known and have been published.
  bool is_published(const ForceErrorMap& map) const { return published_ && !map.under_way() && !has_news(map); }
  /// Another quantity is published in place of the errors.
  void note_replaced() { published_.reset(); }
  bool wanted() const { return wanted_; }

 private:
  bool wanted_ = false;  // the errors are displayed
  std::optional<std::int64_t> step_;
  std::optional<std::size_t> published_;  // number of errors
};

/// The errors that were sampled; they outlive a device.
struct SampledErrors {
  AccelerationErrors history;
  LogSpread spread;              ///< spread of the last sample
  std::vector<double> recent;    ///< errors of the last samples, the oldest first
  ErrorPercentiles percentiles;  ///< of `recent`
  /// Errors will be of another kind from now on.
  void forget_recent() { recent.clear(), percentiles = {}; }
};

/// Samples the errors of accelerations while the bodies run, within a share of the device's time: at most once per
/// published burst.
class ForceErrorMonitor {
 public:
  /// The simulation has come to rest between two bursts. Begins a sample, unless the last one is still under way or
  /// was costly.
  void begin(ForceErrorSample& sample, Queue& queue, const NbodySimulation& simulation, const NbodyPull& pull,
             double seconds, double budget);
  /// Enqueues as much of the rest as fits into `budget` seconds of device time; true when the simulation may continue.
  bool go_on(ForceErrorSample& sample, Queue& queue, const NbodySimulation& simulation, double budget);
  /// Takes a sample that has arrived.
  void collect(const ForceErrorSample& sample, SampledErrors& errors);
  /// True while the sample of begin() is still written to.
  bool under_way() const { return sample_ == Sample::under_way; }
  /// The sample under way will not arrive.
  void forget() { sample_ = Sample::none; }

 private:
  enum class Sample { none, under_way };

  Sample sample_ = Sample::none;
  std::uint64_t draw_ = 0;
  double began_ = 0;
};

/// Measures what accuracy costs, on a worker thread and in a context of its own. The result outlives the device that
/// shows the bodies. Nothing waits but the destructor, for one step.
class AccuracyMeasurement {
 public:
  AccuracyMeasurement() = default;
  ~AccuracyMeasurement() { cancel(); }
  AccuracyMeasurement(const AccuracyMeasurement&) = delete;
  AccuracyMeasurement& operator=(const AccuracyMeasurement&) = delete;

  /// Measures with these bodies, or where `state` is null with those of the initial condition.
  void start(const DeviceInfo& device, const NbodySettings& settings, std::shared_ptr<const NbodyState> state);
  void cancel() { run_->stop = true; }
  bool running() const { return work_.busy(); }
  void poll();
  AccuracyCosts result() const;

 private:
  struct Run {
    std::atomic<bool> stop = false;
    std::atomic<double> done = 0;
  };
  std::shared_ptr<Run> run_ = std::make_shared<Run>();
  AccuracyCosts result_;
  Background<std::optional<SurveyedCosts>> work_;
};

/// Measures burst against transfer on the running bodies: how many steps a second the device makes for each length of a
/// burst, with shared and with copied surfaces.
///
/// The time of a burst is that of the device, from the first step until the picture may be drawn, and that of the host
/// for the upload of a copy; pauses between two slices do not count, so that the window may keep its rate.
class NbodySweep {
 public:
  /// `no_sharing`: why surfaces cannot be shared; empty when they can.
  void start(std::string no_sharing);
  /// Releases the markers: an event keeps its device's context, and everything that the driver has in it.
  void cancel();
  bool running() const { return result_.running; }

  /// The length of the next burst in steps …
  std::int64_t burst() const { return burst_; }
  /// … and whether the surfaces that it is published into are shared.
  bool shared() const { return shared_; }

  void begin_burst() { stretches_.clear(); }
  /// Adds the device time between two markers to the burst; does nothing after cancel().
  void add(cl::Event begin, cl::Event end);
  /// The burst has been published, and all its markers are complete.
  void finish_burst(double upload_seconds);

  const TransferSweep& result() const { return result_; }

 private:
  void next_burst(double burst_seconds);
  void next_form();
  void rest();

  TransferSweep result_;
  std::int64_t burst_ = 1;
  bool shared_ = false;
  std::vector<std::pair<cl::Event, cl::Event>> stretches_;
  bool warm_ = false;            // the first burst of each kind is not counted
  std::vector<double> seconds_;  // durations of the bursts of the present kind
};

}  // namespace orrery
