// The n-body scene's part of the self-test.
#include <cmath>
#include <numbers>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/catalog.hpp"
#include "scenes/nbody/checks/field_check.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/tuning/device_group.hpp"

namespace orrery {
namespace {

constexpr double checked_softening = 0.05;
constexpr std::int64_t gathered_bodies = 1537;  // a device takes one program for one number of bodies

NbodySettings settings_of(const std::string& forces, const std::string& precision) {
  NbodySettings settings;
  settings.forces = forces;
  settings.precision = precision;
  return settings;
}

struct Moved {
  Moved(ProgramLibrary& programs, const NbodySettings& settings, const Bodies& bodies)
      : device(programs.device()),
        queue(device),
        member(&programs),
        simulation(nbody_simulation({&member, 1}, settings, bodies)) {}

  const Device& device;
  Queue queue;
  ProgramLibrary* member;
  NbodySimulation simulation;
};

std::string check_forces(ProgramLibrary& programs, const std::string& forces, const std::string& precision) {
  need_doubles(programs, precision == "double");
  const std::int64_t count = forces == "pairs" ? 2048 : gathered_bodies;
  std::optional<Moved> made;
  try {
    made.emplace(programs, settings_of(forces, precision), make_bodies("plummer", count, 0, 5));
  } catch (const Error& error) {
    if (error.fault() == Fault::usage) throw NotHere{error.what()};  // the device cannot run it
    throw;
  }
  Moved& moved = *made;
  run_burst(moved.simulation, moved.queue, {0, 0, checked_softening});
  const Bodies held = bodies_of(moved.device, moved.queue, moved.simulation);
  FieldReference reference(held, moved.simulation.precision(), checked_softening);
  const auto found = accelerations_of(moved.queue, moved.simulation);
  if (const auto wrong = reference.first_wrong(found)) {
    const auto worst = [&](const std::array<double, 3>& is) {
      std::size_t axis = 0;
      for (std::size_t k = 1; k < 3; ++k)
        if (!(std::abs(is[k] - wrong->expected[k]) <= std::abs(is[axis] - wrong->expected[axis]))) axis = k;
      return axis;
    }(found[wrong->body]);
    throw WrongValue(
        wrong->fault,
        value_difference("acceleration of body " + std::to_string(wrong->body) + ", " + "xyz"[worst],
                         wrong -> expected[worst], found[wrong->body][worst], precision == "double" ? 53 : 24));
  }
  if (const std::string fault = reference.fault(found); !fault.empty()) throw failure(fault);
  return std::to_string(count) + " bodies against long double";
}

// Checks that two bodies on a circle are back after the period of Kepler's third law.
std::string check_orbit(ProgramLibrary& programs) {
  constexpr std::int64_t steps = 4000;
  const double apart = 1, period = 2 * std::numbers::pi * std::sqrt(apart * apart * apart / 2);
  const double speed = std::sqrt(2 / apart) / 2;
  const Bodies two{{.mass = 1, .x = -apart / 2, .vy = -speed}, {.mass = 1, .x = apart / 2, .vy = speed}};
  Moved moved(programs, settings_of("gather", "mixed"), two);
  run_burst(moved.simulation, moved.queue, {steps, period / steps, 0});
  const Bodies back = bodies_of(moved.device, moved.queue, moved.simulation);
  const double off = std::hypot(back[1].x - two[1].x, back[1].y - two[1].y, back[1].z - two[1].z);
  // Leapfrog's phase error: (ω dt)²/24 of the angle, here 2π/24 · (2π/steps)² · 2π · ½; and single forces.
  constexpr double tolerance = 1e-5;
  if (!(off <= tolerance))
    throw WrongValue(
        "after a period a body is off by " + brief(off) + ", at the most " + brief(tolerance) + " is right",
        value_difference("x of the second body", two[1].x, back[1].x, 24));
  return "back after a period to " + brief(off, 2);
}

std::string check_energies(ProgramLibrary& programs) {
  const Bodies bodies = make_bodies("plummer", gathered_bodies, 0, 5);
  Moved moved(programs, settings_of("gather", "single"), bodies);
  NbodyPublisher publisher(programs, Precision::single, bodies.size());
  run_burst(moved.simulation, moved.queue, {0, 0, checked_softening});
  publisher.diagnose(moved.queue, moved.simulation);
  moved.queue.finish();
  const NbodyDiagnostics found = publisher.diagnostics();
  double kinetic = 0, potential = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& a = bodies[i];
    kinetic += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
    for (std::size_t j = 0; j < i; ++j) {
      const Body& b = bodies[j];
      const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
      potential -= a.mass * b.mass / std::sqrt(dx * dx + dy * dy + dz * dz + checked_softening * checked_softening);
    }
  }
  const double off = std::max(std::abs(found.kinetic / kinetic - 1), std::abs(found.potential / potential - 1));
  const bool of_motion = std::abs(found.kinetic / kinetic - 1) >= std::abs(found.potential / potential - 1);
  if (!(off < 1e-5))
    throw WrongValue("energies are off by " + brief(off) + " of them",
                     of_motion ? value_difference("the kinetic energy", kinetic, found.kinetic, 24)
                               : value_difference("the potential energy", potential, found.potential, 24));
  return "kinetic and potential to " + brief(off, 2);
}

}  // namespace

std::vector<SelftestItem> nbody_selftests(ProgramLibrary& programs) {
  std::vector<SelftestItem> items;
  const auto add = [&](std::string name, auto check) {
    items.push_back({std::move(name), [&programs, check] { return check(programs); }});
  };
  for (const char* forces : {"gather", "pairs"})
    for (const char* precision : {"single", "mixed", "double"})
      add(std::string("forces, ") + forces + ", " + precision,
          [forces, precision](ProgramLibrary& p) { return check_forces(p, forces, precision); });
  add("orbit of two bodies", check_orbit);
  add("energies", check_energies);
  return items;
}

}  // namespace orrery
