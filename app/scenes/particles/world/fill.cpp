#include "scenes/particles/world/fill.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "base/error.hpp"
#include "base/files/table_text.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "scenes/particles/world/near_search.hpp"
#include "scenes/particles/world/particle_rows.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {
namespace {

constexpr auto most = static_cast<std::int64_t>(most_particles);

/// The particles so far, and those that a fill adds.
class Near {
 public:
  Near(const World& world, double distance) : search_(world.box, distance) {
    for (const Vector& at : world.particles.position) add(at);
  }
  void add(const Vector& at) { search_.add(at); }
  bool taken(const Vector& at) const { return search_.any(at); }

 private:
  NearSearch search_;
};

class Filler {
 public:
  Filler(World& world, TomlTable table, const std::vector<KindEntry>& kinds, std::size_t index)
      : world_(world), table_(table), kinds_(kinds), random_(world.seed * 1000003 + index) {}

  void fill() {
    const std::string shape = table_.text("shape");
    take_kinds();
    centre_ = table_.vector("center").value_or(Vector{});
    avoid_ = table_.number_from("avoid", 0, 0);
    if (shape == "lattice")
      lattice();
    else if (shape == "random")
      random();
    else if (shape == "droplet")
      droplet();
    else if (shape == "chain")
      chain();
    else if (shape == "cloth")
      cloth();
    else if (shape == "water")
      water();
    else if (shape == "list")
      list();
    else if (shape == "file")
      file();
    else
      table_.refuse("shape", "shape", shape, "lattice | random | droplet | chain | cloth | water | list | file");
    table_.finish();
  }

 private:
  std::uint32_t kind_named(const std::string& name, std::string_view key) const {
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      if (kinds_[k].kind.name == name) return static_cast<std::uint32_t>(k);
    std::string known;
    for (const KindEntry& entry : kinds_) known += (known.empty() ? "" : " | ") + entry.kind.name;
    table_.refuse(key, "the kind", name, known);
  }

  void take_kinds() {
    if (table_.has("kinds"))
      for (const std::string& name : table_.texts("kinds")) kinds_used_.push_back(kind_named(name, "kinds"));
    else if (table_.has("kind"))
      kinds_used_.push_back(kind_named(table_.text("kind"), "kind"));
    else
      kinds_used_.push_back(0);
    if (kinds_used_.empty()) table_.refuse("kinds", "kinds", "[]", "one name or more");
  }

  std::int64_t count(std::string_view key, std::int64_t otherwise) {
    const std::int64_t n = table_.integer(key, otherwise);
    if (n < 1 || n > most)
      table_.refuse(key, std::string(key), std::to_string(n), "a whole number from 1 to " + std::to_string(most));
    return n;
  }

  /// Throws if `groups` times `each` exceed the limit, before any is made; both are at most `most`.
  void check_room(std::string_view key, std::int64_t groups, std::int64_t each) const {
    const auto room = most - static_cast<std::int64_t>(world_.particles.size());
    if (groups * each <= room) return;
    const std::string times = each == 1 ? std::string() : " × " + std::to_string(each);
    table_.refuse(key, "the number of particles", std::to_string(groups) + times,
                  "at most " + std::to_string(most - world_.particles.size()) + " more (a world holds " +
                      std::to_string(most) + ")");
  }

  double positive(std::string_view key, double otherwise) {
    const double value = table_.number(key, otherwise);
    if (!(value > 0)) table_.refuse(key, std::string(key), shortest(value), "a number above 0");
    return value;
  }

  std::uint32_t put(const Vector& at, std::uint32_t kind, bool held = false) {
    Particles& p = world_.particles;
    const auto index = static_cast<std::uint32_t>(p.size());
    const KindEntry& entry = kinds_[kind];
    p.position.push_back(at);
    p.velocity.push_back({});
    p.mass.push_back(held ? 0 : entry.mass);
    p.charge.push_back(entry.charge);
    p.kind.push_back(kind);
    for (Column& column : p.columns) {
      const auto own = std::ranges::find(entry.columns, column.name, &std::pair<std::string, double>::first);
      column.values.push_back(own != entry.columns.end() ? own->second : 0);
    }
    return index;
  }

