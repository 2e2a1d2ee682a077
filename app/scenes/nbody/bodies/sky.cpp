#include "scenes/nbody/bodies/sky.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/text.hpp"
#include "scenes/nbody/bodies/orbit.hpp"
#include "scenes/nbody/bodies/placement.hpp"
#include "scenes/nbody/bodies/units.hpp"

namespace orrery {
namespace {

constexpr double degree = std::numbers::pi / 180, days_of_year = 365.25;
constexpr double obliquity = 84381.448 / 3600 * degree;  // of the ecliptic, J2000, as the table was made
constexpr double j2000 = 2'451'545;

// ---- the table

/// Places and velocities in AU and AU/day.
struct State {
  Vector x{}, v{};
};
using States = std::vector<State>;

struct TableRow {
  double day;
  States states;  // Mercury … Pluto from the Sun, but the Moon from the Earth
};

constexpr std::size_t bodies_in_table = 10, earth_in_table = 2, moon_in_table = 3;

// IAU 2015's nominal solar mass is 1. The GM of DE421 in that unit; a planet's includes its moons, except the Earth's.
constexpr std::array<double, 1 + bodies_in_table> masses{
    1.00000000031602,     1.66013751236623e-07, 2.44783828857669e-06, 3.00348962189473e-06,
    3.69430331946613e-08, 3.22715603859904e-07, 0.000954791915520128, 0.000285885672814731,
    4.36624373724382e-05, 5.1513897265782e-05,  7.36178160847114e-09};

TableRow row_of(const std::vector<std::string_view>& cells, const std::string& file) {
  std::vector<double> numbers;
  for (const std::string_view cell : cells) numbers.push_back(parse_real(cell).value_or(std::nan("")));
  if (numbers.size() != 1 + 6 * bodies_in_table || !std::ranges::all_of(numbers, [](double x) { return x == x; }))
    throw failure(file + " is damaged: expected rows of " + std::to_string(1 + 6 * bodies_in_table) + " numbers");
  TableRow row{numbers[0], States(bodies_in_table)};
  for (std::size_t k = 0; k < bodies_in_table; ++k)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      row.states[k].x[axis] = numbers[1 + 6 * k + axis];
      row.states[k].v[axis] = numbers[4 + 6 * k + axis];
    }
  return row;
}

std::vector<TableRow> read_table() {
  const std::filesystem::path path = asset_folder() / "sky" / "de421.csv";
  const std::string text = read_file(path);
  std::vector<TableRow> rows;
  for (const std::string_view line : split_text(text, '\n'))
    if (!line.empty() && line.front() != '#' && !line.starts_with("jd"))
      rows.push_back(row_of(split_text(line, ','), path.string()));
  if (rows.empty()) throw failure(path.string() + " has no rows");
  return rows;
}

const std::vector<TableRow>& table() {
  static const std::vector<TableRow> rows = read_table();
  return rows;
}

// ---- from a row to a date

double gravity_by_day() { return units_named("AU-years-suns").gravity / days_of_year / days_of_year; }

void add_scaled(States& to, const States& from, double amount) {
  for (std::size_t k = 0; k < to.size(); ++k)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      to[k].x[axis] += amount * from[k].x[axis];
      to[k].v[axis] += amount * from[k].v[axis];
    }
}

// The Sun's first term of relativity, in harmonic coordinates: GM/(c²r³)·[(4·GM/r − v²)·r + 4·(r·v)·v]. Without this
// term Mercury is 2e-6 AU late after half a year.
void add_relativity(States& change, const States& now) {
  constexpr double light = 173.144632674;  // AU/day
  const double gm = gravity_by_day() * masses[0];
  for (std::size_t i = 1; i < now.size(); ++i) {
    Vector r{}, v{};
    double r2 = 0, v2 = 0, along = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      r[axis] = now[i].x[axis] - now[0].x[axis];
      v[axis] = now[i].v[axis] - now[0].v[axis];
      r2 += r[axis] * r[axis], v2 += v[axis] * v[axis], along += r[axis] * v[axis];
    }
    const double distance = std::sqrt(r2), strength = gm / (light * light * r2 * distance);
    for (std::size_t axis = 0; axis < 3; ++axis)
      change[i].v[axis] += strength * ((4 * gm / distance - v2) * r[axis] + 4 * along * v[axis]);
  }
}

/// Velocities and accelerations.
States change_of(const States& now) {
  States change(now.size());
  const double gravity = gravity_by_day();
  for (std::size_t i = 0; i < now.size(); ++i) change[i].x = now[i].v;
  for (std::size_t i = 0; i < now.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vector r{now[j].x[0] - now[i].x[0], now[j].x[1] - now[i].x[1], now[j].x[2] - now[i].x[2]};
      const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], pull = gravity / (r2 * std::sqrt(r2));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        change[i].v[axis] += masses[j] * pull * r[axis];
        change[j].v[axis] -= masses[i] * pull * r[axis];
      }
    }
  add_relativity(change, now);
  return change;
}

