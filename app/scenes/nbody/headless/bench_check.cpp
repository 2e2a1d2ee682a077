#include "scenes/nbody/headless/bench_check.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "scenes/nbody/checks/field_check.hpp"
#include "scenes/nbody/model/force_error_sample.hpp"

namespace orrery::cli {
namespace {

constexpr std::uint32_t checked_bodies = 32;

long double length(const std::array<long double, 3>& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

long double distance(std::array<long double, 3> expected, const Acceleration& found) {
  for (std::size_t axis = 0; axis < 3; ++axis) expected[axis] -= found[axis];
  return length(expected);
}

}  // namespace

AccelerationCheck check_accelerations(const std::string& what, const Bodies& bodies,
                                      const std::vector<Acceleration>& accelerations, Precision precision,
                                      double softening, std::uint64_t draw) {
  AccelerationCheck worst;
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(bodies.size(), checked_bodies));
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t i = drawn_body(draw, k, bodies.size());
    const ExpectedAcceleration expected = expected_acceleration(bodies, i, precision, softening);
    const long double error = distance(expected.value, accelerations[i]), size = length(expected.value),
                      tolerance = expected.tolerance;
    const auto relative = [&](long double value) { return static_cast<double>(size > 0 ? value / size : value); };
    if (!(error <= tolerance))
      throw failure(what + " is wrong: the acceleration of body " + std::to_string(i) + " has an error of " +
                    brief(relative(error)) + " of its size, and rounding explains at most " +
                    brief(relative(tolerance)));
    if (relative(error) >= worst.error) worst = {relative(error), relative(tolerance)};
  }
  return worst;
}

AccelerationCheck check_tree(const std::string& what, const Bodies& bodies,
                             const std::vector<Acceleration>& accelerations, double promised, double softening,
                             std::uint64_t draw) {
  std::vector<double> errors;
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(bodies.size(), drawn_bodies));
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t i = drawn_body(draw, k, bodies.size());
    const std::array<long double, 3> expected = expected_acceleration(bodies, i, Precision::single, softening).value;
    const long double size = std::max(length(expected), 1e-300L);
    errors.push_back(static_cast<double>(distance(expected, accelerations[i]) / size));
  }
  const double found = quantile(errors, 0.99);
  if (breaks_promise(found, promised))
    throw failure(what + " is wrong: 1 of 100 accelerations has an error above " + brief(found) + ", and " +
                  brief(promised) + " was asked for");
  return {found, promised, median(errors), quantile(errors, 0.9), quantile(errors, 1)};
}

}  // namespace orrery::cli
