// The limit of a pair law as r → 0, from expansions Σ c·r^p·(ln r)^q of its steps. The coefficients are polynomials of
// numbers that do not depend on r: the parameters of the law and the columns of its particles.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>
#include <span>

#include "scenes/particles/laws/law_language.hpp"

namespace orrery::particles::language {
namespace {

// Exponents of r are whole numbers of this unit, so that 1/2 + 1/3 is 5/6.
using Exponent = std::int64_t;
constexpr Exponent above_0 = 1, one = 720720000, exact = std::numeric_limits<Exponent>::max() / 4;
double value_of(Exponent exponent) { return static_cast<double>(exponent) / static_cast<double>(one); }

constexpr Exponent infinite = -2 * one;  // exponent of 1/r at 0: in kernels a large number whose square is infinite
constexpr std::size_t most_terms = 300, most_monomials = 100, most_cases = 64;
constexpr std::size_t most_work = 1000000;  // products of monomials, and steps
constexpr int most_factors = 200, most_rounds = 4096, most_zero_sums = 2;
constexpr double rounding = 1e-13;  // a smaller relative difference of two numbers is 0

/// No limit is found: there is none, or its expansion is not of this form.
struct NoLimit {};

constexpr Exponent largest = 100000 * one;
Exponent checked(Exponent exponent) {
  if (exponent > largest || exponent < -largest) throw NoLimit{};
  return exponent;
}
Exponent exponent_of(double value) {
  return std::abs(value) < value_of(largest) ? std::llrint(value * static_cast<double>(one)) : throw NoLimit{};
}

/// The expansions have too few terms.
struct TooShort {};
/// The kernel computes NaN.
struct NotANumber {};

// The coordinates of the unit vector between the particles, which has no limit.
constexpr Node direction = -2;
bool is_direction(Node node) { return node <= direction; }

using Monomial = std::map<Node, int>;  // factors with their exponents
using Coefficient = std::map<Monomial, double>;

struct Power {
  Exponent r = 0;
  int logarithms = 0;
  // The largest as r → 0 comes first.
  bool operator<(const Power& other) const { return r != other.r ? r < other.r : logarithms > other.logarithms; }
  bool operator==(const Power&) const = default;
};

/// Σ c·r^p·(ln r)^q + O(r^order).
struct Series {
  std::map<Power, Coefficient> terms;
  Exponent order = exact;

  bool is_zero() const { return terms.empty() && order == exact; }
  bool is_constant() const {
    return order == exact && (terms.empty() || (terms.size() == 1 && terms.begin()->first == Power{}));
  }
  Exponent least() const { return terms.empty() ? order : std::min(order, terms.begin()->first.r); }
};

void add_to(Coefficient& sum, const Monomial& monomial, double number) {
  double& here = sum[monomial];
  const double size = std::abs(here) + std::abs(number);
  here += number;
  if (!std::isfinite(here)) throw NoLimit{};
  if (std::abs(here) <= rounding * size) sum.erase(monomial);
}

Coefficient number(double value) { return value == 0 ? Coefficient{} : Coefficient{{{}, value}}; }
Series series(Coefficient c, Power power = {}) {
  Series s;
  if (!c.empty()) s.terms.emplace(power, std::move(c));
  return s;
}
Series series(double value) { return series(number(value)); }

bool has_direction(const Coefficient& c) {
  return std::ranges::any_of(
      c, [](const auto& each) { return is_direction(each.first.empty() ? 0 : each.first.begin()->first); });
}

std::optional<double> number_in(const Coefficient& c) {
  if (c.empty()) return 0;
  return c.size() == 1 && c.begin()->first.empty() ? std::optional(c.begin()->second) : std::nullopt;
}

/// Questions about numbers that only the kernel knows, such as "is this parameter 0?". A run through the law takes one
/// path through them, and next() selects the next path.
class Cases {
 public:
  struct Case {
    Node condition;
    bool holds;
  };

  explicit Cases(Builder& builder) : b_(builder) {}

  bool ask(Node condition) {
    if (b_.at(condition).op == Op::constant) return b_.at(condition).number != 0;
    const auto end = path_.begin() + static_cast<std::ptrdiff_t>(passed_);
    const auto known = std::find_if(path_.begin(), end, [&](const Case& c) { return c.condition == condition; });
    if (known != end) return known->holds;
    if (passed_ == path_.size()) path_.push_back({condition, true});
    return path_[passed_++].holds;
  }
  bool is_known_zero(Node node) const {
    return std::any_of(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(passed_), [&](const Case& c) {
      const Step& step = b_.at(c.condition);
      return c.holds && step.op == Op::equal &&
             ((step.from[0] == node && b_.is_constant(step.from[1], 0)) ||
              (step.from[1] == node && b_.is_constant(step.from[0], 0)));
    });
  }
  /// Counts work, which all paths share.
  void spend(std::size_t work) {
    if ((work_ += work) > most_work) throw NoLimit{};
  }
  bool exhausted() const { return work_ > most_work; }
  void start() { passed_ = 0; }
  /// False after the last path.
  bool next() {
    path_.resize(passed_);
    while (!path_.empty() && !path_.back().holds) path_.pop_back();
    if (!path_.empty()) path_.back().holds = false;
    return !path_.empty();
  }
  const std::vector<Case>& path() const { return path_; }

