#include "scenes/mandelbrot/checks/judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>

#include "scenes/mandelbrot/deep/exact_pixels.hpp"
#include "scenes/mandelbrot/deep/ladder_arguments.hpp"
#include "scenes/mandelbrot/numbers/fixed_orbit.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr int spare_bits = 128;
constexpr int largest_error_log2 = -24;  // of z, so that ν is right to far less than proof_tolerance
constexpr int most_for_doubles = 900;    // bits, for which the smallest error is in a double's range

int bits_of(const Frame& frame) {
  const double spacing = std::max(0.0, -log2_finest_spacing(frame.view, frame.size));
  return static_cast<int>(spacing) + spare_bits;
}

BigComplex sample_of(const Frame& frame, const ProofPixel& pixel, Beside beside, mpfr_prec_t bits) {
  const BigFloat spacing = BigFloat(bits, frame.view.span.text()) / BigFloat(bits, frame.size.width);
  const BigFloat right(bits, pixel.i - frame.middle_x() + beside.right);
  const BigFloat up(bits, frame.middle_y() - pixel.j - beside.down);
  const Matrix turn = matrix_of(frame.view.turn);
  const auto turned = [&](double of_right, double of_up) {
    return spacing * (BigFloat(bits, of_right) * right + BigFloat(bits, of_up) * up);
  };
  return {BigFloat(bits, frame.view.re.text()) + turned(turn.xx, turn.xy),
          BigFloat(bits, frame.view.im.text()) + turned(turn.yx, turn.yy)};
}

// ---- attracting cycles

/// Discs of several radii around one point of an orbit, carried along it: where the orbit returns and one of them lies
/// within its first extent, a cycle attracts all of it (see kernels/mandelbrot/mandelbrot_ladder.cl). R. P. Brent's
/// search: the discs are set anew after 1, 2, 4, 8 … steps.
class Trap {
 public:
  explicit Trap(double rounding) : rounding_(rounding) {}

  bool is_due() const { return steps_ >= 2 * set_at_; }
  void set(const BigComplex& z, int level = 0) {
    set_at_ = std::max<std::uint64_t>(1, steps_);
    center_ = z;
    near_x_ = z.re.value(), near_y_ = z.im.value();
    level_ = level;
    for (std::size_t k = 0; k < radii_.size(); ++k) radii_[k] = first(k);
  }
  /// Carries the discs by a step that magnifies distances up to `radius` at most by `steepness(radius)`.
  template <class F>
  void carry(F steepness) {
    ++steps_;
    constexpr double too_large = std::numeric_limits<double>::infinity();
    for (double& radius : radii_)
      radius = radius > ladder_margin ? too_large : (radius * steepness(radius) + rounding_) * (1 + 0x1p-40);
  }
  void scale(double factor) {
    for (double& radius : radii_) radius *= factor * (1 + 0x1p-50);
  }
  /// z to a double's digits; `exact`, all of its bits, is called where these do not decide.
  template <class F>
  bool holds(double re, double im, F exact, int level = 0) const {
    if (!center_ || level != level_) return false;
    const double x = re - near_x_, y = im - near_y_;
    double near = std::sqrt(x * x + y * y);
    if (near > first(0)) return false;
    if (near < 0x1p-40) near = difference(exact(), *center_).abs().value();
    for (std::size_t k = 0; k < radii_.size(); ++k)
      if (near * (1 + 0x1p-10) + radii_[k] < first(k)) return true;
    return false;
  }

 private:
  static double first(std::size_t k) { return std::ldexp(0x1p-5, -8 * static_cast<int>(k)); }

  double rounding_;
  std::uint64_t steps_ = 0, set_at_ = 1;
  std::optional<BigComplex> center_;
  double near_x_ = 0, near_y_ = 0;
  int level_ = 0;
  std::array<double, 24> radii_{};
};

// The cardioid of period 1; ε = c − 1/4.
bool in_cardioid(const BigComplex& epsilon) {
  const BigFloat quarter(epsilon.bits(), 0.25), y2 = epsilon.im * epsilon.im, q = epsilon.re * epsilon.re + y2;
  return q * (q + epsilon.re) < quarter * y2;
}

// ---- plain iteration

class PlainJudge : public Judge {
 public:
  explicit PlainJudge(const Frame& frame)
      : frame_(frame), exact_(exact_interior(whole(frame))), first_bits_(bits_of(frame)) {}

  int bits() const override { return bits_; }

  Verdict judge(const ProofPixel& pixel, Beside beside, double most_iterations, const std::stop_token& stop) override {
    if (is_exact(pixel, beside)) return {.kind = Verdict::Kind::interior};
    std::optional<Verdict> verdict;
    double cost = 0;
    for (int bits = first_bits_; !verdict; bits *= 2) {
      verdict = iterated(sample_of(frame_, pixel, beside, bits), {most_iterations, stop}, cost);
      bits_ = std::max(bits_, bits);
    }
    verdict->cost = cost;
    return *verdict;
  }

