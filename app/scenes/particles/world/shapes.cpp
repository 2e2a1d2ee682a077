#include "scenes/particles/world/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "scenes/particles/world/world_words.hpp"

namespace orrery::particles {
namespace {

using Form = Shape::Form;

constexpr double farthest = 1e6;  // limit of coordinates and lengths

const Words<Form> forms{
    {"sphere", Form::sphere}, {"box", Form::box}, {"cylinder", Form::cylinder}, {"plane", Form::plane}};

struct Parameters {
  const std::string& law;
  const std::vector<LawParameter>& all;
};
std::vector<Parameters> parameters_of(const World& world) {
  std::vector<Parameters> laws;
  for (const PairLaw& law : world.pairs) laws.push_back({law.name, law.parameters});
  for (const Groups& groups : world.groups) laws.push_back({groups.law.name, groups.law.parameters});
  return laws;
}

const LawParameter* find_parameter(const World& world, const std::string& law, const std::string& parameter) {
  for (const Parameters& each : parameters_of(world)) {
    const auto found = std::ranges::find(each.all, parameter, &LawParameter::name);
    if (each.law == law && found != each.all.end()) return &*found;
  }
  return nullptr;
}

std::string names_of_parameters(const World& world) {
  std::string names;
  for (const Parameters& law : parameters_of(world))
    for (const LawParameter& each : law.all) names += " | \"" + law.law + "." + each.name + "\"";
  return names;
}

/// The number of a node of the key, checked for the range of a coordinate or a length.
ShapeNumber number_of(const TomlTable& table, std::string_view key, const toml::node& node, bool length,
                      const World& world) {
  const std::string range = length ? "a number above 0, at most 1e6" : "a number from -1e6 to 1e6";
  ShapeNumber number;
  if (const auto* name = node.as_string()) {
    const std::string& text = name->get();
    const std::size_t dot = std::min(text.rfind('.'), text.size());
    number = {0, text.substr(0, dot), text.substr(std::min(dot + 1, text.size()))};
    const LawParameter* const parameter = find_parameter(world, number.law, number.parameter);
    if (parameter == nullptr) table.refuse(key, std::string(key), in_quotes(text), range + names_of_parameters(world));
    number.value = parameter->value;
    return number;
  }
  const auto value = node.value<double>();
  if (!node.is_number() || !value) table.refuse(key, std::string(key), shown(node), range);
  number.value = *value;
  const bool fine = length ? *value > 0 && *value <= farthest : std::abs(*value) <= farthest;
  if (!fine) table.refuse(key, std::string(key), shortest(*value), range);
  return number;
}

/// `count` numbers: an array, or a plain number if `count` is 1.
std::vector<ShapeNumber> numbers(TomlTable& table, std::string_view key, std::size_t count, bool length,
                                 const World& world) {
  const toml::node* const node = table.get(key);
  if (node == nullptr) table.refuse(key, "the key " + std::string(key) + " of a shape is missing", {}, {});
  if (count == 1) return {number_of(table, key, *node, length, world)};
  const toml::array* const array = node->as_array();
  if (array == nullptr || array->size() != count)
    table.refuse(key, std::string(key), shown(*node), "an array of " + std::to_string(count) + " numbers");
  std::vector<ShapeNumber> all;
  for (const toml::node& each : *array) all.push_back(number_of(table, key, each, length, world));
  return all;
}

Vector direction(TomlTable& table, std::string_view key) {
  const Vector axis = table.vector(key).value_or(Vector{0, 0, 1});
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  if (!(length >= 1e-6 && length <= farthest))
    table.refuse(key, "the length of " + std::string(key), shortest(length), "a number from 1e-6 to 1e6");
  return {axis[0] / length, axis[1] / length, axis[2] / length};
}

std::vector<ShapeNumber> joined(std::vector<ShapeNumber> first, const std::vector<ShapeNumber>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::string text_of(const ShapeNumber& number, const World& world) {
  if (!number.law.empty() && find_parameter(world, number.law, number.parameter) != nullptr)
    return quoted(number.law + "." + number.parameter);
  return decimal(number.value);
}

std::string triple_of(const std::array<std::string, 3>& parts) {
  return "[" + parts[0] + ", " + parts[1] + ", " + parts[2] + "]";
}

}  // namespace

Shape read_shape(TomlTable& table, const World& world) {
  Shape shape;
  if (!table.has("shape")) (void)table.text("shape");  // throws
  shape.form = choice(table, "shape", forms, Form::sphere);
  if (table.has("center")) {
    const std::vector<ShapeNumber> at = numbers(table, "center", 3, false, world);
    std::ranges::copy(at, shape.center.begin());
  }
  const auto lengths = [&](std::string_view key, std::size_t count) { return numbers(table, key, count, true, world); };
  if (shape.form == Form::sphere) shape.size = lengths("radius", 1);
  if (shape.form == Form::box) shape.size = lengths("lengths", 3);
  if (shape.form == Form::cylinder) shape.size = joined(lengths("radius", 1), lengths("length", 1));
  if (shape.form == Form::plane) shape.size = lengths("size", 1);
  if (shape.form == Form::cylinder) shape.axis = direction(table, "axis");
  if (shape.form == Form::plane) shape.axis = direction(table, "normal");
  shape.color = table.color("color").value_or(Shape::usual_color);
  table.finish();
  return shape;
}

void put_shape(std::ostream& out, const Shape& shape, const World& world) {
  const auto text = [&](const ShapeNumber& number) { return text_of(number, world); };
  out << "\n[[draw]]\nshape = " << quoted(name_of(forms, shape.form))
      << "\ncenter = " << triple_of({text(shape.center[0]), text(shape.center[1]), text(shape.center[2])}) << "\n";
  if (shape.form == Form::cylinder) out << "axis = " << triple(shape.axis) << "\n";
  if (shape.form == Form::plane) out << "normal = " << triple(shape.axis) << "\n";
  if (shape.form == Form::box)
    out << "lengths = " << triple_of({text(shape.size[0]), text(shape.size[1]), text(shape.size[2])}) << "\n";
  else
    out << (shape.form == Form::plane ? "size = " : "radius = ") << text(shape.size[0]) << "\n";
  if (shape.form == Form::cylinder) out << "length = " << text(shape.size[1]) << "\n";
  out << "color = " << quoted(hex(shape.color)) << "\n";
}

std::vector<SolidShape> solid_shapes(const std::vector<Shape>& shapes, const FindParameter& find) {
  std::vector<SolidShape> solids;
  const auto now = [&](const ShapeNumber& number) {
    const LawParameter* const parameter = number.law.empty() ? nullptr : find(number.law, number.parameter);
    return parameter != nullptr ? parameter->value : number.value;
  };
  for (const Shape& shape : shapes) {
    SolidShape solid{shape.form, {}, shape.axis, {}, shape.color};
    for (std::size_t k = 0; k < 3; ++k) solid.center[k] = now(shape.center[k]);
    const double first = now(shape.size.front()), last = now(shape.size.back());
    switch (shape.form) {
      case Form::sphere:
        solid.size = {first, first, first};
        break;
      case Form::box:
        solid.size = {first / 2, now(shape.size[1]) / 2, last / 2};
        break;
      case Form::cylinder:
        solid.size = {first, first, last / 2};
        break;
      case Form::plane:
        solid.size = {first / 2, first / 2, 1};
        break;
    }
    if (std::ranges::all_of(solid.size, [](double side) { return side > 0 && side <= farthest; }))
      solids.push_back(solid);
  }
  return solids;
}

}  // namespace orrery::particles
