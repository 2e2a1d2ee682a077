/// Changes of single bodies by hand. Plain values; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

/// The new body has the last index.
struct BodyAdded {
  Body body;
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
using BodyEdit = std::variant<BodyAdded, BodyRemoved, BodyDuplicated, BodyChanged>;

/// Throws a usage Error for a body that is not there, and for the removal of the last one.
void edit_bodies(const BodyEdit& edit, Bodies& bodies);
/// Nothing where the body is removed.
std::optional<std::uint32_t> index_after(const BodyEdit& edit, std::uint32_t index);
/// "Add a body"
std::string text_of(const BodyEdit& edit);

}  // namespace orrery
