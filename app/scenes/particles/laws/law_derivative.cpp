#include "scenes/particles/laws/law_language.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <set>

#include "scenes/particles/laws/law_tokens.hpp"

namespace orrery::particles::language {
namespace {

constexpr std::size_t most_steps = 300000;  // including steps that no result depends on
constexpr double largest_product = 64;      // largest whole exponent for which a power becomes products

bool is_active(const Scalar& s) { return !s.along.empty(); }

/// The rules of differentiation.
class Calculus {
 public:
  Calculus(Builder& builder, std::size_t directions) : b_(builder), directions_(directions) {}

  Builder& builder() { return b_; }
  Scalar constant(double value) { return {b_.constant(value)}; }

  Scalar negate(const Scalar& a) {
    Scalar result = linear(b_.negate(a.value), a, [&](Node d) { return b_.negate(d); });
    return with_degree(std::move(result), a.degree);
  }

  Scalar add(const Scalar& a, const Scalar& b) { return sum(a, b, false); }
  Scalar subtract(const Scalar& a, const Scalar& b) { return sum(a, b, true); }

  Scalar multiply(const Scalar& a, const Scalar& b) {
    const Node value = b_.multiply(a.value, b.value);
    if (const auto d = degrees(a, b)) return power_of(b_, value, d->first + d->second);
    return chain(value, {{a, b.value}, {b, a.value}});
  }

  Scalar divide(const Scalar& a, const Scalar& b) {
    const Node value = b_.divide(a.value, b.value);
    if (!is_active(a) && !is_active(b)) return {value};
    if (const auto d = degrees(a, b)) return power_of(b_, value, d->first - d->second);
    const Node over = b_.divide(b_.constant(1), b.value);
    return chain(value, {{a, over}, {b, is_active(b) ? b_.negate(b_.multiply(value, over)) : none}});
  }

  Scalar select(Node condition, const Scalar& yes, const Scalar& no) {
    Scalar result{b_.select(condition, yes.value, no.value)};
    if (is_active(yes) || is_active(no)) result.along.assign(directions_, none);
    for (std::size_t d = 0; d < result.along.size(); ++d) {
      const Node first = along(yes, d), second = along(no, d);
      if (first != none || second != none) result.along[d] = b_.select(condition, or_zero(first), or_zero(second));
    }
    if (yes.degree && yes.degree == no.degree) result.degree = yes.degree;
    return trimmed(std::move(result));
  }

  Scalar call(std::string_view name, const std::vector<Scalar>& x) {
    if (x.size() == 1) return unary(name, x[0]);
    if (name == "pow" || name == "powr" || name == "native_powr") return power(name, x[0], x[1]);
    if (name == "fmin" || name == "min") return smaller(name, x[0], x[1], b_.less(x[1].value, x[0].value));
    if (name == "fmax" || name == "max") return smaller(name, x[0], x[1], b_.less(x[0].value, x[1].value));
    if (name == "atan2") return atan2(x[0], x[1]);
    if (name == "hypot") return hypot(x[0], x[1]);
    if (name == "fmod") return fmod(x[0], x[1]);
    if (name == "fdim") return select(b_.less(x[1].value, x[0].value), subtract(x[0], x[1]), constant(0));
    if (name == "step") return select(b_.less(x[1].value, x[0].value), constant(0), constant(1));
    if (name == "native_divide") return divide(x[0], x[1]);
    if (name == "clamp") return clamp(x[0], x[1], x[2]);
    if (name == "mix") return add(x[0], multiply(subtract(x[1], x[0]), x[2]));
    if (name == "mad") return add(multiply(x[0], x[1]), x[2]);
    if (name == "fma") {
      return chain(b_.call("fma", x[0].value, x[1].value, x[2].value),
                   {{x[0], x[1].value}, {x[1], x[0].value}, {x[2], b_.constant(1)}});
    }
    // smoothstep
    const Scalar t = clamp(divide(subtract(x[2], x[0]), subtract(x[1], x[0])), constant(0), constant(1));
    return multiply(multiply(t, t), subtract(constant(3), multiply(constant(2), t)));
  }

