#include "model/mandelbrot/judge.hpp"

#include <algorithm>
#include <cmath>

#include "model/mandelbrot/big_orbit.hpp"
#include "model/mandelbrot/ladder_arguments.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr int spare_bits = 128;

int bits_of(const Frame& frame) {
  const double spacing = std::max(0.0, -log2_spacing(frame.view, frame.size));
  return static_cast<int>(spacing) + spare_bits;
}

BigComplex sample_of(const Frame& frame, const ProofPixel& pixel, mpfr_prec_t bits) {
  const BigFloat spacing = BigFloat(bits, frame.view.span.text()) / BigFloat(bits, frame.size.width);
  const BigFloat right(bits, pixel.i - frame.middle_x());
  const BigFloat up(bits, frame.middle_y() - pixel.j);
  return {BigFloat(bits, frame.view.re.text()) + spacing * right, BigFloat(bits, frame.view.im.text()) + spacing * up};
}

double fraction(double ln_modulus, double radius) { return 1 - std::log2(ln_modulus / std::log(radius)); }

// ---- plain iteration

class PlainJudge : public Judge {
 public:
  explicit PlainJudge(const Frame& frame) : frame_(frame), bits_(bits_of(frame)) {}

  int bits() const override { return bits_; }

  Verdict judge(const ProofPixel& pixel, double most_iterations, const std::stop_token& stop) override {
    const BigComplex c = sample_of(frame_, pixel, bits_);
    if (in_main_bodies(c)) return {.kind = Verdict::Kind::interior};
    BigOrbit orbit(c);
    const double radius2 = frame_.escape_radius * frame_.escape_radius;
    for (std::uint32_t n = 0; n < frame_.limit; ++n) {
      if (n >= most_iterations || (n % 1024 == 0 && stop.stop_requested())) return {.cost = 1.0 * n};
      const double x = orbit.z().re.value(), y = orbit.z().im.value();
      if (x * x + y * y > radius2)
        return {Verdict::Kind::escapes, n + fraction(std::log(std::hypot(x, y)), frame_.escape_radius), 1.0 * n};
      orbit.step();
    }
    return {Verdict::Kind::interior, -1, 1.0 * frame_.limit};
  }

 private:
  // The cardioid of period 1 and the disc of period 2.
  static bool in_main_bodies(const BigComplex& c) {
    const BigFloat quarter(c.bits(), 0.25), one(c.bits(), 1.0);
    const BigFloat x = c.re - quarter, y2 = c.im * c.im, q = x * x + y2, left = c.re + one;
    return q * (q + x) < quarter * y2 || left * left + y2 < quarter * quarter;
  }

  Frame frame_;
  int bits_;
};

// ---- the ladder

// As kernels/mandelbrot_ladder.cl, for one pixel, in many bits.
class LadderJudge : public Judge {
 public:
  LadderJudge(const Frame& frame, int exponent, const LadderPlace& place)
      : frame_(frame),
        exponent_(exponent),
        top_(place.top),
        counting_(place.top, frame.automatic),
        table_(ladder_table_of_pairs()),
        inverse_mu_(BigFloat(bits_) - feigenbaum_alpha(bits_)),
        mu_(BigFloat(bits_, 1.0) / inverse_mu_),
        lambda_(feigenbaum_point(bits_).value()) {}

  int bits() const override { return bits_; }

  Verdict judge(const ProofPixel& pixel, double most_iterations, const std::stop_token& stop) override {
    const BigComplex w = w_of(pixel);
    BigComplex x{BigFloat(bits_), BigFloat(bits_)};
    int level = top_;
    double count = 0, cost = 0;  // in units of 2^bottom
    const double last = static_cast<double>(counting_.last(frame_.limit));
    while (cost < most_iterations && !stop.stop_requested()) {
      // A float holds what is below its range too: w is no longer told from 0 then.
      const BigFloat shrink = power(feigenbaum_delta(bits_), level - top_);
      x = level == 0 ? plain_step(x, w, shrink) : step(x, {w.re * shrink, w.im * shrink}, level, cost);
      count += std::ldexp(1.0, level - counting_.bottom);
      const double modulus = std::hypot(x.re.value(), x.im.value()) * std::abs(lambda_);
      if (level == 0 && modulus > frame_.escape_radius)
        return {Verdict::Kind::escapes, in_units(count + fraction(std::log(modulus), frame_.escape_radius)), cost};
      if (count >= last) return {Verdict::Kind::interior, -1, cost};
      change_level(x, level);
      if (counting_.bottom > 0 && level == counting_.bottom && std::hypot(x.re.value(), x.im.value()) > 1)
        return {Verdict::Kind::escapes, in_units(count), cost};
    }
    // No escape in hundreds of steps where some eighty are what it takes.
    if (is_interior(pixel.published) && !stop.stop_requested()) return {Verdict::Kind::interior, -1, cost};
    return {.cost = cost};
  }

