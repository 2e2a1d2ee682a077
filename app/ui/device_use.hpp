/// The line that shows how busy the device is, and why it is not busier. Plain values.
#pragma once

#include <cstdint>
#include <string>

#include "protocol/snapshot.hpp"

namespace orrery::ui {

/// Recent measurements. Shares are of wall time, 0 … 1; not a number where a driver reports no times.
struct DeviceFacts {
  double computing = 0, copying = 0;
  double drawing = 0;            ///< time of OpenGL
  double frame_seconds = 0;      ///< from one frame to the next; 0: unknown
  std::string_view status = {};  ///< the preparation under way: "building kernels"; empty: none
  SceneWork work = {};
};

struct DeviceUseLine {
  std::string share;       ///< "Device busy 93 %"
  std::string reason;      ///< why it is not busier: a sentence, or shares of the time
  std::int64_t burst = 0;  ///< a sufficient number of steps per frame; 0: none is offered
};

DeviceUseLine device_use_line(const DeviceFacts& facts);

}  // namespace orrery::ui
