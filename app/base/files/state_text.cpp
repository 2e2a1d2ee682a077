#include "base/files/state_text.hpp"

#include <toml++/toml.h>
#include <algorithm>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/toml_text.hpp"
#include "base/printable.hpp"

namespace orrery {
namespace {

toml::table as_table(const StateSection& section) {
  toml::table table;
  for (const auto& [key, value] : section)
    std::visit([&table, &name = key](const auto& v) { table.insert_or_assign(name, v); }, value);
  return table;
}

constexpr std::size_t long_value = 4096;  // bytes: longer than any setting

bool is_picture(const std::filesystem::path& path) { return path.extension() == ".png"; }

void require_bare(const toml::key& key, const std::string& file) {
  if (!is_bare_key(key.str()))
    throw usage_error("the key of a state file", std::string(key.str()), "letters, digits, - and _",
                      place_of(file, key.source()));
}

}  // namespace

Value state_value(const std::string& file, std::string_view key, const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* text = node.as_string()) return text->get();
  throw usage_error("the key " + in_quotes(key) + " of a state must be a boolean, a number or a text", {}, {},
                    place_of(file, node.source()));
}

std::string shown_scene(const StateTables& state) {
  const auto window = state.find("window");
  const Value* const scene = window != state.end() ? value_of(window->second, shown_scene_key) : nullptr;
  const auto* name = scene != nullptr ? std::get_if<std::string>(scene) : nullptr;
  return name != nullptr ? *name : std::string();
}

void add_values(StateSection& section, std::span<const Parameter> parameters) {
  for (const Parameter& each : parameters) section.emplace_back(each.info().name, each.value());
}

const Value* value_of(const StateSection& section, std::string_view key) {
  const auto found = std::ranges::find(section, key, [](const auto& entry) { return std::string_view(entry.first); });
  return found != section.end() ? &found->second : nullptr;
}

bool is_state(const std::filesystem::path& path) {
  if (is_picture(path)) return read_png_text(path, state_keyword, most_state_text).has_value();
  return std::ranges::any_of(parse_toml(read_file(path, session_kind), path.string()),
                             [](const auto& entry) { return entry.second.is_table(); });
}

StateTables read_state(const std::filesystem::path& path) {
  if (is_picture(path)) {
    const auto text = read_png_text(path, state_keyword, most_state_text);
    if (!text)
      throw usage_error("there is no state in " + in_quotes(path.string()), {},
                        "expected a .png file that Orrery wrote");
    return parse_state(*text, path.string());
  }
  StateTables state = parse_state(read_file(path, session_kind), path.string());
  if (state.empty())
    throw usage_error("there is no state in " + in_quotes(path.string()), {},
                      "expected the table [window], or that of a scene");
  return state;
}

StateTables parse_state(const std::string& text, const std::string& file) {
  const toml::table document = parse_toml(text, file);
  StateTables state;
  for (const auto& [name, node] : document) {
    const toml::table* table = node.as_table();
    if (table == nullptr)
      throw usage_error("the table of a state file", std::string(name.str()), "[window], or the table of a scene",
                        place_of(file, node.source()));
    require_bare(name, file);
    StateSection& section = state[std::string(name.str())];
    for (const auto& [key, value] : *table) {
      require_bare(key, file);
      section.emplace_back(std::string(key.str()), state_value(file, key.str(), value));
    }
  }
  return state;
}

void write_state(const std::filesystem::path& path, const StateTables& state) { write_file(path, state_text(state)); }

std::string state_text(const StateTables& state) {
  toml::table document;
  for (const auto& [name, section] : state) document.insert_or_assign(name, as_table(section));
  return "# A session of Orrery: orrery --state FILE continues from here.\n" + toml_text(document) + "\n";
}

StateTables merged(const StateTables& older, const StateTables& newer) {
  StateTables result = older;
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

ImageTexts state_texts(StateTables state) {
  std::string text = state_text(state);
  if (text.size() > most_state_text) {
    for (auto& [name, section] : state)
      std::erase_if(section, [](const auto& entry) {
        const auto* value = std::get_if<std::string>(&entry.second);
        return value != nullptr && value->size() > long_value;
      });
    text = state_text(state);
  }
  return {{"Software", "Orrery " ORRERY_VERSION}, {state_keyword, std::move(text)}};
}

}  // namespace orrery
