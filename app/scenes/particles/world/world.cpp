#include "scenes/particles/world/world.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/random.hpp"
#include "base/text.hpp"

namespace orrery::particles {
namespace {

constexpr std::size_t most_laws = 8, most_groups = 32, most_members = 8, most_parameters = 64;

std::string number(std::size_t value) { return std::to_string(value); }

void require_at_most(std::size_t count, std::size_t most, const std::string& what) {
  if (count > most) throw usage_error(what, number(count), "at most " + number(most));
}

void require_title(const std::string& title, const std::string& of) {
  if (const std::string fault = title_fault(title); !fault.empty())
    throw usage_error("the name of " + of, title, fault);
}

void require_finite(double value, const std::string& what) {
  if (!std::isfinite(value)) throw usage_error(what, shortest(value), "a finite number");
}

void check_index(std::uint32_t index, std::size_t count, const std::string& what) {
  if (index >= count) throw usage_error(what, number(index), "an index from 0 to " + number(count - 1));
}

void check_particles(const World& world) {
  const Particles& p = world.particles;
  const std::size_t count = p.size();
  if (count == 0 || count > most_particles)
    throw usage_error("the number of particles", number(count), "a whole number from 1 to " + number(most_particles));
  for (const std::size_t size : {p.velocity.size(), p.mass.size(), p.charge.size(), p.kind.size()})
    if (size != count)
      throw usage_error("the length of a column of particles", number(size),
                        number(count) + ", the number of particles");
  require_at_most(p.columns.size(), most_columns, "the number of columns of particles");
  for (const Column& column : p.columns) {
    if (const std::string fault = name_fault(column.name); !fault.empty())
      throw usage_error("the name of a column", column.name, fault);
    if (column.values.size() != count)
      throw usage_error("the length of the column " + column.name, number(column.values.size()),
                        number(count) + ", the number of particles");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::string who = "particle " + number(i) + "'s ";
    for (std::size_t k = 0; k < 3; ++k) {
      require_finite(p.position[i][k], who + "position");
      require_finite(p.velocity[i][k], who + "velocity");
    }
    require_finite(p.charge[i], who + "charge");
    if (!(p.mass[i] >= 0) || !std::isfinite(p.mass[i]))
      throw usage_error(who + "mass", shortest(p.mass[i]), "0 (the particle is held in place) or more");
    check_index(p.kind[i], world.kinds.size(), who + "kind");
  }
}

void check_name(const std::string& name, const std::string& law, std::set<std::string>& taken) {
  if (const std::string fault = name_fault(name); !fault.empty())
    throw usage_error("the name of a parameter of the law " + law, name, fault);
  if (!taken.insert(name).second)
    throw usage_error("in the law " + law + " two things have the name " + in_quotes(name), {},
                      "give the parameter another name");
}

void check_parameters(const std::vector<LawParameter>& parameters, const std::string& law,
                      std::set<std::string> taken) {
  require_at_most(parameters.size(), most_parameters, "the number of parameters of the law " + law);
  for (const LawParameter& p : parameters) {
    check_name(p.name, law, taken);
    if (!(p.value >= p.minimum && p.value <= p.maximum))
      throw usage_error(law + "'s " + p.name, shortest(p.value),
                        "a number from " + shortest(p.minimum) + " to " + shortest(p.maximum));
  }
}

std::set<std::string> names_of_columns(const World& world, std::size_t members) {
  std::set<std::string> names;
  for (const std::string& column : column_names(world))
    for (std::size_t k = 1; k <= members; ++k) names.insert(column + number(k));
  return names;
}

// Squares of lengths are numbers in single precision, and sums of them.
constexpr double longest = 1e18;

void check_pair_law(const World& world, const PairLaw& law) {
  require_title(law.name, "a pair law");
  if (!(law.cutoff >= 0 && law.cutoff <= longest))
    throw usage_error(law.name + "'s cutoff", shortest(law.cutoff), "a length up to 1e18, or 0 for none");
  if (law.switch_from != 0 && !(law.switch_from > 0 && law.switch_from < law.cutoff))
    throw usage_error(law.name + "'s switch_from", shortest(law.switch_from),
                      "0, or a length below the cutoff " + shortest(law.cutoff));
  std::set<std::string> taken = names_of_columns(world, 2);
  for (const char* name :
       {"r2", "r", "invR", "delta", "body1", "body2", "position1", "position2", "isExcluded", "energy", "dEdR"})
    taken.insert(name);
  check_parameters(law.parameters, law.name, taken);
  if (world.box.periodic()) {
    const Vector& lengths = *world.box.lengths;
    const double shortest_side = std::min({lengths[0], lengths[1], lengths[2]});
    if (law.cutoff == 0)
      throw usage_error(law.name + "'s cutoff in a periodic box", "0",
                        "a length above 0, at most " + shortest(shortest_side / 2) + " (half the shortest side)");
    if (2 * law.cutoff > shortest_side)
      throw usage_error("the shortest side of the box", shortest(shortest_side),
                        shortest(2 * law.cutoff) + " or more (twice " + law.name + "'s cutoff)");
  }
  if (law.tail) {
    const auto has = [&](const char* name) {
      return std::ranges::find(law.parameters, name, &LawParameter::name) != law.parameters.end();
    };
    if (!has("epsilon") || !has("sigma") || law.cutoff == 0 || law.switch_from > 0)
      throw usage_error("tail corrections of the law " + in_quotes(law.name) + " are not possible", {},
                        "they need the parameters epsilon and sigma, a cutoff, and no switch_from");
  }
}

void check_groups(const World& world, const Groups& groups) {
  const GroupLaw& law = groups.law;
  require_title(law.name, "a group law");
  if (law.members < 1 || law.members > most_members)
    throw usage_error("the number of members in a group of " + law.name, number(law.members),
                      "a whole number from 1 to " + number(most_members));
  if (groups.members.size() % law.members != 0)
    throw usage_error("the number of members in all groups of " + law.name, number(groups.members.size()),
                      "a multiple of " + number(law.members));
  if (groups.values.size() != groups.size() * law.columns.size())
    throw usage_error("the number of values of " + law.name, number(groups.values.size()),
                      number(law.columns.size()) + " for each group");
  std::set<std::string> taken = names_of_columns(world, law.members);
  for (std::size_t k = 1; k <= law.members; ++k)
    for (const char* name : {"position", "body", "force"}) taken.insert(name + number(k));
  taken.insert("energy");
  for (const std::string& column : law.columns) check_name(column, law.name, taken);
  check_parameters(law.parameters, law.name, taken);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t k = 0; k < law.members; ++k) {
      const std::uint32_t index = groups.members[g * law.members + k];
      check_index(index, world.particles.size(), law.name + "'s group " + number(g));
      for (std::size_t other = 0; other < k; ++other)
        if (groups.members[g * law.members + other] == index)
          throw usage_error(law.name + "'s group " + number(g) + " names a particle twice:", number(index), {});
    }
}

void check_constraints(const World& world) {
  for (std::size_t c = 0; c < world.constraints.size(); ++c) {
    const Constraint& k = world.constraints[c];
    check_index(k.first, world.particles.size(), "constraint " + number(c));
    check_index(k.second, world.particles.size(), "constraint " + number(c));
    if (k.first == k.second || !(k.distance > 0) || !std::isfinite(k.distance))
      throw usage_error("constraint " + number(c), shortest(k.distance),
                        "a length above 0, between different particles");
    if (world.particles.mass[k.first] == 0 && world.particles.mass[k.second] == 0)
      throw usage_error("constraint " + number(c) + " is between the particles " + number(k.first) + " and " +
                            number(k.second) + ", which are both held in place",
                        {}, "give one of them a mass above 0, or leave the constraint out");
  }
}

// The number of excluded pairs is at most the number of walks along bonds. A particle with many bonds has too many of
// them to count one by one.
void check_walks(const World& world) {
  constexpr double most = 0x1p29;
  std::vector<double> walks(world.particles.size(), 1);
  for (int step = 0; step < world.excluded_bonds; ++step) {
    std::vector<double> longer(walks.size(), 0);
    for (const auto& [a, b] : world.bonds) {
      longer[a] += walks[b];
      longer[b] += walks[a];
    }
    walks = std::move(longer);
  }
  if (std::accumulate(walks.begin(), walks.end(), 0.0) > most)
    throw usage_error("excluded_bonds", std::to_string(world.excluded_bonds),
                      "a smaller number (too many pairs of particles are excluded), or fewer bonds");
}

}  // namespace

