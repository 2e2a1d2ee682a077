#include "scenes/particles/laws/law_tree.hpp"

#include <algorithm>
#include <array>

namespace orrery::particles::language {
namespace {

constexpr bool expanded = false, called = true, vectorised = true;

constexpr auto known = std::to_array<Function>({
    {"sqrt", 1, Shape::each, called, vectorised},
    {"rsqrt", 1, Shape::each, called, vectorised},
    {"cbrt", 1, Shape::each},
    {"fabs", 1, Shape::each, called, vectorised},
    {"abs", 1, Shape::numbers, expanded},
    {"exp", 1, Shape::each, called, vectorised},
    {"exp2", 1, Shape::each},
    {"exp10", 1, Shape::each},
    {"expm1", 1, Shape::each},
    {"log", 1, Shape::each},
    {"log2", 1, Shape::each},
    {"log10", 1, Shape::each},
    {"log1p", 1, Shape::each},
    {"sin", 1, Shape::each},
    {"cos", 1, Shape::each},
    {"tan", 1, Shape::each},
    {"asin", 1, Shape::each},
    {"acos", 1, Shape::each},
    {"atan", 1, Shape::each},
    {"sinh", 1, Shape::each},
    {"cosh", 1, Shape::each},
    {"tanh", 1, Shape::each},
    {"asinh", 1, Shape::each},
    {"acosh", 1, Shape::each},
    {"atanh", 1, Shape::each},
    {"erf", 1, Shape::each},
    {"erfc", 1, Shape::each},
    {"floor", 1, Shape::each},
    {"ceil", 1, Shape::each},
    {"round", 1, Shape::each},
    {"trunc", 1, Shape::each},
    {"rint", 1, Shape::each},
    {"sign", 1, Shape::each},
    {"radians", 1, Shape::each, expanded},
    {"degrees", 1, Shape::each, expanded},
    {"pow", 2, Shape::each},
    {"powr", 2, Shape::each},
    {"pown", 2, Shape::of_whole, expanded},
    {"atan2", 2, Shape::each},
    {"hypot", 2, Shape::each},
    {"fmod", 2, Shape::each},
    {"fdim", 2, Shape::each, expanded},
    {"step", 2, Shape::each, expanded},
    {"fmin", 2, Shape::each, called, vectorised},
    {"fmax", 2, Shape::each, called, vectorised},
    {"min", 2, Shape::numbers, called, vectorised},
    {"max", 2, Shape::numbers, called, vectorised},
    {"clamp", 3, Shape::numbers, called, vectorised},
    {"mix", 3, Shape::each, expanded},
    {"smoothstep", 3, Shape::each, expanded},
    {"fma", 3, Shape::each, called, vectorised},
    {"mad", 3, Shape::each, expanded},
    {"select", 3, Shape::choose, expanded},
    {"dot", 2, Shape::pair, expanded},
    {"distance", 2, Shape::pair, expanded},
    {"length", 1, Shape::length, expanded},
    {"cross", 2, Shape::vectors, expanded},
    {"normalize", 1, Shape::vectors, expanded},
    {"nearest", 1, Shape::vectors, expanded},
    {"isnan", 1, Shape::question, called},
    {"isinf", 1, Shape::question, called},
    {"isfinite", 1, Shape::question, called},
    {"native_sqrt", 1, Shape::each, called, vectorised},
    {"native_rsqrt", 1, Shape::each, called, vectorised},
    {"native_exp", 1, Shape::each, called, vectorised},
    {"native_exp2", 1, Shape::each},
    {"native_exp10", 1, Shape::each},
    {"native_log", 1, Shape::each},
    {"native_log2", 1, Shape::each},
    {"native_log10", 1, Shape::each},
    {"native_sin", 1, Shape::each},
    {"native_cos", 1, Shape::each},
    {"native_tan", 1, Shape::each},
    {"native_powr", 2, Shape::each},
    {"native_divide", 2, Shape::each, expanded},
    {"native_recip", 1, Shape::each, expanded},
});

}  // namespace

std::string_view name_of(Type type) {
  switch (type) {
    case Type::real:
      return "real";
    case Type::vector:
      return "real4";
    case Type::int_:
      return "int";
    case Type::uint:
      return "uint";
    case Type::bool_:
      return "bool";
  }
  return {};
}

std::span<const Function> functions() { return known; }

const Function* find_function(std::string_view name) {
  const auto found = std::ranges::find(known, name, &Function::name);
  return found == known.end() ? nullptr : &*found;
}

}  // namespace orrery::particles::language
