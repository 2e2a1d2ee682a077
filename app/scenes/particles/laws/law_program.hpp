/// The computation of a law, step by step: numbers that are made once and never change, conditions, loops, and slots
/// for values that conditions and loops change. Equal numbers are one step, and simple ones are simplified. Any thread.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "scenes/particles/laws/law_tree.hpp"

namespace orrery::particles::language {

/// `input`: a value from the kernel, by Program::inputs; `slot`: the value of a slot at this point.
enum class Op {
  constant,
  input,
  slot,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  negate,
  not_,
  less,
  less_equal,
  equal,
  both,
  either,
  select,   ///< the first chooses the second, else the third
  convert,  ///< to the step's type
  call,
};

/// An index of Program::steps; −1 is none, which as a derivative is 0.
using Node = int;
constexpr Node none = -1;

struct Step {
  Op op = Op::constant;
  Type type = Type::real;  ///< never a vector
  std::array<Node, 3> from = {none, none, none};
  double number = 0;  ///< value of a constant
  int index = 0;      ///< index of the input or the slot
  const Function* function = nullptr;
};

/// An item of a region, which lists them in the order of execution. Regions are indices of Program::regions.
struct Item {
  enum class Kind { value, set, branch, loop, leave, again };
  Kind kind = Kind::value;
  Node node = none;  ///< the value; the new value of a slot; the condition of a branch
  int slot = 0;
  int region = -1, otherwise = -1;
  bool whole_round = false;  ///< for `leave`: the round counts
};

struct Region {
  std::vector<Item> items;
  int parent = -1;        ///< the enclosing region
  Node condition = none;  ///< condition of the branch that contains the region
};

/// The effect of an input on a term of which it is a factor.
enum class InputKind {
  place,     ///< depends on the particles' positions
  strength,  ///< does not, and may be 0
  nonzero    ///< does not, and is never 0
};

struct Input {
  std::string written;  ///< its expression in OpenCL
  Type type = Type::real;
  InputKind kind = InputKind::strength;
};

/// The first region is the law. A loop ends by `leave`, or when the law has used up its rounds.
struct Program {
  std::vector<Step> steps;
  std::vector<Input> inputs;
  std::vector<Type> slots;
  std::vector<Region> regions;
  std::vector<Node> results;
  bool loops = false;

  const Step& at(Node node) const { return steps[static_cast<std::size_t>(node)]; }
};

/// Flags each node and slot that a result or the end of a loop depends on.
struct Needed {
  std::vector<char> nodes, slots;
  explicit Needed(const Program& program);
};

/// Flags each step that depends on the particles' positions, also through a slot.
std::vector<char> moving(const Program& program);

/// Makes a program. Equal steps are made once, at their first place; applies exact identities (x·1, x + 0, −−x) and
/// turns whole powers into products.
class Builder {
 public:
  Builder();

  Node input(const std::string& written, Type type, InputKind kind = InputKind::strength);
  /// 1/r of a pair: x / r becomes x · (1/r).
  void use_inverse(Node r, Node inverse);
  /// Lengths of a periodic box, for nearest().
  void use_box(std::optional<std::array<double, 3>> lengths) { box_ = lengths; }
  const std::optional<std::array<double, 3>>& box() const { return box_; }

  Node constant(double value, Type type = Type::real);
  Node add(Node a, Node b);
  Node subtract(Node a, Node b);
  Node multiply(Node a, Node b);
  Node divide(Node a, Node b);
  Node remainder(Node a, Node b);
  Node negate(Node a);
  Node not_(Node a);
  Node less(Node a, Node b) { return compare(Op::less, a, b); }
  Node less_equal(Node a, Node b) { return compare(Op::less_equal, a, b); }
  Node equal(Node a, Node b) { return compare(Op::equal, a, b); }
  Node both(Node a, Node b) { return compare(Op::both, a, b); }
  Node either(Node a, Node b) { return compare(Op::either, a, b); }
  Node select(Node condition, Node yes, Node no);
  Node convert(Node a, Type type);
  Node call(std::string_view function, Node a, Node b = none, Node c = none);
  Node power(Node base, int exponent);

  /// The node is a constant of this value.
  bool is_constant(Node node, double value) const;
  const Step& at(Node node) const { return program_.at(node); }
  Type type(Node node) const { return at(node).type; }
  InputKind kind(Node input) const { return program_.inputs[static_cast<std::size_t>(at(input).index)].kind; }

  int slot(Type type);
  void set(int slot, Node node) { set_in(open_.back(), slot, node); }
  /// Sets the slot at the end of a region, which may be closed.
  void set_in(int region, int slot, Node node);
  Node read(int slot);

  /// Steps up to close() belong to a new region.
  int open(Node condition = none);
  void close();
  void branch(Node condition, int region, int otherwise);
  void loop(int region);
  void leave(bool whole_round) { put({.kind = Item::Kind::leave, .whole_round = whole_round}); }
  void again() { put({.kind = Item::Kind::again}); }

  std::size_t size() const { return program_.steps.size(); }
  Program so_far(std::vector<Node> results) const;
  Program finished(std::vector<Node> results);

 private:
  using Key = std::tuple<Op, Type, Node, Node, Node, double, int, const Function*>;
  void put(Item item);
  Node make(Step step);
  Node compare(Op op, Node a, Node b);
  Node arithmetic(Op op, Node a, Node b);

  Program program_;
  std::vector<int> open_;                  // regions, the innermost last
  std::vector<std::map<Key, Node>> made_;  // per open region
  Node r_ = none, inverse_ = none;
  std::optional<std::array<double, 3>> box_;
};

}  // namespace orrery::particles::language