 private:
  // The cardioid of period 1 and the disc of period 2.
  static bool in_main_bodies(const BigComplex& c) {
    const BigFloat quarter(c.bits(), 0.25), one(c.bits(), 1.0), left = c.re + one;
    return in_cardioid({c.re - quarter, c.im}) || left * left + c.im * c.im < quarter * quarter;
  }

  struct Bounds {
    double cost;
    const std::stop_token& stop;
  };

  std::optional<Verdict> iterated(const BigComplex& c, const Bounds& most, double& cost) const {
    const Formula formula = frame_.view.formula;
    if (formula.quadratic() && in_main_bodies(c)) return Verdict{.kind = Verdict::Kind::interior};
    const bool fixed = formula.quadratic() && frame_.escape_radius < FixedOrbit::largest &&
                       std::abs(c.re.value()) < 8 && std::abs(c.im.value()) < 8;
    const bool few = c.bits() <= most_for_doubles;
    if (fixed && few) return iterated(FixedOrbit(c), std::ldexp(1.0, -static_cast<int>(c.bits())), c, most, cost);
    if (fixed) return iterated(FixedOrbit(c), FloatExp(1.0, -c.bits()), c, most, cost);
    return iterated(BigOrbit(formula, c), FloatExp(1.0, -c.bits()), c, most, cost);
  }

  // Nothing where rounding in that unit may have led the orbit elsewhere. Its error grows as the derivative does: the
  // bound is derived in escape_check.cpp.
  template <class Orbit, class Error>
  std::optional<Verdict> iterated(Orbit orbit, Error unit, const BigComplex& c, const Bounds& most,
                                  double& cost) const {
    const Formula formula = frame_.view.formula;
    const auto bits = static_cast<int>(c.bits());
    const double step_cost = std::max(1.0, bits / common_bits);
    Trap trap(std::ldexp(1.0, 8 - bits));
    const double radius2 = frame_.escape_radius * frame_.escape_radius;
    const double size = 4 + std::hypot(c.re.value(), c.im.value());
    const Error rounding = unit * Error(8.0 * static_cast<double>(formula.power - 1));
    const Error largest(std::ldexp(1.0, largest_error_log2));
    Error error(0.0);
    const auto exact = [&]() -> decltype(orbit.z()) { return orbit.z(); };
    double re = 0, im = 0;
    for (std::uint32_t n = 0; n < frame_.limit; ++n, cost += step_cost) {
      if (cost >= most.cost || (n % 1024 == 0 && most.stop.stop_requested())) return Verdict{};
      const double modulus = std::sqrt(re * re + im * im);
      if (modulus * modulus > radius2)
        return Verdict{Verdict::Kind::escapes, formula.smooth(n, std::log(modulus), frame_.escape_radius)};
      if (trap.is_due()) trap.set(orbit.z());
      trap.carry([&](double radius) { return formula.steepness(modulus, modulus + radius); });
      orbit.step();
      re = orbit.re(), im = orbit.im();
      if (trap.holds(re, im, exact)) return Verdict{Verdict::Kind::interior, -1};
      const Error at(modulus);
      error = error * formula.steepness(at, at + error) + rounding * Error(formula.lower(modulus) * modulus + size);
      if (largest < error) return {};
    }
    return Verdict{Verdict::Kind::interior, -1};
  }

  static Frame whole(Frame frame) {
    frame.first_row = 0;
    frame.rows = frame.size.height;
    return frame;
  }
  bool is_exact(const ProofPixel& pixel, Beside beside) const {
    return beside.right == 0 && beside.down == 0 &&
           std::ranges::find(exact_, pixel.j * frame_.size.width + pixel.i) != exact_.end();
  }

  Frame frame_;
  std::vector<std::uint32_t> exact_;
  int first_bits_, bits_ = first_bits_;
};

// ---- the ladder

// Computes one pixel in many bits, in the steps that kernels/mandelbrot/mandelbrot_ladder.cl takes.
class LadderJudge : public Judge {
 public:
  LadderJudge(const Frame& frame, int exponent, const LadderPlace& place)
      : frame_(frame),
        exponent_(exponent),
        passage_(has_passage(place.point)),
        fixed_(passage_ ? fixed_point_of(place.point) : 0),
        sign_(place.point == LadderPoint::cusp ? 1 : -1),
        top_(place.top),
        counting_(place, frame.automatic),
        table_(ladder_table_of_pairs(place.point)),
        curvature_(ladder_curvature(place.point)),
        scales_(ladder_scales(place.point, bits_)),
        inverse_mu_(BigFloat(bits_, 1.0) / scales_.mu),
        lambda_(scales_.lambda.value()) {}

