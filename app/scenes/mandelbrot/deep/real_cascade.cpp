#include "scenes/mandelbrot/deep/real_cascade.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>

#include "base/text.hpp"
#include "scenes/mandelbrot/deep/nucleus.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr int cascade_bits = 160;               // for more digits of c than δ shows
constexpr std::size_t most_searched = 1 << 16;  // iterations in many bits for the lowest period …
constexpr std::size_t most_doubled = 1 << 15;   // … and for the longest cycle that Newton's method finds
constexpr std::size_t longest_open_orbit = 1 << 14;
constexpr int most_roots_tried = 24, most_newton = 24;
constexpr double beyond = 1.5;        // half-widths around the centre in which points are searched
constexpr double extent = 4;          // spans from the centre within which points are listed
constexpr int told_beyond = 3;        // doublings deeper than the view shows
constexpr int ladder_begins = 3;      // levels above c∞
constexpr double attractor_span = 4;  // of a view that shows the whole attractor, within ±2^(1/(d − 1))

// ln |α| / ln δ: the exponent by which x shrinks with c beside a Feigenbaum point.
double scale_exponent(Formula formula) {
  const Universal numbers = universal_of(formula).value_or(Universal{.delta = 2, .alpha = -1});
  return std::log(-numbers.alpha) / std::log(numbers.delta);
}

double log2_of(const BigFloat& number) { return float_exp(number).log2(); }

// ---- orbits of 0 in many bits

struct OrbitOfZero {
  BigFloat z, slope;  // z_n, and ∂z_n/∂c
};

// ∂z^d/∂z, in 64 bits.
BigFloat slope_at(Formula formula, const BigFloat& z) {
  return BigFloat(64, static_cast<double>(formula.power)) * formula.lower(in_bits(z, 64));
}

// Iterates 0 → c → … for `steps` steps.
OrbitOfZero iterated(Formula formula, const BigFloat& c, std::size_t steps, bool with_slope) {
  OrbitOfZero orbit{BigFloat(c.bits()), BigFloat(64)};
  const BigFloat one(64, 1.0);
  for (std::size_t n = 0; n < steps; ++n) {
    if (with_slope) orbit.slope = in_bits(slope_at(formula, orbit.z) * orbit.slope + one, 64);
    orbit.z = formula.next(orbit.z, c);
  }
  return orbit;
}

// Newton's method. Nothing where it leads farther than `trust` from the start.
std::optional<BigFloat> superstable_near(Formula formula, const BigFloat& start, std::size_t period,
                                         const BigFloat& trust, const Watch& watch) {
  BigFloat c = start;
  const double enough = log2_of(trust) - static_cast<double>(c.bits());
  for (int step = 0; step < most_newton && !watch.cancelled(); ++step) {
    const OrbitOfZero orbit = iterated(formula, c, period, true);
    if (mpfr_zero_p(orbit.slope.raw()) != 0 || mpfr_number_p(orbit.slope.raw()) == 0) return std::nullopt;
    const BigFloat change = orbit.z / in_bits(orbit.slope, c.bits());
    c = c - change;
    BigFloat away = c - start;
    mpfr_abs(away.raw(), away.raw(), MPFR_RNDN);
    if (!(away < trust)) return std::nullopt;
    // Each step doubles the digits, up to those of the slope.
    if (mpfr_zero_p(change.raw()) != 0 || log2_of(change) < std::max(enough, -static_cast<double>(c.bits()) + 24))
      return c;
  }
  return std::nullopt;
}

// An orbit at the view's centre, as a difference from the orbit in many bits.
class Walk {
 public:
  Walk(Formula formula, const RealOrbit& orbit, double x) : formula_(formula), orbit_(orbit), d_(x) {}
  double step() {
    d_ = d_ * formula_.steepness(orbit_.high[m_], orbit_.high[m_] + d_) + orbit_.away.high;
    const double x = orbit_.high[++m_] + d_;
    if (m_ + 1 == orbit_.high.size() || std::abs(x) < std::abs(d_)) {
      d_ = x;
      m_ = 0;
    }
    return x;
  }

 private:
  Formula formula_;
  const RealOrbit& orbit_;
  double d_;
  std::size_t m_ = 0;
};

// ---- superstable points

struct Point {
  int doublings;
  BigFloat c;
  BigFloat nearest;  // to 0, among the other points of the cycle
};

