#include "scenes/particles/laws/laws.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace orrery::particles {
namespace {

const std::vector<PairLaw>& pair_laws() {
  static const std::vector<PairLaw> laws{
      {.name = "gravity",
       .snippet = "const real soft2 = r2 + softening * softening;\n"
                  "const real over = rsqrt(soft2);\n"
                  "energy -= G * mass1 * mass2 * over;\n"
                  "dEdR += G * mass1 * mass2 * r * over * over * over;\n",
       .parameters = {{.name = "G", .value = 1, .minimum = 0, .maximum = 10},
                      {.name = "softening", .value = 0.05, .minimum = 0, .maximum = 1, .unit = "length"}},
       .excluded = PairLaw::Excluded::seen},
      {.name = "coulomb",
       .snippet = "const real e = k * charge1 * charge2 * invR;\n"
                  "energy += e;\n"
                  "dEdR -= e * invR;\n",
       .parameters = {{.name = "k", .value = 1, .minimum = 0, .maximum = 1000}}},
      {.name = "lennard-jones",
       .snippet = "const real s = sigma * invR;\n"
                  "const real s6 = s * s * s * s * s * s;\n"
                  "energy += 4 * epsilon * (s6 * s6 - s6);\n"
                  "dEdR -= 24 * epsilon * (2 * s6 * s6 - s6) * invR;\n",
       .parameters = {{.name = "epsilon", .value = 1, .minimum = 0, .maximum = 10, .unit = "energy"},
                      {.name = "sigma", .value = 1, .minimum = 0.1, .maximum = 2, .unit = "length"}},
       .cutoff = 2.5},
      {.name = "morse",
       .snippet = "const real e = exp(-a * (r - r0));\n"
                  "energy += depth * e * (e - 2);\n"
                  "dEdR -= 2 * a * depth * e * (e - 1);\n",
       .parameters = {{.name = "depth", .value = 1, .minimum = 0, .maximum = 10, .unit = "energy"},
                      {.name = "a", .value = 6, .minimum = 0.1, .maximum = 20, .unit = "1/length"},
                      {.name = "r0", .value = 1.12, .minimum = 0.1, .maximum = 5, .unit = "length"}},
       .cutoff = 2.5},
      {.name = "yukawa",
       .snippet = "const real e = k * charge1 * charge2 * exp(-r / screening) * invR;\n"
                  "energy += e;\n"
                  "dEdR -= e * (invR + 1 / screening);\n",
       .parameters = {{.name = "k", .value = 1, .minimum = 0, .maximum = 1000},
                      {.name = "screening", .value = 1, .minimum = 0.05, .maximum = 10, .unit = "length"}},
       .cutoff = 5},
      {.name = "soft-sphere",
       .snippet = "const real s = sigma * invR;\n"
                  "const real s6 = s * s * s * s * s * s;\n"
                  "energy += epsilon * s6 * s6;\n"
                  "dEdR -= 12 * epsilon * s6 * s6 * invR;\n",
       .parameters = {{.name = "epsilon", .value = 1, .minimum = 0, .maximum = 10, .unit = "energy"},
                      {.name = "sigma", .value = 1, .minimum = 0.1, .maximum = 2, .unit = "length"}},
       .cutoff = 2},
  };
  return laws;
}

const std::vector<GroupLaw>& group_laws() {
  static const std::vector<GroupLaw> laws{
      {.name = "harmonic-bond",
       .members = 2,
       .snippet = "const real4 d = position2 - position1;\n"
                  "const real r = length(d);\n"
                  "energy += 0.5f * k * (r - r0) * (r - r0);\n"
                  "const real4 f = k * (r - r0) / r * d;\n"
                  "force1 += f;\n"
                  "force2 -= f;\n",
       .parameters = {{.name = "k", .value = 100, .minimum = 0, .maximum = 10000, .unit = "energy/length^2"},
                      {.name = "r0", .value = 1, .minimum = 0.01, .maximum = 10, .unit = "length"}}},
      {.name = "harmonic-angle",
       .members = 3,
       // About position2, from unit vectors along the arms: dθ/dposition1 = a × (a × b) / (|arm1| sin θ). The angle is
       // taken from the straight line where it is near that: small angles have all their digits, and so has bend /
       // sine.
       .snippet = "const real4 arm1 = position1 - position2, arm3 = position3 - position2;\n"
                  "const real over1 = rsqrt(dot(arm1, arm1)), over3 = rsqrt(dot(arm3, arm3));\n"
                  "const real4 a = over1 * arm1, b = over3 * arm3, c = cross(a, b);\n"
                  "const real sine = length(c), cosine = dot(a, b);\n"
                  "real bend = atan2(sine, cosine) - theta0;\n"
                  "if (cosine < 0) bend = (3.14159265358979324 - theta0) - atan2(sine, -cosine);\n"
                  "energy += 0.5f * k * bend * bend;\n"
                  "const real4 turn = k * bend / fmax(sine, (real)1e-30) * c;\n"
                  "const real4 f1 = over1 * cross(turn, a), f3 = over3 * cross(b, turn);\n"
                  "force1 += f1;\n"
                  "force3 += f3;\n"
                  "force2 -= f1 + f3;\n",
       .parameters = {{.name = "k", .value = 10, .minimum = 0, .maximum = 1000, .unit = "energy/rad^2"},
                      {.name = "theta0", .value = 1.9106, .minimum = 0, .maximum = 3.14159265, .unit = "rad"}}},
      {.name = "fene",
       .members = 2,
       // K. Kremer, G. S. Grest, J. Chem. Phys. 92 (1990) 5057; the repulsion is a pair law's.
       .snippet = "const real4 d = position2 - position1;\n"
                  "const real x = dot(d, d) / (R0 * R0);\n"
                  "energy -= 0.5f * k * R0 * R0 * log(1 - x);\n"
                  "const real4 f = k / (1 - x) * d;\n"
                  "force1 += f;\n"
                  "force2 -= f;\n",
       .parameters = {{.name = "k", .value = 30, .minimum = 0, .maximum = 1000, .unit = "energy/length^2"},
                      {.name = "R0", .value = 1.5, .minimum = 0.1, .maximum = 10, .unit = "length"}}},
      {.name = "periodic-torsion",
       .members = 4,
       // A. Blondel, M. Karplus, J. Comput. Chem. 17 (1996) 1132: no division by the sine of the torsion.
       .snippet = "const real4 f = position1 - position2, g = position2 - position3, h = position4 - position3;\n"
                  "const real4 a = cross(f, g), b = cross(h, g);\n"
                  "const real a2 = dot(a, a), b2 = dot(b, b), length_g = length(g);\n"
                  "const real phi = atan2(dot(cross(b, a), g) / length_g, dot(a, b));\n"
                  "energy += k * (1 + cos(n * phi - phase));\n"
                  "const real slope = -k * n * sin(n * phi - phase);\n"
                  "const real4 on1 = -length_g / a2 * a, on4 = length_g / b2 * b;\n"
                  "const real4 shared = dot(f, g) / (a2 * length_g) * a - dot(h, g) / (b2 * length_g) * b;\n"
                  "force1 -= slope * on1;\n"
                  "force2 -= slope * (shared - on1);\n"
                  "force3 -= slope * (-on4 - shared);\n"
                  "force4 -= slope * on4;\n",
       .parameters = {{.name = "k", .value = 1, .minimum = 0, .maximum = 100, .unit = "energy"},
                      {.name = "n", .value = 3, .minimum = 0, .maximum = 6},
                      {.name = "phase", .value = 0, .minimum = -3.14159265, .maximum = 3.14159265, .unit = "rad"}}},
  };
  return laws;
}

template <class Laws>
const auto& named(const Laws& laws, std::string_view name) {
  const auto found = std::ranges::find(laws, name, [](const auto& law) { return std::string_view(law.name); });
  if (found != laws.end()) return *found;
  std::string names;
  for (const auto& law : laws) names += (names.empty() ? "" : " | ") + law.name;
  throw usage_error("there is no ready-made law", std::string(name), "known: " + names + "; or give a snippet");
}

}  // namespace

std::span<const PairLaw> ready_pair_laws() { return pair_laws(); }
std::span<const GroupLaw> ready_group_laws() { return group_laws(); }
const PairLaw& ready_pair_law(std::string_view name) { return named(pair_laws(), name); }
const GroupLaw& ready_group_law(std::string_view name) { return named(group_laws(), name); }

}  // namespace orrery::particles
