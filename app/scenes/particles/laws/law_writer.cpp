#include "scenes/particles/laws/law_language.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"

namespace orrery::particles::language {
namespace {

std::string_view sign_of(Op op) {
  switch (op) {
    case Op::add:
      return " + ";
    case Op::subtract:
      return " - ";
    case Op::multiply:
      return " * ";
    case Op::divide:
      return " / ";
    case Op::less:
      return " < ";
    case Op::less_equal:
      return " <= ";
    case Op::equal:
      return " == ";
    case Op::both:
      return " && ";
    case Op::either:
      return " || ";
    default:
      return {};
  }
}

std::string constant_text(double value, Type type) {
  if (type == Type::bool_) return value != 0 ? "true" : "false";
  if (type != Type::real) return std::to_string(static_cast<std::int64_t>(value)) + (type == Type::uint ? "u" : "");
  if (std::isnan(value)) return "(real)NAN";
  if (std::isinf(value)) return value > 0 ? "(real)INFINITY" : "(real)-INFINITY";
  std::string digits = shortest(value);
  // Without a point, a whole number of many digits would be an integer that is too large.
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return "(real)" + digits;
}

/// The factors of terms that do not depend on the particles' places and may be 0, the strengths of a law: if one is 0,
/// so is the term, even if the rest of it is infinite.
class Strengths {
 public:
  explicit Strengths(const Program& program) : program_(program), moves_(moving(program)), of_(program.steps.size()) {
    for (const Node result : program.results) find(result);
  }

  const std::set<Node>& of(Node node) const { return of_[static_cast<std::size_t>(node)]; }

 private:
  bool moves(Node node) const { return moves_[static_cast<std::size_t>(node)] != 0; }
  InputKind kind_of(const Step& input) const { return program_.inputs[static_cast<std::size_t>(input.index)].kind; }

  bool may_be_zero(Node node) const {
    const Step& step = program_.at(node);
    if (step.op == Op::constant) return false;  // no strength that a user could set to 0
    if (step.op == Op::input) return kind_of(step) != InputKind::nonzero;
    if (step.op == Op::negate || step.op == Op::divide) return may_be_zero(step.from[0]);
    return step.op != Op::multiply || may_be_zero(step.from[0]) || may_be_zero(step.from[1]);
  }

  void find(Node node) {
    const Step& step = program_.at(node);
    if (!moves(node) || !found_.insert(node).second) return;
    std::set<Node>& factors = of_[static_cast<std::size_t>(node)];
    std::set<Node> seen;
    add_factors(node, factors, seen);
    if (factors.empty() &&
        (step.op == Op::add || step.op == Op::subtract || step.op == Op::negate || step.op == Op::multiply))
      for (const Node from : step.from)
        if (from != none) find(from);
  }

  void add_factors(Node node, std::set<Node>& factors, std::set<Node>& seen) const {
    const Step& step = program_.at(node);
    if (!seen.insert(node).second) return;
    if (!moves(node)) {
      if (may_be_zero(node)) factors.insert(node);
    } else if (step.op == Op::negate || step.op == Op::divide || step.op == Op::multiply) {
      add_factors(step.from[0], factors, seen);
      if (step.op == Op::multiply) add_factors(step.from[1], factors, seen);
    }
  }

  const Program& program_;
  std::vector<char> moves_;
  std::vector<std::set<Node>> of_;
  std::set<Node> found_;
};

class Writer {
 public:
  Writer(const Program& program, bool fast) : program_(program), needed_(program), strengths_(program), fast_(fast) {}

  Written all() {
    // See LAW_ENDED in particles_law_frame.clh.
    if (program_.loops) out_.statements = "  int patience = PATIENCE + 2;\n";
    for (std::size_t slot = 0; slot < program_.slots.size(); ++slot)
      if (needed_.slots[slot] != 0)
        out_.statements += "  " + std::string(name_of(program_.slots[slot])) + " m" + std::to_string(slot) + " = 0;\n";
    region(0, "  ");
    for (const Node result : program_.results) out_.results.push_back(operand(result));
    out_.vectorised = out_.vectorised && !program_.loops;
    return std::move(out_);
  }

 private:
  bool is_needed(Node node) const { return needed_.nodes[static_cast<std::size_t>(node)] != 0; }

  std::string operand(Node node) const {
    const Step& step = program_.at(node);
    if (step.op == Op::constant) return constant_text(step.number, step.type);
    if (step.op == Op::input) return program_.inputs[static_cast<std::size_t>(step.index)].written;
    return "v" + std::to_string(node);
  }

  /// Returns whether it writes anything.
  bool region(int index, const std::string& indent) {
    bool any = false;
    for (const Item& item : program_.regions[static_cast<std::size_t>(index)].items)
      any = this->item(item, indent) || any;
    return any;
  }

