#include "scenes/mandelbrot/deep/nucleus.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr int most_candidates = 2;  // of a disc
// Of Newton's method; after the first ones it must come nearer fast.
constexpr int free_steps = 4, most_steps = 40;
const FloatExp rounding(1 + 0x1p-40);

// It covers all that there is to find.
bool covers_all(FloatExp radius) { return FloatExp(2) < radius; }

}  // namespace

PeriodSearch::PeriodSearch(FloatExp radius) {
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    balls_[i].added = radius * FloatExp(1, -4 * static_cast<std::int64_t>(i));
  }
}

FloatExp PeriodSearch::carried(FloatExp radius, FloatExp added) const {
  return (radius * (twice_size_ + radius) + added) * rounding;
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
  twice_size_ = size * FloatExp(2);
  return candidate;
}

// Brent's search: a trap is set at n = 1, 2, 4, 8 …
void PeriodSearch::set_traps(const FloatExpComplex& z, const BigComplex& exact) {
  if (covers_all(balls_[0].radius) || interior_) return;
  if (n_ > 1 && !covers_all(trapped_radius_)) {
    trapped_radius_ = carried(trapped_radius_, balls_[0].added);
    // Discs are often smaller than what doubles leave of z: where those do not tell, all bits do.
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

std::optional<Nucleus> find_nucleus(const BigComplex& start, std::size_t period, FloatExp trust, FloatExp tolerance,
                                    bool pairs, const Watch& watch) {
  const FloatExpComplex one(1, 0), two(2, 0);
  BigComplex c = start;
  FloatExp allowed = trust;
  for (int step = 0; step < most_steps; ++step) {
    BigOrbit orbit(c);
    ReferencePoints points(pairs);
    FloatExpComplex z, slope;  // dz/dc
    for (std::size_t n = 1; n <= period; ++n) {
      if (watch.cancelled()) return std::nullopt;
      watch.count();
      slope = two * z * slope + one;
      orbit.step();
      z = points.append(orbit.z());
      // c is a nucleus of a shorter period, as near as is asked for: so it is one of this period too.
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
    if (trust < difference(c, start).abs()) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace orrery::mandelbrot
