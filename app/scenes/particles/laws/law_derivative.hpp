/// Turns the tree of a law into steps that compute it and, in any number of directions, its exact derivatives
/// (forward mode: each number is made together with its derivatives, through conditions and loops too). Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenes/particles/laws/law_program.hpp"

namespace orrery::particles::language {

/// A number and its derivative in each direction; empty where it depends on none.
struct Scalar {
  Node value = none;
  std::vector<Node> along = {};
  /// The number is a multiple of x^degree, where the one direction is ln x.
  std::optional<double> degree = {};
};

/// Four parts of a vector, or one.
struct Value {
  Type type = Type::real;
  std::vector<Scalar> parts = {};
};

/// A number proportional to x^d, where the one direction is ln x: its derivative is d times the number.
Scalar power_of(Builder& builder, Node value, double degree);

/// Makes the steps of the law. `given`: the values of its first variables at the start; returns those at the end.
/// Throws a usage Error for a law that takes too many steps.
std::vector<Value> make_steps(Builder& builder, const std::string& law, const LawTree& tree, std::vector<Value> given,
                              std::size_t directions);

}  // namespace orrery::particles::language
