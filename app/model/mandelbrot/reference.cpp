#include "model/mandelbrot/reference.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "model/mandelbrot/nucleus.hpp"

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

double zoom_digits(const View& view, Size size) { return std::max(0.0, -log2_spacing(view, size) * std::log10(2.0)); }

FloatExp spacing_of(const View& view, Size size) {
  const double exponent = std::floor(log2_spacing(view, size));
  return FloatExp(std::exp2(log2_spacing(view, size) - exponent), static_cast<std::int64_t>(exponent));
}

std::optional<Nucleus> nucleus_near(const BigComplex& center, std::size_t period, const View& view, Size size,
                                    const Watch& watch) {
  const FloatExp tolerance = spacing_of(view, size) * FloatExp(1, exact_part_of_pixel);
  return find_nucleus(center, period, radius_of(view, size) * FloatExp(near_the_view), tolerance, watch);
}

std::size_t length_of(std::uint32_t limit, std::size_t most_points) {
  return std::min<std::size_t>(limit, most_points);
}

}  // namespace

void ReferencePoints::append(const FloatExpComplex& point) {
  const bool plain = point.exponent() >= smallest_plain_exponent || point.exponent() < -(1 << 30);
  const double factor = plain ? power_of_two(point.exponent()) : 1;
  z.push_back({factor * point.re(), factor * point.im()});
  exponents.push_back(plain ? 0 : static_cast<std::int32_t>(point.exponent()));
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

FloatExp radius_of(const View& view, Size size) {
  return spacing_of(view, size) * FloatExp(0.5 * std::hypot(size.width, size.height));
}

std::optional<Reference> compute_reference(const View& view, Size size, std::uint32_t limit, std::size_t most_points,
                                           const Watch& watch) {
  const double began = now_seconds();
  const BigComplex center = center_of(view, bits_for(view, size));
  BigOrbit orbit(center);
  PeriodSearch search(radius_of(view, size));
  Reference reference{.c = center, .view = view, .points = {}, .next = center, .interior_radius = {}};
  const std::size_t length = length_of(limit, most_points);
  while (reference.points.last() + 1 < length && reference.end == Reference::End::open) {
    if (watch.cancelled()) return std::nullopt;
    watch.count();
    orbit.step();
    const FloatExpComplex z = float_exp(orbit.z());
    reference.points.append(z);
    if (far_away < z.abs()) reference.end = Reference::End::escaped;
    if (search.is_candidate(z)) {
      if (auto nucleus = nucleus_near(center, reference.points.last(), view, size, watch)) {
        reference.c = std::move(nucleus->c);
        reference.points = std::move(nucleus->points);
        reference.end = Reference::End::periodic;
      }
    }
    if (search.interior()) {
      reference.interior_radius = radius_of(view, size);
      break;
    }
  }
  reference.next = orbit.z();
  reference.seconds = now_seconds() - began;
  return reference;
}

std::optional<Reference> extended(const Reference& reference, std::uint32_t limit, std::size_t most_points,
                                  const Watch& watch) {
  const double began = now_seconds();
  Reference longer = reference;
  BigOrbit orbit(longer.c, longer.next);
  const std::size_t length = length_of(limit, most_points);
  while (longer.points.last() + 1 < length && longer.end == Reference::End::open) {
    if (watch.cancelled()) return std::nullopt;
    watch.count();
    orbit.step();
    const FloatExpComplex z = float_exp(orbit.z());
    longer.points.append(z);
    if (far_away < z.abs()) longer.end = Reference::End::escaped;
  }
  longer.next = orbit.z();
  longer.seconds += now_seconds() - began;
  return longer;
}

}  // namespace orrery::mandelbrot
