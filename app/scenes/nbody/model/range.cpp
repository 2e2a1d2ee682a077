#include "scenes/nbody/model/range.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <vector>

#include "base/error.hpp"
#include "base/platform/parallel.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

using Place = std::array<double, 3>;

// The smallest and the largest number in the computation of forces.
struct NumberRange {
  double least, most;
};
NumberRange range_of(Precision precision) {
  if (precision != Precision::double_) return {std::numeric_limits<float>::min(), std::numeric_limits<float>::max()};
  return {std::numeric_limits<double>::min(), std::numeric_limits<double>::max()};
}

// The place that forces see: in mixed precision they do not see the corrections.
Place place_of(const Body& body, Precision precision) {
  if (precision == Precision::double_) return {body.x, body.y, body.z};
  return {static_cast<float>(body.x), static_cast<float>(body.y), static_cast<float>(body.z)};
}

struct Shared {
  std::int64_t bodies = 0, places = 0;  // bodies that share a place, and such places
};
Shared shared_places(const Bodies& bodies, Precision precision) {
  std::vector<Place> places;
  places.reserve(bodies.size());
  for (const Body& body : bodies)
    if (!is_gone(body)) places.push_back(place_of(body, precision));
  std::ranges::sort(places);
  Shared shared;
  for (auto first = places.begin(); first != places.end();) {
    const auto next = std::upper_bound(first, places.end(), *first);
    if (next - first > 1) shared = {shared.bodies + (next - first), shared.places + 1};
    first = next;
  }
  return shared;
}

[[noreturn]] void refuse(const std::string& what, double value, Precision precision) {
  const std::string remedy = precision == Precision::double_ ? "" : "use --precision double, or ";
  throw usage_error(
      what + " " + brief(value) + ", out of the range of " + std::string(name_of(precision)) + " precision", {},
      remedy + (remedy.empty() ? "use " : "") + "other units of length, time and mass", "nbody");
}

// The largest of each; `size`: distance from the first body along an axis.
struct Extremes {
  double mass = 0, speed = 0, farthest = 0, size = 0;
};

Extremes extremes_of(const Bodies& bodies) {
  Extremes all;
  std::mutex mutex;
  in_parallel(bodies.size(), [&](std::size_t begin, std::size_t end) {
    Extremes own;
    for (std::size_t k = begin; k < end; ++k) {
      const Body& body = bodies[k];
      own.mass = std::max(own.mass, std::abs(body.mass));
      for (const double v : {body.vx, body.vy, body.vz}) own.speed = std::max(own.speed, std::abs(v));
      for (const double x : {body.x, body.y, body.z}) own.farthest = std::max(own.farthest, std::abs(x));
      for (const double dx : {body.x - bodies[0].x, body.y - bodies[0].y, body.z - bodies[0].z})
        own.size = std::max(own.size, std::abs(dx));
    }
    const std::lock_guard lock(mutex);
    all = {std::max(all.mass, own.mass), std::max(all.speed, own.speed), std::max(all.farthest, own.farthest),
           std::max(all.size, own.size)};
  });
  return all;
}

}  // namespace

void check_range(const Bodies& bodies, const NbodySettings& settings, Precision precision) {
  const NumberRange numbers = range_of(precision);
  // Eight times the square of a length, and the square of a length times 2⁻⁸, are still numbers.
  const double longest = std::sqrt(numbers.most) / 8, shortest = 16 * std::sqrt(numbers.least);
  const auto [mass, speed, farthest, size] = extremes_of(bodies);
  if (farthest > longest) refuse("a body has a coordinate of", farthest, precision);
  if (speed > numbers.most / 8) refuse("a body has a velocity of", speed, precision);
  if (mass > numbers.most / 8) refuse("a body has a mass of", mass, precision);
  if (settings.softening > longest) refuse("--softening is", settings.softening, precision);
  if (size > 0 && size < shortest) refuse("the bodies lie within a length of", size, precision);
}

std::string crowd_among(const Bodies& bodies, Precision precision) {
  const Shared shared = shared_places(bodies, precision);
  if (shared.bodies == 0) return {};
  const bool rounded =
      precision != Precision::double_ && shared_places(bodies, Precision::double_).bodies < shared.bodies;
  return grouped(shared.bodies) + " bodies are at " +
         (shared.places == 1 ? "one place" : grouped(shared.places) + " places") +
         (rounded ? " in single precision" : "") +
         ", and the softening is 0: bodies at one place do not pull each other, and no time step is short enough for "
         "them when they part. " +
         (rounded ? "--precision double tells them apart" : "A softening above 0 is needed");
}

std::string advice_on_broken(std::int64_t step) {
  if (step > 0) return "try a smaller --dt or a larger --softening";
  return "forces or energies are out of the range of this precision: use --precision double, or other units of length "
         "and mass";
}

}  // namespace orrery