  int bits() const override { return bits_; }

  Verdict judge(const ProofPixel& pixel, Beside beside, double most_iterations, const std::stop_token& stop) override {
    const BigComplex w = w_of(pixel, beside);
    if (passage_ && is_inside(w)) return {.kind = Verdict::Kind::interior};
    BigComplex x{BigFloat(bits_, -fixed_) / scales_.lambda, BigFloat(bits_)};
    int level = passage_ ? 0 : top_;
    double count = 0, cost = 0;                             // in units of 2^bottom
    Trap trap(std::ldexp(1.0, 12 - std::min(bits_, 100)));  // the table is right to 100 bits
    const double last = static_cast<double>(counting_.last(frame_.limit));
    while (cost < most_iterations && !stop.stop_requested()) {
      // A float holds values below its range too: w is no longer distinguishable from 0 then.
      const BigFloat shrink = power(scales_.delta, level - top_);
      const BigComplex w_here{w.re * shrink, w.im * shrink};
      if (trap.is_due()) trap.set(x, level);
      const double slope_here = slope(x, w_here, level);
      trap.carry([&](double radius) { return slope_here + 0.5 * curvature_ * radius; });
      x = level == 0 ? plain_step(x, w, shrink) : step(x, w_here, level, cost);
      count += std::ldexp(1.0, level - counting_.bottom);
      const double modulus = std::hypot(fixed_ + lambda_ * x.re.value(), lambda_ * x.im.value());
      if (level == 0 && modulus > frame_.escape_radius)
        return {Verdict::Kind::escapes, in_units(Formula{}.smooth(count, std::log(modulus), frame_.escape_radius)),
                cost};
      if (count >= last) return {Verdict::Kind::interior, -1, cost};
      const int before = level;
      change_level(x, level);
      trap.scale(std::pow(std::abs(scales_.mu.value()), before - level));
      if (counting_.bottom > 0 && level == counting_.bottom && std::hypot(x.re.value(), x.im.value()) > 1)
        return {Verdict::Kind::escapes, in_units(count), cost};
      const auto exact = [&]() -> const BigComplex& { return x; };
      if (trap.holds(x.re.value(), x.im.value(), exact, level)) return {Verdict::Kind::interior, -1, cost};
    }
    return {.cost = cost};
  }

 private:
  double in_units(double count) const { return std::ldexp(count, counting_.bottom - exponent_); }

  BigComplex w_of(const ProofPixel& pixel, Beside beside) const {
    const mpfr_prec_t wide = ladder_bits(frame_.view, frame_.size);
    const BigComplex c = sample_of(frame_, pixel, beside, wide);
    const LadderScales scales = ladder_scales(table_.point(), wide);
    BigFloat scale = power(scales.delta, top_);
    if (passage_) scale = scale / scales.lambda;
    const BigFloat re = (c.re - scales.point) * scale, im = c.im * scale;
    BigComplex w{BigFloat(bits_), BigFloat(bits_)};
    mpfr_set(w.re.raw(), re.raw(), MPFR_RNDN);
    mpfr_set(w.im.raw(), im.raw(), MPFR_RNDN);
    return w;
  }

  bool is_inside(const BigComplex& w) const {
    const BigFloat scale = scales_.lambda * power(scales_.delta, -top_);
    const BigComplex epsilon{w.re * scale, w.im * scale};
    if (table_.point() == LadderPoint::cusp) return in_cardioid(epsilon);
    const BigFloat half(bits_, 0.5), one(bits_, 1.0), norm = epsilon.re * epsilon.re + epsilon.im * epsilon.im;
    return in_cardioid({epsilon.re - one, epsilon.im}) || half * epsilon.re + norm < BigFloat(bits_);
  }

  // 1 + c∞·x² + w/c∞, or ±x + Λ_0·x² + w
  BigComplex plain_step(const BigComplex& x, const BigComplex& w, const BigFloat& shrink) const {
    const BigFloat &lambda = scales_.lambda, one(bits_, 1.0), two(bits_, 2.0), sign(bits_, sign_);
    if (passage_)
      return {sign * x.re + lambda * (x.re * x.re - x.im * x.im) + w.re * shrink,
              sign * x.im + two * lambda * x.re * x.im + w.im * shrink};
    return {one + lambda * (x.re * x.re - x.im * x.im) + w.re * shrink / lambda,
            two * lambda * x.re * x.im + w.im * shrink / lambda};
  }

