#include "scenes/particles/laws/laws.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/files/toml_text.hpp"
#include "base/text.hpp"
#include "scenes/particles/world/world_words.hpp"

namespace orrery::particles {
namespace {

constexpr FileKind laws_kind{"laws", 1 << 20};

// A minimum or maximum that is not given makes room for the value, and cannot contradict it.
void check_range(const TomlTable& table, const LawParameter& p) {
  const bool from = table.has("minimum"), to = table.has("maximum");
  if (from && to && p.minimum > p.maximum)
    table.refuse("minimum", "minimum", shortest(p.minimum), "at most maximum, " + shortest(p.maximum));
  if (from && p.value < p.minimum)
    table.refuse("value", "value", shortest(p.value), "at least minimum, " + shortest(p.minimum));
  if (to && p.value > p.maximum)
    table.refuse("value", "value", shortest(p.value), "at most maximum, " + shortest(p.maximum));
}

std::string names_of(const std::vector<LawParameter>& parameters) {
  std::string names;
  for (const LawParameter& p : parameters) names += (names.empty() ? "" : " | ") + p.name;
  return names;
}

/// `ready`: the snippet is that of a ready-made law, whose parameters are known.
void read_parameters(TomlTable& law, std::vector<LawParameter>& parameters, bool ready) {
  auto table = law.table("parameters");
  if (!table) return;
  for (const std::string& key : table->rest()) {
    auto known = std::ranges::find(parameters, key, &LawParameter::name);
    if (known == parameters.end()) {
      if (ready) table->refuse(key, "the law's parameter", key, names_of(parameters));
      table->check_key(key, "a parameter");
      known = parameters.insert(parameters.end(),
                                LawParameter{.name = key, .minimum = std::nan(""), .maximum = std::nan("")});
    }
    LawParameter& p = *known;
    if (const toml::node* node = table->get(key); node->is_table()) {
      TomlTable own = *table->table(key);
      p.value = own.number("value");
      p.minimum = own.number("minimum", p.minimum);
      p.maximum = own.number("maximum", p.maximum);
      p.unit = own.title("unit", p.unit);
      p.help = own.title("help", p.help, longest_help);
      own.finish();
      check_range(own, p);
    } else {
      p.value = table->number(key);
    }
    // Without a range: a range that suits a slider at this value.
    if (!(p.minimum <= p.value)) p.minimum = std::min(0.0, 2 * p.value);
    if (!(p.maximum >= p.value)) p.maximum = p.value > 0 ? 4 * p.value : std::max(1.0, -p.value);
  }
}

const ReadyLaws& ready_laws() {
  static const ReadyLaws laws = [] {
    const std::filesystem::path file = asset_folder() / "laws.toml";
    return parse_laws(read_file(file, laws_kind), file);
  }();
  return laws;
}

template <class Laws>
const auto& named(const Laws& laws, std::string_view name) {
  const auto found = std::ranges::find(laws, name, [](const auto& law) { return std::string_view(law.name); });
  if (found != laws.end()) return *found;
  std::string names;
  for (const auto& law : laws) names += (names.empty() ? "" : " | ") + law.name;
  throw usage_error("the law", std::string(name), names + ", or a snippet");
}

}  // namespace

PairLaw read_pair_law(TomlTable& table, const std::string& name) {
  PairLaw law;
  const bool ready = table.has("law");
  if (ready) table.at("law", [&] { law = ready_pair_law(table.text("law")); });
  law.name = table.title("name", ready ? law.name : name);
  law.snippet = table.text("snippet", law.snippet);
  if (law.snippet.empty())
    table.refuse("name", "a pair law needs the key law (the name of a built-in law) or the key snippet", {}, {});
  law.cutoff = table.number_from("cutoff", law.cutoff, 0);
  law.switch_from = table.number_from("switch_from", 0, 0);
  law.tail = table.flag("tail", false);
  law.excluded = choice(table, "excluded", exclusions, law.excluded);
  read_parameters(table, law.parameters, ready && !table.has("snippet"));
  return law;
}

GroupLaw read_group_law(TomlTable& table, const std::string& name) {
  GroupLaw law;
  const bool ready = table.has("law");
  if (ready) table.at("law", [&] { law = ready_group_law(table.text("law")); });
  law.name = table.title("name", ready ? law.name : name);
  law.snippet = table.text("snippet", law.snippet);
  if (law.snippet.empty())
    table.refuse("name", "a group law needs the key law (the name of a built-in law) or the key snippet", {}, {});
  const std::int64_t members = table.integer("members", static_cast<std::int64_t>(ready ? law.members : 2));
  if (members < 1 || members > 8)
    table.refuse("members", "members", std::to_string(members), "a whole number from 1 to 8");
  law.members = static_cast<std::size_t>(members);
  law.columns = table.texts("columns");
  const std::string rest = table.text("rest", "");
  if (!rest.empty()) {
    if (law.members != 2)
      table.refuse("rest", "the members of a law with a rest length", std::to_string(law.members), "2");
    law.columns.insert(law.columns.begin(), rest);
    std::erase_if(law.parameters, [&](const LawParameter& p) { return p.name == rest; });
  }
  read_parameters(table, law.parameters, ready && !table.has("snippet"));
  return law;
}

ReadyLaws parse_laws(const std::string& text, const std::filesystem::path& file) {
  const toml::table document = parse_toml(text, file.string());
  TomlTable root(document, file);
  ReadyLaws laws;
  const auto read = [&laws](TomlTable& table, auto& list, auto&& law_of) {
    if (table.has("law")) table.refuse("law", "a built-in law needs the key snippet, not the key law", {}, {});
    const std::string name = table.text("name");
    laws.titles[name] = table.title("title", in_words(name));
    list.push_back(law_of(table, name));
    table.finish();
  };
  for (TomlTable& table : root.tables("pair")) read(table, laws.pairs, read_pair_law);
  for (TomlTable& table : root.tables("group")) read(table, laws.groups, read_group_law);
  root.finish();
  return laws;
}

std::span<const PairLaw> ready_pair_laws() { return ready_laws().pairs; }
std::span<const GroupLaw> ready_group_laws() { return ready_laws().groups; }
const PairLaw& ready_pair_law(std::string_view name) { return named(ready_laws().pairs, name); }
const GroupLaw& ready_group_law(std::string_view name) { return named(ready_laws().groups, name); }

std::string law_title(std::string_view name) {
  const auto& titles = ready_laws().titles;
  const auto known = titles.find(name);
  return known != titles.end() ? known->second : std::string(name);
}

}  // namespace orrery::particles
