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
/// A hand adds a "body" or a set of bodies near equilibrium, "galaxy", "cluster" or "ring".
inline constexpr std::array<std::string_view, 4> hand_objects{"body", "galaxy", "cluster", "ring"};
/// A set of bodies, which get the last indices.
struct SetAdded {
  std::string object;
  std::int64_t bodies = 1000;
  Body centre;        ///< of mass: that of all of them, their place and velocity
  double radius = 1;  ///< that holds nine tenths of them
  std::array<double, 3> pole{0, 0, 1};
  double gravity = 1;  ///< G
};
/// Bodies after it have an index less.
struct BodyRemoved {
  std::uint32_t index = 0;
};
/// The copy has the last index, the velocity of its original, and stands beside it.
struct BodyDuplicated {
  std::uint32_t index = 0;
  std::array<double, 3> shift{};
};
/// Its velocity stays.
struct BodyChanged {
  std::uint32_t index = 0;
  std::optional<std::array<double, 3>> place = {};
  double mass_factor = 1;
};
using BodyEdit = std::variant<BodyAdded, SetAdded, BodyRemoved, BodyDuplicated, BodyChanged>;

/// Throws a usage Error for a body that is not there, for the removal of the last one, and for too many. Sets are drawn
/// by the number of bodies that are there before: no two are alike.
void edit_bodies(const BodyEdit& edit, Bodies& bodies);
/// Nothing where the body is removed.
std::optional<std::uint32_t> index_after(const BodyEdit& edit, std::uint32_t index);
/// "Add a body"
std::string text_of(const BodyEdit& edit);

}  // namespace orrery
