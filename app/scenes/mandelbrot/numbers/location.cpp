#include "scenes/mandelbrot/numbers/location.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/files/toml_text.hpp"
#include "scenes/mandelbrot/numbers/toml_value.hpp"

namespace orrery::mandelbrot {
namespace {

const toml::node& member(const std::filesystem::path& path, const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr) throw usage_error("this location has no key", std::string(key), {}, place_of(path, table));
  return *node;
}

std::string text_of(const std::filesystem::path& path, const toml::table& table, std::string_view key) {
  const toml::node& node = member(path, table, key);
  if (!node.is_string())
    throw usage_error(std::string(key) + ": expected a text in quotes", {}, {}, place_of(path, node));
  return node.as_string()->get();
}

Location location_of(const std::filesystem::path& path, const toml::table& table) {
  const auto number = [&](std::string_view key) { return decimal_of(path, key, member(path, table, key)); };
  Location location;
  location.name = text_of(path, table, "name");
  location.title = text_of(path, table, "title");
  location.text = text_of(path, table, "text");
  location.view = {number("re"), number("im"), number("span")};
  at_place(place_of(path, table), [&] { check(location.view); });
  const toml::node& iterations = member(path, table, "iterations");
  if (!iterations.is_integer() || iterations.as_integer()->get() < 1 || iterations.as_integer()->get() > 0x7fffffff) {
    throw usage_error("iterations: expected a whole number from 1 to 2147483647", {}, {}, place_of(path, iterations));
  }
  location.iterations = static_cast<std::uint32_t>(iterations.as_integer()->get());
  return location;
}

}  // namespace

std::vector<Location> read_locations(const std::filesystem::path& path) {
  const toml::table document = parse_toml(read_file(path, {"named places", 4 << 20}), path.string());
  std::vector<Location> result;
  const toml::array* entries = document.get_as<toml::array>("location");
  if (entries == nullptr) throw usage_error("there is no [[location]] in", path.string(), {});
  for (const toml::node& entry : *entries) {
    if (!entry.is_table()) throw usage_error("location: expected tables, [[location]]", {}, {}, place_of(path, entry));
    result.push_back(location_of(path, *entry.as_table()));
  }
  return result;
}

const std::vector<Location>& locations() {
  static const std::vector<Location> all = read_locations(asset_folder() / "locations.toml");
  return all;
}

const Location& find_location(std::string_view name) {
  const auto found = std::ranges::find(locations(), name, &Location::name);
  if (found != locations().end()) return *found;
  std::string names;
  for (const Location& location : locations()) names += (names.empty() ? "" : " | ") + location.name;
  throw usage_error("the location", std::string(name), names);
}

}  // namespace orrery::mandelbrot
