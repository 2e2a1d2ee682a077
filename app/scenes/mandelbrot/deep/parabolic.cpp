#include "scenes/mandelbrot/deep/parabolic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/platform/parallel.hpp"
#include "scenes/mandelbrot/deep/reference.hpp"

namespace orrery::mandelbrot {
namespace {

using Number = PassageTable::Number;

constexpr int most_turns = 12;
constexpr std::size_t longest_cycle = 512, least_orbit = 2048;
constexpr std::size_t most_newton_steps = std::size_t{1} << 14;  // of all Newton's iterations, in many bits

Number number_of(const BigComplex& z) { return {z.re.value(), z.im.value()}; }
FloatExpComplex float_exp_of(Number z) { return {z.real(), z.imag()}; }

// ---- the cycle

// f^p and its derivatives by z and by c. The slope is as exact as the orbit: it is compared with a multiplier.
struct Return {
  Number moved;                        // f^p(z) − z
  BigComplex slope;                    // ∂/∂z
  Number by_c, curvature, slope_by_c;  // ∂/∂c, ∂²/∂z², ∂²/∂z∂c
};

class Cycles {
 public:
  explicit Cycles(mpfr_prec_t bits) : bits_(bits) {}

  Return return_of(const BigComplex& z, const BigComplex& c, std::size_t period) {
    BigOrbit orbit(Formula{}, c, z);
    Return r{.moved = 0, .slope = {BigFloat(bits_, 1.0), BigFloat(bits_)}, .by_c = 0, .curvature = 0, .slope_by_c = 0};
    for (std::size_t i = 0; i < period; ++i) {
      const Number at = number_of(orbit.z()), slope = number_of(r.slope);
      r.curvature = 2.0 * (slope * slope + at * r.curvature);
      r.slope_by_c = 2.0 * (slope * r.by_c + at * r.slope_by_c);
      r.by_c = 2.0 * at * r.by_c + 1.0;
      r.slope = doubled_product(orbit.z(), r.slope);
      orbit.step();
    }
    r.moved = number_of({orbit.z().re - z.re, orbit.z().im - z.im});
    steps_ += period;
    return r;
  }
  bool exhausted() const { return steps_ > most_newton_steps; }

 private:
  static BigComplex doubled_product(const BigComplex& a, const BigComplex& b) {
    BigFloat re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re;
    return {re + re, im + im};
  }

