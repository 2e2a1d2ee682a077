/// The densest part of many bodies. Plain values; any thread.
#pragma once

#include <array>
#include <optional>

#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

struct DensePart {
  std::array<double, 3> place{}, velocity{};  ///< its centre of mass
};
/// Shrinks a sphere around the centre of mass of the bodies in it (Power et al., MNRAS 338, 14 (2003), section 2.5). It
/// begins with the nearer half of the bodies around `around`, so that of several dense parts the one that was found
/// before is found again; without `around` it begins around the heaviest cell of a coarse grid, because two equal parts
/// have nothing in their middle. Nothing where no body has a finite place.
std::optional<DensePart> densest_part(const Bodies& bodies, const std::optional<std::array<double, 3>>& around = {});

}  // namespace orrery