  std::uint32_t next_kind() { return kinds_used_[turn_++ % kinds_used_.size()]; }

  /// The region of a fill: `size`, or the box.
  Vector region() {
    if (const auto size = table_.sizes("size")) return *size;
    if (world_.box.periodic()) return *world_.box.lengths;
    table_.refuse("shape", "a fill in open space needs the key size: three lengths, or one", {}, {});
  }

  // Cells as cubic as possible, `count` at least; alternating kinds form a chequered pattern.
  void lattice() {
    const Vector size = region();
    for (const double side : size)
      if (!(side > 0)) table_.refuse("size", "a length of size", shortest(side), "a number above 0");
    const std::int64_t wanted = count("count", 1000);
    check_room("count", wanted, 1);
    const double jitter = table_.number_from("jitter", 0, 0),
                 step = std::cbrt(size[0] * size[1] * size[2] / static_cast<double>(wanted));
    std::array<std::int64_t, 3> n{};
    for (std::size_t k = 0; k < 3; ++k)
      n[k] = std::llround(std::clamp(size[k] / step, 1.0, static_cast<double>(wanted)));
    const auto sites = [&] {
      return static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
    };
    for (std::size_t k = 0; sites() < static_cast<double>(wanted); k = (k + 1) % 3) ++n[k];
    const Near near(world_, avoid_);
    std::int64_t placed = 0;
    for (std::int64_t z = 0; z < n[2] && placed < wanted; ++z)
      for (std::int64_t y = 0; y < n[1] && placed < wanted; ++y)
        for (std::int64_t x = 0; x < n[0] && placed < wanted; ++x, ++placed) {
          const std::array<std::int64_t, 3> cell{x, y, z};
          Vector at{};
          for (std::size_t k = 0; k < 3; ++k) {
            const double side = size[k] / static_cast<double>(n[k]);
            at[k] = centre_[k] - size[k] / 2 +
                    (static_cast<double>(cell[k]) + 0.5 + jitter * random_.uniform(-0.5, 0.5)) * side;
          }
          const auto parity = static_cast<std::size_t>(x + y + z) % kinds_used_.size();
          if (!near.taken(at)) put(at, kinds_used_[parity]);
        }
  }