// The points of the main cascade, from the ladder: c is superstable where g(g(0)) = 0 on level j − 1. Each is found
// once.
class LadderPoints {
 public:
  static Point at(int doublings) {
    static std::mutex mutex;
    static std::map<int, Point> known;
    static const LadderPoints points;
    const std::scoped_lock lock(mutex);
    const auto found = known.find(doublings);
    return found != known.end() ? found->second : known.emplace(doublings, points.found(doublings)).first->second;
  }

 private:
  Point found(int doublings) const {
    if (doublings == 0) return {0, BigFloat(bits), BigFloat(bits)};
    const int level = doublings - 1;
    const double guess = level == 0 ? 0.4011551890920506 : 0.43;
    BigFloat a(bits, guess), b(bits, guess * (1 + 1e-6));
    BigFloat at_a = twice(level, a);
    for (int step = 0; step < most_newton; ++step) {
      const BigFloat at_b = twice(level, b), rise = at_b - at_a;
      if (mpfr_zero_p(rise.raw()) != 0) break;
      const BigFloat change = at_b * (b - a) / rise;
      a = b;
      at_a = at_b;
      b = b - change;
      if (mpfr_zero_p(change.raw()) != 0 || log2_of(change) < -static_cast<double>(bits)) break;
    }
    return {doublings, scales_.point + b * power(scales_.delta, -level),
            table_.map_at(level, b)[0] * scales_.lambda * power(scales_.mu, level)};
  }

  // g(g(0)), where g(0) is the first term.
  BigFloat twice(int level, const BigFloat& w) const {
    const std::vector<BigFloat> map = table_.map_at(level, w);
    return polynomial(map, map[0] * map[0]);
  }

  static constexpr mpfr_prec_t bits = 640;  // c∞ has 530
  const LadderTable& table_ = ladder_table_of_pairs();
  LadderScales scales_ = ladder_scales(LadderPoint::feigenbaum, bits);
};

// An estimate has the digits that its relative change from the one before allows.
std::string digits_of(const BigFloat& number, double log2_change) {
  constexpr int most = 26;
  const double digits = std::isfinite(log2_change) ? -log2_change * std::log10(2.0) : most;
  const int places = std::clamp(static_cast<int>(std::ceil(digits)), 2, most);
  return decimal_of(number, places).text();
}

// Each point gives δ and α with its neighbours; the last points have none.
void tell_ratios(const std::vector<Point>& points, std::vector<Superstable>& told) {
  std::optional<BigFloat> delta_before, alpha_before;
  const auto text = [](const BigFloat& now, std::optional<BigFloat>& before) {
    std::string text = before ? digits_of(now, log2_of((now - *before) / now)) : decimal_of(now, 2).text();
    before = now;
    return text;
  };
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    if (k > 0) {
      const BigFloat next = points[k].c - points[k + 1].c;
      told[k].delta = text((points[k - 1].c - points[k].c) / next, delta_before);
    }
    if (points[k].doublings > 0) told[k].alpha = text(points[k].nearest / points[k + 1].nearest, alpha_before);
  }
}

std::vector<Superstable> told_of(const View& view, std::size_t base, const std::vector<Point>& points) {
  std::vector<Superstable> told;
  const double digits = 20 - view.span.log() / std::numbers::ln10;
  for (const Point& point : points) {
    Superstable one{
        .base = base, .doublings = point.doublings, .c = decimal_of(point.c, digits), .delta = {}, .alpha = {}};
    one.at = placement(view, {one.c, view.im, view.span}).x;
    told.push_back(std::move(one));
  }
  tell_ratios(points, told);
  std::erase_if(told, [](const Superstable& one) { return std::abs(one.at) > extent; });
  return told;
}

// ---- a view

class Finder {
 public:
  Finder(const View& view, std::uint32_t columns, Depth depth, const Watch& watch)
      : view_(view),
        depth_(depth),
        bits_(bits_for(view, {columns, 1}) + cascade_bits),
        center_(bits_, view.re.text()),
        half_(bits_, view.span.text()),
        columns_(columns),
        watch_(watch) {
    half_ = half_ * BigFloat(bits_, 0.5);
  }