  bool item(const Item& item, const std::string& indent) {
    switch (item.kind) {
      case Item::Kind::value:
        return value(item.node, indent);
      case Item::Kind::set:
        if (needed_.slots[static_cast<std::size_t>(item.slot)] == 0) return false;
        out_.statements += indent + "m" + std::to_string(item.slot) + " = " + operand(item.node) + ";\n";
        return true;
      case Item::Kind::branch:
        return branch(item, indent);
      case Item::Kind::loop:
        out_.statements += indent + "while (--patience > 0) {\n";
        region(item.region, indent + "  ");
        out_.statements += indent + "}\n";
        return true;
      case Item::Kind::leave:
        out_.statements += (item.whole_round ? "" : indent + "++patience;\n") + indent + "break;\n";
        return true;
      case Item::Kind::again:
        out_.statements += indent + "continue;\n";
        return true;
    }
    return false;
  }

  bool branch(const Item& item, const std::string& indent) {
    const std::size_t before = out_.statements.size();
    // A condition that no result depends on has no written name.
    if (!is_needed(item.node)) return false;
    out_.statements += indent + "if (" + operand(item.node) + ") {\n";
    const bool first = region(item.region, indent + "  ");
    const std::size_t between = out_.statements.size();
    out_.statements += indent + "} else {\n";
    const bool second = item.otherwise >= 0 && region(item.otherwise, indent + "  ");
    if (!second) out_.statements.resize(between);
    if (!first && !second) {
      out_.statements.resize(before);
      return false;
    }
    out_.statements += indent + "}\n";
    return true;
  }

  bool value(Node node, const std::string& indent) {
    const Step& step = program_.at(node);
    if (!is_needed(node) || step.op == Op::constant || step.op == Op::input) return false;
    std::string term = text(step), strong;
    for (const Node strength : strengths_.of(node))
      strong += (strong.empty() ? "" : " && ") + operand(strength) + " != 0";
    if (!strong.empty()) term = strong + " ? " + term + " : (real)0";
    out_.statements +=
        indent + "const " + std::string(name_of(step.type)) + " v" + std::to_string(node) + " = " + term + ";\n";
    ++out_.steps;
    return true;
  }

  std::string text(const Step& step) {
    const auto operand_at = [&](std::size_t k) { return operand(step.from[k]); };
    switch (step.op) {
      case Op::slot:
        return "m" + std::to_string(step.index);
      case Op::negate:
        return step.type == Type::int_ ? "(int)(0u - (uint)" + operand_at(0) + ")" : "-(" + operand_at(0) + ")";
      case Op::not_:
        return "!(" + operand_at(0) + ")";
      case Op::select:
        return operand_at(0) + " ? " + operand_at(1) + " : " + operand_at(2);
      case Op::convert:
        return converted(step);
      case Op::call:
        return call(step);
      case Op::remainder:
        out_.vectorised = false;
        return (step.type == Type::int_ ? "law_remainder(" : "law_natural_remainder(") + operand_at(0) + ", " +
               operand_at(1) + ")";
      default:
        return arithmetic(step);
    }
  }

  // Whole numbers wrap around, which OpenCL leaves undefined for int; a quotient by 0 is 0.
  std::string arithmetic(const Step& step) {
    const std::string a = operand(step.from[0]), b = operand(step.from[1]);
    const bool whole = step.type == Type::int_ || step.type == Type::uint;
    if (step.op == Op::divide && whole) {
      out_.vectorised = false;
      return (step.type == Type::int_ ? "law_quotient(" : "law_natural_quotient(") + a + ", " + b + ")";
    }
    if (step.type == Type::int_) return "(int)((uint)" + a + std::string(sign_of(step.op)) + "(uint)" + b + ")";
    return a + std::string(sign_of(step.op)) + b;
  }

  std::string converted(const Step& step) {
    const std::string from = operand(step.from[0]);
    const bool real = program_.at(step.from[0]).type == Type::real;
    if (step.type == Type::bool_) return from + " != 0";
    if (real) return (step.type == Type::int_ ? "law_int(" : "law_uint(") + from + ")";
    return "(" + std::string(name_of(step.type)) + ")" + from;
  }

  std::string call(const Step& step) {
    std::string text(step.function->name);
    out_.vectorised = out_.vectorised && step.function->vectorised;
    if (text.starts_with("native_")) text = fast_ ? "law_fast(" + text.substr(7) + ")" : text.substr(7);
    text += "(";
    for (std::size_t k = 0; k < step.from.size() && step.from[k] != none; ++k)
      text += (k > 0 ? ", " : "") + operand(step.from[k]);
    return text + ")" + (step.function->shape == Shape::question ? " != 0" : "");
  }

  const Program& program_;
  Needed needed_;
  Strengths strengths_;
  bool fast_;
  Written out_;
};

}  // namespace

Written written(const Program& program, bool fast) { return Writer(program, fast).all(); }

}  // namespace orrery::particles::language
