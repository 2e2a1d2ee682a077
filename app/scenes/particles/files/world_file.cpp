#include "scenes/particles/files/world_file.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/files/toml_text.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "scenes/particles/laws/laws.hpp"
#include "scenes/particles/world/fill.hpp"
#include "scenes/particles/world/shapes.hpp"
#include "scenes/particles/world/world.hpp"
#include "scenes/particles/world/world_words.hpp"

namespace orrery::particles {
namespace fs = std::filesystem;
namespace {

/// Enough for some eight million listed particles.
constexpr FileKind world_kind{"a world", std::uint64_t{1} << 30};

class Reader {
 public:
  Reader(const toml::table& document, const fs::path& path) : root_(document, path), path_(path) {}

  World read() {
    world_.name = root_.title("name", printable(path_.stem().string()));
    world_.about = root_.title("about", "", longest_help);
    world_.seed = seed();
    world_.boltzmann = root_.number_above("boltzmann", 1, 0);
    world_.minimize = root_.flag("minimize", false);
    world_.excluded_bonds = static_cast<int>(std::clamp<std::int64_t>(root_.integer("excluded_bonds", 2), -1, 99));
    if (auto box = root_.table("box")) {
      world_.box.lengths = box->vector("lengths");
      if (world_.box.lengths)
        for (const double side : *world_.box.lengths)
          if (!(side > 0)) box->refuse("lengths", "a side of the box", shortest(side), "a number above 0");
      box->finish();
    }
    read_kinds();
    read_ensemble();
    read_particles();
    for (TomlTable& law : root_.tables("pair")) read_pair(law);
    for (TomlTable& law : root_.tables("group")) read_group(law);
    read_shapes();
    read_view();
    root_.finish();
    at_file([&] { check(world_); });
    return std::move(world_);
  }

 private:
  template <class F>
  void at_file(F&& use) {
    try {
      use();
    } catch (const Error& error) {
      ErrorDetails details = error.details();
      if (details.where.empty()) details.where = path_.string();
      throw Error(error.fault(), std::move(details));
    }
  }

  std::uint64_t seed() {
    const std::int64_t value = root_.integer("seed", 1);
    if (value < 0) root_.refuse("seed", "seed", std::to_string(value), "a whole number of 0 or more");
    for (const char* table : {"ensemble", "view", "box"})
      if (auto part = root_.table(table); part && part->has("seed"))
        part->refuse("seed", "a world has one seed; write it at the top of the file", {}, {});
    return static_cast<std::uint64_t>(value);
  }

  void read_kinds() {
    std::vector<TomlTable> tables = root_.tables("kind");
    if (tables.size() > most_kinds)
      root_.refuse("kind", "the number of kinds", std::to_string(tables.size()),
                   "at most " + std::to_string(most_kinds));
    for (TomlTable& table : tables) {
      KindEntry entry;
      entry.kind.name = table.name("name");
      if (std::ranges::any_of(kinds_, [&](const KindEntry& other) { return other.kind.name == entry.kind.name; }))
        table.refuse("name", "two kinds have the name", entry.kind.name, {});
      entry.kind.radius = table.number_from("radius", 0.5, 0);
      entry.kind.color = table.color("color");
      entry.mass = table.number_from("mass", 1, 0);
      entry.charge = table.number("charge", 0);
      for (const std::string& key : table.rest()) {
        table.check_key(key, "a column");
        if (entry.columns.size() == most_columns)
          table.refuse(key, "there are more than " + std::to_string(most_columns) + " columns:", key, {});
        entry.columns.emplace_back(key, table.number(key));
        if (std::ranges::find(world_.particles.columns, key, &Column::name) == world_.particles.columns.end())
          world_.particles.columns.push_back({key, {}});
      }
      kinds_.push_back(std::move(entry));
    }
    if (kinds_.empty()) kinds_.push_back({{"particle"}, 1, 0, {}});
    for (const KindEntry& entry : kinds_) world_.kinds.push_back(entry.kind);
  }

  std::uint32_t particle(const TomlTable& table, std::string_view key, const std::string& who, double number) const {
    return table.particle(key, who, number, world_.particles.size());
  }