// The classical Runge-Kutta method of fourth order. A step of an eighth of a day moves the Moon by a 1400th of its
// orbit.
void move(States& states, double days) {
  constexpr double longest = 0.125;
  const auto steps = static_cast<int>(std::ceil(std::abs(days) / longest));
  for (int k = 0; k < steps; ++k) {
    const double h = days / steps;
    const auto from = [&](const States& change, double part) {
      States then = states;
      add_scaled(then, change, part * h);
      return change_of(then);
    };
    const States first = change_of(states), second = from(first, 0.5), third = from(second, 0.5),
                 fourth = from(third, 1);
    for (const auto& [change, weight] : {std::pair(&first, 1.0), {&second, 2.0}, {&third, 2.0}, {&fourth, 1.0}})
      add_scaled(states, *change, weight * h / 6);
  }
}

/// The Sun at rest at the origin first, then the bodies of the table.
States states_on(double day) {
  const auto& nearest =
      *std::ranges::min_element(table(), {}, [&](const TableRow& row) { return std::abs(row.day - day); });
  States states(1 + bodies_in_table);
  std::ranges::copy(nearest.states, states.begin() + 1);
  State& moon = states[1 + moon_in_table];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    moon.x[axis] += states[1 + earth_in_table].x[axis];
    moon.v[axis] += states[1 + earth_in_table].v[axis];
  }
  move(states, day - nearest.day);
  return states;
}

// ---- moons

/// JPL's mean elements (Planetary Satellite Mean Orbital Parameters, ssd.jpl.nasa.gov) relative to the moon's Laplace
/// plane; longitudes count from its node on the equator of J2000; angles in degrees. GM from the same source (Planetary
/// Satellite Physical Parameters), in km³/s². JPL's periods hold for oblate planets: the semi-major axis follows from
/// the mean motion, so that the periods are right.
struct MoonElements {
  std::string_view name, planet;
  double gm;
  double eccentricity, pericentre, mean_anomaly, inclination, node;
  double degrees_a_day, epoch;
  double pole_ascension, pole_declination;
};
constexpr double jovian_epoch = 2'450'464.5;  // 16 January 1997
constexpr std::array moons{
    MoonElements{"Io", "Jupiter", 5959.91547, 0.0041, 84.129, 342.021, 0.036, 43.977, 203.4889583, jovian_epoch,
                 268.057, 64.495},
    MoonElements{"Europa", "Jupiter", 3202.7121, 0.0094, 88.970, 171.016, 0.466, 219.106, 101.3747242, jovian_epoch,
                 268.084, 64.506},
    MoonElements{"Ganymede", "Jupiter", 9887.83275, 0.0013, 192.417, 317.540, 0.177, 63.552, 50.3176072, jovian_epoch,
                 268.168, 64.543},
    MoonElements{"Callisto", "Jupiter", 7179.2834, 0.0074, 52.643, 181.408, 0.192, 298.848, 21.5710728, jovian_epoch,
                 268.639, 64.749},
    MoonElements{"Titan", "Saturn", 8978.1371, 0.0288, 180.532, 163.310, 0.306, 28.060, 22.5769768, j2000, 36.214,
                 83.949},
    MoonElements{"Triton", "Neptune", 1428.495, 0, 66.142, 352.257, 156.865, 177.608, 61.2572638, j2000, 299.456,
                 43.414},
};

constexpr double nominal_sun_gm = 1.3271244e11;  // km³/s²

double mass_of(const MoonElements& moon) { return moon.gm / nominal_sun_gm; }

/// Relative to its planet, in AU and AU/day. `mass`: total of the two.
State state_of(const MoonElements& moon, double day, double mass) {
  const double motion = moon.degrees_a_day * degree, e = moon.eccentricity;
  const double axis = std::cbrt(gravity_by_day() * mass / (motion * motion));
  const double anomaly = eccentric_anomaly(moon.mean_anomaly * degree + motion * (day - moon.epoch), e);
  const double flat = std::sqrt(1 - e * e), speed = axis * motion / (1 - e * std::cos(anomaly));
  const auto along_ecliptic = [&](const Vector& in_orbit) {
    const Vector in_plane =
        turned(turned(in_orbit, 0, moon.pericentre * degree), moon.inclination * degree, moon.node * degree);
    const Vector equatorial =
        turned(in_plane, (90 - moon.pole_declination) * degree, (90 + moon.pole_ascension) * degree);
    return turned(equatorial, -obliquity, 0);
  };
  return {along_ecliptic({axis * (std::cos(anomaly) - e), axis * flat * std::sin(anomaly), 0}),
          along_ecliptic({-speed * std::sin(anomaly), speed * flat * std::cos(anomaly), 0})};
}

// ---- bodies

