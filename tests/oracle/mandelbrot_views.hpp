/// Random deep views around c∞, and ν of their pixels by iteration in many bits. Shares no code with the product.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace orrery::oracle {

/// A complex number of any number of bits.
class Wide {
 public:
  explicit Wide(long bits) { mpfr_inits2(bits, x, y, nullptr), mpfr_set_zero(x, 1), mpfr_set_zero(y, 1); }
  Wide(long bits, std::complex<double> value) : Wide(bits) {
    mpfr_set_d(x, value.real(), MPFR_RNDN), mpfr_set_d(y, value.imag(), MPFR_RNDN);
  }
  Wide(const Wide& other) : Wide(other.bits()) { mpfr_set(x, other.x, MPFR_RNDN), mpfr_set(y, other.y, MPFR_RNDN); }
  Wide& operator=(const Wide& other) {
    mpfr_set_prec(x, other.bits()), mpfr_set_prec(y, other.bits());
    mpfr_set(x, other.x, MPFR_RNDN), mpfr_set(y, other.y, MPFR_RNDN);
    return *this;
  }
  ~Wide() { mpfr_clears(x, y, nullptr); }

  long bits() const { return mpfr_get_prec(x); }
  std::complex<double> value() const { return {mpfr_get_d(x, MPFR_RNDN), mpfr_get_d(y, MPFR_RNDN)}; }
  /// log₂ of the larger part; very small for 0.
  double log2() const {
    const double re = mpfr_zero_p(x) ? -1e9 : static_cast<double>(mpfr_get_exp(x));
    return std::max(re, mpfr_zero_p(y) ? -1e9 : static_cast<double>(mpfr_get_exp(y)));
  }
  void add(const Wide& b) { mpfr_add(x, x, b.x, MPFR_RNDN), mpfr_add(y, y, b.y, MPFR_RNDN); }
  void subtract(const Wide& b) { mpfr_sub(x, x, b.x, MPFR_RNDN), mpfr_sub(y, y, b.y, MPFR_RNDN); }
  void multiply(const Wide& b) {
    const Wide a = *this;
    mpfr_fmms(x, a.x, b.x, a.y, b.y, MPFR_RNDN), mpfr_fmma(y, a.x, b.y, a.y, b.x, MPFR_RNDN);
  }
  void divide(const Wide& b) {
    Wide conjugate = b;
    mpfr_neg(conjugate.y, conjugate.y, MPFR_RNDN);
    Wide norm = b;
    norm.multiply(conjugate);
    multiply(conjugate);
    mpfr_div(x, x, norm.x, MPFR_RNDN), mpfr_div(y, y, norm.x, MPFR_RNDN);
  }
  void scale(double factor) { mpfr_mul_d(x, x, factor, MPFR_RNDN), mpfr_mul_d(y, y, factor, MPFR_RNDN); }
  /// z² + c
  void step(const Wide& c) {
    mpfr_t t;
    mpfr_init2(t, bits());
    mpfr_mul(t, x, y, MPFR_RNDN);
    mpfr_fmms(x, x, x, y, y, MPFR_RNDN);
    mpfr_add(x, x, c.x, MPFR_RNDN);
    mpfr_mul_2ui(t, t, 1, MPFR_RNDN);
    mpfr_add(y, t, c.y, MPFR_RNDN);
    mpfr_clear(t);
  }

  mpfr_t x, y;
};

inline std::string decimal(mpfr_srcptr number) {
  char* text = nullptr;
  mpfr_asprintf(&text, "%.*Re", static_cast<int>(0.302 * static_cast<double>(mpfr_get_prec(number))), number);
  std::string result = text;
  mpfr_free_str(text);
  return result;
}

struct WideView {
  std::string kind, re, im, span;
  int width = 24, height = 16;
  std::uint32_t limit = 0;
};

class WideViews {
 public:
  explicit WideViews(std::uint64_t seed) : random_(seed) {}

