#include "shell/state_file.hpp"

#include <algorithm>
#include <sstream>
#include <toml++/toml.h>

#include "base/error.hpp"
#include "base/file.hpp"

namespace orrery::shell {
namespace {

std::string place(const std::filesystem::path& path, const toml::source_region& source) {
  return path.string() + ":" + std::to_string(source.begin.line) + ":" + std::to_string(source.begin.column);
}

Value as_value(const std::filesystem::path& path, std::string_view key, const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* text = node.as_string()) return text->get();
  throw usage_error("not a value of a state file:", std::string(key), "allowed: a boolean, a number or a text",
                    place(path, node.source()));
}

toml::table as_table(const StateSection& section) {
  toml::table table;
  for (const auto& [key, value] : section)
    std::visit([&](const auto& v) { table.insert_or_assign(key, v); }, value);
  return table;
}

toml::table parsed(const std::filesystem::path& path) {
  try {
    return toml::parse(read_file(path), path.string());
  } catch (const toml::parse_error& error) {
    throw usage_error(std::string("not TOML: ") + std::string(error.description()), {}, "", place(path, error.source()));
  }
}

}  // namespace

bool is_state(const std::filesystem::path& path) {
  return std::ranges::any_of(parsed(path), [](const auto& entry) { return entry.second.is_table(); });
}

State read_state(const std::filesystem::path& path) {
  const toml::table document = parsed(path);
  State state;
  for (const auto& [name, node] : document) {
    const toml::table* table = node.as_table();
    if (table == nullptr)
      throw usage_error("not a table of a state file:", std::string(name.str()), "allowed: [window], [nbody], [mandelbrot], [particles]",
                        place(path, node.source()));
    StateSection& section = state[std::string(name.str())];
    for (const auto& [key, value] : *table)
      section.emplace_back(std::string(key.str()), as_value(path, key.str(), value));
  }
  return state;
}

void write_state(const std::filesystem::path& path, const State& state) {
  toml::table document;
  for (const auto& [name, section] : state) document.insert_or_assign(name, as_table(section));
  std::ostringstream text;
  text << "# A session of Orrery: orrery --state FILE goes on from here.\n" << document << "\n";
  write_file(path, text.str());
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
