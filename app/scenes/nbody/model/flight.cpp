#include "scenes/nbody/model/flight.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace orrery {
namespace {

constexpr double affordable = 4e7;         // interactions of a path
constexpr std::int64_t most_steps = 4000;  // longest path
constexpr std::size_t block = 64;          // bodies whose fields are summed side by side
constexpr std::int64_t steps_between_tellings = 20;
constexpr double never_zero = 1e-200;  // makes a body's pull on itself 0, and not 0 / 0

/// Bodies by their coordinates, so that the compiler sums several fields at once.
class HostBodies {
 public:
  HostBodies(const Bodies& bodies, double softening, double gravity)
      : squared_softening_(softening * softening + never_zero), gravity_(gravity) {
    for (const Body& b : bodies) add(b);
  }

  void add(const Body& b) {
    const std::array row{b.x, b.y, b.z, b.vx, b.vy, b.vz, b.mass};
    for (std::size_t k = 0; k < row.size(); ++k) columns_[k].push_back(row[k]);
    for (auto& column : field_) column.push_back(0);
  }
  void set(std::size_t i, const Body& b) {
    const std::array row{b.x, b.y, b.z, b.vx, b.vy, b.vz, b.mass};
    for (std::size_t k = 0; k < row.size(); ++k) columns_[k][i] = row[k];
  }
  Body body(std::size_t i) const {
    const auto& c = columns_;
    return {c[6][i], c[0][i], c[1][i], c[2][i], c[3][i], c[4][i], c[5][i]};
  }
  std::size_t size() const { return columns_[0].size(); }

  // kernels/nbody/nbody_contact.cl
  bool touches_any(std::size_t i, double radius) const {
    const auto& [x, y, z, vx, vy, vz, mass] = columns_;
    const auto radius_of = [&](std::size_t k) { return radius * std::cbrt(mass[k]); };
    for (std::size_t k = 0; k < size(); ++k)
      if (k != i && !std::signbit(mass[k]) &&
          std::hypot(x[k] - x[i], y[k] - y[i], z[k] - z[i]) < radius_of(k) + radius_of(i))
        return true;
    return false;
  }

  // a = G Σ m (x_j − x) / (r² + ε²)^(3/2)
  void sum_field() {
    for (std::size_t first = 0; first < size(); first += block) sum_block(first, std::min(size() - first, block));
  }
  void kick(double time) { move(3, field_[0].data(), field_[1].data(), field_[2].data(), time); }
  void drift(double time) { move(0, columns_[3].data(), columns_[4].data(), columns_[5].data(), time); }
  // x += ½·a·t²
  void fall(double time) { move(0, field_[0].data(), field_[1].data(), field_[2].data(), 0.5 * time * time); }

 private:
  void move(std::size_t column, const double* x, const double* y, const double* z, double amount) {
    const std::array by{x, y, z};
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t i = 0; i < size(); ++i) columns_[column + axis][i] += by[axis][i] * amount;
  }
  void sum_block(std::size_t first, std::size_t count) {
    std::array<double, block> ax{}, ay{}, az{};
    const double *const x = columns_[0].data(), *const y = columns_[1].data(), *const z = columns_[2].data();
    const double* const mass = columns_[6].data();
    for (std::size_t j = 0; j < size(); ++j)
      for (std::size_t k = 0; k < count; ++k) {
        const double dx = x[j] - x[first + k], dy = y[j] - y[first + k], dz = z[j] - z[first + k];
        const double squared = dx * dx + dy * dy + dz * dz + squared_softening_;
        const double pull = gravity_ * mass[j] / (squared * std::sqrt(squared));
        ax[k] += pull * dx, ay[k] += pull * dy, az[k] += pull * dz;
      }
    std::copy_n(ax.begin(), count, field_[0].begin() + static_cast<std::ptrdiff_t>(first));
    std::copy_n(ay.begin(), count, field_[1].begin() + static_cast<std::ptrdiff_t>(first));
    std::copy_n(az.begin(), count, field_[2].begin() + static_cast<std::ptrdiff_t>(first));
  }

