#include "scenes/nbody/bodies/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery {
namespace {

// IAU 2012 resolution B2 and IAU 2015 resolution B3: both are exact.
constexpr double metres_of_au = 149'597'870'700, nominal_sun = 1.3271244e20;  // m, and m³/s²
constexpr double seconds_of_year = 365.25 * 86'400;
constexpr double codata_2018 = 6.67430e-20;  // km³/(kg s²)

constexpr std::array systems{
    UnitSystem{.name = no_units, .title = "None: G = 1"},
    UnitSystem{.name = "AU-years-suns",
               .title = "AU, years, suns",
               .length = "AU",
               .time = "years",
               .mass = "suns",
               .speed = "AU/yr",
               .acceleration = "AU/yr²",
               .potential = "AU²/yr²",
               .energy = "suns·AU²/yr²",
               .momentum = "suns·AU/yr",
               .angular_momentum = "suns·AU²/yr",
               .gravity = nominal_sun * seconds_of_year * seconds_of_year / metres_of_au / metres_of_au / metres_of_au},
    UnitSystem{.name = "km-s-kg",
               .title = "km, s, kg",
               .length = "km",
               .time = "s",
               .mass = "kg",
               .speed = "km/s",
               .acceleration = "km/s²",
               .potential = "km²/s²",
               .energy = "kg·km²/s²",
               .momentum = "kg·km/s",
               .angular_momentum = "kg·km²/s",
               .gravity = codata_2018,
               .astronomical_unit = metres_of_au / 1e3,
               .sun = nominal_sun / 1e9 / codata_2018},
};

}  // namespace

std::span<const UnitSystem> unit_systems() { return systems; }

const UnitSystem& units_named(std::string_view name) { return *std::ranges::find(systems, name, &UnitSystem::name); }

double days_of_time_unit(const UnitSystem& units) {
  constexpr double days_of_year = 365.25, seconds_of_day = 86'400;
  if (units.time == "years") return days_of_year;
  return units.time == "s" ? 1 / seconds_of_day : days_of_year / std::sqrt(units_named("AU-years-suns").gravity);
}

std::string with_unit(const std::string& number, std::string_view unit) {
  return unit.empty() ? number : number + " " + std::string(unit);
}

}  // namespace orrery