  // The slope of a root at 0 counts as none: without a direction there is no pull.
  Scalar root(std::string_view name, const Scalar& a) {
    const Node value = b_.call(name, a.value);
    if (a.degree) return power_of(b_, value, *a.degree / 2);
    return chain(value, {{a, is_active(a) ? quotient_or_zero(0.5, value) : none}});
  }

  Scalar power(std::string_view name, const Scalar& base, const Scalar& exponent) {
    if (b_.at(exponent.value).op == Op::constant) return fixed_power(name, base, b_.at(exponent.value).number);
    const Node value = b_.call(name, base.value, exponent.value);
    if (base.degree && !is_active(exponent)) {
      const Node factor = b_.multiply(b_.constant(*base.degree), exponent.value);
      return trimmed({value, {b_.multiply(factor, value)}});
    }
    Node of_base = none, of_exponent = none;
    if (is_active(base)) {
      const Node less = b_.subtract(exponent.value, b_.constant(1));
      of_base = b_.multiply(exponent.value, b_.call(name, base.value, less));
    }
    if (is_active(exponent)) {
      const Node positive = b_.less(b_.constant(0), base.value);
      of_exponent = b_.select(positive, b_.multiply(value, b_.call("log", base.value)), b_.constant(0));
    }
    return chain(value, {{base, of_base}, {exponent, of_exponent}});
  }

 private:
  struct Part {
    const Scalar& of;
    Node slope;
  };

  Node or_zero(Node node) { return node != none ? node : b_.constant(0); }
  static Node along(const Scalar& s, std::size_t direction) { return is_active(s) ? s.along[direction] : none; }

  static Scalar trimmed(Scalar s) {
    if (std::ranges::all_of(s.along, [](Node node) { return node == none; })) s.along.clear();
    return s;
  }
  Scalar with_degree(Scalar s, std::optional<double> degree) {
    return degree ? power_of(b_, s.value, *degree) : std::move(s);
  }
  /// The derivatives of both operands, where at least one depends on the direction.
  static std::optional<std::pair<double, double>> degrees(const Scalar& a, const Scalar& b) {
    const bool known = (a.degree || !is_active(a)) && (b.degree || !is_active(b));
    if (!known || (!is_active(a) && !is_active(b))) return std::nullopt;
    return std::pair(a.degree.value_or(0), b.degree.value_or(0));
  }

  template <class F>
  Scalar linear(Node value, const Scalar& a, F&& of) {
    Scalar result{value};
    for (const Node d : a.along) result.along.push_back(d != none ? of(d) : none);
    return result;
  }

  Scalar chain(Node value, std::initializer_list<Part> parts) {
    Scalar result{value};
    result.along.assign(directions_, none);
    for (const Part& part : parts)
      for (std::size_t d = 0; d < part.of.along.size(); ++d) {
        if (part.of.along[d] == none || part.slope == none) continue;
        const Node product = b_.multiply(part.slope, part.of.along[d]);
        result.along[d] = result.along[d] == none ? product : b_.add(result.along[d], product);
      }
    return trimmed(std::move(result));
  }

  Scalar sum(const Scalar& a, const Scalar& b, bool less) {
    const Node value = less ? b_.subtract(a.value, b.value) : b_.add(a.value, b.value);
    if (is_active(a) && is_active(b) && a.degree && a.degree == b.degree) return power_of(b_, value, *a.degree);
    Scalar result{value};
    if (is_active(a) || is_active(b)) result.along.assign(directions_, none);
    for (std::size_t d = 0; d < result.along.size(); ++d) {
      const Node first = along(a, d), second = along(b, d);
      if (first != none && second != none)
        result.along[d] = less ? b_.subtract(first, second) : b_.add(first, second);
      else if (second != none)
        result.along[d] = less ? b_.negate(second) : second;
      else
        result.along[d] = first;
    }
    return trimmed(std::move(result));
  }