  /// The view of that number: in turn a copy of the set, a Misiurewicz point or any point.
  WideView next(int number) {
    for (;;) {
      std::optional<WideView> view;
      switch (number % 5) {
        case 0:
        case 1:
        case 2:
          view = copy_of_the_set(number % 5);
          break;
        case 3:
          view = misiurewicz_point();
          break;
        default:
          view = any_point();
      }
      if (view) return *view;
    }
  }

 private:
  static constexpr long bits = 448;
  static constexpr const char* feigenbaum =
      "-1.40115518909205060052382678789386129222630804339731960893726149667869555775352383883789811469641461386571";

  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }
  std::uint64_t below(std::uint64_t count) { return random_() % count; }

  // A point 10^-2.5 … 10^-7.5 from c∞; every third one is real.
  Wide somewhere(double& log10_distance) {
    log10_distance = -uniform(2.5, 7.5);
    const bool real = below(3) == 0;
    const double angle = real ? (below(8) == 0 ? 0 : 3.14159265358979323846) : uniform(0, 6.2831853);
    Wide c(bits), away(bits, std::polar(std::pow(10.0, log10_distance), angle));
    if (real) mpfr_set_zero(away.y, 1);
    mpfr_set_str(c.x, feigenbaum, 10, MPFR_RNDN);
    c.add(away);
    return c;
  }
  // A few hundred times the iterations of a renormalisation at that distance, plus those of the way down.
  static std::uint32_t limit_at(double log10_distance, double log10_span) {
    const double level = std::floor(-log10_distance / 0.66922);
    return static_cast<std::uint32_t>(std::min(4e5, std::exp2(level) * (60 + 4 * std::max(0.0, -log10_span)))) + 1000;
  }
  WideView view_of(const char* kind, const Wide& c, double log10_span, double log10_distance) const {
    char span[32];
    std::snprintf(span, sizeof span, "%.3fe%d", std::pow(10, log10_span - std::floor(log10_span)),
                  static_cast<int>(std::floor(log10_span)));
    return {kind, decimal(c.x), decimal(c.y), span, 24, 16, limit_at(log10_distance, log10_span)};
  }

  // Newton's method from c, for a nucleus or a Misiurewicz point: z_{k} + z_{k+p} = 0.
  static bool solve(Wide& c, std::size_t first, std::size_t last, double log2_trust) {
    const Wide start = c;
    double last_correction = 1e9;
    for (int step = 0; step < 24; ++step) {
      Wide z(bits), d(bits), value(bits), slope(bits);
      const Wide one(bits, 1.0);
      for (std::size_t n = 1; n <= last; ++n) {
        d.multiply(z), d.scale(2), d.add(one);
        z.step(c);
        if (!(std::norm(z.value()) < 1e4)) return false;
        if (n == first || n == last) value.add(z), slope.add(d);
      }
      if (mpfr_zero_p(slope.x) && mpfr_zero_p(slope.y)) return false;
      value.divide(slope);
      c.subtract(value);
      Wide moved = c;
      moved.subtract(start);
      if (moved.log2() > log2_trust) return false;
      if (value.log2() < -0.9 * bits) return true;
      if (step > 6 && value.log2() > last_correction - 1) return false;  // it does not converge
      last_correction = value.log2();
    }
    return false;
  }

  // The period of a copy near c: each new minimum of |z_n| announces the copy of period n.
  std::optional<std::size_t> period_near(const Wide& c, std::size_t from, std::size_t most) {
    Wide z(bits);
    double least = 1e9;
    std::vector<std::size_t> periods;
    for (std::size_t n = 1; n <= most; ++n) {
      z.step(c);
      const double size = std::abs(z.value());
      if (!(size < 1e4)) break;
      if (size >= least) continue;
      least = size;
      if (n > from) periods.push_back(n);
    }
    if (periods.empty()) return {};
    return periods[below(periods.size())];
  }

  // log₁₀ of the size of the copy of period p around its nucleus c: 1 / (b·λ²).
  static double log10_size(const Wide& c, std::size_t period) {
    Wide z(bits), l(bits, 1.0), b(bits, 1.0);
    for (std::size_t n = 1; n < period; ++n) {
      z.step(c);
      l.multiply(z), l.scale(2);
      Wide inverse(bits, 1.0);
      inverse.divide(l);
      b.add(inverse);
    }
    l.multiply(l), l.multiply(b);
    return -0.30103 * l.log2();
  }

  // A copy of the set, found by `depth` moves from one copy to another near it.
  std::optional<WideView> copy_of_the_set(int depth) {
    double distance = 0;
    Wide c = somewhere(distance);
    double size = distance;
    std::size_t period = 1;
    for (int k = 0; k <= depth; ++k) {
      const auto next = period_near(c, period, 3000);
      if (!next || !solve(c, *next, *next, 3.3219 * size + 1)) return {};
      period = *next;
      size = log10_size(c, period);
      if (size < -60) return {};
      if (k < depth) {  // moves a few sizes off the copy
        Wide away(bits, std::polar(1.0, uniform(0, 6.2831853)));
        mpfr_t factor;
        mpfr_init2(factor, bits);
        mpfr_set_d(factor, size * uniform(0.75, 0.98), MPFR_RNDN);
        mpfr_exp10(factor, factor, MPFR_RNDN);
        mpfr_mul(away.x, away.x, factor, MPFR_RNDN), mpfr_mul(away.y, away.y, factor, MPFR_RNDN);
        mpfr_clear(factor);
        size *= 0.75;
        c.add(away);
      }
    }
    const double span = below(2) == 0 ? size + uniform(0.1, 1.4) : size * uniform(0.5, 1.0);
    if (span < -60 || span > -6) return {};
    WideView view = view_of("copy", c, span, distance);
    view.limit = std::max(view.limit, static_cast<std::uint32_t>(60 * period));
    return view;
  }

  std::optional<WideView> misiurewicz_point() {
    double distance = 0;
    Wide c = somewhere(distance);
    const int level = static_cast<int>(std::floor(-distance / 0.66922));
    const auto cycle = (std::size_t{1} << static_cast<unsigned>(std::max(0, level - 1))) * (1 + below(3));
    const std::size_t first = cycle * (1 + below(3)) + (below(2) == 0 ? 0 : below(cycle));
    if (first + cycle > 3000 || !solve(c, first, first + cycle, 3.3219 * distance + 1)) return {};
    return view_of("misiurewicz", c, -uniform(6, 60), distance);
  }

  std::optional<WideView> any_point() {
    double distance = 0;
    const Wide c = somewhere(distance);
    return view_of("any", c, -uniform(6, 60), distance);
  }

  std::mt19937_64 random_;
};

