/// The line that tells how much of the time the device computes, and why not more. Plain values.
#pragma once

#include <cstdint>
#include <string>

#include "protocol/snapshot.hpp"

namespace orrery::ui {

/// What has been measured lately. Shares are of the time that passed, 0 … 1; no number where a driver reports no times.
struct DeviceFacts {
  double computing = 0, copying = 0;
  double drawing = 0;            ///< by OpenGL
  double frame_seconds = 0;      ///< from one frame to the next; 0: unknown
  std::string_view status = {};  ///< what is being prepared: "building kernels"; empty: nothing
  SceneWork work = {};
};

struct DeviceUseLine {
  std::string share;       ///< "Computing 93 % of the time"
  std::string reason;      ///< one sentence
  std::int64_t burst = 0;  ///< a burst that would use the device; 0: none is offered
};

DeviceUseLine device_use_line(const DeviceFacts& facts);

}  // namespace orrery::ui