  std::optional<RealCascade> found() {
    RealCascade cascade{.view = view_, .points = {}, .orbit = {}};
    const auto place = cascade_place(view_, columns_, 0);
    if (place && place->top >= ladder_begins) {
      if (depth_ == Depth::points) tell_main_cascade(cascade);
      cascade.nearest = nearest_on_ladder(*place);
      if (watch_.cancelled()) return std::nullopt;
      return cascade;
    }
    std::optional<BigFloat> nucleus;
    const std::size_t period = cascade.period = search(nucleus);
    if (watch_.cancelled()) return std::nullopt;
    set_orbit(cascade, nucleus.value_or(center_), nucleus ? period : longest_open_orbit, nucleus.has_value());
    cascade.nearest = nearest_of(cascade.orbit, period);
    if (!nucleus) return cascade;
    const bool main = is_of_main_cascade(*nucleus, period);
    if (!main) set_scales(cascade, *nucleus, period);
    if (depth_ == Depth::scales) return cascade;
    if (main)
      tell_main_cascade(cascade);
    else
      tell_cascade(cascade, *nucleus, period);
    if (watch_.cancelled()) return std::nullopt;
    return cascade;
  }

 private:
  // The lowest period of a superstable point near the view; 0: there is none. A disc of c, carried along the orbit,
  // contains one only where its image contains 0.
  std::size_t search(std::optional<BigFloat>& nucleus) const {
    BigFloat z(bits_), slope(64);
    const BigFloat one(64, 1.0), trust = half_ * BigFloat(bits_, beyond);
    int candidates = 0;
    for (std::size_t n = 1; n <= most_searched && !watch_.cancelled(); ++n) {
      slope = in_bits(slope_at(formula(), z) * slope + one, 64);
      z = formula().next(z, center_);
      if (std::abs(z.value()) > 4) return 0;
      if (log2_of(z) > log2_of(slope) + log2_of(trust)) continue;
      nucleus = superstable_near(formula(), center_, n, trust, watch_);
      if (nucleus) return n;
      if (++candidates == most_roots_tried) return 0;
    }
    return 0;
  }

  Formula formula() const { return view_.formula; }

  // Whether the ladder gives the points.
  bool is_of_main_cascade(const BigFloat& nucleus, std::size_t period) const {
    return formula().quadratic() && std::has_single_bit(period) && feigenbaum_point(nucleus.bits()) < nucleus;
  }

  void tell_main_cascade(RealCascade& cascade) const {
    std::vector<Point> points;
    const double width = view_.span.log();
    const int deepest = std::clamp(
        static_cast<int>(std::ceil((0.7 - width) / std::log(universal_of(Formula{})->delta))) + told_beyond + 6, 8,
        240);
    const int first = std::max(0, deepest - 24);
    for (int k = first; k <= deepest && !watch_.cancelled(); ++k) points.push_back(LadderPoints::at(k));
    cascade.points = told_of(view_, 1, points);
    trim(cascade);
  }

  // Keeps only a few points beyond those that columns distinguish.
  void trim(RealCascade& cascade) const {
    const double least = 2.0 / columns_;
    std::size_t kept = 0, crowded = 0;
    for (std::size_t k = 0; k < cascade.points.size(); ++k) {
      const bool close = k > 0 && std::abs(cascade.points[k].at - cascade.points[k - 1].at) < least;
      crowded += close ? 1 : 0;
      if (crowded > static_cast<std::size_t>(told_beyond)) break;
      kept = k + 1;
    }
    cascade.points.resize(kept);
  }

  void tell_cascade(RealCascade& cascade, const BigFloat& nucleus, std::size_t base) const {
    if (!universal_of(formula())) return;
    std::vector<Point> points{{0, nucleus, BigFloat(bits_)}};
    BigFloat step = first_step(nucleus, base);
    const double apart = log2_of(half_) + 2 - std::log2(columns_);  // log₂ of the distance that columns distinguish
    int crowded = 0;
    for (std::size_t period = 2 * base; period <= most_doubled && !watch_.cancelled(); period *= 2) {
      if (log2_of(step) < apart && ++crowded > told_beyond + 2) break;
      BigFloat trust = step * BigFloat(bits_, 0.8);
      mpfr_abs(trust.raw(), trust.raw(), MPFR_RNDN);
      if (mpfr_zero_p(trust.raw()) != 0) break;
      const auto c = superstable_near(formula(), points.back().c + step, period, trust, watch_);
      if (!c) break;
      const BigFloat nearest = iterated(formula(), *c, period / 2, false).z;
      points.push_back({static_cast<int>(points.size()), *c, nearest});
      step = points.size() == 2 ? first_step(*c, period) : step_after(points);
    }
    cascade.points = told_of(view_, base, points);
    trim(cascade);
  }

