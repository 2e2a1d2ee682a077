/// The future path of a body, computed on the host in double precision by the scene's own time steps.
///
/// Up to most_exact bodies all of them pull and are pulled, as on the device. Beyond that, a random sample of the same
/// total mass pulls in place of all. Where bodies have radii, the path ends where the body touches another one; bodies
/// of a sample are not touched. Plain values; any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/integrator.hpp"

namespace orrery {

struct FlightPlan {
  static constexpr std::size_t most_exact = 2048, sampled = 512;
  static constexpr std::int64_t fewest_steps = 200;

  std::shared_ptr<const Bodies> bodies;   ///< at an earlier moment …
  std::int64_t ahead = 0;                 ///< … this number of steps before the release
  Body thrown;                            ///< at its release
  std::optional<std::uint32_t> replaced;  ///< its index among the others; none: a new body
  double dt = 0, softening = 0, gravity = 1;
  double radius = 0;  ///< of a body of mass 1; others have the same density. 0: bodies never touch
  const Integrator* integrator = &default_integrator();
  bool operator==(const FlightPlan&) const = default;
};
/// The number of computed steps: more for few bodies, whose orbits are long.
std::int64_t steps_of(const FlightPlan& plan);

using FlightPath = std::vector<std::array<double, 3>>;
/// A path that grows from call to call.
using TellFlight = std::function<void(const FlightPath&)>;
/// The thrown body's place at the beginning and after each step; shorter where the body touches another one, or `stop`
/// was set on the way. `tell`, unless null, occasionally receives the path so far.
FlightPath fly(const FlightPlan& plan, const std::atomic<bool>& stop, const TellFlight& tell = {});

/// Steps of all bodies; the field is also evaluated before the first step. They end early if `stop` is set.
struct HostSteps {
  const Integrator& integrator;
  double dt = 0, softening = 0, gravity = 1;
  std::int64_t count = 0;
};
void advance(Bodies& bodies, const HostSteps& steps, const std::atomic<bool>& stop);

}  // namespace orrery