  mpfr_prec_t bits_;
  std::size_t steps_ = 0;
};

// The fixed point of f^p nearest to 0, where f^p is nearly quadratic, and its multiplier.
struct Cycle {
  BigComplex z;
  Number multiplier;
};

std::optional<Cycle> cycle_near_zero(Cycles& cycles, const BigComplex& c, std::size_t period) {
  BigComplex z{BigFloat(c.bits()), BigFloat(c.bits())};
  for (int step = 0; step < 16 && !cycles.exhausted(); ++step) {
    const Return r = cycles.return_of(z, c, period);
    const Number multiplier = number_of(r.slope), slope = multiplier - 1.0;
    const Number root = std::sqrt(slope * slope - 2.0 * r.moved * r.curvature);
    const Number larger = std::abs(slope + root) > std::abs(slope - root) ? slope + root : slope - root;
    const Number correction = -2.0 * r.moved / larger;
    if (!std::isfinite(std::abs(correction)) || std::abs(number_of(z)) > 2) return {};
    z = moved(z, float_exp_of(correction));
    if (std::abs(correction) <= 1e-9 * std::abs(number_of(z))) return Cycle{z, multiplier};
  }
  return {};
}

struct Turns {
  int of = 0;  // q
  Number multiplier;
  double distance = 0;  // of the q-th power of the cycle's multiplier from 1
};

Turns turns_near(Number multiplier) {
  Turns best{.of = 0, .multiplier = 0, .distance = 1e300};
  const double turn = std::arg(multiplier) / (2 * std::numbers::pi);
  for (int q = 1; q <= most_turns; ++q) {
    const int r = static_cast<int>(std::lround(turn * q));
    const double distance = std::abs(std::pow(multiplier, q) - 1.0);
    if (std::gcd(std::abs(r), q) == 1 && distance < best.distance)
      best = {q, std::polar(1.0, 2 * std::numbers::pi * r / q), distance};
  }
  return best;
}

BigComplex unit_root(double turn_times_q, int q, mpfr_prec_t bits) {
  BigFloat angle(bits), re(bits), im(bits);
  mpfr_const_pi(angle.raw(), MPFR_RNDN);
  angle = angle * BigFloat(bits, 2 * turn_times_q) / BigFloat(bits, q);
  mpfr_sin_cos(im.raw(), re.raw(), angle.raw(), MPFR_RNDN);
  return {re, im};
}

// Newton's method for f^p(z) = z with that multiplier, in z and c.
std::optional<ParabolicPoint> converged(Cycles& cycles, const Cycle& start, const BigComplex& center, Turns turns,
                                        std::size_t period, double within) {
  const double r = std::round(std::arg(turns.multiplier) / (2 * std::numbers::pi) * turns.of);
  const BigComplex wanted = unit_root(r, turns.of, center.bits());
  ParabolicPoint point{period, turns.of, center, start.z};
  for (int step = 0; step < 24 && !cycles.exhausted(); ++step) {
    const Return f = cycles.return_of(point.z, point.c, period);
    const Number off = number_of({f.slope.re - wanted.re, f.slope.im - wanted.im});
    const Number slope = number_of(f.slope) - 1.0;
    const Number determinant = slope * f.slope_by_c - f.by_c * f.curvature;
    const Number dz = (f.by_c * off - f.slope_by_c * f.moved) / determinant;
    const Number dc = (f.curvature * f.moved - slope * off) / determinant;
    if (!std::isfinite(std::abs(dz) + std::abs(dc))) return {};
    point.z = moved(point.z, float_exp_of(dz));
    point.c = moved(point.c, float_exp_of(dc));
    if (std::abs(dc) <= within && std::abs(dz) <= 1e-17 * std::abs(number_of(point.z))) return point;
  }
  return {};
}

// ---- the map beside the cycle

// a, and b or κ.
struct Leading {
  Number bend, by_c;
};

Leading leading_of(const ParabolicPoint& point) {
  const auto count = static_cast<std::size_t>(point.turns) + 2;
  std::vector<Number> value(count), by_c(count);  // coefficients of the powers of y, of ε⁰ and of ε
  value[1] = 1;
  const std::vector<Number> cycle = cycle_of(point);
  for (std::size_t i = 0; i < point.iterations(); ++i) {
    const Number twice = 2.0 * cycle[i % cycle.size()];
    std::vector<Number> next(count), next_by_c(count);
    for (std::size_t m = 0; m < count; ++m) {
      next[m] = twice * value[m];
      next_by_c[m] = twice * by_c[m];
      for (std::size_t k = 0; k <= m; ++k) {
        next[m] += value[k] * value[m - k];
        next_by_c[m] += 2.0 * value[k] * by_c[m - k];
      }
    }
    next_by_c[0] += 1.0;
    value = std::move(next);
    by_c = std::move(next_by_c);
  }
  return {value.back(), by_c[point.turns == 1 ? 0 : 1]};
}

// Λ_0 and W for which the terms beyond the table's are below a double's digits.
struct Scales {
  double radius, reach;
};

constexpr int passage_terms(int turns) { return 36 + 16 * (turns - 1); }
static_assert(passage_terms(most_turns) == 212, "MOST_TERMS of mandelbrot_parabolic.clh");
constexpr int side_by_side = 4;  // SIDE_BY_SIDE, which the number of terms is a multiple of
static_assert(passage_terms(1) % side_by_side == 0 && passage_terms(2) % side_by_side == 0);
constexpr int order_count = 13;
double delta_of(int turns) { return turns == 1 ? 4 : 2; }

Scales scales_of(const Leading& leading, int turns) {
  const double q = turns, bend = std::exp2(-60 * q / passage_terms(turns)) / q;
  const double radius = std::pow(bend / std::abs(leading.bend), 1 / q);
  return {radius, turns == 1 ? 0.0625 * radius / std::abs(leading.by_c) : 0.5 / (q + 2) / std::abs(leading.by_c)};
}

}  // namespace

// ---- the point of a picture

namespace {

constexpr double finest_pixel = 0x1p-30;     // of the distance from the point
constexpr double smallest_span_log2 = -330;  // log₂ of the span: derivatives are doubles
constexpr double nearly_parabolic = 0.05;
// The longest step has at least this many iterations; passages take dozens of steps. Beside a point, or around it,
// orbits make one passage; where a view is small for its distance from the point, they make many, each longer than the
// steps of a shorter table.
constexpr double least_step = 0x1p6, long_step = 0x1p10;
constexpr double spans_aside = 16;

// The iterations of a step of the highest level beside a picture's pixels.
double longest_step(const ParabolicPoint& point, double distance) {
  const Scales scales = scales_of(leading_of(point), point.turns);
  const double level = std::floor(std::log2(scales.reach / distance) / std::log2(delta_of(point.turns)));
  return level < 1 ? 0 : static_cast<double>(point.iterations()) * std::exp2(level);
}

// The indices at which |z| reaches a new minimum: the periods of the components around c are among them.
std::vector<std::size_t> periods_around(const BigComplex& c) {
  std::vector<std::size_t> periods;
  BigOrbit orbit(Formula{}, c);
  double least = 1e300;
  for (std::size_t n = 1; n <= least_orbit; ++n) {
    orbit.step();
    const double size = std::abs(number_of(orbit.z()));
    if (size > 2) return {};
    if (size >= least || n > longest_cycle) continue;
    least = size;
    periods.push_back(n);
  }
  return periods;
}

// Multiples of a cycle's period find the same cycle again.
bool alike(const BigComplex& a, const BigComplex& b) {
  return difference(a, b).abs().value() <= 1e-6 * std::abs(number_of(a));
}

}  // namespace

std::vector<Number> cycle_of(const ParabolicPoint& point) {
  BigOrbit orbit(Formula{}, point.c, point.z);
  std::vector<Number> cycle;
  for (std::size_t i = 0; i < point.period; ++i, orbit.step()) cycle.push_back(number_of(orbit.z()));
  return cycle;
}

std::optional<ParabolicPoint> parabolic_near(const View& view, Size size, PassagesWorth worth) {
  if (!view.formula.quadratic()) return std::nullopt;
  if (view.span.log() / std::numbers::ln2 < smallest_span_log2 || view.span.value() > 1) return {};
  const BigComplex center = center_of(view, bits_for(view, size));
  const double spacing = deep_spacing(view, size).value();
  Cycles cycles(center.bits());
  std::optional<ParabolicPoint> best;
  std::vector<BigComplex> cycles_seen;
  double longest = 0;
  for (const std::size_t period : periods_around(center)) {
    const auto cycle = cycle_near_zero(cycles, center, period);
    if (!cycle || std::ranges::any_of(cycles_seen, [&](const BigComplex& z) { return alike(z, cycle->z); })) continue;
    cycles_seen.push_back(cycle->z);
    const Turns turns = turns_near(cycle->multiplier);
    if (turns.distance > nearly_parabolic) continue;
    const auto point = converged(cycles, *cycle, center, turns, period, spacing * 0x1p-60);
    if (!point) continue;
    const double distance = std::max(difference(center, point->c).abs().value(), spacing);
    const double step = longest_step(*point, distance);
    const bool aside = distance > spans_aside * view.span.value();
    const double least = worth == PassagesWorth::table || aside ? least_step : long_step;
    if (step <= std::max(longest, least) || spacing < finest_pixel * distance) continue;
    longest = step;
    best = point;
  }
  return best;
}

// ---- the table

struct PassageTable::Shape {
  Leading leading;
  Scales scales;
};

namespace {

// A series in w.
using SeriesInW = std::array<Number, order_count>;

SeriesInW series_product(const SeriesInW& a, const SeriesInW& b) {
  SeriesInW to{};
  for (std::size_t n = 0; n < a.size(); ++n)
    for (std::size_t k = 0; k <= n; ++k) to[n] += a[k] * b[n - k];
  return to;
}

SeriesInW& operator+=(SeriesInW& a, const SeriesInW& b) {
  for (std::size_t n = 0; n < a.size(); ++n) a[n] += b[n];
  return a;
}

SeriesInW times(const SeriesInW& a, Number factor) {
  SeriesInW to = a;
  for (Number& each : to) each *= factor;
  return to;
}

// One level by powers of x.
using Level = std::vector<SeriesInW>;

// Values on the circle |x| = 1 to coefficients.
template <class Value>
Level level_through(std::size_t terms, const Value& value_at) {
  const std::size_t points = terms + terms / 2;
  std::vector<Number> roots(points);
  for (std::size_t k = 0; k < points; ++k)
    roots[k] = std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(points));
  Level values(points), level(terms, SeriesInW{});
  in_parallel(points, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) values[k] = value_at(roots[k]);
  });
  in_parallel(terms, [&](std::size_t begin, std::size_t end) {
    for (std::size_t m = begin; m < end; ++m) {
      for (std::size_t k = 0; k < points; ++k) level[m] += times(values[k], std::conj(roots[k * m % points]));
      level[m] = times(level[m], 1.0 / static_cast<double>(points));
    }
  });
  return level;
}