 private:
  double in_units(double count) const { return std::ldexp(count, counting_.bottom - exponent_); }

  BigComplex w_of(const ProofPixel& pixel) const {
    const auto digits = std::max(frame_.view.re.text().size(), frame_.view.im.text().size());
    const auto wide = static_cast<mpfr_prec_t>(4 * digits + 640);
    const BigComplex c = sample_of(frame_, pixel, wide);
    const BigFloat scale = power(feigenbaum_delta(wide), top_);
    const BigFloat re = (c.re - feigenbaum_point(wide)) * scale, im = c.im * scale;
    BigComplex w{BigFloat(bits_), BigFloat(bits_)};
    mpfr_set(w.re.raw(), re.raw(), MPFR_RNDN);
    mpfr_set(w.im.raw(), im.raw(), MPFR_RNDN);
    return w;
  }

  // 1 + c∞·x² + w/c∞
  BigComplex plain_step(const BigComplex& x, const BigComplex& w, const BigFloat& shrink) const {
    const BigFloat lambda = feigenbaum_point(bits_), one(bits_, 1.0), two(bits_, 2.0);
    return {one + lambda * (x.re * x.re - x.im * x.im) + w.re * shrink / lambda,
            two * lambda * x.re * x.im + w.im * shrink / lambda};
  }

  BigComplex step(const BigComplex& x, const BigComplex& w, int level, double& cost) const {
    const BigFloat two(bits_, 2.0);
    const BigFloat re = x.re * x.re - x.im * x.im, im = two * x.re * x.im;
    const BigFloat twice = two * re, norm = re * re + im * im;
    const double size = std::max(std::hypot(w.re.value(), w.im.value()), 1e-300);
    const int orders = std::min(table_.extent().orders, 2 + static_cast<int>(-bits_ / std::log2(size)));
    BigComplex sum{BigFloat(bits_), BigFloat(bits_)};
    for (int n = orders; n-- > 0;) {
      const BigFloat old = sum.re;
      sum.re = sum.re * w.re - sum.im * w.im;
      sum.im = old * w.im + sum.im * w.re;
      add_row(sum, level, n, re, im, twice, norm);
    }
    cost += 0.5 * orders * table_.extent().terms;
    return sum;
  }

  // The row's polynomial in u = re + i·im, by Goertzel's recurrence.
  void add_row(BigComplex& sum, int level, int order, const BigFloat& re, const BigFloat& im, const BigFloat& twice,
               const BigFloat& norm) const {
    BigFloat b1(bits_), b2(bits_), b(bits_);
    const auto next = [&](const BigFloat& factor, int term) {
      const Pair& coefficient = table_.at(level, order, term);
      mpfr_mul(b.raw(), norm.raw(), b2.raw(), MPFR_RNDN);
      mpfr_fms(b.raw(), factor.raw(), b1.raw(), b.raw(), MPFR_RNDN);
      mpfr_add_d(b.raw(), b.raw(), coefficient.high, MPFR_RNDN);
      mpfr_add_d(b.raw(), b.raw(), coefficient.low, MPFR_RNDN);
    };
    for (int term = table_.extent().terms - 1; term >= 1; --term) {
      next(twice, term);
      std::swap(b2, b1);
      std::swap(b1, b);
    }
    next(re, 0);
    sum.re += b;
    sum.im.add_product(im, b1);
  }

  void change_level(BigComplex& x, int& level) const {
    const auto scale = [&](const BigFloat& factor) { x.re *= factor, x.im *= factor; };
    const double mu = std::abs(mu_.value());
    for (; level < top_ && std::hypot(x.re.value(), x.im.value()) <= mu; ++level) scale(inverse_mu_);
    for (; level > counting_.bottom && std::hypot(x.re.value(), x.im.value()) > 1; --level) scale(mu_);
  }

  static constexpr int bits_ = 192;

  Frame frame_;
  int exponent_, top_;
  LadderCounting counting_;
  const LadderTable& table_;
  BigFloat inverse_mu_, mu_;
  double lambda_;
};

}  // namespace

std::unique_ptr<Judge> judge_of(const Frame& frame, int exponent, double most_iterations) {
  // The median n of a picture at c∞ is some 6·2^top, and nine pixels of ten take less than this.
  constexpr double common_of_level = 50;
  const bool near = std::hypot(frame.view.re.value() + 1.4011551890920506, frame.view.im.value()) < 1e-3;
  if (near) {
    const auto place = ladder_place(frame.view, frame.size);
    if (place && (exponent > 0 || std::ldexp(common_of_level, std::min(place->top, 1000)) > most_iterations))
      return std::make_unique<LadderJudge>(frame, exponent, *place);
  }
  return std::make_unique<PlainJudge>(frame);
}

}  // namespace orrery::mandelbrot