 private:
  Builder& b_;
  std::vector<Case> path_;
  std::size_t passed_ = 0, work_ = 0;
};

/// Functions of expansions. All throw NoLimit, TooShort or NotANumber.
class Expansions {
 public:
  /// `terms`: exponents of r from there on are left out. `at_zero`: numbers are those of a kernel at r = 0, where only
  /// its 1/r is large.
  Expansions(Builder& builder, Cases& cases, Exponent terms, bool at_zero)
      : b_(builder), cases_(cases), terms_(terms), at_zero_(at_zero) {}

  Coefficient product(const Coefficient& a, const Coefficient& b) {
    cases_.spend(a.size() * b.size());
    // The coordinates of a unit vector: z² = 1 − x² − y².
    std::function<void(Coefficient&, Monomial, double)> add = [&](Coefficient& sum, Monomial m, double number) {
      const auto z = m.find(direction - 2);
      if (z == m.end() || z->second < 2) return add_to(sum, m, number);
      if ((z->second -= 2) == 0) m.erase(z);
      add(sum, m, number);
      for (const Node axis : {direction, direction - 1}) {
        Monomial other = m;
        other[axis] += 2;
        add(sum, other, -number);
      }
    };
    Coefficient result;
    for (const auto& [first, x] : a)
      for (const auto& [second, y] : b) {
        Monomial m = first;
        for (const auto& [factor, exponent] : second) {
          const int sum = m[factor] += exponent;
          if (std::abs(sum) > most_factors) throw NoLimit{};
          if (sum == 0) m.erase(factor);
        }
        add(result, std::move(m), x * y);
      }
    if (result.size() > most_monomials) throw NoLimit{};
    return result;
  }

  Coefficient atom(Node node) const {
    const Step& step = b_.at(node);
    return step.op == Op::constant ? number(step.number) : Coefficient{{{{node, 1}}, 1}};
  }

  Node written(const Coefficient& c) {
    Node sum = b_.constant(0);
    for (const auto& [monomial, factor] : c) {
      Node above = b_.constant(1), below = above;
      for (const auto& [node, exponent] : monomial) {
        if (is_direction(node)) throw NoLimit{};
        Node& part = exponent > 0 ? above : below;
        part = b_.multiply(part, b_.power(node, std::abs(exponent)));
      }
      sum = b_.add(sum, b_.multiply(b_.constant(factor), b_.divide(above, below)));
    }
    return sum;
  }

  /// The coefficient without products that are known to be 0.
  Coefficient reduced(Coefficient c) const {
    std::erase_if(c, [&](const auto& each) {
      return std::ranges::any_of(each.first,
                                 [&](const auto& f) { return f.second > 0 && cases_.is_known_zero(f.first); });
    });
    return c;
  }

  bool is_zero(const Coefficient& c) {
    Coefficient rest = reduced(c);
    if (rest.size() > 1) {
      const double first = rest.begin()->second;
      if (has_direction(rest)) return false;
      for (auto& each : rest) each.second /= first;
      return cases_.ask(b_.equal(written(rest), b_.constant(0)));
    }
    // A product counts as 0 only if a factor is 0, not if it underflows.
    return rest.empty() || std::ranges::any_of(rest.begin()->first, [&](const auto& f) {
             return f.second > 0 && may_be_zero(f.first) && cases_.ask(b_.equal(f.first, b_.constant(0)));
           });
  }

  bool is_negative(const Coefficient& c) {
    const auto even = [](const auto& factor) { return factor.second % 2 == 0; };
    if (c.size() == 1 && std::ranges::all_of(c.begin()->first, even)) return c.begin()->second < 0;
    return cases_.ask(b_.less(written(c), b_.constant(0)));
  }

  /// The largest term; none for 0, and where nothing is known but O(r^enough).
  std::optional<std::pair<Power, Coefficient>> leading(Series& s, Exponent enough = exact) {
    for (int sums = 0; !s.terms.empty() && is_zero(s.terms.begin()->second); s.terms.erase(s.terms.begin())) {
      if (reduced(s.terms.begin()->second).size() < 2) continue;
      if (++sums > most_zero_sums || (at_zero_ && s.terms.begin()->first.r < 0)) throw NoLimit{};
    }
    if (!s.terms.empty()) return *s.terms.begin();
    if (s.order < enough) throw TooShort{};
    return std::nullopt;
  }

  Series scaled(const Series& s, const Coefficient& c, Power by = {}) {
    Series result{{}, s.order == exact ? exact : s.order + by.r};
    for (const auto& [power, each] : s.terms)
      if (Coefficient p = product(each, c); !p.empty())
        result.terms.emplace(Power{checked(power.r + by.r), power.logarithms + by.logarithms}, std::move(p));
    return result;
  }
  Series scaled(const Series& s, double by) { return scaled(s, number(by)); }

  Series add(const Series& a, const Series& b) {
    Series result = a;
    result.order = std::min(a.order, b.order);
    for (const auto& [power, c] : b.terms)
      for (const auto& [monomial, factor] : c) add_to(result.terms[power], monomial, factor);
    result = cut(std::move(result));
    // A difference of large numbers has lost small terms.
    if (at_zero_ && std::min(a.least(), b.least()) < std::min(result.least(), Exponent{0})) throw NoLimit{};
    return result;
  }
  Series subtract(const Series& a, const Series& b) { return add(a, scaled(b, -1)); }