  void random() {
    const Vector size = region();
    const std::int64_t wanted = count("count", 1000);
    check_room("count", wanted, 1);
    const double apart = table_.number_from("apart", 0, 0);
    Near near(world_, std::max(apart, avoid_));
    std::int64_t in_vain = 0;  // failed trials in a row: random trials may miss the remaining room
    for (std::int64_t placed = 0; placed < wanted;) {
      if (in_vain > 20'000)
        table_.refuse("apart",
                      std::to_string(wanted) + " particles do not fit so far apart; use a smaller count or apart", {},
                      {});
      Vector at{};
      for (std::size_t k = 0; k < 3; ++k) at[k] = centre_[k] + size[k] * random_.uniform(-0.5, 0.5);
      ++in_vain;
      if (near.taken(at)) continue;
      in_vain = 0;
      near.add(at);
      put(at, next_kind());
      ++placed;
    }
  }

  // The sites of a lattice that are nearest to the middle; `dome`: only those above it.
  void droplet() {
    const std::int64_t wanted = count("count", 1000);
    check_room("count", wanted, 1);
    const double spacing = positive("spacing", 1.1);
    const bool dome = table_.flag("dome", false);
    // A ball of this radius has enough sites: the cells of the sites inside it cover a ball that is smaller by half a
    // diagonal.
    const double radius =
        std::cbrt(static_cast<double>(wanted) * (dome ? 2 : 1) * 3 / (4 * std::numbers::pi)) + std::numbers::sqrt3 / 2;
    const auto reach = static_cast<std::int64_t>(std::ceil(radius));
    std::vector<Vector> sites;
    for (std::int64_t z = dome ? 0 : -reach; z <= reach; ++z)
      for (std::int64_t y = -reach; y <= reach; ++y)
        for (std::int64_t x = -reach; x <= reach; ++x) {
          if (static_cast<double>(x * x + y * y + z * z) > radius * radius) continue;
          sites.push_back(
              {static_cast<double>(x) * spacing, static_cast<double>(y) * spacing, static_cast<double>(z) * spacing});
        }
    const auto from_middle = [](const Vector& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; };
    std::ranges::stable_sort(sites, {}, from_middle);
    const Near near(world_, avoid_);
    for (std::int64_t k = 0; k < std::min<std::int64_t>(wanted, static_cast<std::int64_t>(sites.size())); ++k) {
      Vector at = sites[static_cast<std::size_t>(k)];
      for (std::size_t axis = 0; axis < 3; ++axis) at[axis] += centre_[axis];
      if (!near.taken(at)) put(at, next_kind());
    }
  }

  // Random walks that keep their distance from existing particles; each next bead is tried in many directions.
  void chain() {
    const std::int64_t chains = count("count", 1), length = count("length", 50);
    check_room("count", chains, length);
    const double spacing = positive("spacing", 0.97), apart = table_.number_from("apart", 0.9 * spacing, 0);
    const Vector size = table_.sizes("size").value_or(world_.box.lengths.value_or(Vector{}));
    Near near(world_, std::max(apart, avoid_));
    for (std::int64_t c = 0; c < chains; ++c) {
      Vector at{};
      for (std::size_t k = 0; k < 3; ++k) at[k] = centre_[k] + (chains > 1 ? size[k] * random_.uniform(-0.5, 0.5) : 0);
      std::uint32_t previous = put(at, next_kind());
      near.add(at);
      for (std::int64_t bead = 1; bead < length; ++bead) {
        Vector next = at;
        for (int attempt = 0; attempt < 500; ++attempt) {
          const auto step = random_.on_sphere(spacing);
          for (std::size_t k = 0; k < 3; ++k) next[k] = at[k] + step[k];
          if (!near.taken(next)) break;
        }
        near.add(next);
        const std::uint32_t index = put(next, next_kind());
        world_.bonds.push_back({previous, index});
        previous = index;
        at = next;
      }
    }
  }

  // A sheet across x and y, with bonds to the nearest beads, across the squares, and over one bead against folds.
  void cloth() {
    const std::int64_t across = count("across", 40), along = count("along", 40);
    check_room("across", across, along);
    const double spacing = positive("spacing", 1);
    const std::string held = table_.text("held", "none");
    if (held != "none" && held != "corners" && held != "edge")
      table_.refuse("held", "held", held, "none | corners | edge");
    const auto first = static_cast<std::uint32_t>(world_.particles.size());
    const auto at = [&](std::int64_t x, std::int64_t y) { return first + static_cast<std::uint32_t>(y * across + x); };
    for (std::int64_t y = 0; y < along; ++y)
      for (std::int64_t x = 0; x < across; ++x) {
        const bool corner = (x == 0 || x == across - 1) && (y == 0 || y == along - 1);
        put({centre_[0] + (static_cast<double>(x) - static_cast<double>(across - 1) / 2) * spacing,
             centre_[1] + (static_cast<double>(y) - static_cast<double>(along - 1) / 2) * spacing, centre_[2]},
            next_kind(), (held == "corners" && corner) || (held == "edge" && y == along - 1));
        for (const auto& [dx, dy] : {std::pair{-1, 0}, {0, -1}, {-1, -1}, {1, -1}, {-2, 0}, {0, -2}})
          if (x + dx >= 0 && x + dx < across && y + dy >= 0) world_.bonds.push_back({at(x + dx, y + dy), at(x, y)});
      }
  }

  // Rigid molecules of three: two of the second kind around one of the first; random directions on a lattice.
  void water() {
    if (kinds_used_.size() != 2)
      table_.refuse("kinds", "the number of kinds of water", std::to_string(kinds_used_.size()),
                    "2: oxygen, then hydrogen");
    const Vector size = region();
    const std::int64_t wanted = count("count", 512);
    check_room("count", wanted, 3);
    const double bond = positive("bond", 0.09572), angle = positive("angle", 104.52) * std::numbers::pi / 180;
    const double spread = 2 * bond * std::sin(angle / 2);
    const auto n = static_cast<std::int64_t>(std::ceil(std::cbrt(static_cast<double>(wanted)) - 1e-9));
    for (std::int64_t i = 0; i < wanted; ++i) {
      const std::array<std::int64_t, 3> cell{i % n, i / n % n, i / n / n};
      Vector at{};
      for (std::size_t k = 0; k < 3; ++k)
        at[k] = centre_[k] + size[k] * ((static_cast<double>(cell[k]) + 0.5) / static_cast<double>(n) - 0.5);
      const auto axis = random_.on_sphere(1);
      auto side = random_.on_sphere(1);
      const double along = axis[0] * side[0] + axis[1] * side[1] + axis[2] * side[2];
      double norm = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        side[k] -= along * axis[k];
        norm += side[k] * side[k];
      }
      const std::uint32_t oxygen = put(at, kinds_used_[0]);
      for (const double sign : {-1.0, 1.0}) {
        Vector hydrogen = at;
        for (std::size_t k = 0; k < 3; ++k)
          hydrogen[k] += bond * std::cos(angle / 2) * axis[k] + sign * spread / 2 * side[k] / std::sqrt(norm);
        world_.bonds.push_back({oxygen, put(hydrogen, kinds_used_[1])});
      }
      world_.constraints.push_back({oxygen, oxygen + 1, bond});
      world_.constraints.push_back({oxygen, oxygen + 2, bond});
      world_.constraints.push_back({oxygen + 1, oxygen + 2, spread});
    }
  }

