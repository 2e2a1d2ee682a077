#include "scenes/particles/laws/law_program.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::particles::language {
namespace {

// A float holds it without rounding: the product of two such values is the same in every precision, or is not folded.
bool is_exact(double value) { return static_cast<double>(static_cast<float>(value)) == value; }

bool is_whole_type(Type type) { return type == Type::int_ || type == Type::uint; }

bool commutes(Op op) {
  return op == Op::add || op == Op::multiply || op == Op::equal || op == Op::both || op == Op::either;
}

// Distinguishes NaN and −0, which compare as unordered and equal.
int sort_of(double value) { return std::isnan(value) ? 1 : std::signbit(value) ? 2 : 0; }

}  // namespace

Builder::Builder() { open(); }

Node Builder::make(Step step) {
  if (commutes(step.op) && step.from[1] < step.from[0]) std::swap(step.from[0], step.from[1]);
  const Key key{step.op,
                step.type,
                step.from[0],
                step.from[1],
                step.from[2],
                std::isnan(step.number) ? 0 : step.number,
                step.op == Op::constant ? sort_of(step.number) : step.index,
                step.function};
  for (const auto& made : made_)
    if (const auto found = made.find(key); found != made.end()) return found->second;
  program_.steps.push_back(step);
  const Node node = static_cast<Node>(program_.steps.size()) - 1;
  // Constants and inputs are the same everywhere.
  const bool everywhere = step.op == Op::constant || step.op == Op::input;
  (everywhere ? made_.front() : made_.back()).emplace(key, node);
  if (everywhere)
    program_.regions.front().items.push_back({.kind = Item::Kind::value, .node = node});
  else
    put({.kind = Item::Kind::value, .node = node});
  return node;
}

void Builder::put(Item item) { program_.regions[static_cast<std::size_t>(open_.back())].items.push_back(item); }

Node Builder::input(const std::string& written, Type type, InputKind kind) {
  program_.inputs.push_back({written, type, kind});
  return make({.op = Op::input, .type = type, .index = static_cast<int>(program_.inputs.size()) - 1});
}

void Builder::use_inverse(Node r, Node inverse) {
  r_ = r;
  inverse_ = inverse;
}

Node Builder::constant(double value, Type type) { return make({.type = type, .number = value}); }

bool Builder::is_constant(Node node, double value) const {
  return node != none && at(node).op == Op::constant && at(node).number == value;
}

Node Builder::arithmetic(Op op, Node a, Node b) {
  const Step &left = at(a), &right = at(b);
  const Type type = left.type;
  if (left.op == Op::constant && right.op == Op::constant && type == Type::real) {
    const double x = left.number, y = right.number,
                 result = op == Op::add        ? x + y
                          : op == Op::subtract ? x - y
                          : op == Op::multiply ? x * y
                                               : x / y;
    if (is_exact(x) && is_exact(y) && is_exact(result)) return constant(result);
  }
  return make({.op = op, .type = type, .from = {a, b, none}});
}

Node Builder::add(Node a, Node b) {
  if (type(a) == Type::real) {
    if (is_constant(a, 0)) return b;
    if (is_constant(b, 0)) return a;
    if (at(b).op == Op::negate) return subtract(a, at(b).from[0]);
    if (at(a).op == Op::negate) return subtract(b, at(a).from[0]);
  }
  return arithmetic(Op::add, a, b);
}

Node Builder::subtract(Node a, Node b) {
  if (type(a) == Type::real) {
    if (is_constant(b, 0)) return a;
    if (is_constant(a, 0)) return negate(b);
    if (at(b).op == Op::negate) return add(a, at(b).from[0]);
  }
  return arithmetic(Op::subtract, a, b);
}

Node Builder::multiply(Node a, Node b) {
  if (type(a) == Type::real) {
    if (is_constant(a, 1) || is_constant(b, 0)) return b;
    if (is_constant(b, 1) || is_constant(a, 0)) return a;
    if (is_constant(a, -1)) return negate(b);
    if (is_constant(b, -1)) return negate(a);
  }
  return arithmetic(Op::multiply, a, b);
}

Node Builder::divide(Node a, Node b) {
  if (type(a) == Type::real) {
    if (is_constant(b, 1)) return a;
    if (b == r_ && r_ != none) return multiply(a, inverse_);
  }
  return arithmetic(Op::divide, a, b);
}

Node Builder::remainder(Node a, Node b) { return make({.op = Op::remainder, .type = type(a), .from = {a, b, none}}); }

Node Builder::negate(Node a) {
  if (at(a).op == Op::negate) return at(a).from[0];
  if (at(a).op == Op::constant && (type(a) == Type::real || (type(a) == Type::int_ && at(a).number > 0)))
    return constant(-at(a).number, type(a));
  return make({.op = Op::negate, .type = type(a), .from = {a, none, none}});
}

Node Builder::not_(Node a) {
  if (at(a).op == Op::not_) return at(a).from[0];
  return make({.op = Op::not_, .type = Type::bool_, .from = {a, none, none}});
}

