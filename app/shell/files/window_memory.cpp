#include "shell/files/window_memory.hpp"

#include <toml++/toml.h>
#include <algorithm>
#include <sstream>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery::shell {
namespace {

constexpr std::int64_t largest_side = 16384, farthest_place = 100'000;

void ignore(const toml::table& table, const char* key, const std::string& expected) {
  std::ostringstream value;
  value << table[key];
  log(Level::warning,
      "window.toml: " + std::string(key) + ": expected " + expected + ", got " + printable(value.str()) + "; ignored");
}

std::optional<glm::ivec2> pair_of(const toml::table& table, const char* key, std::int64_t least, std::int64_t most) {
  if (!table.contains(key)) return std::nullopt;
  const auto x = table[key][0].value<std::int64_t>(), y = table[key][1].value<std::int64_t>();
  if (x && y && *x >= least && *x <= most && *y >= least && *y <= most) return glm::ivec2(*x, *y);
  ignore(table, key, "two whole numbers from " + std::to_string(least) + " to " + std::to_string(most));
  return std::nullopt;
}

float number_of(const toml::table& table, const char* key, float usual, float least, float most) {
  if (!table.contains(key)) return usual;
  const auto value = table[key].value<double>();
  if (value && *value >= least && *value <= most) return static_cast<float>(*value);
  ignore(table, key, "a number from " + brief(least, 3) + " to " + brief(most, 3));
  return usual;
}

WindowMemory from(const toml::table& table) {
  WindowMemory memory{.size = pair_of(table, "size", 64, largest_side),
                      .place = pair_of(table, "place", -farthest_place, farthest_place),
                      .scene = table["scene"].value_or(std::string()),
                      .look = {}};
  ui::Look& look = memory.look;
  look.scale = number_of(table, "scale", look.scale, ui::Look::least_scale, ui::Look::most_scale);
  if (const float column = number_of(table, "column", 0, ui::Look::least_column, ui::Look::most_column); column > 0)
    look.column = column;
  if (table["face"].value_or(std::string()) == "measure") look.face = ui::Face::measure;
  if (table["theme"].value_or(std::string()) == "light") look.theme = ui::Theme::light;
  const std::string motion = table["motion"].value_or(std::string());
  look.motion = motion == "reduced" ? ui::Motion::reduced : motion == "full" ? ui::Motion::full : look.motion;
  look.scale_answered = table["scale-answered"].value_exact<bool>().value_or(false);
  look.legend = table["legend"].value_exact<bool>().value_or(false);
  if (const toml::table* unfolded = table["unfolded"].as_table())
    for (const auto& [key, value] : *unfolded)
      if (const auto open = value.value<bool>()) look.unfolded[std::string(key.str())] = *open;
  if (const toml::array* recent = table["recent"].as_array())
    for (const auto& name : *recent)
      if (look.recent.size() < ui::Look::most_recent && name.is_string())
        look.recent.push_back(*name.value<std::string>());
  return memory;
}

toml::table table_of(const WindowMemory& memory) {
  const ui::Look& look = memory.look;
  toml::table unfolded;
  for (const auto& [section, open] : look.unfolded) unfolded.insert_or_assign(section, open);
  toml::array recent;
  for (const std::string& name : look.recent) recent.push_back(name);
  toml::table table{{"scene", memory.scene},
                    {"scale", static_cast<double>(look.scale)},
                    {"face", look.face == ui::Face::measure ? "measure" : "explore"},
                    {"theme", look.theme == ui::Theme::light ? "light" : "dark"},
                    {"motion", look.motion == ui::Motion::reduced ? "reduced"
                               : look.motion == ui::Motion::full  ? "full"
                                                                  : "desktop"},
                    {"scale-answered", look.scale_answered},
                    {"legend", look.legend},
                    {"recent", std::move(recent)},
                    {"unfolded", std::move(unfolded)}};
  if (memory.size) table.insert_or_assign("size", toml::array{memory.size->x, memory.size->y});
  if (look.column) table.insert_or_assign("column", static_cast<double>(*look.column));
  if (memory.place) table.insert_or_assign("place", toml::array{memory.place->x, memory.place->y});
  return table;
}

}  // namespace

std::filesystem::path window_memory_file() {
  const std::filesystem::path folder = state_folder();
  return folder.empty() ? folder : folder / "window.toml";
}

WindowMemory read_window_memory(const std::filesystem::path& file) {
  std::error_code ignored;
  if (file.empty() || !std::filesystem::exists(file, ignored)) return {};
  try {
    return from(toml::parse(read_file(file)));
  } catch (const std::exception& error) {
    log(Level::warning, file.string() + ": " + as_error(error).what() + "; the window begins as at first");
    return {};
  }
}

void write_window_memory(const std::filesystem::path& file, const WindowMemory& memory) {
  if (file.empty()) return;
  try {
    std::filesystem::create_directories(file.parent_path());
    std::ostringstream text;
    text << table_of(memory) << '\n';
    write_file(file, text.str());
  } catch (const std::exception& error) {
    log(Level::warning, std::string("the window's arrangement is not remembered: ") + as_error(error).what());
  }
}

}  // namespace orrery::shell