  Node times(double factor, Node a) { return b_.multiply(b_.constant(factor), a); }
  Node square(Node a) { return b_.multiply(a, a); }
  Node over(Node a) { return b_.divide(b_.constant(1), a); }
  Node quotient_or_zero(double a, Node b) {
    return b_.select(b_.equal(b, b_.constant(0)), b_.constant(0), b_.divide(b_.constant(a), b));
  }

  Scalar unary(std::string_view name, const Scalar& a) {
    if (name == "sqrt" || name == "native_sqrt") return root(name, a);
    if (name == "radians") return multiply(constant(std::numbers::pi / 180), a);
    if (name == "degrees") return multiply(constant(180 / std::numbers::pi), a);
    if (name == "native_recip") return divide(constant(1), a);
    if (name == "abs") name = "fabs";
    const Node value = b_.call(name, a.value);
    if (!is_active(a)) return {value};
    if (a.degree && name == "fabs") return power_of(b_, value, *a.degree);
    if (a.degree && name == "cbrt") return power_of(b_, value, *a.degree / 3);
    if (a.degree && name.ends_with("rsqrt")) return power_of(b_, value, -*a.degree / 2);
    const bool native = name.starts_with("native_");
    return chain(value, {{a, slope(native ? name.substr(7) : name, native ? "native_" : "", a.value, value)}});
  }

  /// The derivative of a function of one number at x, where it is y; none: a step function. `fast` is a name prefix.
  Node slope(std::string_view name, const std::string& fast, Node x, Node y) {
    constexpr double ln2 = std::numbers::ln2, ln10 = std::numbers::ln10;
    const Node one = b_.constant(1);
    if (name == "fabs") return b_.select(b_.less(x, b_.constant(0)), b_.constant(-1), one);
    if (name == "rsqrt") return times(-0.5, b_.multiply(y, square(y)));
    if (name == "cbrt") return b_.select(b_.equal(y, b_.constant(0)), b_.constant(0), over(times(3, square(y))));
    if (name == "exp") return y;
    if (name == "exp2") return times(ln2, y);
    if (name == "exp10") return times(ln10, y);
    if (name == "expm1") return b_.add(y, one);
    if (name == "log") return over(x);
    if (name == "log2") return over(times(ln2, x));
    if (name == "log10") return over(times(ln10, x));
    if (name == "log1p") return over(b_.add(one, x));
    if (name == "sin") return b_.call(fast + "cos", x);
    if (name == "cos") return b_.negate(b_.call(fast + "sin", x));
    if (name == "tan") return b_.add(one, square(y));
    if (name == "asin") return arc(x);
    if (name == "acos") return b_.negate(arc(x));
    if (name == "atan") return over(b_.add(one, square(x)));
    if (name == "sinh") return b_.call("cosh", x);
    if (name == "cosh") return b_.call("sinh", x);
    if (name == "tanh") return b_.subtract(one, square(y));
    if (name == "asinh") return b_.call("rsqrt", b_.add(square(x), one));
    if (name == "acosh") return b_.call("rsqrt", b_.subtract(square(x), one));
    if (name == "atanh") return over(b_.subtract(one, square(x)));
    if (name == "erf" || name == "erfc") {
      const Node bell = times(2 * std::numbers::inv_sqrtpi, b_.call("exp", b_.negate(square(x))));
      return name == "erf" ? bell : b_.negate(bell);
    }
    return none;  // floor, ceil, round, trunc, rint, sign
  }

  // 1/√(1 − x²); none at ±1, where an arm is straight and has no direction to bend.
  Node arc(Node x) {
    const Node one = b_.constant(1);
    const Node height = b_.call("sqrt", b_.multiply(b_.subtract(one, x), b_.add(one, x)));
    return quotient_or_zero(1, height);
  }