  Series multiply(const Series& a, const Series& b) {
    if (a.is_zero() || b.is_zero()) {
      if (at_zero_ && std::min(a.least(), b.least()) <= infinite) throw NotANumber{};  // 0 · ∞
      return {};
    }
    Series result;
    if (a.order != exact) result.order = a.order + b.least();
    if (b.order != exact) result.order = std::min(result.order, b.order + a.least());
    for (const auto& [power, c] : b.terms)
      for (const auto& [own, d] : a.terms) {
        const Power p{checked(power.r + own.r), power.logarithms + own.logarithms};
        if (p.r >= result.order) continue;
        if (p.r >= terms_) {
          result.order = std::min(result.order, terms_);
          continue;
        }
        for (const auto& [monomial, factor] : product(c, d)) add_to(result.terms[p], monomial, factor);
      }
    return cut(std::move(result));
  }

  Series inverse(const Series& s) { return power(s, -1); }
  Series divide(const Series& a, const Series& b) { return multiply(a, inverse(b)); }

  Series power(Series s, double exponent, std::string_view as = "pow") {
    const auto first = leading(s);
    if (!first && exponent > 0) return {};
    if (!first && at_zero_) return series(number(1), {infinite, 0});
    if (first && at_zero_ && first->first < Power{} && exponent < 1) throw NoLimit{};  // no known power of ∞
    if (!first || first->first.logarithms != 0) throw NoLimit{};
    const auto& [lead, c] = *first;
    const Series tail = composed(relative(s, lead, c), [&, factor = 1.0](int k) mutable {
      if (k > 0) factor *= (exponent - k + 1) / k;
      return number(factor);
    });
    return scaled(tail, raised(c, exponent, as), {exponent_of(value_of(lead.r) * exponent), 0});
  }

  Series exp(Series s) {
    Series factor = series(1);
    while (const auto first = leading(s, above_0)) {
      const auto& [lead, c] = *first;
      if (lead.r > 0 || lead == Power{}) break;
      if (lead.r == 0 && lead.logarithms == 1) {
        const auto fixed = number_in(c);
        factor = multiply(factor, fixed ? series(number(1), {exponent_of(*fixed), 0}) : power_of_r(written(c)));
        s.terms.erase(s.terms.begin());
        continue;
      }
      // ∞ or 0, and that faster than every power.
      if (is_negative(c) == (lead.logarithms % 2 == 0)) return {{}, terms_};
      throw NoLimit{};
    }
    const Coefficient constant = take_constant(s);
    const Series tail = composed(s, [over = 1.0](int k) mutable { return number(over /= std::max(k, 1)); });
    return multiply(factor, scaled(tail, called("exp", constant)));
  }

  Series log(Series s) {
    const auto first = leading(s);
    if (!first || first->first.logarithms != 0) throw NoLimit{};
    const auto& [lead, c] = *first;
    if (at_zero_ && lead.r != 0) throw NoLimit{};
    Series result =
        composed(relative(s, lead, c), [](int k) { return number(k == 0 ? 0 : (k % 2 == 0 ? -1.0 : 1.0) / k); });
    result = add(result, series(called("log", c)));
    return add(result, series(number(value_of(lead.r)), {0, 1}));
  }

  /// `power` of a number that is not known before the kernel runs.
  Series power(Series s, const Coefficient& exponent, std::string_view as) {
    const auto first = leading(s);
    const Node n = written(exponent);
    if (!first && cases_.ask(b_.less(b_.constant(0), n))) return {};
    if (!first || first->first.logarithms != 0) throw NoLimit{};
    const auto& [lead, c] = *first;
    if (at_zero_ && lead.r != 0) throw NoLimit{};
    Coefficient factor = number(1);
    Series tail = composed(relative(s, lead, c), [&](int k) {
      if (k == 0) return factor;
      Coefficient less = exponent;
      add_to(less, {}, 1 - k);
      return factor = product(product(factor, less), number(1.0 / k));
    });
    tail = scaled(tail, atom(b_.call(as, written(c), n)));
    return lead.r == 0 ? tail : multiply(tail, power_of_r(b_.multiply(b_.constant(value_of(lead.r)), n)));
  }

  Series call(std::string_view name, std::vector<Series> x) {
    if (name.starts_with("native_")) name.remove_prefix(7);
    if (name == "fma") return add(multiply(x[0], x[1]), x[2]);
    if (name == "fmin") return less(x[1], x[0]) ? x[1] : x[0];
    if (name == "fmax") return less(x[0], x[1]) ? x[1] : x[0];
    if (name == "clamp") return call("fmin", {call("fmax", {x[0], x[1]}), x[2]});
    if (name == "hypot") return power(add(multiply(x[0], x[0]), multiply(x[1], x[1])), 0.5, "sqrt");
    if (name == "pow" || name == "powr") {
      if (!x[1].is_constant()) return exp(multiply(x[1], log(x[0])));
      const Coefficient exponent = take_constant(x[1]);
      const auto fixed = number_in(exponent);
      return fixed ? (*fixed == 0 ? series(1) : power(x[0], *fixed)) : power(x[0], exponent, name);
    }
    if (std::ranges::all_of(x, &Series::is_constant) && !number_of(x[0])) {
      std::vector<Node> nodes(3, none);
      for (std::size_t k = 0; k < x.size(); ++k) nodes[k] = written(take_constant(x[k]));
      return series(atom(b_.call(name, nodes[0], nodes[1], nodes[2])));
    }
    if (name == "fmod") return subtract(x[0], multiply(x[1], whole("trunc", divide(x[0], x[1]))));
    if (name == "atan2") {
      if (!less({}, x[1])) throw NoLimit{};
      return call("atan", {divide(x[0], x[1])});
    }
    return of_one(name, std::move(x[0]));
  }