Level first_level(const ParabolicPoint& point, const Scales& scales, std::size_t terms) {
  const std::vector<Number> cycle = cycle_of(point);
  return level_through(terms, [&](Number x) {
    SeriesInW y{};
    y[0] = x * scales.radius;
    for (std::size_t i = 0; i < point.iterations(); ++i) {
      SeriesInW next = series_product(y, y);
      next += times(y, 2.0 * cycle[i % cycle.size()]);
      next[1] += scales.reach;
      y = next;
    }
    return times(y, 1 / scales.radius);
  });
}

Level next_level(const Level& level, double mu, double delta) {
  Level shrunk = level;  // of w/δ
  for (SeriesInW& row : shrunk)
    for (std::size_t n = 0; n < row.size(); ++n) row[n] *= std::pow(delta, -static_cast<double>(n));
  return level_through(level.size(), [&](Number x) {
    SeriesInW inner{}, value{};
    for (std::size_t m = shrunk.size(); m-- > 0;) (inner = times(inner, mu * x)) += shrunk[m];
    for (std::size_t m = shrunk.size(); m-- > 0;) (value = series_product(value, inner)) += shrunk[m];
    return times(value, 1 / mu);
  });
}

// Sets the coefficients that are known: an error of these would grow from level to level, or stay.
void keep_tangency(Level& level, int turns, Number bend, Number by_w) {
  const auto q = static_cast<std::size_t>(turns);
  for (std::size_t m = 0; m <= q; ++m) level[m][0] = m == 1 ? 1 : 0;
  level[q + 1][0] = bend;
  level[0][1] = 0;
  level[q == 1 ? 0 : 1][1] = by_w;
}

