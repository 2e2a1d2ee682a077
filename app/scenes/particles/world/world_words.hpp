/// The choices of a world file and how they are read and written. Plain values; any thread.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scenes/particles/world/toml_table.hpp"

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

/// Values as a world file writes them.
std::string quoted(const std::string& text);
std::string decimal(double value);
std::string triple(const Vector& v);
std::string hex(const Color& color);

/// Throws a usage Error that lists the choices.
template <class Enum>
Enum choice(TomlTable& table, std::string_view key, const Words<Enum>& words, Enum otherwise) {
  if (!table.has(key)) return otherwise;
  const std::string text = table.text(key);
  std::string allowed;
  for (const auto& [name, value] : words) {
    if (name == text) return value;
    allowed += (allowed.empty() ? "" : " | ") + name;
  }
  table.refuse(key, std::string(key), text, allowed);
}

}  // namespace orrery::particles