  void list() {
    const auto first = static_cast<std::uint32_t>(world_.particles.size());
    if (const toml::node* positions = table_.get("positions"); positions != nullptr && positions->is_array())
      check_room("positions", static_cast<std::int64_t>(positions->as_array()->size()), 1);
    for (const auto& row : table_.rows("positions", 3))
      put({row[0] + centre_[0], row[1] + centre_[1], row[2] + centre_[2]}, next_kind());
    const std::size_t count = world_.particles.size() - first;
    const auto velocities = table_.rows("velocities", 3);
    if (!velocities.empty()) check_length(table_, "velocities", velocities.size(), count);
    for (std::size_t i = 0; i < velocities.size(); ++i)
      world_.particles.velocity[first + i] = {velocities[i][0], velocities[i][1], velocities[i][2]};
    own_values(table_, "masses", world_.particles.mass, count);
    own_values(table_, "charges", world_.particles.charge, count);
    if (auto columns = table_.table("columns"))
      for (const std::string& name : columns->rest()) {
        columns->check_key(name, "a column");
        own_values(*columns, name, column_named(name).values, count);
      }
    for (const auto& row : table_.rows("bonds", 2))
      world_.bonds.push_back({first + table_.particle("bonds", "a bond", row[0], count),
                              first + table_.particle("bonds", "a bond", row[1], count)});
  }

  static void check_length(const TomlTable& table, std::string_view key, std::size_t length, std::size_t count) {
    if (length != count)
      table.refuse(key, "the number of " + std::string(key), std::to_string(length),
                   std::to_string(count) + ", as many as positions");
  }

  // Sets values of the last `count` particles, those of a list; without values their kinds' stay.
  static void own_values(TomlTable& table, const std::string& key, std::vector<double>& values, std::size_t count) {
    const std::vector<double> given = table.numbers(key);
    if (given.empty()) return;
    check_length(table, key, given.size(), count);
    std::ranges::copy_backward(given, values.end());
  }