  void read_particles() {
    std::size_t index = 0;
    for (TomlTable& table : root_.tables("fill")) fill(world_, table, kinds_, index++);
    for (const auto& row : root_.rows("bonds", 2))
      world_.bonds.push_back({particle(root_, "bonds", "a bond", row[0]), particle(root_, "bonds", "a bond", row[1])});
    for (const auto& row : root_.rows("constraints", 3)) {
      const std::uint32_t first = particle(root_, "constraints", "a constraint", row[0]),
                          second = particle(root_, "constraints", "a constraint", row[1]);
      if (!(row[2] > 0))
        root_.refuse("constraints", "the length of a constraint", shortest(row[2]), "a number above 0");
      world_.constraints.push_back({first, second, row[2]});
    }
    for (Column& column : world_.particles.columns) column.values.resize(world_.particles.size(), 0);
    const double temperature = root_.number("start_temperature", world_.ensemble.temperature);
    const bool drawn = std::ranges::all_of(world_.particles.velocity, [](const Vector& v) { return v == Vector{}; });
    if (drawn && temperature > 0) draw_velocities(world_, temperature);
    stop_held();
    if (world_.box.periodic()) wrap_far(*world_.box.lengths);
  }

  void stop_held() {
    Particles& p = world_.particles;
    std::size_t stopped = 0, first = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
      if (p.mass[i] == 0 && std::exchange(p.velocity[i], {}) != Vector{} && stopped++ == 0) first = i;
    if (stopped == 0) return;
    const std::string who = stopped == 1 ? "particle " + std::to_string(first) + " is"
                                         : std::to_string(stopped) + " particles, the first of them particle " +
                                               std::to_string(first) + ", are";
    log(Level::warning, who + " held in place (mass 0): a velocity that was given counts as 0");
  }

  // Far from the box, single precision does not resolve the position in the box. Near particles keep their image.
  void wrap_far(const Vector& lengths) {
    for (Vector& at : world_.particles.position)
      for (std::size_t k = 0; k < 3; ++k)
        if (std::abs(at[k]) > 2 * lengths[k]) at[k] = std::remainder(at[k], lengths[k]);
  }

  void read_pair(TomlTable& table) {
    world_.pairs.push_back(read_pair_law(table, "pair law " + std::to_string(world_.pairs.size() + 1)));
    table.finish();
  }

  void read_group(TomlTable& table) {
    Groups groups;
    groups.law = read_group_law(table, "group law " + std::to_string(world_.groups.size() + 1));
    read_members(table, groups, table.text("rest", ""));
    table.finish();
    world_.groups.push_back(std::move(groups));
  }

  bool of_kind(const std::vector<std::string>& names, std::uint32_t particle) const {
    return names.empty() || std::ranges::find(names, world_.kinds[world_.particles.kind[particle]].name) != names.end();
  }

  template <std::size_t N>
  void add_groups(TomlTable& table, Groups& groups, const std::vector<std::array<std::uint32_t, N>>& all,
                  const std::vector<std::string>& kinds) {
    if (groups.law.members != N)
      table.refuse("on", "the members of a group", std::to_string(N),
                   std::to_string(groups.law.members) + ", the members of the law");
    for (const auto& members : all) {
      const bool all_there = std::ranges::all_of(members, [&](std::uint32_t i) { return i < world_.particles.size(); });
      if (all_there && std::ranges::all_of(members, [&](std::uint32_t i) { return of_kind(kinds, i); }))
        groups.members.insert(groups.members.end(), members.begin(), members.end());
    }
  }

  void read_members(TomlTable& table, Groups& groups, const std::string& rest) {
    const std::vector<std::string> kinds = table.texts("kinds");
    const toml::node* on = table.get("on");
    if (on != nullptr && on->is_array()) {
      const std::size_t width = groups.law.members + groups.law.columns.size() - (rest.empty() ? 0 : 1);
      for (const auto& row : table.rows("on", width)) {
        for (std::size_t k = 0; k < groups.law.members; ++k)
          groups.members.push_back(particle(table, "on", "a group", row[k]));
        if (!rest.empty()) groups.values.push_back(distance(groups.members.end()[-2], groups.members.back()));
        groups.values.insert(groups.values.end(), row.begin() + static_cast<std::ptrdiff_t>(groups.law.members),
                             row.end());
      }
      return;
    }
    const std::string usual = groups.law.members == 1   ? "all"
                              : groups.law.members == 2 ? "bonds"
                              : groups.law.members == 3 ? "angles"
                                                        : "torsions";
    const std::string what = table.text("on", usual);
    if (what == "bonds")
      add_groups(table, groups, world_.bonds, kinds);
    else if (what == "angles")
      table.at("on", [&] { add_groups(table, groups, angles_of(world_), kinds); });
    else if (what == "torsions")
      table.at("on", [&] { add_groups(table, groups, torsions_of(world_), kinds); });
    else if (what == "all")
      add_groups(table, groups, everybody(), kinds);
    else
      table.refuse("on", "on", what, "all | bonds | angles | torsions | [[i, j], …]");
    if (groups.law.columns.size() > (rest.empty() ? 0 : 1))
      table.refuse("columns", "columns need the key on with a row for each group: its particles, then its columns", {},
                   {});
    if (rest.empty()) return;
    for (std::size_t g = 0; g < groups.size(); ++g)
      groups.values.push_back(distance(groups.members[2 * g], groups.members[2 * g + 1]));
  }