  bool less(const Series& a, const Series& b) {
    Series difference = subtract(b, a);
    const auto first = leading(difference);
    return first && is_negative(first->second) != (first->first.logarithms % 2 == 0);
  }
  bool equal(const Series& a, const Series& b) {
    Series difference = subtract(b, a);
    return !leading(difference);
  }

  Series whole(std::string_view name, Series s) {
    const auto value = number_of(s);
    if (!value) throw NoLimit{};
    s = subtract(s, series(*value));
    const auto rest = leading(s);
    if (rest && rest->first.r <= 0) throw NoLimit{};
    const bool above = rest && less({}, s), below = rest && !above;
    const bool half = *value - std::floor(*value) == 0.5;
    if (name == "floor") return series(below ? std::ceil(*value) - 1 : std::floor(*value));
    if (name == "ceil") return series(above ? std::floor(*value) + 1 : std::ceil(*value));
    if (name == "trunc") return whole(*value > 0 || (*value == 0 && above) ? "floor" : "ceil", add(s, series(*value)));
    if (half && rest) return series(above ? std::ceil(*value) : std::floor(*value));
    return series(name == "rint" ? std::rint(*value) : std::round(*value));
  }

  /// Removes the constant term. Throws where a larger one exists.
  Coefficient take_constant(Series& s) {
    const auto first = s.is_constant() ? std::nullopt : leading(s, above_0);
    if (first && first->first < Power{}) throw NoLimit{};
    if (s.order <= 0) throw TooShort{};
    const auto found = s.terms.find(Power{});
    if (found == s.terms.end()) return {};
    const Coefficient constant = std::move(found->second);
    s.terms.erase(found);
    return constant;
  }

 private:
  bool may_be_zero(Node node) const {
    if (is_direction(node)) return false;
    const Step& step = b_.at(node);
    if (step.op == Op::call) return step.function->name != "exp" && step.function->name != "rsqrt";
    return step.op != Op::input || b_.kind(node) != InputKind::nonzero;
  }

  Series cut(Series s) {
    std::erase_if(s.terms, [&](const auto& term) { return term.second.empty() || term.first.r >= s.order; });
    if (s.terms.size() > most_terms) throw NoLimit{};
    return s;
  }

  std::optional<double> number_of(Series s) {
    const auto first = leading(s, above_0);
    if (first && first->first < Power{}) return std::nullopt;
    return number_in(take_constant(s));
  }

  // s / (c·r^p) − 1.
  Series relative(Series s, Power lead, const Coefficient& c) {
    s.terms.erase(lead);
    return scaled(s, raised(c, -1, "pow"), {-lead.r, 0});
  }

  /// Σ f(k)·h^k for h that vanishes with r.
  template <class F>
  Series composed(const Series& h, F&& f) {
    Series result = series(f(0)), factor = series(1);
    for (int k = 1; !h.is_zero(); ++k) {
      if (h.least() <= 0) throw TooShort{};
      factor = multiply(factor, h);
      if (factor.is_zero()) break;
      result = add(result, scaled(factor, f(k)));
      if (factor.terms.empty()) break;
      if (k > most_factors) throw NoLimit{};
    }
    return result;
  }

  Coefficient raised(const Coefficient& c, double exponent, std::string_view as) {
    if (const auto fixed = number_in(c)) {
      const double value = as == "cbrt" ? std::cbrt(*fixed) : std::pow(*fixed, exponent);
      if (!std::isfinite(value)) throw NoLimit{};
      return number(value);
    }
    if (exponent == std::rint(exponent) && std::abs(exponent) < 64) {
      Coefficient base = c, result = number(1);
      if (exponent < 0) {
        const bool is_sum = c.size() > 1;
        Monomial inverse = is_sum ? Monomial{{written(c), 1}} : c.begin()->first;
        for (auto& factor : inverse) factor.second = -factor.second;
        base = {{inverse, is_sum ? 1 : 1 / c.begin()->second}};
      }
      for (int k = 0; k < std::abs(static_cast<int>(exponent)); ++k) result = product(result, base);
      return result;
    }
    const Node node = written(c);
    return atom(as == "pow" ? b_.call(as, node, b_.constant(exponent)) : b_.call(as, node));
  }

  // r^m: a result other than 1 is only an order.
  Series power_of_r(Node m) {
    if (cases_.ask(b_.equal(m, b_.constant(0)))) return series(1);
    if (cases_.ask(b_.less(m, b_.constant(0)))) throw NoLimit{};
    return {{}, cases_.ask(b_.less(m, b_.constant(1))) ? above_0 : one};
  }