  Scalar fixed_power(std::string_view name, const Scalar& base, double exponent) {
    const bool whole = std::abs(exponent) <= largest_product && exponent == std::rint(exponent);
    const auto raised = [&](double to) {
      return whole ? b_.power(base.value, static_cast<int>(to)) : b_.call(name, base.value, b_.constant(to));
    };
    const Node value = raised(exponent);
    if (!is_active(base) || exponent == 0) return {value};
    if (base.degree) return power_of(b_, value, *base.degree * exponent);
    return chain(value, {{base, times(exponent, raised(exponent - 1))}});
  }

  Scalar smaller(std::string_view name, const Scalar& a, const Scalar& b, Node second) {
    Scalar result = select(second, b, a);
    result.value = b_.call(name, a.value, b.value);
    return result.degree ? power_of(b_, result.value, *result.degree) : result;
  }

  Scalar clamp(const Scalar& x, const Scalar& low, const Scalar& high) {
    Scalar result = select(b_.less(high.value, x.value), high, select(b_.less(x.value, low.value), low, x));
    result.value = b_.call("clamp", x.value, low.value, high.value);
    return result.degree ? power_of(b_, result.value, *result.degree) : result;
  }

  Scalar atan2(const Scalar& y, const Scalar& x) {
    const Node value = b_.call("atan2", y.value, x.value);
    if (!is_active(x) && !is_active(y)) return {value};
    const Node inverse = over(b_.add(square(x.value), square(y.value)));
    return chain(value, {{y, b_.multiply(x.value, inverse)}, {x, b_.negate(b_.multiply(y.value, inverse))}});
  }

  Scalar hypot(const Scalar& x, const Scalar& y) {
    const Node value = b_.call("hypot", x.value, y.value);
    if (!is_active(x) && !is_active(y)) return {value};
    const Node inverse = quotient_or_zero(1, value);
    return chain(value, {{x, b_.multiply(x.value, inverse)}, {y, b_.multiply(y.value, inverse)}});
  }

  Scalar fmod(const Scalar& x, const Scalar& y) {
    const Node whole = is_active(y) ? b_.negate(b_.call("trunc", b_.divide(x.value, y.value))) : none;
    return chain(b_.call("fmod", x.value, y.value), {{x, b_.constant(1)}, {y, whole}});
  }

  Builder& b_;
  std::size_t directions_;
};

/// Walks through the tree and knows the value of every variable at each point.
class Lowering {
 public:
  Lowering(Builder& builder, const std::string& law, const LawTree& tree, std::vector<Value> given,
           std::size_t directions)
      : law_(law), tree_(tree), directions_(directions), calculus_(builder, directions), b_(builder) {
    given_ = given.size();
    now_ = std::move(given);
    now_.resize(tree.variables.size());
    find_active();
  }

  std::vector<Value> lowered() {
    run(tree_.body);
    now_.resize(given_);
    return std::move(now_);
  }

 private:
  using Again = std::function<void()>;

  const Expression& at(int expression) const { return tree_.expressions[static_cast<std::size_t>(expression)]; }
  const std::vector<Statement>& block(int index) const { return tree_.blocks[static_cast<std::size_t>(index)]; }

  // Finds the directions that a variable depends on at any statement.
  void find_active() {
    active_.assign(tree_.variables.size(), 0);
    for (std::size_t v = 0; v < given_; ++v)
      for (const Scalar& part : now_[v].parts)
        for (std::size_t d = 0; d < part.along.size(); ++d)
          if (part.along[d] != none) active_[v] |= std::uint64_t{1} << d;
    std::vector<std::uint64_t> of(tree_.expressions.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t e = 0; e < of.size(); ++e) {  // children come first
        const Expression& expression = tree_.expressions[e];
        of[e] = expression.kind == Expression::Kind::variable ? active_[static_cast<std::size_t>(expression.index)] : 0;
        for (const int child : expression.children) of[e] |= of[static_cast<std::size_t>(child)];
        if (expression.type != Type::real && expression.type != Type::vector) of[e] = 0;
      }
      for (const auto& statements : tree_.blocks)
        for (const Statement& s : statements) {
          if (s.kind != Statement::Kind::set) continue;
          std::uint64_t& active = active_[static_cast<std::size_t>(s.variable)];
          const std::uint64_t more = active | of[static_cast<std::size_t>(s.value)];
          changed = changed || more != active;
          active = more;
        }
    }
  }

