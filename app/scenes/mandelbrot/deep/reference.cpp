#include "scenes/mandelbrot/deep/reference.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "scenes/mandelbrot/deep/nucleus.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::int64_t smallest_plain_exponent = -1000;
constexpr double bits_per_digit = 3.33;
constexpr mpfr_prec_t spare_bits = 128;
// Beyond any escape radius that can be asked for.
const FloatExp far_away(0x1p40);
// A nucleus is wanted in or near the view, in radii of it; and it is as good as exact at such a part of a pixel.
constexpr double near_the_view = 4;
constexpr std::int64_t exact_part_of_pixel = -100;  // log₂

double zoom_digits(const View& view, Size size) {
  return std::max(0.0, -log2_finest_spacing(view, size) * std::log10(2.0));
}

std::optional<Nucleus> nucleus_near(const BigComplex& center, std::size_t period, const ReferenceRequest& request,
                                    const Watch& watch) {
  const FloatExp tolerance = deep_spacing(request.view, request.size) * FloatExp(1, exact_part_of_pixel);
  const FloatExp trust = radius_of(request.view, request.size) * FloatExp(near_the_view);
  return find_nucleus(center, period, trust, tolerance, request.pairs, watch);
}

std::size_t length_of(const ReferenceRequest& request) {
  return std::min<std::size_t>(request.limit, request.most_points);
}

}  // namespace

FloatExpComplex ReferencePoints::append(const BigComplex& z) {
  const FloatExpComplex near = float_exp(z);
  const bool plain = near.exponent() >= smallest_plain_exponent || near.exponent() <= exponent_of_zero;
  const std::int64_t exponent = plain ? 0 : near.exponent();
  const double factor = power_of_two(near.exponent() - exponent);
  z_.push_back({factor * near.re(), factor * near.im()});
  exponents_.push_back(static_cast<std::int32_t>(exponent));
  if (pairs()) {
    const auto rest = [&](const BigFloat& x, double high) {
      BigFloat left = x;
      mpfr_mul_2si(left.raw(), left.raw(), static_cast<long>(-exponent), MPFR_RNDN);
      mpfr_sub_d(left.raw(), left.raw(), high, MPFR_RNDN);
      return left.value();
    };
    low_.push_back({rest(z.re, z_.back().re), rest(z.im, z_.back().im)});
  }
  return near;
}

void ReferencePoints::end_at_zero() {
  z_.back() = {};
  exponents_.back() = 0;
  if (pairs()) low_.back() = {};
}

mpfr_prec_t least_bits_for(const View& view, Size size) {
  return static_cast<mpfr_prec_t>(bits_per_digit * (zoom_digits(view, size) + 60));
}

mpfr_prec_t bits_for(const View& view, Size size) {
  constexpr mpfr_prec_t limb = 64;
  return (least_bits_for(view, size) + spare_bits + limb - 1) / limb * limb;
}

BigComplex center_of(const View& view, mpfr_prec_t bits) {
  return {BigFloat(bits, view.re.text()), BigFloat(bits, view.im.text())};
}

FloatExp deep_spacing(const View& view, Size size) {
  constexpr mpfr_prec_t bits = 64;
  return float_exp(BigFloat(bits, view.span.text())) / FloatExp(size.width);
}

FloatExp radius_of(const View& view, Size size) {
  return deep_spacing(view, size) * FloatExp(0.5 * std::hypot(size.width, size.height) * view.turn.reach());
}

std::optional<Reference> compute_reference(const ReferenceRequest& request, const Watch& watch) {
  const double began = now_seconds();
  const FloatExp radius = radius_of(request.view, request.size);
  const BigComplex center = center_of(request.view, bits_for(request.view, request.size));
  BigOrbit orbit(center);
  PeriodSearch search(radius);
  Reference reference{.c = center,
                      .view = request.view,
                      .points = ReferencePoints(request.pairs),
                      .next = center,
                      .interior_radius = {}};
  while (reference.points.last() + 1 < length_of(request) && reference.end == Reference::End::open) {
    if (watch.cancelled()) return std::nullopt;
    watch.count();
    orbit.step();
    const FloatExpComplex z = reference.points.append(orbit.z());
    if (far_away < z.abs()) reference.end = Reference::End::escaped;
    if (search.is_candidate(z, orbit.z())) {
      if (auto nucleus = nucleus_near(center, reference.points.last(), request, watch)) {
        reference.c = std::move(nucleus->c);
        reference.points = std::move(nucleus->points);
        reference.end = Reference::End::periodic;
      }
    }
    if (search.interior()) {
      reference.interior_radius = radius;
      reference.interior_period = search.interior_period();
      break;
    }
  }
  reference.next = orbit.z();
  reference.seconds = now_seconds() - began;
  return reference;
}

std::optional<Reference> extended(const Reference& reference, const ReferenceRequest& request, const Watch& watch) {
  const double began = now_seconds();
  Reference longer = reference;
  BigOrbit orbit(longer.c, longer.next);
  while (longer.points.last() + 1 < length_of(request) && longer.end == Reference::End::open) {
    if (watch.cancelled()) return std::nullopt;
    watch.count();
    orbit.step();
    if (far_away < longer.points.append(orbit.z()).abs()) longer.end = Reference::End::escaped;
  }
  longer.next = orbit.z();
  longer.seconds += now_seconds() - began;
  return longer;
}

}  // namespace orrery::mandelbrot
