#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <sstream>

#include "base/files/file.hpp"
#include "base/files/toml_text.hpp"
#include "base/text.hpp"
#include "scenes/particles/files/world_file.hpp"
#include "scenes/particles/world/shapes.hpp"
#include "scenes/particles/world/world_words.hpp"

namespace orrery::particles {

std::string hex(const Color& color) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text = "#";
  for (const std::uint8_t part : color) text += {digits[part >> 4], digits[part & 15]};
  return text;
}

std::string quoted(const std::string& text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n') {
      result += "\\n";
    } else if (code < 0x20 || code == 0x7f) {
      result += std::string("\\u00") + digits[code >> 4] + digits[code & 15];
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result + "\"";
}

// In TOML -0 is an integer, which has no sign.
std::string decimal(double value) { return value == 0 && std::signbit(value) ? "-0.0" : shortest(value); }

std::string triple(const Vector& v) { return "[" + decimal(v[0]) + ", " + decimal(v[1]) + ", " + decimal(v[2]) + "]"; }

namespace {

std::string key(const std::string& name) { return is_bare_key(name) ? name : quoted(name); }

std::string parameters_text(const std::vector<LawParameter>& parameters) {
  if (parameters.empty()) return {};
  std::string text = "parameters = {";
  for (const LawParameter& p : parameters)
    text += (&p == &parameters.front() ? " " : ", ") + p.name + " = { value = " + decimal(p.value) +
            ", minimum = " + decimal(p.minimum) + ", maximum = " + decimal(p.maximum) + ", unit = " + quoted(p.unit) +
            ", help = " + quoted(p.help) + " }";
  return text + " }\n";
}

void put_pair(std::ostream& out, const PairLaw& law) {
  out << "\n[[pair]]\nname = " << quoted(law.name) << "\nsnippet = " << quoted(law.snippet)
      << "\ncutoff = " << decimal(law.cutoff) << "\nswitch_from = " << decimal(law.switch_from)
      << "\ntail = " << (law.tail ? "true" : "false") << "\nexcluded = " << quoted(name_of(exclusions, law.excluded))
      << "\n"
      << parameters_text(law.parameters);
}

void put_group_law(std::ostream& out, const GroupLaw& law) {
  out << "\n[[group]]\nname = " << quoted(law.name) << "\nmembers = " << law.members
      << "\nsnippet = " << quoted(law.snippet) << "\ncolumns = [";
  for (std::size_t c = 0; c < law.columns.size(); ++c) out << (c > 0 ? ", " : "") << quoted(law.columns[c]);
  out << "]\n" << parameters_text(law.parameters);
}

void put_groups(std::ostream& out, const Groups& groups) {
  const GroupLaw& law = groups.law;
  put_group_law(out, law);
  out << "on = [\n";
  for (std::size_t g = 0; g < groups.size(); ++g) {
    out << "  [";
    for (std::size_t k = 0; k < law.members; ++k) out << (k > 0 ? ", " : "") << groups.members[g * law.members + k];
    for (std::size_t c = 0; c < law.columns.size(); ++c)
      out << ", " << decimal(groups.values[g * law.columns.size() + c]);
    out << "],\n";
  }
  out << "]\n";
}

/// Division of a world's values: kinds have those of their first particle, lists the differing ones. Borrows the world.
struct Told {
  explicit Told(const World& world) : first(world.kinds.size()) {
    const Particles& p = world.particles;
    for (std::size_t i = p.size(); i-- > 0;) first[p.kind[i]] = i;
    masses = differ(p.mass, p.kind);
    charges = differ(p.charge, p.kind);
    static constexpr std::array taken{"name", "radius", "color", "mass", "charge"};  // keys of every kind
    for (const Column& column : p.columns) {
      const bool by_all = std::ranges::find(taken, column.name) != taken.end() || differ(column.values, p.kind);
      (by_all ? by_particles : by_kinds).push_back(&column);
    }
  }
  double of_kind(std::size_t kind, const std::vector<double>& values, double otherwise) const {
    return first[kind] ? values[*first[kind]] : otherwise;
  }

  std::vector<std::optional<std::size_t>> first;  // first particle of each kind
  bool masses = false, charges = false;           // listed per particle
  std::vector<const Column*> by_kinds, by_particles;

 private:
  bool differ(const std::vector<double>& values, const std::vector<std::uint32_t>& kinds) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != values[*first[kinds[i]]]) return true;
    return false;
  }
};