  // |∂g/∂x|
  double slope(const BigComplex& big_x, const BigComplex& big_w, int level) const {
    const std::complex<double> x(big_x.re.value(), big_x.im.value()), w(big_w.re.value(), big_w.im.value());
    if (level == 0) return std::abs((passage_ ? sign_ : 0) + 2 * lambda_ * x);
    const std::complex<double> u = passage_ ? x : x * x;
    std::complex<double> sum = 0;
    for (int n = table_.extent().orders; n-- > 0;) {
      std::complex<double> row = 0;
      for (int m = table_.extent().terms; m-- > 1;)
        row = row * u + static_cast<double>(m) * table_.at(level, n, m).high;
      sum = sum * w + row;
    }
    return std::abs(passage_ ? sum : 2.0 * sum * x) + 0x1p-40;
  }

  struct Powers {
    BigFloat re, im, twice, norm;  // 2 re, and |u|² = re² + im²
  };

  BigComplex step(const BigComplex& x, const BigComplex& w, int level, double& cost) const {
    const BigFloat two(bits_, 2.0);
    const BigFloat re = passage_ ? x.re : x.re * x.re - x.im * x.im, im = passage_ ? x.im : two * x.re * x.im;
    const Powers powers{re, im, two * re, re * re + im * im};
    const double size = std::max(std::hypot(w.re.value(), w.im.value()), 1e-300);
    const int orders = std::min(table_.extent().orders, 2 + static_cast<int>(-bits_ / std::log2(size)));
    BigComplex sum{BigFloat(bits_), BigFloat(bits_)};
    for (int n = orders; n-- > 0;) {
      const BigFloat old = sum.re;
      sum.re = sum.re * w.re - sum.im * w.im;
      sum.im = old * w.im + sum.im * w.re;
      add_row(sum, level, n, powers);
    }
    cost += 0.5 * orders * table_.extent().terms;
    return sum;
  }

  // The row's polynomial in u = re + i·im, by Goertzel's recurrence.
  void add_row(BigComplex& sum, int level, int order, const Powers& u) const {
    BigFloat b1(bits_), b2(bits_), b(bits_);
    const auto next = [&](const BigFloat& factor, int term) {
      const Pair& coefficient = table_.at(level, order, term);
      mpfr_mul(b.raw(), u.norm.raw(), b2.raw(), MPFR_RNDN);
      mpfr_fms(b.raw(), factor.raw(), b1.raw(), b.raw(), MPFR_RNDN);
      mpfr_add_d(b.raw(), b.raw(), coefficient.high, MPFR_RNDN);
      mpfr_add_d(b.raw(), b.raw(), coefficient.low, MPFR_RNDN);
    };
    for (int term = table_.extent().terms - 1; term >= 1; --term) {
      next(u.twice, term);
      std::swap(b2, b1);
      std::swap(b1, b);
    }
    next(u.re, 0);
    sum.re += b;
    sum.im.add_product(u.im, b1);
  }

  void change_level(BigComplex& x, int& level) const {
    const auto scale = [&](const BigFloat& factor) { x.re *= factor, x.im *= factor; };
    const double mu = std::abs(scales_.mu.value());
    for (; level < top_ && std::hypot(x.re.value(), x.im.value()) <= mu; ++level) scale(inverse_mu_);
    for (; level > counting_.bottom && std::hypot(x.re.value(), x.im.value()) > 1; --level) scale(scales_.mu);
  }

  static constexpr int bits_ = 192;

  Frame frame_;
  int exponent_;
  bool passage_;
  double fixed_, sign_;  // of the map at the passage: its fixed point, and the slope there
  int top_;
  LadderCounting counting_;
  const LadderTable& table_;
  double curvature_;
  LadderScales scales_;
  BigFloat inverse_mu_;
  double lambda_;
};

}  // namespace

std::unique_ptr<Judge> plain_judge_of(const Frame& frame) { return std::make_unique<PlainJudge>(frame); }

std::unique_ptr<Judge> judge_of(const Frame& frame, int exponent, double most_iterations) {
  // The median n of a picture at c∞ is some 6·2^top, and nine pixels of ten take less than this. A passage
  // takes 25 to 200 times 2^top.
  constexpr double common_of_level = 50;
  const auto near_to = [&](double re) { return std::hypot(frame.view.re.value() - re, frame.view.im.value()) < 1e-3; };
  const bool near = near_to(-1.4011551890920506) || near_to(0.25) || near_to(-0.75);
  if (near) {
    const auto place = ladder_place(frame.view, frame.size);
    // The table is right to the digits of pairs of doubles in whatever numbers it is evaluated.
    const bool valid = place && ladder_shift(*place, LadderNumbers::double_pairs) <= 0x1p-8;
    if (valid && (exponent > 0 || std::ldexp(common_of_level, std::min(place->top, 1000)) > most_iterations))
      return std::make_unique<LadderJudge>(frame, exponent, *place);
  }
  return std::make_unique<PlainJudge>(frame);
}

}  // namespace orrery::mandelbrot
