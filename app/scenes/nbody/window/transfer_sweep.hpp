/// Measures burst against transfer on the running bodies: how many steps a second the device makes for each length of a
/// burst, with shared and with copied surfaces.
///
/// The time of a burst is that of the device, from the first step until the picture may be drawn, and that of the host
/// for the upload of a copy; pauses between two slices do not count, so that the window may keep its rate. Window
/// thread.
#pragma once

#include <utility>
#include <vector>

#include "compute/device/opencl.hpp"
#include "scenes/nbody/panels/snapshot.hpp"

namespace orrery {

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
  std::vector<double> seconds_;  // of each burst of the present kind
};

}  // namespace orrery