Node Builder::compare(Op op, Node a, Node b) { return make({.op = op, .type = Type::bool_, .from = {a, b, none}}); }

Node Builder::select(Node condition, Node yes, Node no) {
  if (yes == no) return yes;
  return make({.op = Op::select, .type = type(yes), .from = {condition, yes, no}});
}

Node Builder::convert(Node a, Type to) {
  if (type(a) == to) return a;
  if (at(a).op == Op::constant && is_whole_type(type(a)) && to == Type::real) return constant(at(a).number);
  return make({.op = Op::convert, .type = to, .from = {a, none, none}});
}

Node Builder::call(std::string_view function, Node a, Node b, Node c) {
  const Function* found = find_function(function);
  const Type result = found->shape == Shape::question ? Type::bool_ : type(a);
  return make({.op = Op::call, .type = result, .from = {a, b, c}, .function = found});
}

// Halves the exponent, so that powers of one base share factors: x¹² = x⁶·x⁶, x⁶ = x³·x³.
Node Builder::power(Node base, int exponent) {
  if (exponent == 0) return constant(1);
  if (exponent < 0 && base == r_) return power(inverse_, -exponent);
  if (exponent < 0) return divide(constant(1), power(base, -exponent));
  if (exponent == 1) return base;
  return multiply(power(base, exponent / 2), power(base, exponent - exponent / 2));
}

int Builder::slot(Type type) {
  program_.slots.push_back(type);
  return static_cast<int>(program_.slots.size()) - 1;
}

void Builder::set_in(int region, int slot, Node node) {
  program_.regions[static_cast<std::size_t>(region)].items.push_back(
      {.kind = Item::Kind::set, .node = node, .slot = slot});
}

// A read never equals another one: the slot may have changed.
Node Builder::read(int slot) {
  program_.steps.push_back({.op = Op::slot, .type = program_.slots[static_cast<std::size_t>(slot)], .index = slot});
  const Node node = static_cast<Node>(program_.steps.size()) - 1;
  put({.kind = Item::Kind::value, .node = node});
  return node;
}

int Builder::open(Node condition) {
  program_.regions.push_back({.items = {}, .parent = open_.empty() ? -1 : open_.back(), .condition = condition});
  open_.push_back(static_cast<int>(program_.regions.size()) - 1);
  made_.emplace_back();
  return open_.back();
}

void Builder::close() {
  open_.pop_back();
  made_.pop_back();
}

void Builder::branch(Node condition, int region, int otherwise) {
  put({.kind = Item::Kind::branch, .node = condition, .region = region, .otherwise = otherwise});
}

void Builder::loop(int region) {
  program_.loops = true;
  put({.kind = Item::Kind::loop, .region = region});
}

std::vector<char> moving(const Program& program) {
  std::vector<char> moves;
  for (const Step& step : program.steps)
    moves.push_back(
        step.op == Op::slot ||
        (step.op == Op::input && program.inputs[static_cast<std::size_t>(step.index)].kind == InputKind::place) ||
        std::ranges::any_of(step.from,
                            [&](Node from) { return from != none && moves[static_cast<std::size_t>(from)] != 0; }));
  return moves;
}

Program Builder::so_far(std::vector<Node> results) const {
  Program program = program_;
  program.results = std::move(results);
  return program;
}

Program Builder::finished(std::vector<Node> results) {
  program_.results = std::move(results);
  return std::move(program_);
}

Needed::Needed(const Program& program) : nodes(program.steps.size()), slots(program.slots.size()) {
  struct Setting {
    Node node;
    std::size_t region;
  };
  std::vector<std::vector<Setting>> settings(program.slots.size());
  std::vector<Node> open;
  const auto need = [&](Node node) {
    if (node == none || nodes[static_cast<std::size_t>(node)] != 0) return;
    nodes[static_cast<std::size_t>(node)] = 1;
    open.push_back(node);
  };
  std::vector<char> reached(program.regions.size());
  const auto reach = [&](std::size_t region) {
    while (reached[region] == 0) {
      reached[region] = 1;
      need(program.regions[region].condition);
      if (program.regions[region].parent < 0) return;
      region = static_cast<std::size_t>(program.regions[region].parent);
    }
  };
  for (std::size_t r = 0; r < program.regions.size(); ++r)
    for (const Item& item : program.regions[r].items) {
      if (item.kind == Item::Kind::set) settings[static_cast<std::size_t>(item.slot)].push_back({item.node, r});
      if (item.kind == Item::Kind::loop || item.kind == Item::Kind::leave || item.kind == Item::Kind::again) reach(r);
    }
  for (const Node result : program.results) need(result);
  while (!open.empty()) {
    const Step& step = program.at(open.back());
    open.pop_back();
    for (const Node from : step.from) need(from);
    if (step.op != Op::slot || slots[static_cast<std::size_t>(step.index)] != 0) continue;
    slots[static_cast<std::size_t>(step.index)] = 1;
    for (const Setting& setting : settings[static_cast<std::size_t>(step.index)]) {
      need(setting.node);
      reach(setting.region);
    }
  }
}

}  // namespace orrery::particles::language