constexpr std::array<std::string_view, 1 + bodies_in_table> names_in_table{
    "Sun", "Mercury", "Venus", "Earth", "Moon", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune", "Pluto"};

/// Velocities in AU in the unit of time that makes G = 1.
Body body_of(double mass, const State& state) {
  const double days = 1 / std::sqrt(gravity_by_day());
  return body_at(mass, state.x, {state.v[0] * days, state.v[1] * days, state.v[2] * days});
}

/// The body of that name in the table: a system's centre of mass and mass.
Body system_of(std::string_view name, const States& states) {
  const auto at = static_cast<std::size_t>(std::ranges::find(names_in_table, name) - names_in_table.begin());
  return body_of(masses[at], states[at]);
}

/// Takes a moon's mass from `planet`, which is the whole system at its centre of mass and then the rest of it.
Body take_moon(Body& planet, double moon_mass, const State& from_planet) {
  Body moon = body_of(moon_mass, from_planet);
  const double share = moon_mass / planet.mass;  // share of the system's mass
  for (double Body::*of : {&Body::x, &Body::y, &Body::z, &Body::vx, &Body::vy, &Body::vz}) {
    const double apart = moon.*of;
    planet.*of -= share * apart;
    moon.*of = planet.*of + apart;
  }
  planet.mass -= moon_mass;
  return moon;
}

}  // namespace

std::string date_text(double julian_day) {
  using namespace std::chrono;
  constexpr double unix_epoch = 2'440'587.5, minutes_of_day = 1440, most = 1e9;
  const double since = std::floor((julian_day - unix_epoch) * minutes_of_day + 0.5);
  if (!(std::abs(since) < most)) return {};
  const sys_time<minutes> moment{minutes(static_cast<std::int64_t>(since))};
  const year_month_day on(floor<days>(moment));
  const hh_mm_ss clock(moment - floor<days>(moment));
  const int year = static_cast<int>(on.year());
  if (year < 1000 || year > 9999) return {};
  const auto two = [](auto number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return std::to_string(year) + "-" + two(static_cast<unsigned>(on.month())) + "-" +
         two(static_cast<unsigned>(on.day())) + " " + two(clock.hours().count()) + ":" + two(clock.minutes().count());
}

double julian_day(std::string_view date) {
  const auto refuse = [&] {
    return usage_error("--date", std::string(date),
                       "YYYY-MM-DD or YYYY-MM-DDTHH:MM from " + date_text(table().front().day + 1).substr(0, 10) +
                           " to " + date_text(table().back().day).substr(0, 10));
  };
  const auto number = [&](std::size_t at, std::size_t digits) {
    const std::string_view text = date.substr(std::min(at, date.size()), digits);
    const bool all_digits = text.size() == digits && text.find_first_not_of("0123456789") == std::string_view::npos;
    if (!all_digits) throw refuse();
    return static_cast<int>(parse_integer(text).value_or(0));
  };
  const bool has_time = date.size() == 16;
  if ((date.size() != 10 && !has_time) || date[4] != '-' || date[7] != '-' ||
      (has_time && (date[10] != 'T' || date[13] != ':')))
    throw refuse();
  using namespace std::chrono;
  const year_month_day on(year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                          std::chrono::day(static_cast<unsigned>(number(8, 2))));
  const int hours = has_time ? number(11, 2) : 0, minutes = has_time ? number(14, 2) : 0;
  if (!on.ok() || hours > 23 || minutes > 59) throw refuse();
  const double day =
      static_cast<double>(sys_days(on).time_since_epoch().count()) + 2'440'587.5 + (hours + minutes / 60.0) / 24;
  if (day < table().front().day || day > table().back().day) throw refuse();
  return day;
}

Bodies solar_system(std::string_view date) {
  const double day = julian_day(date);
  const States states = states_on(day);
  Bodies bodies;
  for (const std::string_view name : names_in_table) {
    Body planet = system_of(name, states);
    const std::size_t place = bodies.size();
    bodies.push_back(planet);
    for (const MoonElements& moon : moons)
      if (moon.planet == name) bodies.push_back(take_moon(planet, mass_of(moon), state_of(moon, day, planet.mass)));
    bodies[place] = planet;
  }
  return bodies;
}

Bodies planets(std::string_view date) {
  const States states = states_on(julian_day(date));
  Bodies bodies;
  for (const std::string_view name : planet_names) {
    bodies.push_back(system_of(name, states));
    if (name != "Earth") continue;
    Bodies pair{bodies.back(), system_of("Moon", states)};
    Body& earth = bodies.back();
    earth.mass = pair[0].mass + pair[1].mass;
    for (double Body::*of : {&Body::x, &Body::y, &Body::z, &Body::vx, &Body::vy, &Body::vz})
      earth.*of = (pair[0].mass * pair[0].*of + pair[1].mass * pair[1].*of) / earth.mass;
  }
  return bodies;
}

}  // namespace orrery
