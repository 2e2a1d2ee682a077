#include "shell/files/state_file.hpp"

#include <toml++/toml.h>
#include <algorithm>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/toml_text.hpp"
#include "base/printable.hpp"

namespace orrery::shell {
namespace {

Value as_value(const std::string& file, std::string_view key, const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* text = node.as_string()) return text->get();
  throw usage_error("the key " + in_quotes(key) + " of a state file must be a boolean, a number or a text", {}, {},
                    place_of(file, node.source()));
}

toml::table as_table(const StateSection& section) {
  toml::table table;
  for (const auto& [key, value] : section)
    std::visit([&table, &name = key](const auto& v) { table.insert_or_assign(name, v); }, value);
  return table;
}

void require_bare(const toml::key& key, const std::string& file) {
  if (!is_bare_key(key.str()))
    throw usage_error("the key of a state file", std::string(key.str()), "letters, digits, - and _",
                      place_of(file, key.source()));
}

}  // namespace

bool is_state(const std::filesystem::path& path) {
  return std::ranges::any_of(parse_toml(read_file(path, session_kind), path.string()),
                             [](const auto& entry) { return entry.second.is_table(); });
}

State read_state(const std::filesystem::path& path) {
  return parse_state(read_file(path, session_kind), path.string());
}

State parse_state(const std::string& text, const std::string& file) {
  const toml::table document = parse_toml(text, file);
  State state;
  for (const auto& [name, node] : document) {
    const toml::table* table = node.as_table();
    if (table == nullptr)
      throw usage_error("the table of a state file", std::string(name.str()), "[window], or the table of a scene",
                        place_of(file, node.source()));
    require_bare(name, file);
    StateSection& section = state[std::string(name.str())];
    for (const auto& [key, value] : *table) {
      require_bare(key, file);
      section.emplace_back(std::string(key.str()), as_value(file, key.str(), value));
    }
  }
  return state;
}

void write_state(const std::filesystem::path& path, const State& state) { write_file(path, state_text(state)); }

std::string state_text(const State& state) {
  toml::table document;
  for (const auto& [name, section] : state) document.insert_or_assign(name, as_table(section));
  return "# A session of Orrery: orrery --state FILE continues from here.\n" + toml_text(document) + "\n";
}

State merged(const State& older, const State& newer) {
  State result = older;
  for (const auto& [name, section] : newer) {
    StateSection& target = result[name];
    for (const auto& [key, value] : section) {
      const auto found = std::ranges::find(target, key, [](const auto& entry) { return entry.first; });
      if (found != target.end()) {
        found->second = value;
      } else {
        target.emplace_back(key, value);
      }
    }
  }
  return result;
}

}  // namespace orrery::shell