double Ensemble::temperature_at(double time) const {
  if (!final_temperature) return temperature;
  if (time >= ramp_time || ramp_time <= 0) return *final_temperature;
  return temperature + (*final_temperature - temperature) * std::max(time, 0.0) / ramp_time;
}

void check(const Ensemble& e) {
  const auto require = [](bool fine, const char* what, double value, const char* expected) {
    if (!fine) throw usage_error(std::string("the ensemble's ") + what, shortest(value), expected);
  };
  require(e.dt > 0 && std::isfinite(e.dt), "dt", e.dt, "a number above 0");
  require(e.temperature >= 0 && std::isfinite(e.temperature), "temperature", e.temperature, "a number of 0 or more");
  require(e.friction >= 0 && std::isfinite(e.friction), "friction", e.friction, "a number of 0 or more");
  require(e.relaxation > 0 && std::isfinite(e.relaxation), "relaxation", e.relaxation, "a number above 0");
  require(!e.final_temperature || *e.final_temperature >= 0, "final_temperature", e.final_temperature.value_or(0),
          "a number of 0 or more");
  require(e.ramp_time >= 0 && std::isfinite(e.ramp_time), "ramp_time", e.ramp_time, "a number of 0 or more");
}

std::string name_fault(std::string_view name) {
  constexpr std::size_t longest = 40;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const bool fine = !name.empty() && name.size() <= longest && is_letter(name.front()) &&
                    std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
  return fine ? std::string() : "letters, digits and _, a letter first, at most " + number(longest);
}