  Coefficient called(std::string_view name, const Coefficient& c) {
    const auto fixed = number_in(c);
    if (!fixed) return atom(b_.call(name, written(c)));
    const double x = *fixed, value = name == "exp"   ? std::exp(x)
                                     : name == "log" ? std::log(x)
                                     : name == "sin" ? std::sin(x)
                                                     : std::cos(x);
    if (!std::isfinite(value)) throw NoLimit{};
    return number(value);
  }

  Series sine(Series s, bool cosine) {
    const Coefficient constant = take_constant(s);
    const auto part = [&](int odd) {
      return composed(s, [over = 1.0, odd](int k) mutable {
        over /= std::max(k, 1);
        return number(k % 2 != odd ? 0 : k % 4 < 2 ? over : -over);
      });
    };
    const Coefficient sin = called("sin", constant), cos = called("cos", constant);
    return cosine ? subtract(scaled(part(0), cos), scaled(part(1), sin))
                  : add(scaled(part(0), sin), scaled(part(1), cos));
  }

  Series one_plus(const Series& s, double sign) { return add(series(1), scaled(s, sign)); }

  Series of_one(std::string_view name, Series s) {
    constexpr double ln2 = std::numbers::ln2, ln10 = std::numbers::ln10;
    if (name == "sqrt") return power(s, 0.5, "sqrt");
    if (name == "rsqrt") return power(s, -0.5, "rsqrt");
    if (name == "cbrt") return power(s, 1.0 / 3, "cbrt");
    if (name == "fabs") return less(s, {}) ? scaled(s, -1) : s;
    if (name == "sign") return series(less(s, {}) ? -1 : less({}, s) ? 1 : 0);
    if (name == "exp") return exp(s);
    if (name == "exp2") return exp(scaled(s, ln2));
    if (name == "exp10") return exp(scaled(s, ln10));
    if (name == "expm1") return subtract(exp(s), series(1));
    if (name == "log") return log(s);
    if (name == "log2") return scaled(log(s), 1 / ln2);
    if (name == "log10") return scaled(log(s), 1 / ln10);
    if (name == "log1p") return log(one_plus(s, 1));
    if (name == "sin" || name == "cos") return sine(s, name == "cos");
    if (name == "tan") return divide(sine(s, false), sine(s, true));
    if (name == "sinh") return scaled(subtract(exp(s), exp(scaled(s, -1))), 0.5);
    if (name == "cosh") return scaled(add(exp(s), exp(scaled(s, -1))), 0.5);
    if (name == "erfc") return one_plus(of_one("erf", s), -1);
    if (name == "floor" || name == "ceil" || name == "round" || name == "trunc" || name == "rint")
      return whole(name, s);
    if (const auto first = leading(s, above_0); first && first->first < Power{}) return at_infinity(name, s);
    if (name == "tanh") return one_plus(inverse(one_plus(exp(scaled(s, 2)), 1)), -2);
    const Series square = multiply(s, s);
    if (name == "asin") return integrated(name, s, power(one_plus(square, -1), -0.5));
    if (name == "acos") return integrated(name, s, scaled(power(one_plus(square, -1), -0.5), -1));
    if (name == "atan") return integrated(name, s, inverse(one_plus(square, 1)));
    if (name == "asinh") return integrated(name, s, power(one_plus(square, 1), -0.5));
    if (name == "acosh") return integrated(name, s, power(subtract(square, series(1)), -0.5));
    if (name == "atanh") return integrated(name, s, inverse(one_plus(square, -1)));
    if (name == "erf") return integrated(name, s, scaled(exp(scaled(square, -1)), 2 * std::numbers::inv_sqrtpi));
    throw NoLimit{};
  }

  Series at_infinity(std::string_view name, const Series& s) {
    if (at_zero_) throw NoLimit{};
    const double sign = less(s, {}) ? -1 : 1;
    if (name == "tanh" || name == "erf") return add(series(sign), {{}, terms_});
    if (name != "atan") throw NoLimit{};
    return subtract(series(sign * std::numbers::pi / 2), of_one("atan", inverse(s)));
  }

  // f(c) + ∫ f′(s)·s′ dr.
  Series integrated(std::string_view name, Series s, const Series& slope) {
    Series along{{}, s.order == exact ? exact : s.order - one};
    for (const auto& [power, c] : s.terms) {
      along = add(along, scaled(series(c, {power.r - one, power.logarithms}), value_of(power.r)));
      if (power.logarithms != 0)
        along = add(along, scaled(series(c, {power.r - one, power.logarithms - 1}), power.logarithms));
    }
    const Series integrand = multiply(slope, along);
    Series result{{}, integrand.order == exact ? exact : integrand.order + one};
    for (const auto& [power, c] : integrand.terms) {
      const double n = value_of(power.r + one);
      double factor = 1 / n;
      for (int q = power.logarithms; q >= 0; --q) {
        result = add(result, scaled(series(c, {power.r + one, q}), factor));
        factor *= -q / n;
      }
    }
    const Coefficient constant = take_constant(s);
    if (number_in(constant) != 0) return add(result, series(atom(b_.call(name, written(constant)))));
    if (name == "acosh") throw NoLimit{};
    return add(result, series(name == "acos" ? std::numbers::pi / 2 : 0));
  }