  double squared_softening_, gravity_;
  std::array<std::vector<double>, 7> columns_;  // x, y, z, their velocities, mass
  std::array<std::vector<double>, 3> field_;
};

// kernels/nbody/nbody_advance.cl
void step(HostBodies& bodies, const Integrator& integrator, double dt) {
  for (std::size_t k = 0; k < integrator.count; ++k) {
    const Substep& substep = integrator.weights[k];
    if (!integrator.definition.empty()) {  // both kicks by the field before the drift
      bodies.drift(dt), bodies.fall(dt), bodies.kick(dt), bodies.sum_field();
      continue;
    }
    bodies.kick(dt * substep.kick);
    bodies.drift(dt * substep.drift);
    if (integrator.uses_field_after(k)) bodies.sum_field();
    bodies.kick(dt * substep.kick_after);
  }
}

// The sample is always the same, so that the path does not change while the hand rests.
Bodies sample_of(const Bodies& bodies, std::optional<std::uint32_t> without) {
  std::mt19937_64 random(1);
  Bodies sample;
  double all = 0, mass = 0;
  for (const Body& b : bodies) all += b.mass;
  for (std::size_t k = 0; k < FlightPlan::sampled; ++k) {
    const std::size_t first = k * bodies.size() / FlightPlan::sampled,
                      end = (k + 1) * bodies.size() / FlightPlan::sampled;
    const std::size_t chosen = first + random() % (end - first);
    if (chosen == without) continue;
    sample.push_back(bodies[chosen]);
    mass += bodies[chosen].mass;
  }
  if (without) all -= bodies[*without].mass;
  for (Body& b : sample) b.mass *= mass > 0 ? all / mass : 0;
  return sample;
}

}  // namespace

std::int64_t steps_of(const FlightPlan& plan) {
  const std::size_t count = plan.bodies->size() > FlightPlan::most_exact ? FlightPlan::sampled : plan.bodies->size();
  const double pairs = static_cast<double>(count + 1) * static_cast<double>(count + 1);
  const double steps = affordable / pairs / plan.integrator->evaluations();
  return std::clamp(static_cast<std::int64_t>(steps), FlightPlan::fewest_steps, most_steps);
}

void advance(Bodies& bodies, const HostSteps& steps, const std::atomic<bool>& stop) {
  HostBodies moving(bodies, steps.softening, steps.gravity);
  moving.sum_field();
  for (std::int64_t k = 0; k < steps.count && !stop; ++k) step(moving, steps.integrator, steps.dt);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i] = moving.body(i);
}

FlightPath fly(const FlightPlan& plan, const std::atomic<bool>& stop, const TellFlight& tell) {
  const bool samples = plan.bodies->size() > FlightPlan::most_exact;
  Bodies bodies = samples ? sample_of(*plan.bodies, plan.replaced) : *plan.bodies;
  if (plan.ahead > 0) advance(bodies, {*plan.integrator, plan.dt, plan.softening, plan.gravity, plan.ahead}, stop);
  HostBodies moving(bodies, plan.softening, plan.gravity);
  const bool stands_for = plan.replaced && !samples;
  const std::size_t thrown = stands_for ? *plan.replaced : bodies.size();
  if (stands_for)
    moving.set(thrown, plan.thrown);
  else
    moving.add(plan.thrown);
  moving.sum_field();
  FlightPath path{{plan.thrown.x, plan.thrown.y, plan.thrown.z}};
  for (std::int64_t k = steps_of(plan); k > 0 && !stop; --k) {
    step(moving, *plan.integrator, plan.dt);
    const Body now = moving.body(thrown);
    path.push_back({now.x, now.y, now.z});
    if (plan.radius > 0 && !samples && moving.touches_any(thrown, plan.radius)) break;
    if (tell && k % steps_between_tellings == 0) tell(path);
  }
  return path;
}

}  // namespace orrery
