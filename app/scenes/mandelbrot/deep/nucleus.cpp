#include "scenes/mandelbrot/deep/nucleus.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace orrery::mandelbrot {
namespace {

constexpr int most_candidates = 2;  // per disc
// Steps of Newton's method; after the free ones each must come nearer fast.
constexpr int free_steps = 4, most_steps = 40;
const FloatExp rounding(1 + 0x1p-40);

// A disc of this radius contains every nucleus.
bool covers_all(FloatExp radius) { return FloatExp(2) < radius; }

}  // namespace

PeriodSearch::PeriodSearch(Formula formula, FloatExp radius) : formula_(formula) {
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    balls_[i].added = radius * FloatExp(1, -4 * static_cast<std::int64_t>(i));
  }
}

FloatExp PeriodSearch::carried(FloatExp radius, FloatExp added) const {
  return (radius * formula_.steepness(size_, size_ + radius) + added) * rounding;
}

bool PeriodSearch::is_candidate(const FloatExpComplex& z, const BigComplex& exact) {
  ++n_;
  const FloatExp size = z.abs();
  bool candidate = false;
  for (Ball& ball : balls_) {
    if (covers_all(ball.radius)) continue;
    ball.radius = carried(ball.radius, ball.added);
    if (ball.found == most_candidates || ball.radius < size) continue;
    ++ball.found;
    candidate = true;
  }
  set_traps(z, exact);
  size_ = size;
  return candidate;
}

// Brent's search: a trap is set at n = 1, 2, 4, 8 …
void PeriodSearch::set_traps(const FloatExpComplex& z, const BigComplex& exact) {
  if (covers_all(balls_[0].radius) || interior_) return;
  if (n_ > 1 && !covers_all(trapped_radius_)) {
    trapped_radius_ = carried(trapped_radius_, balls_[0].added);
    // Discs are often smaller than the rounding of z in doubles: where doubles do not decide, all bits do.
    const FloatExp near = (z - trap_center_).abs(), unsure = z.abs() * FloatExp(0x1p-50);
    const bool may_be = !(trap_radius_ < trapped_radius_) && !(trap_radius_ + unsure < near);
    interior_ =
        interior_ || (may_be && !(trap_radius_ < difference(exact, *exact_trap_center_).abs() + trapped_radius_));
  }
  if (n_ < 2 * trap_from_ || interior_) return;
  trap_from_ = n_;
  trap_center_ = z;
  exact_trap_center_ = exact;
  trap_radius_ = trapped_radius_ = balls_[0].radius * FloatExp(2);
}

std::optional<Nucleus> find_nucleus(const NucleusRequest& request, const Watch& watch) {
  const FloatExpComplex one(1);
  const FloatExp tolerance = request.tolerance;
  std::size_t period = request.period;
  BigComplex c = request.start;
  FloatExp allowed = request.trust;
  for (int step = 0; step < most_steps; ++step) {
    BigOrbit orbit(request.formula, c);
    ReferencePoints points(request.pairs);
    FloatExpComplex z, slope;  // dz/dc
    for (std::size_t n = 1; n <= period; ++n) {
      if (watch.cancelled()) return std::nullopt;
      watch.count();
      slope = request.formula.slope(z) * slope + one;
      orbit.step();
      z = points.append(orbit.z());
      // c is a nucleus of a shorter period, within the tolerance: so it is one of this period too.
      if (step > 0 && n < period && z.abs() < slope.abs() * tolerance) period = n;
    }
    if (slope.abs().is_zero()) return std::nullopt;
    const FloatExpComplex correction = z / slope;
    if (correction.abs() < tolerance) {
      points.end_at_zero();
      return Nucleus{std::move(c), std::move(points)};
    }
    if (allowed < correction.abs()) return std::nullopt;
    if (step >= free_steps) allowed = correction.abs() * FloatExp(0.125);
    c = moved(c, -correction);
    if (request.trust < difference(c, request.start).abs()) return std::nullopt;
  }
  return std::nullopt;
}

// ---- copies of the set