  // The next step, which continues the ratio of the last two.
  static BigFloat step_after(const std::vector<Point>& points) {
    const BigFloat &c = points.back().c, &before = points[points.size() - 2].c, &first = points[points.size() - 3].c;
    return (c - before) * (c - before) / (before - first);
  }

  // The distance from a superstable point to its doubling: no other c between them has a cycle of either period that
  // contains 0, so that z after twice the period changes its sign there for the first time. A copy has it at the same
  // relative distance as the whole set.
  BigFloat first_step(const BigFloat& nucleus, std::size_t period) const {
    constexpr int parts = 48;
    const BigFloat part = BigFloat(bits_, -1.0 / parts) / in_bits(unit_of(nucleus, period), bits_);
    BigFloat step = part, before(bits_);
    for (int k = 1; k <= 2 * parts && !watch_.cancelled(); ++k, step += part) {
      const BigFloat z = iterated(formula(), nucleus + step, 2 * period, false).z;
      if (k > 1 && mpfr_sgn(z.raw()) != mpfr_sgn(before.raw())) return step - part * (z / (z - before));
      before = z;
    }
    return BigFloat(bits_);
  }

  // (∂z_P/∂z_1)^(1/(d − 1))·(∂z_P/∂c) at the nucleus.
  BigFloat unit_of(const BigFloat& nucleus, std::size_t period) const {
    const OrbitOfZero orbit = iterated(formula(), nucleus, period, true);
    return scale_of(nucleus, period) * orbit.slope;
  }
  // (∂z_P/∂z_1)^(1/(d − 1)); of its magnitude for odd d.
  BigFloat scale_of(const BigFloat& nucleus, std::size_t period) const {
    BigFloat z = nucleus, scale(64, 1.0);
    for (std::size_t n = 1; n < period; ++n) {
      scale = in_bits(scale * slope_at(formula(), z), 64);
      z = formula().next(z, nucleus);
    }
    if (!formula().even()) mpfr_abs(scale.raw(), scale.raw(), MPFR_RNDN);
    if (!formula().quadratic())
      mpfr_rootn_ui(scale.raw(), scale.raw(), static_cast<unsigned long>(formula().power - 1), MPFR_RNDN);
    return scale;
  }
  void set_scales(RealCascade& cascade, const BigFloat& nucleus, std::size_t period) const {
    cascade.log2_x = log2_of(scale_of(nucleus, period));
    cascade.log2_c = log2_of(unit_of(nucleus, period));
  }

  void set_orbit(RealCascade& cascade, const BigFloat& c, std::size_t length, bool periodic) const {
    cascade.orbit.away = pair_of(center_ - c);
    BigFloat z(bits_);
    for (std::size_t n = 1; n <= length; ++n) {
      z = formula().next(z, c);
      const Pair pair = periodic && n == length ? Pair{} : pair_of(z);
      cascade.orbit.high.push_back(pair.high);
      cascade.orbit.low.push_back(pair.low);
      if (std::abs(pair.high) > 4) return;
    }
  }

  // The orbit of 0 at the centre reaches the attractor there after some iterations.
  double nearest_of(const RealOrbit& orbit, std::size_t period) const {
    const std::size_t settled = std::clamp<std::size_t>(1000 * period, 1'000'000, 3'000'000),
                      all = settled + std::clamp<std::size_t>(64 * period, 1000, 1'000'000);
    double nearest = 4, growth = 0;
    Walk walk(formula(), orbit, 0);
    for (std::size_t n = 0; n < all && !watch_.cancelled(); ++n) {
      const double x = walk.step();
      if (!(std::abs(x) < 4)) return 0;
      if (n >= settled) {
        if (std::abs(x) < std::abs(nearest)) nearest = x;
        growth += std::log2(std::abs(formula().slope(x)) + 1e-300);
      }
    }
    if (!(nearest < 4) || growth >= 0) return 0;  // chaos comes arbitrarily near
    return on_cycle(orbit, nearest, std::max<std::size_t>(1, period)).value_or(nearest);
  }

