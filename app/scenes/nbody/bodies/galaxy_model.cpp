#include "scenes/nbody/bodies/galaxy_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "scenes/nbody/bodies/placement.hpp"

namespace orrery {
namespace {

constexpr std::size_t wave_count = 2000;
constexpr double longest_wave = 1e-3, shortest_wave = 300;  // in wave numbers
constexpr std::size_t height_count = 24;

// Coefficients from the lowest power upwards.
template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = 0;
  for (std::size_t i = N; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

}  // namespace

double bessel_j1(double x) {
  if (x <= 3) {
    const double t = x / 3;
    return x * polynomial(std::array{0.5, -0.56249985, 0.21093573, -0.03954289, 0.00443319, -0.00031761, 0.00001109},
                          t * t);
  }
  const double t = 3 / x;
  const double amplitude =
      polynomial(std::array{0.79788456, 0.00000156, 0.01659667, 0.00017105, -0.00249511, 0.00113653, -0.00020033}, t);
  const double phase =
      x +
      polynomial(std::array{-2.35619449, 0.12499612, 0.00005650, -0.00637879, 0.00074348, 0.00079824, -0.00029166}, t);
  return amplitude * std::cos(phase) / std::sqrt(x);
}

std::vector<double> DiscRotation::heights(double thickness) {
  std::vector<double> heights;
  for (std::size_t i = 0; i < height_count; ++i)
    heights.push_back(thickness * std::atanh((2 * static_cast<double>(i) + 1) / height_count - 1));
  return heights;
}

DiscRotation::DiscRotation(double thickness, double softening) {
  const std::vector<double> z = heights(thickness);
  std::vector<double> separations;
  for (double a : z)
    for (double b : z) separations.push_back(std::hypot(a - b, softening));
  const double step = std::log(shortest_wave / longest_wave) / static_cast<double>(wave_count - 1);
  for (std::size_t i = 0; i < wave_count; ++i) {
    const double k = longest_wave * std::exp(step * static_cast<double>(i));
    double mean = 0;
    for (double separation : separations) mean += std::exp(-k * separation) / static_cast<double>(separations.size());
    wave_numbers_.push_back(k);
    weights_.push_back(step * k * k * std::pow(1 + k * k, -1.5) * mean);
  }
}

double DiscRotation::speed_squared(double radius) const {
  double sum = 0;
  for (std::size_t i = 0; i < wave_count; ++i) sum += weights_[i] * bessel_j1(wave_numbers_[i] * radius);
  return radius * sum;
}

// ---- the galaxy

namespace {

using std::numbers::pi;

constexpr std::size_t nodes = 400;
constexpr double innermost = 1e-4;

double squared(double x) { return x * x; }

double disc_inside(double radius) { return 1 - (1 + radius) * std::exp(-radius); }
double surface_density(double radius) { return std::exp(-radius) / (2 * pi * disc_inside(galaxy::disc_edge)); }

double bulge_density(double r) { return r > galaxy::bulge_edge ? 0 : 1 / (r * std::pow(r + galaxy::bulge_scale, 3)); }
double halo_density(double r) {
  return r > galaxy::halo_edge ? 0 : std::exp(-squared(r / galaxy::halo_cutoff)) / (r * r + squared(galaxy::halo_core));
}

// Mass within each radius of a density that is scaled to the total `mass`; the innermost sphere counts as homogeneous.
template <class Density>
std::vector<double> inside(const std::vector<double>& radii, double mass, const Density& density) {
  std::vector<double> sums{4 * pi / 3 * std::pow(radii[0], 3) * density(radii[0])};
  const auto shell = [&](double r) { return 4 * pi * r * r * density(r); };
  for (std::size_t i = 1; i < radii.size(); ++i) {
    const double middle = std::sqrt(radii[i - 1] * radii[i]), width = radii[i] - radii[i - 1];
    sums.push_back(sums.back() + width * (shell(radii[i - 1]) + 4 * shell(middle) + shell(radii[i])) / 6);
  }
  for (double& sum : sums) sum *= mass / sums.back();
  return sums;
}

// Factor by which the softening ε reduces the pull of a point mass.
double softened(double radius, double softening) { return std::pow(1 + squared(softening / radius), -1.5); }

// q = v / v_escape, distributed as q²(1 − q²)^p, by rejection. Plummer's sphere has p = 7/2.
template <class Numbers>
double bound_speed(double p, Numbers& random) {
  const double top = std::pow(p / (1 + p), p) / (1 + p);
  for (;;) {
    const double q = random.uniform();
    if (top * random.uniform() < q * q * std::pow(1 - q * q, p)) return q;
  }
}

}  // namespace

GalaxyModel::GalaxyModel(double softening) {
  const double step = std::log(galaxy::halo_edge / innermost) / static_cast<double>(nodes - 1);
  for (std::size_t i = 0; i < nodes; ++i) radii_.push_back(innermost * std::exp(step * static_cast<double>(i)));
  bulge_inside_ = inside(radii_, galaxy::bulge_mass, bulge_density);
  halo_inside_ = inside(radii_, galaxy::halo_mass, halo_density);
  for (double r : radii_)
    disc_inside_.push_back(disc_inside(std::min(r, galaxy::disc_edge)) / disc_inside(galaxy::disc_edge));
  for (std::size_t i = 0; i < nodes; ++i)
    pull_.push_back((disc_inside_[i] + bulge_inside_[i] + halo_inside_[i]) / squared(radii_[i]) *
                    softened(radii_[i], softening));
  find_circular(softening);

  // 2Φ from the outside inwards.
  escape_.assign(nodes, std::sqrt(2 * galaxy::total_mass / radii_.back()));
  for (std::size_t i = nodes - 1; i-- > 0;)
    escape_[i] = std::sqrt(squared(escape_[i + 1]) + (radii_[i + 1] - radii_[i]) * (pull_[i] + pull_[i + 1]));

  for (std::size_t i = 0; i < nodes; ++i) {
    const std::size_t low = i == 0 ? 0 : i - 1, high = std::min(i + 1, nodes - 1);
    const double slope = std::log(circular_[high] / circular_[low]) / std::log(radii_[high] / radii_[low]);
    epicyclic_.push_back(std::clamp(0.5 + slope / 4, 0.25, 1.0));  // κ² = 4Ω² + R dΩ²/dR
  }

  Column density(nodes);
  std::ranges::transform(radii_, density.begin(), bulge_density);
  bulge_dispersion_ = dispersion(density);
  std::ranges::transform(radii_, density.begin(), halo_density);
  halo_dispersion_ = dispersion(density);

  // Toomre's Q = σ_R κ / (3.36 Σ) at the reference radius.
  const double r = galaxy::q_radius;
  const double epicyclic_frequency = 2 * circular_speed(r) / r * std::sqrt(at(epicyclic_, r));
  disc_dispersion_ = 1;
  disc_dispersion_ = galaxy::toomre_q * 3.36 * surface_density(r) / epicyclic_frequency / disc_moments(r).radial;
}

// Pull of all three parts, averaged over the disc's heights.
void GalaxyModel::find_circular(double softening) {
  const DiscRotation disc(galaxy::thickness, softening);
  const std::vector<double> heights = DiscRotation::heights(galaxy::thickness);
  for (double r : radii_) {
    double sum = r > galaxy::disc_edge ? 1 / r : disc.speed_squared(r) / disc_inside(galaxy::disc_edge);
    for (double z : heights) {
      const double distance = std::hypot(r, z);
      sum += (at(bulge_inside_, distance) + at(halo_inside_, distance)) * squared(r) / std::pow(distance, 3) *
             softened(distance, softening) / static_cast<double>(heights.size());
    }
    circular_.push_back(sum);
  }
}

// Interpolates linearly between the nodes.
double GalaxyModel::at(const Column& column, double radius) const {
  const auto above = std::ranges::upper_bound(radii_, radius);
  if (above == radii_.begin()) return column.front();
  if (above == radii_.end()) return column.back();
  const auto i = static_cast<std::size_t>(above - radii_.begin());
  return std::lerp(column[i - 1], column[i], (radius - radii_[i - 1]) / (radii_[i] - radii_[i - 1]));
}

// The place at which a cumulative column reaches this share of its last value.
double GalaxyModel::radius_of(const Column& cumulative, double share) const {
  const double wanted = share * cumulative.back();
  const auto above = std::ranges::upper_bound(cumulative, wanted);
  if (above == cumulative.begin()) return radii_.front() * std::cbrt(wanted / cumulative.front());
  if (above == cumulative.end()) return radii_.back();
  const auto i = static_cast<std::size_t>(above - cumulative.begin());
  return std::lerp(radii_[i - 1], radii_[i], (wanted - cumulative[i - 1]) / (cumulative[i] - cumulative[i - 1]));
}

// The isotropic Jeans equation: σ² = (1/ρ) ∫ ρ |∇Φ| dr, from the radius to where the density ends.
GalaxyModel::Column GalaxyModel::dispersion(const Column& density) const {
  Column result(nodes, 0);
  double integral = 0;
  for (std::size_t i = nodes - 1; i-- > 0;) {
    integral += (radii_[i + 1] - radii_[i]) * (density[i] * pull_[i] + density[i + 1] * pull_[i + 1]) / 2;
    if (density[i] > 0) result[i] = std::sqrt(integral / density[i]);
  }
  return result;
}

double GalaxyModel::circular_speed(double radius) const { return std::sqrt(at(circular_, radius)); }

GalaxyModel::DiscMoments GalaxyModel::disc_moments(double radius) const {
  const double flattened = std::hypot(radius, std::numbers::sqrt2 / 4);  // keeps the centre cool
  const double radial = disc_dispersion_ * std::exp(-flattened / 2);
  const double ratio = at(epicyclic_, radius);
  const double mean = at(circular_, radius) + squared(radial) * (1 - ratio - 2 * radius);
  return {std::sqrt(std::max(mean, 0.0)), radial, radial * std::sqrt(ratio),
          std::sqrt(pi * surface_density(radius) * galaxy::thickness)};
}

void GalaxyModel::add_disc(Bodies& bodies, std::size_t count, BodyDraw& draw) const {
  draw.append(bodies, count, [&](auto& random, std::size_t i) {
    const double radius =
        radius_of(disc_inside_, (static_cast<double>(i) + random.uniform()) / static_cast<double>(count));
    const double angle = 2 * pi * random.uniform();
    const double height = galaxy::thickness * std::atanh(random.uniform(-1, 1));
    const DiscMoments moments = disc_moments(radius);
    const double out = moments.radial * random.normal();
    const double around = moments.mean + moments.tangential * random.normal();
    const double c = std::cos(angle), s = std::sin(angle);
    return body_at(1 / static_cast<double>(count), {radius * c, radius * s, height},
                   {out * c - around * s, out * s + around * c, moments.vertical * random.normal()});
  });
}

void GalaxyModel::add_sphere(Bodies& bodies, std::size_t count, const Sphere& sphere, BodyDraw& draw) const {
  draw.append(bodies, count, [&](auto& random, std::size_t i) {
    const double share = (static_cast<double>(i) + random.uniform()) / static_cast<double>(count);
    const double radius = radius_of(sphere.cumulative, share);
    const double escape = at(escape_, radius), sigma = at(sphere.dispersion, radius);
    // ⟨q²⟩ = 3 / (2p + 5), so that the dispersion is σ and nothing escapes.
    const double p = sigma > 0 ? std::max(0.0, 1.5 * squared(escape / sigma) / 3 - 2.5) : 0;
    const Vector v = random.on_sphere(sigma > 0 ? bound_speed(p, random) * escape : 0);
    return body_at(sphere.mass / static_cast<double>(count), random.on_sphere(radius), v);
  });
}

void GalaxyModel::append(Bodies& bodies, std::size_t count, BodyDraw& draw) const {
  add_disc(bodies, disc_count(count), draw);
  add_sphere(bodies, bulge_count(count), {galaxy::bulge_mass, bulge_inside_, bulge_dispersion_}, draw);
  add_sphere(bodies, halo_count(count), {galaxy::halo_mass, halo_inside_, halo_dispersion_}, draw);
}

}  // namespace orrery