  Builder& b_;
  Cases& cases_;
  Exponent terms_;
  bool at_zero_;
};

/// Follows the steps of a law with expansions in the place of numbers.
class Run {
 public:
  Run(Builder& builder, const Program& program, std::span<const Approach> approaches, Cases& cases, Exponent terms,
      bool at_zero)
      : b_(builder),
        program_(program),
        approaches_(approaches),
        cases_(cases),
        expansions_(builder, cases, terms, at_zero),
        at_zero_(at_zero),
        needed_(program),
        values_(program.steps.size()),
        slots_(program.slots.size()),
        moves_(moving(program)),
        is_term_(program.steps.size()),
        zero_strength_(program.steps.size()) {
    for (const Node result : program.results) find_terms(result);
    run(0);
  }

  Expansions& expansions() { return expansions_; }
  /// Throws NoLimit, TooShort or NotANumber.
  const Series& real(Node node) const {
    const Number& value = at(node);
    if (value.state == State::not_a_number) throw NotANumber{};
    if (value.state == State::too_short) throw TooShort{};
    if (value.state == State::no_limit) throw NoLimit{};
    return value.real;
  }

 private:
  enum class State { number, no_limit, too_short, not_a_number };
  /// A whole number that is not known is a node. Conditions are 0 or 1, and always known.
  struct Number {
    State state = State::number;
    Series real = {};
    std::optional<std::int64_t> whole = {};
    Node node = none;
  };
  enum class Then { next, leave, again };

  Then run(int region) {
    for (const Item& item : program_.regions[static_cast<std::size_t>(region)].items)
      if (const Then then = run(item); then != Then::next) return then;
    return Then::next;
  }

  Then run(const Item& item) {
    switch (item.kind) {
      case Item::Kind::value:
        if (needed_.nodes[static_cast<std::size_t>(item.node)] != 0)
          values_[static_cast<std::size_t>(item.node)] = value(item.node);
        return Then::next;
      case Item::Kind::set:
        if (needed_.slots[static_cast<std::size_t>(item.slot)] != 0)
          slots_[static_cast<std::size_t>(item.slot)] = at(item.node);
        return Then::next;
      case Item::Kind::branch:
        if (needed_.nodes[static_cast<std::size_t>(item.node)] == 0) return Then::next;
        if (holds(item.node)) return run(item.region);
        return item.otherwise >= 0 ? run(item.otherwise) : Then::next;
      case Item::Kind::loop:
        for (int round = 0; round < most_rounds; ++round)
          if (run(item.region) == Then::leave) return Then::next;
        throw NoLimit{};
      case Item::Kind::leave:
        return Then::leave;
      case Item::Kind::again:
        return Then::again;
    }
    return Then::next;
  }

  const Number& at(Node node) const { return values_[static_cast<std::size_t>(node)]; }
  bool holds(Node node) const {
    if (at(node).state == State::too_short) throw TooShort{};
    if (!at(node).whole) throw NoLimit{};
    return *at(node).whole != 0;
  }

  Number value(Node node) {
    const Step& step = program_.at(node);
    const bool arithmetic = step.op == Op::add || step.op == Op::subtract || step.op == Op::multiply ||
                            step.op == Op::divide || step.op == Op::negate;
    State state = State::no_limit;
    try {
      cases_.spend(1);
      if (step.op == Op::slot) return slots_[static_cast<std::size_t>(step.index)];
      if (step.op == Op::select) return at(holds(step.from[0]) ? step.from[1] : step.from[2]);
      if (step.type == Type::bool_) return {.whole = condition(node, step) ? 1 : 0};
      if (step.type != Type::real) return whole(node, step);
      Series real = real_of(node, step);
      return {.real = real.order < one && is_zero_term(node) ? Series{} : std::move(real)};
    } catch (const NoLimit&) {
    } catch (const TooShort&) {
      state = State::too_short;
    } catch (const NotANumber&) {
      if (arithmetic) state = State::not_a_number;
    }
    return {.state = is_zero_term(node) ? State::number : state};
  }

  Series real_of(Node node, const Step& step) {
    const auto [a, b, c] = step.from;
    switch (step.op) {
      case Op::constant:
        if (!std::isfinite(step.number)) throw NoLimit{};
        return series(step.number);
      case Op::input:
        return input(node);
      case Op::add:
        return expansions_.add(real(a), real(b));
      case Op::subtract:
        return expansions_.subtract(real(a), real(b));
      case Op::negate:
        return expansions_.scaled(real(a), -1);
      case Op::multiply:
        return expansions_.multiply(real(a), real(b));
      case Op::divide:
        return expansions_.divide(real(a), real(b));
      case Op::convert:
        if (at(a).whole) return series(static_cast<double>(*at(a).whole));
        return series(expansions_.atom(b_.convert(node_of(a), Type::real)));
      default:
        break;
    }
    std::vector<Series> arguments;
    for (const Node from : step.from)
      if (from != none) arguments.push_back(real(from));
    return expansions_.call(step.function->name, std::move(arguments));
  }