  // Expressions.

  Value value_of(int index) {
    const Expression& e = at(index);
    if (b_.size() > most_steps)
      refuse(law_, e.place, "the law and its derivatives take more than " + std::to_string(most_steps) + " steps", {},
             "write a shorter law, or one that adds its forces itself");
    switch (e.kind) {
      case Expression::Kind::number:
        return {e.type, {{b_.constant(e.number, e.type)}}};
      case Expression::Kind::variable:
        return now_[static_cast<std::size_t>(e.index)];
      case Expression::Kind::component:
        return {Type::real, {value_of(e.children[0]).parts[static_cast<std::size_t>(e.index)]}};
      case Expression::Kind::negate: {
        Value value = value_of(e.children[0]);
        for (Scalar& part : value.parts) part = calculus_.negate(part);
        return value;
      }
      case Expression::Kind::not_:
        return {Type::bool_, {{b_.not_(number(e.children[0]))}}};
      case Expression::Kind::binary:
        return binary(e);
      case Expression::Kind::conditional: {
        const Node condition = number(e.children[0]);
        return each(value_of(e.children[1]), value_of(e.children[2]),
                    [&](const Scalar& a, const Scalar& b) { return calculus_.select(condition, a, b); });
      }
      case Expression::Kind::cast:
        return cast(e.type, value_of(e.children[0]));
      case Expression::Kind::vector: {
        Value value{Type::vector, {}};
        for (const int child : e.children) value.parts.push_back(value_of(child).parts.front());
        return value;
      }
      case Expression::Kind::call:
        return call(e);
    }
    return {};
  }

  Node number(int index) { return value_of(index).parts.front().value; }

  Value cast(Type to, const Value& from) {
    if (to == Type::vector) return {to, std::vector<Scalar>(4, from.parts.front())};
    return {to, {{b_.convert(from.parts.front().value, to)}}};
  }

  template <class F>
  static Value each(const Value& a, const Value& b, F&& of) {
    Value result{a.type, {}};
    for (std::size_t k = 0; k < a.parts.size(); ++k) result.parts.push_back(of(a.parts[k], b.parts[k]));
    return result;
  }

  Value binary(const Expression& e) {
    const Value a = value_of(e.children[0]), b = value_of(e.children[1]);
    const Node left = a.parts.front().value, right = b.parts.front().value;
    const auto condition = [](Node node) { return Value{Type::bool_, {{node}}}; };
    switch (e.op) {
      case Operator::less:
        return condition(b_.less(left, right));
      case Operator::less_equal:
        return condition(b_.less_equal(left, right));
      case Operator::equal:
        return condition(b_.equal(left, right));
      case Operator::not_equal:
        return condition(b_.not_(b_.equal(left, right)));
      case Operator::both:
        return condition(b_.both(left, right));
      case Operator::either:
        return condition(b_.either(left, right));
      default:
        break;
    }
    if (e.type != Type::real && e.type != Type::vector) return {e.type, {{whole(e.op, left, right)}}};
    Value result{e.type, {}};
    for (std::size_t k = 0; k < a.parts.size(); ++k) result.parts.push_back(real(e.op, a.parts[k], b.parts[k], k));
    return result;
  }

  Node whole(Operator op, Node a, Node b) {
    switch (op) {
      case Operator::add:
        return b_.add(a, b);
      case Operator::subtract:
        return b_.subtract(a, b);
      case Operator::multiply:
        return b_.multiply(a, b);
      case Operator::divide:
        return b_.divide(a, b);
      default:
        return b_.remainder(a, b);
    }
  }

