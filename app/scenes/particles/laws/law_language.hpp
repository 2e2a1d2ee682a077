/// The language of laws: declarations, assignments, conditions, loops and mathematical functions of numbers and
/// vectors. A text is read as a tree, the tree becomes steps with their derivatives, and the steps are written as
/// OpenCL C. Only this parser reads the user's text; no compiler ever sees it. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "scenes/particles/laws/law_program.hpp"
#include "scenes/particles/laws/law_tree.hpp"

namespace orrery::particles::language {

// ---- from the text to the tree (law_language.cpp)

constexpr std::size_t longest_law = 16384;  // bytes

/// An unknown name in place of a number; the law could get a parameter of this name.
class UnknownName : public Error {
 public:
  UnknownName(const Error& error, std::string name) : Error(error), name_(std::move(name)) {}
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// Throws a usage Error whose place is "LAW:line:column". `given`: variables that the text may read, and set unless
/// they are constant. The first of two variables with one name counts; keywords hide variables of the same name.
LawTree parse_law(const std::string& law, const std::string& text, std::vector<Variable> given);

// ---- from the tree to steps (law_derivative.cpp): these compute the law and, in any number of directions, its exact
// derivatives (forward mode: each number is made together with its derivatives, through conditions and loops too).

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

// ---- the limit of a pair law as r → 0 (law_limit.cpp)

/// An input that depends on the distance r: `start` + r^degree, times a coordinate of the unit vector between the
/// particles where there is an axis. At r = 0 kernels have 0 for r and a large number, whose square is infinite, for
/// 1/r.
struct Approach {
  Node input;
  double degree;
  int axis = -1;
  Node start = none;
};

struct PairResults {
  Node energy, slope;
  bool own_slope;  ///< the law adds the slope itself, else it is the derivative of the energy
};

/// The limit of the energy where it and the slope have one, else NaN: a number that depends on no input above. `none`
/// where the steps themselves have these values at r = 0 (a slope without a limit is infinite or NaN then).
Node limit_at_zero(Builder& builder, std::span<const Approach> approaches, PairResults results);

// ---- from steps to OpenCL C (law_writer.cpp)

/// The steps of a law as OpenCL C. It contains none of the user's text: names are v and m with a number, the kernel's
/// inputs, and the functions of law_tree.hpp.
struct Written {
  std::string statements;            ///< body of a function; loops decrement `patience`
  std::vector<std::string> results;  ///< expressions, after the statements
  std::size_t steps = 0;             ///< number of computed values
  bool vectorised = true;            ///< a CPU computes it for several particles at once
};

/// `fast`: functions whose names begin with native_ are called by that name where the device has them.
Written written(const Program& program, bool fast);

}  // namespace orrery::particles::language