  Series input(Node node) {
    const auto found = std::ranges::find(approaches_, node, &Approach::input);
    if (found == approaches_.end()) return series(expansions_.atom(node));
    const Series start = found->start == none ? Series{} : series(expansions_.atom(found->start));
    if (at_zero_ && found->degree > 0) return start;
    const Coefficient factor = found->axis < 0 ? number(1) : Coefficient{{{{direction - found->axis, 1}}, 1}};
    return expansions_.add(start, series(factor, {exponent_of(found->degree), 0}));
  }

  // In terms, 0 times a number without a limit is 0 (see Strengths in law_writer.cpp).
  void find_terms(Node node) {
    const Step& step = program_.at(node);
    if (moves_[static_cast<std::size_t>(node)] == 0 || is_term_[static_cast<std::size_t>(node)]) return;
    is_term_[static_cast<std::size_t>(node)] = true;
    if (step.op == Op::add || step.op == Op::subtract || step.op == Op::negate || step.op == Op::multiply)
      for (const Node from : step.from)
        if (from != none) find_terms(from);
  }
  bool is_zero_term(Node node) { return is_term_[static_cast<std::size_t>(node)] && has_zero_strength(node); }
  bool has_zero_strength(Node node) {
    const Step& step = program_.at(node);
    if (step.op == Op::multiply) return is_zero_strength(step.from[0]) || is_zero_strength(step.from[1]);
    return (step.op == Op::divide || step.op == Op::negate) && is_zero_strength(step.from[0]);
  }
  bool is_zero_strength(Node node) {
    std::optional<bool>& known = zero_strength_[static_cast<std::size_t>(node)];
    if (known) return *known;
    Series s = at(node).real;
    known = moves_[static_cast<std::size_t>(node)] != 0
                ? has_zero_strength(node)
                : at(node).state == State::number && !s.is_zero() && !expansions_.leading(s);
    return *known;
  }

  Node node_of(Node node) {
    const Number& number = at(node);
    if (number.state != State::number) throw NoLimit{};
    return number.whole ? b_.constant(static_cast<double>(*number.whole), program_.at(node).type) : number.node;
  }

  bool condition(Node node, const Step& step) {
    const auto [a, b, c] = step.from;
    const bool reals = a != none && program_.at(a).type == Type::real;
    switch (step.op) {
      case Op::constant:
        return step.number != 0;
      case Op::input:
        return cases_.ask(node);
      case Op::not_:
        return !holds(a);
      case Op::both:
        return holds(a) && holds(b);
      case Op::either:
        return holds(a) || holds(b);
      case Op::less:
        return reals ? expansions_.less(real(a), real(b)) : compare(Op::less, a, b);
      case Op::less_equal:
        return reals ? !expansions_.less(real(b), real(a)) : compare(Op::less_equal, a, b);
      case Op::equal:
        return reals ? expansions_.equal(real(a), real(b)) : compare(Op::equal, a, b);
      case Op::convert:
        if (reals) return !expansions_.equal(real(a), {});
        return at(a).whole ? *at(a).whole != 0 : cases_.ask(b_.convert(node_of(a), Type::bool_));
      default:
        throw NoLimit{};  // isnan() and the like
    }
  }

  bool compare(Op op, Node a, Node b) {
    if (at(a).whole && at(b).whole) {
      const std::int64_t x = *at(a).whole, y = *at(b).whole;
      return op == Op::less ? x < y : op == Op::equal ? x == y : x <= y;
    }
    const Node x = node_of(a), y = node_of(b);
    return cases_.ask(op == Op::less ? b_.less(x, y) : op == Op::equal ? b_.equal(x, y) : b_.less_equal(x, y));
  }

  Number whole(Node node, const Step& step) {
    const Node a = step.from[0], b = step.from[1];
    if (step.op == Op::constant) return {.whole = static_cast<std::int64_t>(step.number)};
    if (step.op == Op::input) return {.node = node};
    if (step.op == Op::convert) {
      if (program_.at(a).type != Type::real)
        return number_or(at(a).whole, step.type, [&] { return b_.convert(node_of(a), step.type); });
      Series s = real(a);
      if (s.is_constant() && !s.terms.empty() && !number_in(s.terms.begin()->second))
        return {.node = b_.convert(expansions_.written(expansions_.take_constant(s)), step.type)};
      s = expansions_.whole("trunc", std::move(s));
      const double value = number_in(expansions_.take_constant(s)).value_or(0);
      // law_int() and law_uint() of particles_law_numbers.clh.
      return {.whole = std::llrint(step.type == Type::int_ ? std::clamp(value, -2147483648.0, 2147483520.0)
                                                           : std::clamp(value, 0.0, 4294967040.0))};
    }
    if (step.op == Op::negate) {
      const auto known = at(a).whole ? std::optional(-*at(a).whole) : std::nullopt;
      return number_or(known, step.type, [&] { return b_.negate(node_of(a)); });
    }
    if (step.op == Op::call) throw NoLimit{};
    std::optional<std::int64_t> known;
    if (at(a).whole && at(b).whole) {
      const std::int64_t x = *at(a).whole, y = *at(b).whole;
      known = step.op == Op::add        ? x + y
              : step.op == Op::subtract ? x - y
              : step.op == Op::multiply
                  ? static_cast<std::int64_t>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y))
              : y == 0                ? 0
              : step.op == Op::divide ? x / y
                                      : x % y;
    }
    return number_or(known, step.type, [&] {
      const Node x = node_of(a), y = node_of(b);
      return step.op == Op::add        ? b_.add(x, y)
             : step.op == Op::subtract ? b_.subtract(x, y)
             : step.op == Op::multiply ? b_.multiply(x, y)
             : step.op == Op::divide   ? b_.divide(x, y)
                                       : b_.remainder(x, y);
    });
  }