  Scalar real(Operator op, const Scalar& a, const Scalar& b, std::size_t part) {
    // The fourth component of a vector of three stays 0.
    const bool fourth = part == 3;
    switch (op) {
      case Operator::add:
        return calculus_.add(a, b);
      case Operator::subtract:
        return calculus_.subtract(a, b);
      case Operator::multiply:
        if (fourth && (b_.is_constant(a.value, 0) || b_.is_constant(b.value, 0))) return calculus_.constant(0);
        return calculus_.multiply(a, b);
      default:
        if (fourth && b_.is_constant(a.value, 0)) return calculus_.constant(0);
        return calculus_.divide(a, b);
    }
  }

  Scalar dot(const Value& a, const Value& b) {
    Scalar sum = calculus_.multiply(a.parts[0], b.parts[0]);
    for (std::size_t k = 1; k < 4; ++k) sum = calculus_.add(sum, real(Operator::multiply, a.parts[k], b.parts[k], k));
    return sum;
  }

  Value difference(const Value& a, const Value& b) {
    return each(a, b, [&](const Scalar& x, const Scalar& y) { return calculus_.subtract(x, y); });
  }
  Scalar length(const Value& a) { return calculus_.root("sqrt", dot(a, a)); }

  Value call(const Expression& e) {
    std::vector<Value> x;
    for (const int child : e.children) x.push_back(value_of(child));
    const std::string_view name = e.function->name;
    switch (e.function->shape) {
      case Shape::length:
        return {Type::real, {length(x[0])}};
      case Shape::pair:
        return {Type::real, {name == "dot" ? dot(x[0], x[1]) : length(difference(x[0], x[1]))}};
      case Shape::vectors:
        return name == "cross" ? cross(x[0], x[1]) : name == "nearest" ? nearest(x[0]) : normalized(x[0]);
      case Shape::question:
        return {Type::bool_, {{b_.call(name, x[0].parts[0].value)}}};
      case Shape::choose: {
        const Node condition = x[2].parts[0].value;
        return each(x[1], x[0], [&](const Scalar& a, const Scalar& b) { return calculus_.select(condition, a, b); });
      }
      case Shape::of_whole:
        return {Type::real, {calculus_.power("pow", x[0].parts[0], {b_.convert(x[1].parts[0].value, Type::real)})}};
      case Shape::each:
      case Shape::numbers:
        break;
    }
    if (e.type != Type::real && e.type != Type::vector) return {e.type, {{whole_call(name, x)}}};
    Value result{e.type, {}};
    for (std::size_t part = 0; part < x[0].parts.size(); ++part) {
      std::vector<Scalar> arguments;
      for (const Value& argument : x) arguments.push_back(argument.parts[part]);
      result.parts.push_back(calculus_.call(name, arguments));
    }
    return result;
  }

  Node whole_call(std::string_view name, const std::vector<Value>& x) {
    const Node a = x[0].parts[0].value;
    if (name == "abs") {
      if (b_.type(a) == Type::uint) return a;
      return b_.select(b_.less(a, b_.constant(0, Type::int_)), b_.negate(a), a);
    }
    return b_.call(name, a, x[1].parts[0].value, x.size() > 2 ? x[2].parts[0].value : none);
  }

  Value cross(const Value& a, const Value& b) {
    const auto part = [&](std::size_t i, std::size_t j) {
      return calculus_.subtract(calculus_.multiply(a.parts[i], b.parts[j]), calculus_.multiply(a.parts[j], b.parts[i]));
    };
    return {Type::vector, {part(1, 2), part(2, 0), part(0, 1), calculus_.constant(0)}};
  }

  Value normalized(const Value& a) {
    const Scalar square = dot(a, a);
    const Scalar over = calculus_.select(b_.equal(square.value, b_.constant(0)), calculus_.constant(0),
                                         calculus_.call("rsqrt", {square}));
    Value result = a;
    for (std::size_t k = 0; k < 4; ++k) result.parts[k] = real(Operator::multiply, a.parts[k], over, k);
    return result;
  }

