/// Burst against transfer: how many steps a second the device takes when so many of them are between two published
/// frames, for shared and for copied surfaces, measured on the running bodies.
///
/// The time of a burst is the device's, from its first step until what was published may be drawn, and the host's for
/// the upload of a copy; the pauses between two slices do not count, so that the window may keep its rate. A plain
/// sequence of measurements: which burst is next, and into which surfaces. Window thread.
#pragma once

#include <utility>
#include <vector>

#include "compute/device/opencl.hpp"
#include "protocol/snapshot.hpp"

namespace orrery {

class NbodySweep {
 public:
  /// `no_sharing`: why surfaces cannot be shared; empty when they can.
  void start(std::string no_sharing);
  /// Lets go of the markers: an event that is kept keeps its device's context, and all that the driver has in it.
  void cancel();
  bool running() const { return result_.running; }

  /// Steps of the next burst …
  std::int64_t burst() const { return burst_; }
  /// … and whether the surfaces that it is published into are shared.
  bool shared() const { return shared_; }

  void begin_burst() { stretches_.clear(); }
  /// Device time that belongs to the burst: between two markers. Of no interest to a sweep that has been cancelled.
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
  std::vector<double> seconds_;  // of each burst of the present kind
};

}  // namespace orrery
