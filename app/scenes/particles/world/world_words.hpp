/// The words that world files have for choices. Plain values; any thread.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

template <class Enum>
using Words = std::vector<std::pair<std::string, Enum>>;

inline const Words<Thermostat> thermostats{
    {"none", Thermostat::none}, {"langevin", Thermostat::langevin}, {"berendsen", Thermostat::berendsen}};
inline const Words<ColorBy> colors{
    {"speed", ColorBy::speed}, {"kind", ColorBy::kind}, {"charge", ColorBy::charge}, {"energy", ColorBy::energy}};
inline const Words<PairLaw::Excluded> exclusions{{"skip", PairLaw::Excluded::skip}, {"seen", PairLaw::Excluded::seen}};

template <class Enum>
const std::string& name_of(const Words<Enum>& words, Enum value) {
  return std::ranges::find(words, value, &std::pair<std::string, Enum>::second)->first;
}

}  // namespace orrery::particles
