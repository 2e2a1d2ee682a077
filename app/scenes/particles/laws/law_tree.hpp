/// A law as a tree: the user's text (law_language.hpp) with every name resolved and every conversion explicit.
/// Plain values; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::particles::language {

/// `real` is as precise as forces are; `vector` is four of them; int and uint have 32 bits.
enum class Type { real, vector, int_, uint, bool_ };
std::string_view name_of(Type type);

/// A place in the user's text, counted from 1; columns count characters.
struct Place {
  int line = 1, column = 1;
};

/// The types of a function's arguments and result.
enum class Shape {
  each,      ///< real numbers; each component of a vector
  numbers,   ///< like `each`; whole numbers give a whole number
  of_whole,  ///< a real number and a whole one
  length,    ///< a vector gives a real number
  pair,      ///< two vectors give a real number
  vectors,   ///< vectors give a vector
  choose,    ///< the third chooses between the first two
  question,  ///< a real number gives true or false
};

struct Function {
  std::string_view name;
  std::size_t arguments;
  Shape shape;
  bool written = true;      ///< the written OpenCL calls it by its name; else other functions replace it
  bool vectorised = false;  ///< a CPU computes it for several particles at once
};

/// All functions that a law may call, by name.
std::span<const Function> functions();
/// Null for an unknown name.
const Function* find_function(std::string_view name);

enum class Operator { add, subtract, multiply, divide, remainder, less, less_equal, equal, not_equal, both, either };

/// Children are indices of LawTree::expressions.
struct Expression {
  enum class Kind { number, variable, component, negate, not_, binary, conditional, cast, vector, call };
  Kind kind = Kind::number;
  Type type = Type::real;
  Place place = {};
  std::vector<int> children = {};
  double number = 0;
  int index = 0;  ///< index of the variable or of the component
  Operator op = Operator::add;
  const Function* function = nullptr;
};

/// Sets a variable, or one component of it. Blocks are indices of LawTree::blocks.
struct Statement {
  enum class Kind { set, branch, loop, leave, again, block };
  Kind kind = Kind::set;
  int variable = 0, component = -1;  ///< set: −1 sets all of it
  int value = -1;                    ///< set: the expression; branch, loop: the condition, −1 for none
  int body = -1, otherwise = -1;     ///< branch: both; loop, block: the body
  int step = -1;                     ///< loop: a block after each round
  bool at_least_once = false;        ///< loop: the condition comes after the body
};

struct Variable {
  std::string name;
  Type type = Type::real;
  bool constant = false;
  bool read = false, written = false;
};

/// The variables that were given come first, in their order.
struct LawTree {
  std::vector<Expression> expressions;
  std::vector<std::vector<Statement>> blocks;
  std::vector<Variable> variables;
  int body = -1;
};

}  // namespace orrery::particles::language
