#include "scenes/nbody/bodies/initial.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/written_number.hpp"
#include "scenes/nbody/bodies/galaxy_model.hpp"
#include "scenes/nbody/bodies/initial_makers.hpp"
#include "scenes/nbody/bodies/placement.hpp"

namespace orrery {
namespace {

using Parts = std::vector<BodyPart>;

struct Initial {
  InitialInfo info;
  Bodies (*make)(const Making&);
  Parts (*parts)(std::size_t count) = nullptr;
  double (*reach)(double parameter) = nullptr;
};

Parts galaxies_of(std::size_t count) { return {{"first galaxy", 0}, {"second galaxy", first_half(count)}}; }
Parts components_of(std::size_t count) {
  const std::size_t disc = GalaxyModel::disc_count(count);
  return {{"disc", 0}, {"bulge", disc}, {"halo", disc + GalaxyModel::bulge_count(count)}};
}
Parts planet_and_ring(std::size_t) { return {{"planet", 0}, {"ring", 1}}; }
Parts two_bodies(std::size_t) { return {{"first body", 0}, {"second body", 1}}; }
Parts three_bodies(std::size_t) { return {{"first body", 0}, {"second body", 1}, {"third body", 2}}; }
Parts three_masses(std::size_t) { return {{"mass 3", 0}, {"mass 4", 1}, {"mass 5", 2}}; }
Parts sun_and_planets(std::size_t) {
  return {{"Sun", 0}, {"Jupiter", 1}, {"Saturn", 2}, {"Uranus", 3}, {"Neptune", 4}, {"Pluto", 5}};
}

Parts named_parts(std::span<const std::string_view> names) {
  Parts parts;
  for (const std::string_view name : names) parts.push_back({std::string(name), parts.size()});
  return parts;
}
Parts parts_of_sky(std::size_t) { return named_parts(sky_names); }
Parts planets_and_belt(std::size_t) {
  Parts parts = named_parts(planet_names);
  parts.push_back({"asteroids", parts.size()});
  return parts;
}

double apocentre(double eccentricity) { return (1 + eccentricity) / 2; }

constexpr std::string_view henon = "Hénon: total mass 1, energy −1/4, so that the crossing time is 2√2";
constexpr std::string_view unit_mass = "total mass 1";

constexpr std::array initials{
    Initial{.info = {.name = "galaxies",
                     .title = "Two galaxies",
                     .description =
                         "two spiral galaxies with bulges, each of mass 1, on an orbit a little below parabolic speed",
                     .units = "mass of a galaxy 1, scale length of its disc 0.36",
                     .source = "after Toomre & Toomre 1972, ApJ 178, 623",
                     .suggestion = Suggestion{0.01, 0.05, 1}},
            .make = make_galaxies,
            .parts = galaxies_of},
    Initial{
        .info = {.name = "merger",
                 .title = "Two-galaxy merger",
                 .description =
                     "two `disc` galaxies on a parabola, pericentre 2, initial distance 12, inclined by 15° and 71°",
                 .units = "the units of `disc`",
                 .source = "Hernquist 1993, ApJS 86, 389; Toomre & Toomre 1972, ApJ 178, 623",
                 .suggestion = Suggestion{0.02, 0.08, 2}},
        .make = make_merger,
        .parts = galaxies_of},
    Initial{
        .info = {.name = "disc",
                 .title = "Disc galaxy",
                 .description = "an exponential disc (Q = 1.3) with a bulge (1/3) in a halo (2.4), near equilibrium",
                 .units = "mass of the disc 1, its scale length 1",
                 .source = "Hernquist 1993, ApJS 86, 389",
                 .suggestion = Suggestion{0.02, 0.08, 2}},
        .make = make_disc,
        .parts = components_of},
    Initial{.info = {.name = "plummer",
                     .title = "Plummer sphere",
                     .description = "a star cluster in equilibrium, scale radius 3π/16; 2K/|W| = 1",
                     .units = henon,
                     .source = "Aarseth, Hénon & Wielen 1974, A&A 37, 183",
                     .suggestion = Suggestion{0.01, 0.02, 1}},
            .make = make_plummer},
    Initial{.info = {.name = "sphere",
                     .title = "Cold sphere",
                     .description = "a uniform sphere of radius 1, at rest; it collapses at t = π/√8 = 1.11",
                     .units = unit_mass,
                     .source = "free fall of a uniform sphere",
                     .suggestion = Suggestion{0.005, 0.04, 1}},
            .make = make_sphere},
    Initial{.info = {.name = "cube",
                     .title = "Cold cube",
                     .description = "a uniform cube of edge 2, at rest",
                     .units = unit_mass,
                     .source = "collapse of a cold box",
                     .suggestion = Suggestion{0.01, 0.04, 1}},
            .make = make_cube},
    Initial{.info = {.name = "ring",
                     .title = "Ring around a planet",
                     .description = "a planet and a ring of light bodies on circles from 1.2 to 2.4 around it",
                     .units = "mass of the planet 1, of the ring 0.001",
                     .source = "circular orbits in the planet's field",
                     .suggestion = Suggestion{0.01, 0.02, 2}},
            .make = make_ring,
            .parts = planet_and_ring},
    Initial{.info = {.name = "figure-eight",
                     .title = "Figure eight",
                     .description = "three bodies that follow one another along a figure eight, period 6.3259",
                     .units = "mass of a body 1",
                     .source = "Chenciner & Montgomery 2000, Ann. Math. 152, 881",
                     .suggestion = Suggestion{0.002, 0, 12},
                     .fixed_bodies = 3},
            .make = make_figure_eight,
            .parts = three_bodies,
            .reach = [](double) { return 1.09; }},
    Initial{.info = {.name = "pythagorean",
                     .title = "Pythagorean 3-4-5",
                     .description =
                         "masses 3, 4, 5 at rest, opposite to sides of 3, 4, 5; two pass within 0.0004 at t = 15.83",
                     .units = "masses 3, 4, 5 and sides 3, 4, 5",
                     .source = "Burrau 1913, AN 195, 113; Szebehely & Peters 1967, AJ 72, 876",
                     .suggestion = Suggestion{1e-5, 0.001, 500},
                     .fixed_bodies = 3},
            .make = make_pythagorean,
            .parts = three_masses,
            .reach = [](double) { return 4.0; }},
    Initial{
        .info = {.name = "lagrange",
                 .title = "Lagrange triangle",
                 .description = "three equal masses rotate as an equilateral triangle of side 1, period 2π; unstable",
                 .units = "total mass 1, side 1",
                 .source = "Lagrange 1772",
                 .suggestion = Suggestion{0.002, 0, 10},
                 .fixed_bodies = 3},
        .make = make_lagrange,
        .parts = three_bodies},
    Initial{
        .info = {.name = "kepler",
                 .title = "Kepler pair",
                 .description = "two equal masses on ellipses, at pericentre, period 2π; kepler:E has eccentricity E",
                 .units = "total mass 1, semi-major axis 1",
                 .source = "Kepler 1609",
                 .suggestion = {},
                 .fixed_bodies = 2,
                 .parameter = {"eccentricity", 0.5, 0, 0.99}},
        .make = make_kepler,
        .parts = two_bodies,
        .reach = apocentre},
    Initial{.info = {.name = "outer-solar-system",
                     .title = "Outer solar system",
                     .description =
                         "Sun, Jupiter, Saturn, Uranus, Neptune, Pluto on 5 September 1994; z = 0 is the ecliptic",
                     .units = "AU, solar masses, year/2π = 58.13 days",
                     .source = "Hairer, Lubich & Wanner, Geometric Numerical Integration, I.2.4",
                     .suggestion = Suggestion{0.1, 0, 5},
                     .fixed_bodies = 6,
                     .is_sky = true},
            .make = make_outer_solar_system,
            .parts = sun_and_planets,
            .reach = [](double) { return 49.5; }},
    Initial{.info = {.name = "solar-system",
                     .title = "Solar system",
                     .description = "Sun, planets, Pluto and the seven large moons on --date; z = 0 is the ecliptic",
                     .units = "AU, solar masses, year/2π = 58.13 days; best in --precision double or mixed",
                     .source = "JPL's DE421; six of the moons by JPL's mean elements",
                     .suggestion = Suggestion{1e-4, 0, 100},
                     .fixed_bodies = sky_names.size(),
                     .is_sky = true,
                     .has_date = true},
            .make = make_solar_system,
            .parts = parts_of_sky,
            .reach = [](double) { return 50.0; }},
    Initial{
        .info = {.name = "asteroid-belt",
                 .title = "Asteroid belt",
                 .description = "Sun, planets and Pluto on --date, and test particles without mass from 2 to 3.6 AU",
                 .units = "AU, solar masses, year/2π = 58.13 days",
                 .source = "JPL's DE421; Kirkwood 1867",
                 .suggestion = Suggestion{0.02, 0, 5},
                 .is_sky = true,
                 .has_date = true},
        .make = make_asteroid_belt,
        .parts = planets_and_belt},
};

const Initial& row_of(const InitialInfo& info) {
  return *std::ranges::find(initials, info.name, [](const Initial& row) { return row.info.name; });
}

constexpr auto infos = [] {
  std::array<InitialInfo, initials.size()> list{};
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = initials[i].info;
  return list;
}();

void check_is_file(const std::string& initial) {
  if (std::filesystem::path(initial).extension().empty()) throw usage_error("--initial", initial, initial_choices());
}

double parameter_of(const std::string& initial, const InitialInfo& info) {
  const InitialParameter& parameter = info.parameter;
  if (initial.size() == info.name.size()) return parameter.fallback;
  const std::string text = initial.substr(info.name.size() + 1);
  const std::string what = "the " + std::string(parameter.name) + " of --initial " + std::string(info.name);
  const auto value = typed_real(what, text);
  if (!value || !(*value >= parameter.minimum && *value <= parameter.maximum))
    throw usage_error(what, text,
                      "a number from " + shortest(parameter.minimum) + " to " + shortest(parameter.maximum));
  return *value;
}

/// Factors from the units that make G = 1 to those of that name.
struct Conversion {
  double length = 1, mass = 1, time = 1;
  double speed() const { return length / time; }
};

Conversion conversion_to(std::string_view units, const InitialInfo& info) {
  const UnitSystem& system = units_named(units);
  Conversion by;
  if (info.is_sky) by = {system.astronomical_unit, system.sun};
  by.time = std::sqrt(by.length * by.length * by.length / (system.gravity * by.mass));
  return by;
}

Bodies bodies_of(const InitialInfo& info, std::size_t count, double parameter, BodyDraw draw,
                 const InitialTerms& terms) {
  const Initial& named = row_of(info);
  Bodies bodies = named.make({.count = count,
                              .softening = info.suggestion.value_or(Suggestion{}).softening,
                              .parameter = parameter,
                              .draw = &draw,
                              .date = terms.date});
  centre(bodies);
  if (terms.units == no_units) return bodies;
  const Conversion by = conversion_to(terms.units, info);
  scale(bodies, {.mass = by.mass, .length = by.length, .speed = by.speed()});
  return bodies;
}

}  // namespace

std::span<const InitialInfo> initial_conditions() { return infos; }

std::string initial_choices() {
  std::string text;
  for (const InitialInfo& info : infos) {
    text += info.name;
    if (!info.parameter.name.empty()) text += "[:" + std::string(info.parameter.name) + "]";
    text += " | ";
  }
  return text + "a file of bodies (.csv, .tsv, .txt, .npy, .npz, .tipsy)";
}

std::string initial_table() {
  constexpr std::size_t width = 19;
  const auto padded = [](std::string_view text) { return std::string(text) + std::string(width - text.size(), ' '); };
  std::string text;
  for (const InitialInfo& info : infos) {
    text += "  " + padded(info.name) + " " + std::string(info.description) + "\n  " + padded("") + " " +
            std::string(info.units);
    if (info.fixed_bodies > 0) text += "; " + std::to_string(info.fixed_bodies) + " bodies";
    if (info.suggestion)
      text += "; dt " + shortest(info.suggestion->dt) + ", softening " + shortest(info.suggestion->softening);
    text += "\n";
  }
  return text;
}

const InitialInfo* find_initial(std::string_view initial) {
  const std::string_view name = initial.substr(0, initial.find(':'));
  const auto found = std::ranges::find(infos, name, &InitialInfo::name);
  if (found == infos.end() || (name.size() < initial.size() && found->parameter.name.empty())) return nullptr;
  return &*found;
}

namespace {

// The factors come from sums over all pairs: an H100 takes 7.6e11 interactions a second, and PoCL on two cores 2.1e9,
// of which drawing takes half. An Intel execution unit has eight lanes.
double interactions_per_second(const DeviceInfo& device) {
  const bool cpu = is_cpu(device), small_units = device.vendor.find("Intel") != std::string::npos;
  const double lanes = cpu ? 2 * std::max(1U, device.preferred_float_width) : small_units ? 8 : 128;
  const double cycles = cpu ? 160 : 40, usual_mhz = 1500;
  return device.compute_units * (device.clock_mhz > 0 ? device.clock_mhz : usual_mhz) * 1e6 * lanes / cycles;
}

}  // namespace

std::int64_t automatic_bodies(std::string_view initial, const DeviceInfo& device) {
  const InitialInfo* info = find_initial(initial);
  if (info != nullptr && info->fixed_bodies > 0) return info->fixed_bodies;
  if (device.compute_units == 0) return usual_bodies(device);
  constexpr double steps_per_second = 30, of_a_body_by_tree = 10000;  // the latter in interactions
  const double in_a_step = interactions_per_second(device) / steps_per_second;
  const double by_pairs = std::sqrt(in_a_step), by_tree = in_a_step / of_a_body_by_tree;
  const double bodies = by_tree < static_cast<double>(tree_pays_from(device)) ? by_pairs : std::max(by_pairs, by_tree);
  constexpr std::int64_t least = 4096, most = std::int64_t{1} << 20;
  return std::clamp(static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bodies))), least, most);
}