  // The image has the derivatives of the vector: it jumps only where two images are equally near.
  Value nearest(const Value& a) {
    Value result = a;
    for (std::size_t k = 0; k < 3 && b_.box(); ++k) {
      Scalar& part = result.parts[k];
      const Node length = b_.constant((*b_.box())[k]);
      part.value = b_.subtract(part.value, b_.multiply(length, b_.call("rint", b_.divide(part.value, length))));
      part.degree.reset();
    }
    return result;
  }

  // Statements. Each returns whether the next statement is reached.

  bool run(int index) {
    for (const Statement& s : block(index))
      if (!run(s)) return false;
    return true;
  }

  bool run(const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::set: {
        Value value = value_of(s.value);
        Value& variable = now_[static_cast<std::size_t>(s.variable)];
        if (s.component < 0)
          variable = std::move(value);
        else
          variable.parts[static_cast<std::size_t>(s.component)] = value.parts.front();
        return true;
      }
      case Statement::Kind::block:
        return run(s.body);
      case Statement::Kind::branch:
        return branch(s);
      case Statement::Kind::loop:
        loop(s);
        return true;
      case Statement::Kind::leave:
        keep();
        b_.leave(false);
        return false;
      case Statement::Kind::again:
        rounds_.back().again();
        return false;
    }
    return true;
  }

  bool branch(const Statement& s) {
    const Node condition = number(s.value);
    const std::vector<Value> before = now_;
    const int first = b_.open(condition);
    const bool first_ends = run(s.body);
    std::vector<Value> after_first = std::move(now_);
    b_.close();
    now_ = before;
    const int second = b_.open(condition);
    const bool second_ends = s.otherwise < 0 || run(s.otherwise);
    b_.close();
    // If one region does not reach its end, the values are those of the other.
    if (first_ends && second_ends) {
      merge(before, after_first, first, second);
    } else {
      if (!second_ends) now_ = std::move(after_first);
      if (first_ends || second_ends) merge(before, before, -1, first_ends ? first : second);
    }
    b_.branch(condition, first, second);
    for (const Joint& joint : joints_) *joint.to = b_.read(joint.slot);
    joints_.clear();
    return first_ends || second_ends;
  }

  struct Joint {
    Node* to;
    int slot;
  };

  /// Variables that differ after two regions become slots. `now_` holds those after the second, `other` after the
  /// first; `other` is −1 where the first does not reach its end.
  void merge(const std::vector<Value>& before, const std::vector<Value>& other, int first, int second) {
    const auto join = [&](Node& here, Node there) {
      if (here == there) return;
      const Type type = b_.type(here != none ? here : there);
      const int slot = b_.slot(type);
      if (first >= 0) b_.set_in(first, slot, there != none ? there : b_.constant(0));
      b_.set_in(second, slot, here != none ? here : b_.constant(0));
      joints_.push_back({&here, slot});
    };
    for (std::size_t v = 0; v < before.size(); ++v) {
      for (std::size_t k = 0; k < before[v].parts.size(); ++k) {
        Scalar& here = now_[v].parts[k];
        const Scalar& there = other[v].parts[k];
        if (here.degree != there.degree || here.value != there.value) here.degree.reset();
        if (is_active(here) || is_active(there)) here.along.resize(directions_, none);
        join(here.value, there.value);
        for (std::size_t d = 0; d < here.along.size(); ++d)
          join(here.along[d], is_active(there) ? there.along[d] : none);
      }
      if (before[v].parts.empty()) now_[v] = {};
    }
  }

  /// A variable that a loop changes: slots for all its parts.
  struct Carried {
    std::size_t variable;
    std::vector<int> slots;  // for each part: its value, then each direction or −1
  };
  struct Round {
    std::vector<Carried> carried;
    Again again;
  };