double size_of(const SeriesInW& row) {
  double sum = 0;
  for (const Number& each : row) sum += std::abs(each);
  return sum;
}

std::uint32_t bits_within(const std::vector<Level>& levels) {
  double bits = 56;
  for (const Level& level : levels) {
    for (std::size_t n = 1; n < order_count; ++n) {
      double sum = 0;
      for (const SeriesInW& row : level) sum += std::abs(row[n]);
      if (sum > 0) bits = std::min(bits, -std::log2(sum) / static_cast<double>(n));
    }
  }
  return static_cast<std::uint32_t>(std::max(0.0, bits));
}

constexpr double negligible = 0x1p-56;

}  // namespace

bool PassageTable::make(const ParabolicPoint& point, const Shape& shape) {
  const auto terms = static_cast<std::size_t>(passage_terms(point.turns));
  const double q = point.turns;
  radius_ = shape.scales.radius;
  reach_ = shape.scales.reach;
  mu_ = std::exp2(-1 / q);
  delta_ = delta_of(point.turns);
  const Number bend = shape.leading.bend * std::pow(radius_, q);
  const Number by_w = shape.leading.by_c * reach_ / (point.turns == 1 ? radius_ : 1.0);
  levels_ = 31 - static_cast<int>(std::log2(static_cast<double>(point.iterations())));
  std::vector<Level> levels;
  for (int j = 0; j < levels_; ++j) {
    levels.push_back(j == 0 ? first_level(point, shape.scales, terms) : next_level(levels.back(), mu_, delta_));
    keep_tangency(levels.back(), point.turns, bend, by_w);
    double rest = 0;
    for (std::size_t m = terms - 4; m < terms; ++m) rest += size_of(levels.back()[m]);
    if (!(rest < 0x1p-46)) return false;
  }
  terms_.clear();
  most_terms_ = 1;
  bits_of_order_ = bits_within(levels);
  for (std::size_t n = 0; n < order_count; ++n) {
    std::size_t count = terms;
    for (double rest = 0; count > 1; --count) {
      double largest = 0;
      for (const Level& level : levels) largest = std::max(largest, std::abs(level[count - 1][n]));
      rest += largest;
      if (rest > negligible) break;
    }
    terms_.push_back(static_cast<int>(count));
    most_terms_ = std::max(most_terms_, terms_.back());
  }
  most_terms_ = (most_terms_ + side_by_side - 1) / side_by_side * side_by_side;
  coefficients_.clear();
  for (const Level& level : levels)
    for (std::size_t n = 0; n < order_count; ++n)
      for (std::size_t m = 0; m < static_cast<std::size_t>(most_terms_); ++m) coefficients_.push_back(level[m][n]);
  return true;
}

PassageTable::PassageTable(const ParabolicPoint& point) : PassageTable(point, {leading_of(point), {}}) {}

PassageTable::PassageTable(const ParabolicPoint& point, Shape shape)
    : multipliers_(point, shape.leading.bend, shape.leading.by_c) {
  shape.scales = scales_of(shape.leading, point.turns);
  for (int attempt = 0; attempt < 24; ++attempt) {
    if (make(point, shape)) return;
    shape.scales.radius *= 0.9;
    shape.scales.reach *= point.turns == 1 ? 0.81 : std::pow(0.9, point.turns);
  }
  levels_ = 0;
}

PassageTable::Number PassageTable::step(int level, Number x, Number w) const {
  Number sum = 0;
  for (int n = orders() - 1; n >= 0; --n) {
    const Number* row = &coefficients_[static_cast<std::size_t>((level * orders() + n) * most_terms_)];
    Number value = 0;
    for (int m = terms(n) - 1; m >= 0; --m) value = value * x + row[m];
    sum = sum * w + value;
  }
  return sum;
}

}  // namespace orrery::mandelbrot