  void file() {
    ParticleRows rows(*this);
    read_particle_rows(table_.path().parent_path() / table_.text("file"), rows);
  }

  class ParticleRows final : public TableRows {
   public:
    explicit ParticleRows(Filler& filler)
        : filler_(filler), first_(static_cast<std::uint32_t>(filler.world_.particles.size())) {}

    std::string expected() const override { return "columns named x, y, z and any of vx, vy, vz, mass, charge, kind"; }
    std::size_t known(std::span<const std::string> names) const override {
      return static_cast<std::size_t>(
          std::ranges::count_if(names, [](const std::string& name) { return name_fault(name).empty(); }));
    }
    std::vector<std::string> usual_names(std::size_t) const override { return {}; }
    std::vector<TableColumn> begin(std::span<const std::string> names, bool, const TextPlace& header) override {
      check_header(names, header.text());
      for (const std::string& name : names)
        columns_.push_back({name, name == "kind" ? TableColumn::Cells::words : TableColumn::Cells::numbers});
      return columns_;
    }
    void row(std::span<const double> numbers, std::span<const std::string_view> words, const TextPlace&) override {
      filler_.check_room("file", 1, 1);
      std::uint32_t kind = filler_.kinds_used_.front();
      for (std::size_t column = 0; column < columns_.size(); ++column)
        if (is_kind(column)) kind = filler_.kind_named(std::string(words[column]), "file");
      const std::uint32_t particle = filler_.put({}, kind);
      for (std::size_t column = 0; column < columns_.size(); ++column)
        if (!is_kind(column)) filler_.value_of(columns_[column].name, particle) = numbers[column];
    }
    void amend(std::size_t row, std::size_t column, double number) override {
      filler_.value_of(columns_[column].name, first_ + static_cast<std::uint32_t>(row)) = number;
    }

   private:
    bool is_kind(std::size_t column) const { return columns_[column].cells == TableColumn::Cells::words; }

    Filler& filler_;
    std::uint32_t first_;
    std::vector<TableColumn> columns_;
  };

  static void check_header(std::span<const std::string> header, const std::string& where) {
    constexpr std::size_t most_columns = 80;
    if (header.size() > most_columns)
      throw usage_error("the number of columns", std::to_string(header.size()),
                        "at most " + std::to_string(most_columns), where);
    std::set<std::string_view> names;
    for (const std::string& name : header) {
      if (const std::string fault = name_fault(name); !fault.empty())
        throw usage_error("the name of a column", name, fault, where);
      if (!names.insert(name).second) throw usage_error("two columns have the name", name, {}, where);
    }
  }

  double& value_of(const std::string& name, std::uint32_t particle) {
    Particles& p = world_.particles;
    if (name == "mass") return p.mass[particle];
    if (name == "charge") return p.charge[particle];
    if (name.size() == 1 && name[0] >= 'x' && name[0] <= 'z')
      return p.position[particle][static_cast<std::size_t>(name[0] - 'x')];
    if (name.size() == 2 && name[0] == 'v' && name[1] >= 'x' && name[1] <= 'z')
      return p.velocity[particle][static_cast<std::size_t>(name[1] - 'x')];
    return column_named(name).values[particle];
  }

  // A value for each existing particle; 0 for particles that had none.
  Column& column_named(const std::string& name) {
    Particles& p = world_.particles;
    auto column = std::ranges::find(p.columns, name, &Column::name);
    if (column == p.columns.end()) column = p.columns.insert(p.columns.end(), {name, {}});
    column->values.resize(p.size(), 0);
    return *column;
  }

  World& world_;
  TomlTable table_;
  const std::vector<KindEntry>& kinds_;
  Random random_;
  std::vector<std::uint32_t> kinds_used_;
  std::size_t turn_ = 0;
  Vector centre_{};
  double avoid_ = 0;
};

}  // namespace

void fill(World& world, TomlTable table, const std::vector<KindEntry>& kinds, std::size_t index) {
  Filler(world, table, kinds, index).fill();
}

}  // namespace orrery::particles
