/// Shapes of a world, which show the obstacles in its laws. They exert no forces. Plain values; any thread.
///
///     [[draw]]  shape = "sphere", center, radius  |  "plane", center, normal, size  |  "box", center, lengths
///                       |  "cylinder", center, axis, radius, length;  color = "#rrggbb"
///
/// A length or a coordinate is a number, or the name of a law's parameter, "ball.radius", which the shape then follows.
#pragma once

#include <functional>
#include <iosfwd>

#include "scenes/particles/world/toml_table.hpp"

namespace orrery::particles {

inline constexpr std::size_t most_shapes = 16;

/// Throws a usage Error with file, line and column. `world` has its laws.
Shape read_shape(TomlTable& table, const World& world);
/// Writes the shape for read_shape(). `world` has its laws; if it lacks a parameter, the number is written.
void put_shape(std::ostream& out, const Shape& shape, const World& world);

/// A shape as it is drawn: a unit form that is stretched, turned and moved.
struct SolidShape {
  Shape::Form form = Shape::Form::sphere;
  Vector center{}, axis{0, 0, 1};
  Vector size{};  ///< radius thrice; half of the lengths; radius twice and half the length; half the side twice
  Color color{};
  bool operator==(const SolidShape&) const = default;
};
/// The present parameter of that law; null if there is none.
using FindParameter = std::function<const LawParameter*(const std::string& law, const std::string& parameter)>;
/// The drawn shapes, without those that have no size.
std::vector<SolidShape> solid_shapes(const std::vector<Shape>& shapes, const FindParameter& find);

}  // namespace orrery::particles
