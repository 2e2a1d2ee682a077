#include "scenes/nbody/bodies/body_edit.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/overloaded.hpp"
#include "scenes/nbody/bodies/body_draw.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/bodies/placement.hpp"

namespace orrery {
namespace {

Body& existing_body(Bodies& bodies, std::uint32_t index) {
  if (index < bodies.size()) return bodies[index];
  throw usage_error("body", std::to_string(index), "a body from 0 to " + std::to_string(bodies.size() - 1));
}

void require_room(std::size_t bodies) {
  if (bodies > most_in_a_set)
    throw usage_error("bodies", std::to_string(bodies), "at most " + std::to_string(most_in_a_set) + " bodies");
}

const InitialInfo& condition_of(std::string_view object) {
  return *find_initial(object == "galaxy" ? "disc" : object == "cluster" ? "plummer" : object);
}

// Makes the set in its own units with G = 1, then scales length and mass: it stays in equilibrium if velocities scale
// with the root of G · mass / length.
Bodies bodies_of(const SetAdded& set, std::uint64_t seed) {
  const auto count = static_cast<std::size_t>(set.bodies);
  Bodies bodies = draw_bodies(condition_of(set.object), count, seed, Draws::in_sequence);
  centre(bodies);
  double mass = 0;
  for (const Body& body : bodies) mass += body.mass;
  const double longer = set.radius / extent_of(bodies), heavier = set.centre.mass / mass;
  scale(bodies, {.mass = heavier, .length = longer, .speed = std::sqrt(set.gravity * heavier / longer)});
  const Body& at = set.centre;
  const auto& [x, y, z] = set.pole;
  place(bodies, {.inclination = std::atan2(std::hypot(x, y), z),
                 .node = std::atan2(x, -y),
                 .position = {at.x, at.y, at.z},
                 .velocity = {at.vx, at.vy, at.vz}});
  return bodies;
}

}  // namespace

void edit_bodies(const BodyEdit& edit, Bodies& bodies) {
  std::visit(Overloaded{[&](const BodyAdded& added) {
                          require_room(bodies.size() + 1);
                          bodies.push_back(added.body);
                        },
                        [&](const SetAdded& set) {
                          require_room(bodies.size() + static_cast<std::size_t>(set.bodies));
                          const Bodies added = bodies_of(set, bodies.size());
                          bodies.insert(bodies.end(), added.begin(), added.end());
                        },
                        [&](const BodyRemoved& removed) {
                          (void)existing_body(bodies, removed.index);
                          if (bodies.size() == 1) throw usage_error("bodies", "0", "at least 1 body");
                          bodies.erase(bodies.begin() + removed.index);
                        },
                        [&](const BodyDuplicated& duplicated) {
                          Body copy = existing_body(bodies, duplicated.index);
                          copy.x += duplicated.shift[0], copy.y += duplicated.shift[1], copy.z += duplicated.shift[2];
                          edit_bodies(BodyAdded{copy}, bodies);
                        },
                        [&](const BodyChanged& changed) {
                          Body& body = existing_body(bodies, changed.index);
                          body.mass *= changed.mass_factor;
                          if (!changed.place) return;
                          body.x = (*changed.place)[0], body.y = (*changed.place)[1], body.z = (*changed.place)[2];
                        }},
             edit);
}

std::optional<std::uint32_t> index_after(const BodyEdit& edit, std::uint32_t index) {
  const auto* const removed = std::get_if<BodyRemoved>(&edit);
  if (removed == nullptr || index < removed->index) return index;
  return index == removed->index ? std::nullopt : std::optional(index - 1);
}

std::string text_of(const BodyEdit& edit) {
  using Text = std::string;
  return std::visit(Overloaded{[](const BodyAdded&) -> Text { return "Add a body"; },
                               [](const SetAdded& set) -> Text { return "Add a " + set.object; },
                               [](const BodyRemoved&) -> Text { return "Remove a body"; },
                               [](const BodyDuplicated&) -> Text { return "Duplicate a body"; },
                               [](const BodyChanged& changed) -> Text {
                                 return changed.place ? "Move a body" : "Change the mass of a body";
                               }},
                    edit);
}

}  // namespace orrery
