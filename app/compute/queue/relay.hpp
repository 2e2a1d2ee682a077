/// Events that another context may wait for.
#pragma once

#include "compute/device/opencl.hpp"

namespace orrery {

/// `event` itself where it is of that context; else one of that context that completes, or fails, after it. The queue
/// that makes `event` must be flushed. Any thread; never waits.
cl::Event relayed(const cl::Event& event, const cl::Context& context);

}  // namespace orrery