/// ν of the pixel of DESIGN section 8, −1 for interior.
inline double wide_nu(const WideView& view, int i, int j, double radius, long spare_bits = 160) {
  mpfr_t span;
  mpfr_init2(span, 64);
  mpfr_set_str(span, view.span.c_str(), 10, MPFR_RNDN);
  const long bits = spare_bits + std::max(0L, -static_cast<long>(mpfr_get_exp(span)));
  mpfr_set_prec(span, bits);
  mpfr_set_str(span, view.span.c_str(), 10, MPFR_RNDN);
  mpfr_div_si(span, span, 2 * view.width, MPFR_RNDN);
  Wide c(bits), z(bits);
  mpfr_set_str(c.x, view.re.c_str(), 10, MPFR_RNDN), mpfr_set_str(c.y, view.im.c_str(), 10, MPFR_RNDN);
  Wide away(bits);
  mpfr_mul_si(away.x, span, 2 * i + 1 - view.width, MPFR_RNDN);
  mpfr_mul_si(away.y, span, view.height - 1 - 2 * j, MPFR_RNDN);
  mpfr_clear(span);
  c.add(away);
  for (std::uint32_t n = 0; n < view.limit; ++n) {
    const double modulus = std::abs(z.value());
    if (modulus > radius) return n + 1 - std::log2(std::log(modulus) / std::log(radius));
    z.step(c);
  }
  return -1;
}

}  // namespace orrery::oracle