void check_count(const std::string& initial, std::int64_t count, std::int64_t found) {
  if (count != 0 && count != found)
    throw usage_error("--bodies", std::to_string(count),
                      "auto or " + std::to_string(found) + " (the bodies of " + initial + ")");
}

void check_initial(const std::string& initial, std::int64_t count) {
  const InitialInfo* info = find_initial(initial);
  if (info == nullptr) {
    check_is_file(initial);
    if (const auto found = inspect_bodies(initial)) check_count(initial, count, static_cast<std::int64_t>(*found));
    return;
  }
  if (info->fixed_bodies > 0) check_count(initial, count, info->fixed_bodies);
  (void)parameter_of(initial, *info);
}

Bodies make_bodies(const std::string& initial, std::int64_t count, std::int64_t automatic, std::uint64_t seed,
                   const FileProgress& reading, const InitialTerms& terms) {
  const InitialInfo* info = find_initial(initial);
  if (info == nullptr) {
    check_is_file(initial);
    Bodies bodies = read_bodies(initial, reading);
    check_count(initial, count, static_cast<std::int64_t>(bodies.size()));
    return bodies;
  }
  if (info->fixed_bodies > 0) check_count(initial, count, info->fixed_bodies);
  const auto number = static_cast<std::size_t>(count > 0 ? count : automatic);
  return bodies_of(*info, number, parameter_of(initial, *info), BodyDraw(seed, draws_of(number)), terms);
}