  template <class F>
  static Number number_or(std::optional<std::int64_t> known, Type type, F&& node) {
    if (!known) return {.node = node()};
    return {.whole = type == Type::int_ ? std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(*known))}
                                        : std::int64_t{static_cast<std::uint32_t>(*known)}};
  }

  Builder& b_;
  const Program& program_;
  std::span<const Approach> approaches_;
  Cases& cases_;
  Expansions expansions_;
  bool at_zero_;
  Needed needed_;
  std::vector<Number> values_, slots_;
  std::vector<char> moves_;
  std::vector<bool> is_term_;
  std::vector<std::optional<bool>> zero_strength_;
};

/// One path through the cases.
struct Path {
  std::vector<Cases::Case> cases;
  Node limit = none;         ///< NaN for none
  bool is_computed = false;  ///< the steps have this value at r = 0
};

class Limits {
 public:
  Limits(Builder& builder, std::span<const Approach> approaches, PairResults results)
      : b_(builder), approaches_(approaches), results_(results) {
    std::vector<Node> nodes{results.energy};
    if (results.own_slope) nodes.push_back(results.slope);
    energy_ = builder.so_far(nodes);
    both_ = builder.so_far({results.energy, results.slope});
  }

  Node found() {
    std::vector<Path> paths;
    Cases cases(b_);
    do {
      cases.start();
      paths.push_back(path_through(cases));
      if (paths.size() > most_cases || cases.exhausted()) return b_.constant(std::nan(""));
    } while (cases.next());
    if (std::ranges::all_of(paths, &Path::is_computed)) return none;
    return chosen(paths, 0);
  }

 private:
  Path path_through(Cases& cases) {
    std::optional<Limit> limit;
    for (const Exponent terms : {2, 4, 8, 16, 32}) {
      try {
        limit = limit_of(cases, terms * one + one / 7);
      } catch (const TooShort&) {
        continue;
      }
      break;
    }
    const bool computed = is_computed(cases, limit);
    return {cases.path(), limit ? limit->node : b_.constant(std::nan("")), computed};
  }

  struct Limit {
    Coefficient value;
    Node node;
  };

  std::optional<Limit> limit_of(Cases& cases, Exponent terms) {
    try {
      Run run(b_, energy_, approaches_, cases, terms, false);
      const auto energy = constant_of(run, run.real(results_.energy), results_.own_slope ? 0 : one);
      const auto slope = results_.own_slope ? constant_of(run, run.real(results_.slope), 0) : Coefficient{};
      if (!energy || !slope) return std::nullopt;
      return Limit{*energy, run.expansions().written(*energy)};
    } catch (const NoLimit&) {
      return std::nullopt;
    }
  }

  // The constant term; nothing if another term is larger than r^least.
  static std::optional<Coefficient> constant_of(Run& run, const Series& s, Exponent least) {
    Coefficient constant;
    for (const auto& [power, c] : s.terms) {
      const bool allowed = power == Power{} ? !has_direction(c) : !(power < Power{least, 0});
      if (!allowed && !run.expansions().is_zero(c)) return std::nullopt;
      if (allowed && power == Power{}) constant = run.expansions().reduced(c);
    }
    if (s.order < least || s.order <= 0) throw TooShort{};
    return constant;
  }

  bool is_computed(Cases& cases, const std::optional<Limit>& limit) {
    try {
      Run run(b_, both_, approaches_, cases, 8 * one, true);
      try {
        Series slope = run.real(results_.slope);
        const auto first = run.expansions().leading(slope);
        if (first && first->first.r <= -one) return !limit;
        if (first && first->first < Power{}) return false;
      } catch (const NotANumber&) {
        return !limit;
      }
      const auto energy = constant_of(run, run.real(results_.energy), 0);
      if (!energy || !limit) return false;
      Coefficient difference = limit->value;
      for (const auto& [monomial, factor] : *energy) add_to(difference, monomial, -factor);
      return difference.empty();
    } catch (const TooShort&) {
    } catch (const NoLimit&) {
    } catch (const NotANumber&) {
    }
    return false;
  }

  // Paths with the same first cases follow each other.
  Node chosen(std::span<const Path> paths, std::size_t depth) {
    if (paths.front().cases.size() == depth) return paths.front().limit;
    const auto holds = [&](const Path& path) { return path.cases[depth].holds; };
    const auto yes = static_cast<std::size_t>(std::ranges::find_if_not(paths, holds) - paths.begin());
    return b_.select(paths.front().cases[depth].condition, chosen(paths.first(yes), depth + 1),
                     chosen(paths.subspan(yes), depth + 1));
  }

  Builder& b_;
  std::span<const Approach> approaches_;
  PairResults results_;
  Program energy_, both_;
};

}  // namespace

Node limit_at_zero(Builder& builder, std::span<const Approach> approaches, PairResults results) {
  return Limits(builder, approaches, results).found();
}

}  // namespace orrery::particles::language