void put_kinds(std::ostream& out, const World& world, const Told& told) {
  for (std::size_t k = 0; k < world.kinds.size(); ++k) {
    out << "\n[[kind]]\nname = " << quoted(world.kinds[k].name) << "\nradius = " << decimal(world.kinds[k].radius)
        << "\nmass = " << decimal(told.of_kind(k, world.particles.mass, 1))
        << "\ncharge = " << decimal(told.of_kind(k, world.particles.charge, 0)) << "\n";
    if (const auto& color = world.kinds[k].color) out << "color = " << quoted(hex(*color)) << "\n";
    for (const Column* column : told.by_kinds)
      out << key(column->name) << " = " << decimal(told.of_kind(k, column->values, 0)) << "\n";
  }
}

template <class Values, class Put>
void put_rows(std::ostream& out, const std::string& name, const Values& values, Put&& put) {
  out << name << " = [\n";
  for (const auto& value : values) out << "  " << put(value) << ",\n";
  out << "]\n";
}

void put_particles(std::ostream& out, const World& world, const Told& told) {
  const Particles& p = world.particles;
  const auto name_of_kind = [&](std::uint32_t kind) { return quoted(world.kinds[kind].name); };
  out << "\n[[fill]]\nshape = \"list\"\n";
  if (std::ranges::adjacent_find(p.kind, std::not_equal_to()) == p.kind.end())
    out << "kind = " << name_of_kind(p.kind.front()) << "\n";
  else
    put_rows(out, "kinds", p.kind, name_of_kind);
  put_rows(out, "positions", p.position, triple);
  put_rows(out, "velocities", p.velocity, triple);
  if (told.masses) put_rows(out, "masses", p.mass, decimal);
  if (told.charges) put_rows(out, "charges", p.charge, decimal);
  for (const Column* column : told.by_particles) put_rows(out, "columns." + key(column->name), column->values, decimal);
}

}  // namespace

std::string world_text(const World& world) {
  std::ostringstream out;
  out << "name = " << quoted(world.name) << "\nabout = " << quoted(world.about) << "\nseed = " << world.seed
      << "\nboltzmann = " << decimal(world.boltzmann) << "\nminimize = " << (world.minimize ? "true" : "false")
      << "\nexcluded_bonds = " << world.excluded_bonds << "\nstart_temperature = 0\n";
  if (!world.bonds.empty()) {
    out << "bonds = [\n";
    for (const auto& [a, b] : world.bonds) out << "  [" << a << ", " << b << "],\n";
    out << "]\n";
  }
  if (!world.constraints.empty()) {
    out << "constraints = [\n";
    for (const Constraint& c : world.constraints)
      out << "  [" << c.first << ", " << c.second << ", " << decimal(c.distance) << "],\n";
    out << "]\n";
  }
  if (world.box.periodic()) out << "\n[box]\nlengths = " << triple(*world.box.lengths) << "\n";
  const Told told(world);
  put_kinds(out, world, told);
  put_particles(out, world, told);
  for (const PairLaw& law : world.pairs) put_pair(out, law);
  for (const Groups& groups : world.groups) put_groups(out, groups);
  for (const Shape& shape : world.shapes) put_shape(out, shape, world);
  const Ensemble& e = world.ensemble;
  out << "\n[ensemble]\nthermostat = " << quoted(name_of(thermostats, e.thermostat)) << "\ndt = " << decimal(e.dt)
      << "\ntemperature = " << decimal(e.temperature) << "\nfriction = " << decimal(e.friction)
      << "\nrelaxation = " << decimal(e.relaxation) << "\n";
  if (e.final_temperature) out << "final_temperature = " << decimal(*e.final_temperature) << "\n";
  out << "ramp_time = " << decimal(e.ramp_time) << "\n\n[view]\ncolor = " << quoted(name_of(colors, world.view.color))
      << "\nbox = " << (world.view.box ? "true" : "false") << "\nbonds = " << (world.view.bonds ? "true" : "false")
      << "\nburst = " << world.view.burst << "\n";
  return out.str();
}

std::string laws_text(const std::vector<PairLaw>& pairs, const std::vector<GroupLaw>& groups) {
  std::ostringstream out;
  for (const PairLaw& law : pairs) put_pair(out, law);
  for (const GroupLaw& law : groups) put_group_law(out, law);
  return out.str();
}

void write_world(const std::filesystem::path& path, const World& world) { write_file(path, world_text(world)); }

}  // namespace orrery::particles