Bodies draw_bodies(const InitialInfo& info, std::size_t count, std::uint64_t seed, Draws draws) {
  return bodies_of(info, count, info.parameter.fallback, BodyDraw(seed, draws), {});
}

bool has_date(std::string_view initial) {
  const InitialInfo* info = find_initial(initial);
  return info != nullptr && info->has_date;
}

std::vector<BodyPart> parts_of(std::string_view initial, std::size_t count) {
  const InitialInfo* info = find_initial(initial);
  if (info == nullptr) return {};
  const Initial& named = row_of(*info);
  if (named.parts == nullptr) return {};
  Parts parts = named.parts(count);
  if (const auto own = static_cast<std::size_t>(info->fixed_bodies); own > 0 && count > own)
    parts.push_back({"added", own});
  for (std::size_t k = parts.size(); k-- > 0;) {
    const std::size_t end = k + 1 < parts.size() ? parts[k + 1].first : count;
    if (parts[k].first >= end) parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(k));
  }
  return parts;
}

double reach_of(const std::string& initial, std::string_view units) {
  const InitialInfo* info = find_initial(initial);
  if (info == nullptr) return 0;
  const Initial& named = row_of(*info);
  if (named.reach == nullptr) return 0;
  return named.reach(parameter_of(initial, *info)) * conversion_to(units, *info).length;
}

Suggestion suggestion_of(const std::string& initial, const Bodies& bodies, std::string_view units, double gravity,
                         const Unset& wanted) {
  const InitialInfo* info = find_initial(initial);
  if (info == nullptr || !info->suggestion) return suggested_for(bodies, gravity, wanted);
  if (units == no_units) return *info->suggestion;
  const Conversion by = conversion_to(units, *info);
  return converted(*info->suggestion, by.length, by.time);
}

}  // namespace orrery
