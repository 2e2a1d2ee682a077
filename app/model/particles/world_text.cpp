#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/file.hpp"
#include "base/text.hpp"
#include "model/particles/world_file.hpp"
#include "model/particles/world_words.hpp"

namespace orrery::particles {
namespace {

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

// TOML's -0 is an integer's, which has no sign.
std::string decimal(double value) { return value == 0 && std::signbit(value) ? "-0.0" : shortest(value); }

std::string triple(const Vector& v) {
  return "[" + decimal(v[0]) + ", " + decimal(v[1]) + ", " + decimal(v[2]) + "]";
}

std::string parameters_text(const std::vector<LawParameter>& parameters) {
  if (parameters.empty()) return {};
  std::string text = "parameters = {";
  for (const LawParameter& p : parameters)
    text += (&p == &parameters.front() ? " " : ", ") + p.name + " = { value = " + decimal(p.value) +
            ", minimum = " + decimal(p.minimum) + ", maximum = " + decimal(p.maximum) + ", unit = " + quoted(p.unit) +
            ", help = " + quoted(p.help) + " }";
  return text + " }\n";
}

void put_groups(std::ostream& out, const Groups& groups) {
  const GroupLaw& law = groups.law;
  out << "\n[[group]]\nname = " << quoted(law.name) << "\nmembers = " << law.members
      << "\nsnippet = " << quoted(law.snippet) << "\ncolumns = [";
  for (std::size_t c = 0; c < law.columns.size(); ++c) out << (c > 0 ? ", " : "") << quoted(law.columns[c]);
  out << "]\n" << parameters_text(law.parameters) << "on = [\n";
  for (std::size_t g = 0; g < groups.size(); ++g) {
    out << "  [";
    for (std::size_t k = 0; k < law.members; ++k) out << (k > 0 ? ", " : "") << groups.members[g * law.members + k];
    for (std::size_t c = 0; c < law.columns.size(); ++c)
      out << ", " << decimal(groups.values[g * law.columns.size() + c]);
    out << "],\n";
  }
  out << "]\n";
}

}  // namespace

// Each kind of particle with the same mass, charge and columns as its first one; what differs is not kept by kinds, so
// that every set of values is a kind of its own.
std::string world_text(const World& world) {
  std::ostringstream out;
  const Particles& p = world.particles;
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
  // Runs of particles of one kind, mass, charge and columns.
  const auto alike = [&](std::size_t a, std::size_t b) {
    return p.kind[a] == p.kind[b] && p.mass[a] == p.mass[b] && p.charge[a] == p.charge[b] &&
           std::ranges::all_of(p.columns, [&](const Column& c) { return c.values[a] == c.values[b]; });
  };
  std::vector<std::size_t> sorts;  // the first particle of each
  std::vector<std::size_t> sort_of(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    std::size_t s = 0;
    while (s < sorts.size() && !alike(sorts[s], i)) ++s;
    if (s == sorts.size()) sorts.push_back(i);
    sort_of[i] = s;
  }
  const auto sort_name = [&](std::size_t s) {
    const std::string& name = world.kinds[p.kind[sorts[s]]].name;
    const auto same = std::count_if(sorts.begin(), sorts.begin() + static_cast<std::ptrdiff_t>(s),
                                    [&](std::size_t i) { return p.kind[i] == p.kind[sorts[s]]; });
    return same == 0 ? name : name + " " + std::to_string(same + 1);
  };
  for (std::size_t s = 0; s < sorts.size(); ++s) {
    out << "\n[[kind]]\nname = " << quoted(sort_name(s))
        << "\nradius = " << decimal(world.kinds[p.kind[sorts[s]]].radius) << "\nmass = " << decimal(p.mass[sorts[s]])
        << "\ncharge = " << decimal(p.charge[sorts[s]]) << "\n";
    for (const Column& c : p.columns) out << c.name << " = " << decimal(c.values[sorts[s]]) << "\n";
  }
  for (std::size_t begin = 0; begin < p.size();) {
    std::size_t end = begin;
    while (end < p.size() && sort_of[end] == sort_of[begin]) ++end;
    out << "\n[[fill]]\nshape = \"list\"\nkind = " << quoted(sort_name(sort_of[begin])) << "\npositions = [\n";
    for (std::size_t i = begin; i < end; ++i) out << "  " << triple(p.position[i]) << ",\n";
    out << "]\nvelocities = [\n";
    for (std::size_t i = begin; i < end; ++i) out << "  " << triple(p.velocity[i]) << ",\n";
    out << "]\n";
    begin = end;
  }
  for (const PairLaw& law : world.pairs)
    out << "\n[[pair]]\nname = " << quoted(law.name) << "\nsnippet = " << quoted(law.snippet)
        << "\ncutoff = " << decimal(law.cutoff) << "\nswitch_from = " << decimal(law.switch_from)
        << "\ntail = " << (law.tail ? "true" : "false") << "\nexcluded = " << quoted(name_of(exclusions, law.excluded))
        << "\n"
        << parameters_text(law.parameters);
  for (const Groups& groups : world.groups) put_groups(out, groups);
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

void write_world(const std::filesystem::path& path, const World& world) { write_file(path, world_text(world)); }

}  // namespace orrery::particles