namespace {

constexpr int most_cells_across = 32;  // the view in smaller and smaller parts, until one has a nucleus
constexpr int most_tried = 16;         // periods of a disc that are tried
// Newton's method begins at the points of a grid, this many of a disc's radii apart.
constexpr int starts_across = 5;
constexpr double aside = 0.35;
constexpr double trusted = 3;             // radii within which its result is accepted
constexpr std::int64_t exact_part = -70;  // log₂, of a pixel or of a copy
// The set of z² + c is 3 wide; its middle lies left of its nucleus 0, in units of its size. Other sets lie around it.
constexpr double whole_span = 4, middle_from_nucleus = -0.65;

FloatExp part_of(FloatExp number, double part) { return number * FloatExp(part); }

struct Disc {
  BigComplex center;
  FloatExp radius;
};

class Search {
 public:
  Search(const View& view, Size size, const Watch& watch)
      : center_(center_of(view, bits_for(view, size))),
        turn_(view.turn),
        formula_(view.formula),
        size_(size),
        pixel_(deep_spacing(view, size)),
        watch_(watch) {}

  /// Searches across × across parts of the view.
  std::optional<Nucleus> in_cells(int across, std::size_t most) const {
    std::optional<Nucleus> lowest;
    for (int cell = 0; cell < across * across && !watch_.cancelled(); ++cell) {
      const double x = (0.5 + cell % across) / across - 0.5, y = 0.5 - (0.5 + cell / across) / across;
      const Offset at = matrix_of(turn_) * Offset{x * size_.width, y * size_.height};
      const Disc disc{moved(center_, {pixels(at.x), pixels(at.y)}), pixels(diagonal() * turn_.reach() / across)};
      auto found = in(disc, lowest ? lowest->points.last() - 1 : most);
      if (found) lowest = std::move(found);
    }
    return lowest;
  }
  FloatExp pixel() const { return pixel_; }

 private:
  double diagonal() const { return 0.5 * std::hypot(size_.width, size_.height); }
  FloatExp pixels(double count) const { return part_of(pixel_, count); }

