/// Changes of bodies by hand. Plain values; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

/// The new body has the last index.
struct BodyAdded {
  Body body;
};
/// Objects added by hand: a "body", or a set near equilibrium, "galaxy", "cluster" or "ring".
inline constexpr std::array<std::string_view, 4> hand_objects{"body", "galaxy", "cluster", "ring"};
/// A set of bodies, which get the last indices.
struct SetAdded {
  std::string object;
  std::int64_t bodies = 1000;
  Body centre;        ///< total mass; place and velocity of the centre of mass
  double radius = 1;  ///< of the sphere that holds nine tenths of the bodies
  std::array<double, 3> pole{0, 0, 1};
  double gravity = 1;  ///< G
};
/// The indices of the bodies after it decrease by 1.
struct BodyRemoved {
  std::uint32_t index = 0;
};
/// The copy has the last index, the velocity of its original, and stands beside it.
struct BodyDuplicated {
  std::uint32_t index = 0;
  std::array<double, 3> shift{};
};
/// The velocity does not change.
struct BodyChanged {
  std::uint32_t index = 0;
  std::optional<std::array<double, 3>> place = {};
  double mass_factor = 1;
};
using BodyEdit = std::variant<BodyAdded, SetAdded, BodyRemoved, BodyDuplicated, BodyChanged>;

/// Throws a usage Error for an unknown body, for removing the last body, and for too many bodies. The seed of a set is
/// the number of bodies before it, so that no two sets are alike.
void edit_bodies(const BodyEdit& edit, Bodies& bodies);
/// The body's index after the edit; nothing if it is removed.
std::optional<std::uint32_t> index_after(const BodyEdit& edit, std::uint32_t index);
/// "Add a body"
std::string text_of(const BodyEdit& edit);

}  // namespace orrery
