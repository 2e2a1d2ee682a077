/// The solar system on a date: Sun, planets and Pluto from a table of JPL's ephemeris DE421 (assets/sky/de421.csv), the
/// Moon too, and six large moons from mean elements. In astronomical units, solar masses and the unit of time that
/// makes G = 1, along the ecliptic of J2000; the bodies are not centred. Any thread.
///
/// The table has a row for each 365.25 days. A date between two rows is reached from the nearer one by the motion of
/// points that attract each other, with the Sun's first term of relativity: to some 1e-8 AU.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

inline constexpr std::string_view j2000_date = "2000-01-01T12:00";

/// In the order of their distances from the Sun, each with its moons behind it.
inline constexpr std::array<std::string_view, 17> sky_names{
    "Sun",      "Mercury",  "Venus",  "Earth", "Moon",   "Mars",    "Jupiter", "Io",   "Europa",
    "Ganymede", "Callisto", "Saturn", "Titan", "Uranus", "Neptune", "Triton",  "Pluto"};
inline constexpr std::array<std::string_view, 10> planet_names{"Sun",     "Mercury", "Venus",  "Earth",   "Mars",
                                                               "Jupiter", "Saturn",  "Uranus", "Neptune", "Pluto"};

/// The Julian day of "YYYY-MM-DD" or "YYYY-MM-DDTHH:MM", barycentric dynamical time. Throws a usage Error for another
/// text and for a date that the table does not reach.
double julian_day(std::string_view date);

/// "2000-01-01 12:00" of a Julian day; empty if the year does not have four digits.
std::string date_text(double julian_day);

/// The bodies of sky_names.
Bodies solar_system(std::string_view date);
/// The bodies of planet_names, each with the mass of its moons, at their centre of mass.
Bodies planets(std::string_view date);

}  // namespace orrery