  // A disc of c, carried along the orbit of its middle, holds a nucleus of period n only if its image contains 0 then.
  std::optional<Nucleus> in(const Disc& disc, std::size_t most) const {
    BigOrbit orbit(formula_, disc.center);
    FloatExp radius, size;  // the latter is |z|
    int tried = 0;
    for (std::size_t n = 1; n <= most && !watch_.cancelled(); ++n) {
      radius = radius * formula_.steepness(size, size + radius) + disc.radius;
      orbit.step();
      size = float_exp(orbit.z()).abs();
      if (FloatExp(2) < radius) return std::nullopt;  // it contains every nucleus
      if (radius < size) continue;
      if (auto nucleus = nucleus_of(disc, n)) return nucleus;
      if (++tried == most_tried) return std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<Nucleus> nucleus_of(const Disc& disc, std::size_t period) const {
    for (int k = 0; k < starts_across * starts_across; ++k) {
      // The middle first, then the points around it.
      const int at = (k + starts_across * starts_across / 2) % (starts_across * starts_across);
      const double x = aside * (at % starts_across - starts_across / 2),
                   y = aside * (at / starts_across - starts_across / 2);
      const BigComplex from = moved(disc.center, {part_of(disc.radius, x), part_of(disc.radius, y)});
      auto nucleus = find_nucleus({.formula = formula_,
                                   .start = from,
                                   .period = period,
                                   .trust = part_of(disc.radius, trusted),
                                   .tolerance = pixel_ * FloatExp(1, exact_part)},
                                  watch_);
      if (nucleus && in_view(nucleus->c)) return nucleus;
      if (watch_.cancelled()) break;
    }
    return std::nullopt;
  }

  bool in_view(const BigComplex& c) const {
    const FloatExpComplex away = difference(c, center_);
    const double x = (FloatExp(away.re(), away.exponent()) / pixel_).value(),
                 y = (FloatExp(away.im(), away.exponent()) / pixel_).value();
    const Offset at = inverse_of(turn_) * Offset{x, y};
    return std::abs(at.x) <= 0.5 * size_.width && std::abs(at.y) <= 0.5 * size_.height;
  }

  BigComplex center_;
  Turn turn_;
  Formula formula_;
  Size size_;
  FloatExp pixel_;
  const Watch& watch_;
};

// 1 / (b l^(d/(d − 1))), where l = ∏ d z_i^(d − 1) and b = Σ 1/l: its argument is the rotation of the copy of z² + c.
FloatExpComplex size_of(Formula formula, const ReferencePoints& points) {
  FloatExpComplex l(1), b(1);
  for (std::size_t i = 1; i < points.last(); ++i) {
    const FloatExpComplex z(points[i].re, points[i].im, points.exponent(i));
    l = l * formula.slope(z);
    b = b + FloatExpComplex(1) / l;
  }
  if (formula.quadratic()) return FloatExpComplex(1) / (b * l * l);
  const auto d = static_cast<double>(formula.power);
  const double log2_size = -b.abs().log2() - d / (d - 1) * l.abs().log2(), whole = std::floor(log2_size);
  return {std::exp2(log2_size - whole), 0, static_cast<std::int64_t>(whole)};
}

}  // namespace

std::size_t attracting_period(Formula formula, Complex c) {
  constexpr int settled = 20'000;
  constexpr std::size_t longest = 4096;
  constexpr double near = 1e-7;  // relative to its former value
  std::complex<double> z = 0;
  const std::complex<double> added{c.re, c.im};
  for (int n = 0; n < settled; ++n)
    if (z = formula.next(z, added); !(std::norm(z) < 16)) return 0;
  const std::complex<double> from = z;
  for (std::size_t period = 1; period <= longest; ++period)
    if (z = formula.next(z, added); std::abs(z - from) < near) return period;
  return 0;
}

Decimal decimal_of(const BigFloat& number, double digits) {
  const int places = static_cast<int>(std::ceil(digits));
  std::string text(static_cast<std::size_t>(std::max(places, 0)) + 32, '\0');
  const int length = mpfr_snprintf(text.data(), text.size(), "%.*Rf", places, number.raw());
  text.resize(static_cast<std::size_t>(std::max(length, 0)));
  return Decimal::parse(text, "a nucleus");
}

std::optional<FoundCopy> find_copy(const View& view, Size size, std::size_t most_steps, const Watch& watch) {
  const Search search(view, size, watch);
  std::optional<Nucleus> nucleus;
  for (int across = 1; across <= most_cells_across && !nucleus && !watch.cancelled(); across *= 2)
    nucleus = search.in_cells(across, most_steps);
  if (!nucleus || watch.cancelled()) return std::nullopt;

  const FloatExpComplex copy_size = size_of(view.formula, nucleus->points);
  const double ln_size = copy_size.abs().log2() * std::numbers::ln2;
  FoundCopy found;
  found.copy.turn = found.embedded_julia.turn = view.turn;
  found.copy.formula = found.embedded_julia.formula = view.formula;
  found.period = nucleus->points.last();
  found.log10_size = ln_size / std::numbers::ln10;
  found.copy.span =
      Decimal::exp(ln_size + std::log(view.formula.quadratic() ? whole_span : whole_set(view.formula).span.value()))
          .significant(6);
  found.embedded_julia.span = Decimal::exp(0.5 * (view.span.log() + found.copy.span.log())).significant(6);

  // Refines once more, to the digits that pictures of the copy need.
  View probe = view;
  probe.span = found.copy.span;
  const mpfr_prec_t bits = std::max(bits_for(probe, size), nucleus->c.bits());
  const BigComplex start{in_bits(nucleus->c.re, bits), in_bits(nucleus->c.im, bits)};
  const auto exact = find_nucleus({.formula = view.formula,
                                   .start = start,
                                   .period = found.period,
                                   .trust = part_of(search.pixel(), 1),
                                   .tolerance = copy_size.abs() * FloatExp(1, exact_part)},
                                  watch);
  if (!exact) return std::nullopt;
  const double digits = 20 - std::min(0.0, found.log10_size);
  found.re = decimal_of(exact->c.re, digits);
  found.im = decimal_of(exact->c.im, digits);
  const FloatExpComplex shift = copy_size * FloatExpComplex(view.formula.quadratic() ? middle_from_nucleus : 0);
  const BigComplex middle = moved(exact->c, shift);
  found.copy.re = decimal_of(middle.re, digits);
  found.copy.im = decimal_of(middle.im, digits);
  found.embedded_julia.re = found.re;
  found.embedded_julia.im = found.im;
  return found;
}

}  // namespace orrery::mandelbrot