  std::vector<std::array<std::uint32_t, 1>> everybody() const {
    std::vector<std::array<std::uint32_t, 1>> all;
    for (std::uint32_t i = 0; i < world_.particles.size(); ++i) all.push_back({i});
    return all;
  }

  double distance(std::uint32_t a, std::uint32_t b) const {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      double d = world_.particles.position[a][k] - world_.particles.position[b][k];
      if (world_.box.periodic()) d -= (*world_.box.lengths)[k] * std::rint(d / (*world_.box.lengths)[k]);
      sum += d * d;
    }
    return std::sqrt(sum);
  }

  void read_ensemble() {
    auto table = root_.table("ensemble");
    if (!table) return;
    Ensemble& e = world_.ensemble;
    e.thermostat = choice(*table, "thermostat", thermostats, e.thermostat);
    e.dt = table->number_above("dt", e.dt, 0);
    e.temperature = table->number_from("temperature", e.temperature, 0);
    e.friction = table->number_from("friction", e.friction, 0);
    e.relaxation = table->number_above("relaxation", e.relaxation, 0);
    if (table->has("final_temperature")) e.final_temperature = table->number_from("final_temperature", 0, 0);
    e.ramp_time = table->number_from("ramp_time", e.ramp_time, 0);
    table->finish();
  }

  void read_shapes() {
    std::vector<TomlTable> tables = root_.tables("draw");
    if (tables.size() > most_shapes)
      root_.refuse("draw", "the number of shapes", std::to_string(tables.size()),
                   "at most " + std::to_string(most_shapes));
    for (TomlTable& table : tables) world_.shapes.push_back(read_shape(table, world_));
  }

  void read_view() {
    auto table = root_.table("view");
    if (!table) return;
    world_.view.color = choice(*table, "color", colors, world_.view.color);
    world_.view.box = table->flag("box", true);
    world_.view.bonds = table->flag("bonds", true);
    world_.view.burst = table->integer("burst", 1);
    if (world_.view.burst < 1 || world_.view.burst > 10000)
      table->refuse("burst", "burst", std::to_string(world_.view.burst), "a whole number from 1 to 10000");
    table->finish();
  }

  TomlTable root_;
  const fs::path& path_;
  World world_;
  std::vector<KindEntry> kinds_;
};

}  // namespace

World parse_world(const std::string& text, const fs::path& name) {
  try {
    const toml::table document = parse_toml(text, name.string());
    return Reader(document, name).read();
  } catch (const std::bad_alloc&) {
    throw failure("out of memory for the world " + name.string());
  }
}

World read_world(const fs::path& path) { return parse_world(read_file(path, world_kind), path); }

std::vector<WorldEntry> known_worlds() {
  std::vector<WorldEntry> worlds;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(asset_folder() / "worlds", ignored)) {
    if (file.path().extension() != ".toml") continue;
    try {
      const toml::table document = parse_toml(read_file(file.path(), world_kind), file.path().string());
      const std::string name = file.path().stem().string();
      worlds.push_back(
          {name, document["name"].value_or(in_words(name)), document["about"].value_or(std::string()), file.path()});
    } catch (const std::exception&) {  // left out: opening it reports the error
    }
  }
  std::ranges::sort(worlds, {}, &WorldEntry::name);
  return worlds;
}

fs::path find_world(const std::string& name_or_path) {
  fs::path path(name_or_path);
  std::error_code ignored;
  if (path.extension() == ".toml" || fs::is_regular_file(path, ignored)) return path;
  std::string names;
  for (const WorldEntry& world : known_worlds()) {
    if (world.name == name_or_path) return world.file;
    names += (names.empty() ? "" : " | ") + world.name;
  }
  throw usage_error("the world", name_or_path, names + ", or a .toml file");
}

}  // namespace orrery::particles