  // Beside a doubling the orbit settles slowly, so that Newton's method is used. Nothing where no cycle of that period
  // attracts.
  std::optional<double> on_cycle(const RealOrbit& orbit, double x, std::size_t period) const {
    for (int step = 0; step < most_newton; ++step) {
      Walk walk(formula(), orbit, x);
      double there = x, slope = 1;
      for (std::size_t n = 0; n < period; ++n) {
        slope *= formula().slope(there);
        there = walk.step();
      }
      const double change = (there - x) / (slope - 1);
      x -= change;
      if (!(std::abs(change) < 1)) return std::nullopt;
      if (std::abs(change) <= 1e-15 * std::abs(x)) return std::abs(slope) <= 1 + 1e-9 ? std::optional(x) : std::nullopt;
    }
    return std::nullopt;
  }

  double nearest_on_ladder(const LadderPlace& place) const {
    const LadderTable& table = ladder_table_of_doubles();
    std::vector<double> terms;
    for (const BigFloat& term : table.map_at(place.top, BigFloat(64, place.center_re.high)))
      terms.push_back(term.value());
    double x = 0, nearest = 4;
    for (int n = 0; n < 4000; ++n) {
      double value = 0;
      for (std::size_t term = terms.size(); term-- > 0;) value = value * x * x + terms[term];
      x = value;
      if (!(std::abs(x) < 1.35)) return 0;
      if (n >= 3000 && std::abs(x) < std::abs(nearest)) nearest = x;
    }
    const LadderScales scales = ladder_scales(LadderPoint::feigenbaum, 64);
    return nearest * (scales.lambda * power(scales.mu, place.top)).value();
  }

  View view_;
  Depth depth_;
  mpfr_prec_t bits_;
  BigFloat center_, half_;
  std::uint32_t columns_;
  const Watch& watch_;
};

}  // namespace

std::string Superstable::period() const {
  constexpr int written_out = 20;
  constexpr std::array<const char*, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  if (doublings < written_out) return std::to_string(base << static_cast<unsigned>(doublings));
  std::string text = base == 1 ? "2" : std::to_string(base) + "·2";
  for (const char digit : std::to_string(doublings)) text += raised[static_cast<std::size_t>(digit - '0')];
  return text;
}

View on_axis(const View& view) { return {.re = view.re, .im = Decimal(), .span = view.span, .formula = view.formula}; }

// Sources: K. Briggs, Math. Comp. 57 (1991) 435; J. Stephenson, Y. Wang, Appl. Math. Lett. 4 (1991) 53.
std::optional<Universal> universal_of(Formula formula) {
  switch (formula.power) {
    case 2:
      return Universal{4.66920160910299, -2.50290787509589,
                       "δ = 4.669201609102990671853203820 and α = −2.502907875095892822283902873"};
    case 4:
      return Universal{7.284686217, -1.690302971, "δ = 7.284686217 and α = −1.690302971"};
    case 6:
      return Universal{9.29624683, -1.467742450, "δ = 9.29624683 and α = −1.46774245"};
    case 8:
      return Universal{10.9486243, -1.35801728, "δ = 10.9486243 and α = −1.35801728"};
    default:
      return std::nullopt;
  }
}

std::optional<LadderPlace> cascade_place(const View& view, std::uint32_t columns, double finest) {
  const auto place = ladder_place(on_axis(view), {columns, 1});
  if (!place || place->point != LadderPoint::feigenbaum || place->top < ladder_begins) return std::nullopt;
  return place->spacing.high >= finest ? place : std::nullopt;
}

std::optional<RealCascade> find_cascade(const View& view, std::uint32_t columns, Depth depth, const Watch& watch) {
  return Finder(on_axis(view), columns, depth, watch).found();
}

double half_height_of(const RealCascade& cascade, const Decimal& span) {
  const Formula formula = cascade.view.formula;
  const double copy = (scale_exponent(formula) * cascade.log2_c - cascade.log2_x) * std::numbers::ln2;
  return std::min(2.1, whole_half_height_of(formula, span) * std::exp(copy));
}

double whole_half_height_of(Formula formula, const Decimal& span) {
  const double reach = std::exp2(1 / static_cast<double>(formula.power - 1));
  return reach * std::exp(scale_exponent(formula) * (span.log() - std::log(attractor_span)));
}

View doubling_view(const View& view, double at, const Superstable& point, bool deeper) {
  const double delta = universal_of(view.formula).value_or(Universal{.delta = 2}).delta;
  const Decimal span = (view.span * (deeper ? 1 / delta : delta)).significant(17);
  return placed({point.c, Decimal(), span, view.turn, view.formula}, {-at, 0, 1});
}

}  // namespace orrery::mandelbrot
