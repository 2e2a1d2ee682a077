/// Events that another context can wait for.
#pragma once

#include "compute/device/opencl.hpp"

namespace orrery {

/// `event` itself if it belongs to that context; otherwise an event of that context that completes, or fails, after it.
/// The queue of `event` must be flushed. Any thread; never waits.
cl::Event relayed(const cl::Event& event, const cl::Context& context);

}  // namespace orrery