  void find_set(int index, std::set<std::size_t>& found) const {
    for (const Statement& s : block(index)) {
      if (s.kind == Statement::Kind::set) found.insert(static_cast<std::size_t>(s.variable));
      for (const int inner : {s.body, s.otherwise, s.step})
        if (inner >= 0) find_set(inner, found);
    }
  }

  std::vector<Carried> carried_by(const Statement& s) {
    std::set<std::size_t> changed;
    find_set(s.body, changed);
    if (s.step >= 0) find_set(s.step, changed);
    std::vector<Carried> all;
    for (const std::size_t v : changed) {
      if (now_[v].parts.empty()) continue;
      Carried carried{v, {}};
      for (std::size_t k = 0; k < now_[v].parts.size(); ++k) {
        carried.slots.push_back(b_.slot(b_.type(now_[v].parts[k].value)));
        for (std::size_t d = 0; d < directions_; ++d)
          carried.slots.push_back((active_[v] >> d & 1) != 0 ? b_.slot(Type::real) : -1);
      }
      all.push_back(std::move(carried));
    }
    return all;
  }

  /// Writes to the slots of the innermost loop.
  void keep() { keep(rounds_.back().carried); }
  void keep(const std::vector<Carried>& all) {
    for (const Carried& carried : all) {
      auto slot = carried.slots.begin();
      for (const Scalar& part : now_[carried.variable].parts) {
        b_.set(*slot++, part.value);
        for (std::size_t d = 0; d < directions_; ++d, ++slot)
          if (*slot >= 0) {
            const Node along = is_active(part) ? part.along[d] : none;
            b_.set(*slot, along != none ? along : b_.constant(0));
          }
      }
    }
  }

  void fetch(const std::vector<Carried>& all) {
    for (const Carried& carried : all) {
      auto slot = carried.slots.begin();
      for (Scalar& part : now_[carried.variable].parts) {
        part = {b_.read(*slot++)};
        std::vector<Node> along(directions_, none);
        bool active = false;
        for (std::size_t d = 0; d < directions_; ++d, ++slot)
          if (*slot >= 0) {
            along[d] = b_.read(*slot);
            active = true;
          }
        if (active) part.along = std::move(along);
      }
    }
  }

  void leave_unless(int condition, bool whole_round) {
    if (condition < 0) return;
    const Node stop = b_.not_(number(condition));
    const int yes = b_.open(stop);
    keep();
    b_.leave(whole_round);
    b_.close();
    b_.branch(stop, yes, -1);
  }

  void loop(const Statement& s) {
    const std::vector<Carried> carried = carried_by(s);
    keep(carried);
    const std::vector<Value> before = now_;
    const int region = b_.open();
    fetch(carried);
    const Again end_of_round = [&] {
      if (s.step >= 0) run(s.step);
      if (s.at_least_once) leave_unless(s.value, true);
      keep();
    };
    rounds_.push_back({carried, [&] {
                         end_of_round();
                         b_.again();
                       }});
    if (!s.at_least_once) leave_unless(s.value, false);
    if (run(s.body)) end_of_round();
    rounds_.pop_back();
    b_.close();
    b_.loop(region);
    now_ = before;
    fetch(carried);
  }

  const std::string& law_;
  const LawTree& tree_;
  std::size_t directions_, given_ = 0;
  Calculus calculus_;
  Builder& b_;
  std::vector<Value> now_;  // present values of the variables
  std::vector<std::uint64_t> active_;
  std::vector<Round> rounds_;
  std::vector<Joint> joints_;
};

}  // namespace

Scalar power_of(Builder& builder, Node value, double degree) {
  if (degree == 0) return {value};
  return {value, {builder.multiply(builder.constant(degree), value)}, degree};
}

std::vector<Value> make_steps(Builder& builder, const std::string& law, const LawTree& tree, std::vector<Value> given,
                              std::size_t directions) {
  return Lowering(builder, law, tree, std::move(given), directions).lowered();
}

}  // namespace orrery::particles::language
