/// A disc galaxy near equilibrium: an exponential disc and a bulge in a halo, each made of bodies.
///
/// The model is that of L. Hernquist, Astrophys. J. Suppl. 86, 389 (1993), in a smaller halo: densities are exact,
/// velocities have the moments of the Jeans equations. The disc's velocities are Gaussian; those of bulge and halo
/// follow an isotropic polytrope, which ends at the escape speed. Units: G = 1, disc mass 1, scale length 1. Immutable;
/// any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "scenes/nbody/bodies/body_draw.hpp"

namespace orrery {

/// Rotation curve of a thick exponential disc in softened gravity.
///
/// The disc has mass 1, scale length 1 and the vertical profile sech²(z/z₀); G = 1 and forces are r/(r² + ε²)^{3/2}.
///
/// v²(R) = R ∫ k J₁(kR) (1 + k²)^{−3/2} F(k) dk, the Hankel transform of A. Toomre, Astrophys. J. 138, 385 (1963),
/// where F is the mean of exp(−k √(Δz² + ε²)) over all pairs of heights. Without thickness and softening it is the
/// curve of K. C. Freeman, Astrophys. J. 160, 811 (1970).
class DiscRotation {
 public:
  DiscRotation(double thickness, double softening);

  /// v² of a circular orbit, averaged over the heights; the relative error is below 2e-3 for radii from 0.1 to 10.
  double speed_squared(double radius) const;
  /// Heights, each of which represents the same mass.
  static std::vector<double> heights(double thickness);

 private:
  std::vector<double> wave_numbers_;  // with logarithmic spacing
  std::vector<double> weights_;       // the integrand without J₁, times the step
};

/// The Bessel function of the first kind of order 1, x ≥ 0, to 1e-7: Abramowitz & Stegun, 9.4.4 and 9.4.6.
double bessel_j1(double x);

namespace galaxy {

inline constexpr double thickness = 0.2;       ///< z₀ in sech²(z/z₀)
inline constexpr double disc_edge = 10;        ///< the disc is cut off here
inline constexpr double bulge_mass = 1. / 3;   ///< Hernquist's profile a / (r (r + a)³) …
inline constexpr double bulge_scale = 0.2;     ///< … with this a …
inline constexpr double bulge_edge = 4;        ///< … that ends here
inline constexpr double halo_mass = 2.4;       ///< exp(−r²/r_c²) / (r² + γ²) …
inline constexpr double halo_core = 1;         ///< … γ …
inline constexpr double halo_cutoff = 4;       ///< … and r_c …
inline constexpr double halo_edge = 16;        ///< … that ends here
inline constexpr double toomre_q = 1.3;        ///< at the reference radius, the Sun's …
inline constexpr double q_radius = 8.5 / 3.5;  ///< … in scale lengths
inline constexpr double total_mass = 1 + bulge_mass + halo_mass;

inline constexpr double bulge_share = 0.1;  ///< share of the bodies
inline constexpr double halo_share = 0.2;

}  // namespace galaxy

/// Functions of the radius on a grid with logarithmic spacing.
class GalaxyModel {
 public:
  /// `softening` ε: forces are r/(r² + ε²)^{3/2}, and velocities are in equilibrium with them.
  explicit GalaxyModel(double softening);

  /// Appends `count` bodies: disc, bulge and halo in this order, centred, the disc in z = 0 and spinning about +z.
  void append(Bodies& bodies, std::size_t count, BodyDraw& draw) const;

  static std::size_t disc_count(std::size_t count) { return count - bulge_count(count) - halo_count(count); }
  static std::size_t bulge_count(std::size_t count) { return part(galaxy::bulge_share, count); }
  static std::size_t halo_count(std::size_t count) { return part(galaxy::halo_share, count); }

  double circular_speed(double radius) const;
  /// Mean and dispersions of the disc's velocities.
  struct DiscMoments {
    double mean = 0;  ///< around the axis: slower than a circle's by the asymmetric drift
    double radial = 0, tangential = 0, vertical = 0;
  };
  DiscMoments disc_moments(double radius) const;

 private:
  using Column = std::vector<double>;

  static std::size_t part(double share, std::size_t count) {
    return static_cast<std::size_t>(share * static_cast<double>(count));
  }
  double at(const Column& column, double radius) const;
  double radius_of(const Column& cumulative, double share) const;
  Column dispersion(const Column& density) const;
  void find_circular(double softening);
  void add_disc(Bodies& bodies, std::size_t count, BodyDraw& draw) const;
  struct Sphere {
    double mass;
    const Column& cumulative;
    const Column& dispersion;
  };
  void add_sphere(Bodies& bodies, std::size_t count, const Sphere& sphere, BodyDraw& draw) const;

  Column radii_;
  Column disc_inside_, bulge_inside_, halo_inside_;  // mass within the radius; the disc's along its plane
  Column pull_;                                      // towards the centre, as if all mass were spherical
  Column escape_;                                    // speed
  Column circular_;                                  // speed squared, in the disc's plane
  Column epicyclic_;                                 // κ²/4Ω²
  Column bulge_dispersion_, halo_dispersion_;
  double disc_dispersion_ = 0;  // radial, on the axis
};

}  // namespace orrery