std::string title_fault(std::string_view title, std::size_t longest) {
  const bool fine = title.size() <= longest && printable(title, longest) == title;
  return fine ? std::string() : "printable characters, at most " + number(longest);
}

void check(const World& world) {
  require_title(world.name, "the world");
  require_at_most(world.kinds.size(), most_kinds, "the number of kinds");
  std::set<std::string_view> kinds;
  for (const Kind& kind : world.kinds) {
    if (const std::string fault = name_fault(kind.name); !fault.empty())
      throw usage_error("the name of a kind", kind.name, fault);
    if (!kinds.insert(kind.name).second) throw usage_error("two kinds have the name", kind.name, {});
  }
  if (world.box.periodic())
    for (const double side : *world.box.lengths)
      if (!(side > 0 && side <= longest))
        throw usage_error("a side of the box", shortest(side), "a number above 0, up to 1e18");
  check_particles(world);
  require_at_most(world.pairs.size(), most_laws, "the number of pair laws");
  require_at_most(world.groups.size(), most_groups, "the number of group laws");
  for (const PairLaw& law : world.pairs) check_pair_law(world, law);
  for (const Groups& groups : world.groups) check_groups(world, groups);
  for (std::size_t b = 0; b < world.bonds.size(); ++b) {
    for (const std::uint32_t index : world.bonds[b]) check_index(index, world.particles.size(), "bond " + number(b));
    if (world.bonds[b][0] == world.bonds[b][1])
      throw usage_error("bond " + number(b) + " binds a particle to itself:", number(world.bonds[b][0]), {});
  }
  if (world.excluded_bonds < 0 || world.excluded_bonds > 3)
    throw usage_error("excluded_bonds", std::to_string(world.excluded_bonds), "a whole number from 0 to 3");
  check_constraints(world);
  check_walks(world);
  check(world.ensemble);
  if (!(world.boltzmann > 0)) throw usage_error("boltzmann", shortest(world.boltzmann), "a number above 0");
}

double cutoff_of(std::span<const PairLaw> laws) {
  double largest = 0;
  for (const PairLaw& law : laws) {
    if (law.cutoff == 0) return 0;
    largest = std::max(largest, law.cutoff);
  }
  return largest;
}

// True if no particle is held and no external force acts: the total momentum is conserved.
bool keeps_momentum(const World& world) {
  const bool held = std::ranges::any_of(world.particles.mass, [](double m) { return !(m > 0); });
  const bool field =
      std::ranges::any_of(world.groups, [](const Groups& g) { return g.law.members == 1 && g.size() > 0; });
  return !held && !field;
}

double degrees_of_freedom(const World& world) {
  const auto moving = std::ranges::count_if(world.particles.mass, [](double m) { return m > 0; });
  const bool kept = keeps_momentum(world) && world.ensemble.thermostat != Thermostat::langevin;
  return std::max(0.0,
                  3 * static_cast<double>(moving) - static_cast<double>(world.constraints.size()) - (kept ? 3 : 0));
}

void take_drift(const World& world, std::vector<Vector>& velocity) {
  if (!keeps_momentum(world) || world.particles.size() < 2) return;
  Vector momentum{};
  double mass = 0;
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) momentum[k] += world.particles.mass[i] * velocity[i][k];
    mass += world.particles.mass[i];
  }
  for (Vector& v : velocity)
    for (std::size_t k = 0; k < 3; ++k) v[k] -= momentum[k] / mass;
}

void draw_velocities(World& world, double temperature) {
  Particles& p = world.particles;
  Random random(world.seed);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double spread = p.mass[i] > 0 ? std::sqrt(world.boltzmann * temperature / p.mass[i]) : 0;
    for (double& component : p.velocity[i]) component = spread * random.normal();
  }
  take_drift(world, p.velocity);
}

// 2K / kT is χ² distributed with f degrees of freedom; (χ²/f)^⅓ is very nearly normal, with the mean 1 − 2/(9f) and the
// variance 2/(9f) (E. B. Wilson, M. M. Hilferty, Proc. Natl. Acad. Sci. 17 (1931) 684). For large f this is the usual
// standard error of K, √(f/2) kT.
double kinetic_scatter(double degrees_of_freedom, double kT, double standard_errors) {
  if (!(degrees_of_freedom > 0)) return 0;
  const double variance = 2 / (9 * degrees_of_freedom);
  const double most = std::pow(1 - variance + standard_errors * std::sqrt(variance), 3);
  return degrees_of_freedom / 2 * kT * (most - 1);
}

std::vector<std::string> column_names(const World& world) {
  std::vector<std::string> names{"mass", "charge"};
  for (const Column& column : world.particles.columns) names.push_back(column.name);
  return names;
}

const std::vector<double>& column_of(const Particles& particles, std::string_view name) {
  if (name == "mass") return particles.mass;
  if (name == "charge") return particles.charge;
  return std::ranges::find(particles.columns, name, &Column::name)->values;
}

}  // namespace orrery::particles
