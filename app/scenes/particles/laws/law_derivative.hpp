/// From the tree of a law to the steps that compute it and, in as many directions as wanted, its exact derivatives
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
  /// d such that the number is a multiple of the d-th power of what the one direction is the logarithm of.
  std::optional<double> degree = {};
};

/// Four parts of a vector, or one.
struct Value {
  Type type = Type::real;
  std::vector<Scalar> parts = {};
};

/// A number in proportion to the d-th power of x, where the one direction is ln x: its derivative is d times itself.
Scalar power_of(Builder& builder, Node value, double degree);

/// Makes the steps of the law. `given`: the values of its first variables before it; returned are those after it.
/// Throws a usage Error for a law that takes too many steps.
std::vector<Value> make_steps(Builder& builder, const std::string& law, const LawTree& tree, std::vector<Value> given,
                              std::size_t directions);

}  // namespace orrery::particles::language
