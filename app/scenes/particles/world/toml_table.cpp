#include "scenes/particles/world/toml_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/files/toml_text.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery::particles {
namespace {

std::string place_of(const std::filesystem::path& path, const toml::node& node) {
  return orrery::place_of(path.string(), node.source());
}

}  // namespace

std::string shown(const toml::node& node) {
  constexpr std::size_t most = 40;
  std::ostringstream text;
  if (const auto* quoted = node.as_string())
    text << quoted->get();
  else
    node.visit([&](const auto& value) { text << value; });
  std::string all = text.str();
  std::ranges::replace(all, '\n', ' ');
  return all.size() <= most ? all : all.substr(0, most - 3) + "...";
}

const toml::node* TomlTable::get(std::string_view key) {
  used_.emplace(key);
  return table_.get(key);
}

void TomlTable::missing(std::string_view key, const char* kind) const {
  const std::vector<std::string> others = rest();
  const auto meant = std::ranges::find_if(others, [&](const std::string& other) { return is_misspelt(other, key); });
  if (meant != others.end())
    throw usage_error("unknown key " + in_quotes(*meant) + "; did you mean " + std::string(key) + "?", {}, {},
                      place(*meant));
  throw usage_error("the key " + std::string(key) + " is missing", {}, "expected " + std::string(kind), place());
}

void TomlTable::refuse(std::string_view key, const std::string& what, const std::string& value,
                       const std::string& expected) const {
  const bool has_value = !value.empty() || !expected.empty();
  throw usage_error(what, has_value ? std::optional(value) : std::nullopt, expected, place(key));
}

std::uint32_t TomlTable::particle(std::string_view key, const std::string& who, double number,
                                  std::size_t particles) const {
  if (number != std::floor(number) || number < 0 || number >= static_cast<double>(particles))
    refuse(key, who, shortest(number),
           "the index of a particle, 0 to " + std::to_string(static_cast<std::int64_t>(particles) - 1));
  return static_cast<std::uint32_t>(number);
}

double TomlTable::number_of(std::string_view key, const toml::node& node) const {
  const auto value = node.value<double>();
  if (!node.is_number() || !value || !std::isfinite(*value))
    throw usage_error(std::string(key), shown(node), "a number", place_of(path_, node));
  return *value;
}

double TomlTable::number(std::string_view key, double otherwise) {
  const toml::node* node = get(key);
  return node != nullptr ? number_of(key, *node) : otherwise;
}

double TomlTable::number(std::string_view key) {
  if (get(key) == nullptr) missing(key, "a number");
  return number(key, 0);
}

double TomlTable::number_from(std::string_view key, double otherwise, double least) {
  const double value = number(key, otherwise);
  if (!(value >= least)) refuse(key, std::string(key), shortest(value), "a number of " + shortest(least) + " or more");
  return value;
}

double TomlTable::number_above(std::string_view key, double otherwise, double limit) {
  const double value = number(key, otherwise);
  if (!(value > limit)) refuse(key, std::string(key), shortest(value), "a number above " + shortest(limit));
  return value;
}

std::int64_t TomlTable::integer(std::string_view key, std::int64_t otherwise) {
  const toml::node* node = get(key);
  if (node == nullptr) return otherwise;
  if (const auto* whole = node->as_integer()) return whole->get();
  refuse(key, std::string(key), shown(*node), "a whole number");
}

bool TomlTable::flag(std::string_view key, bool otherwise) {
  const toml::node* node = get(key);
  if (node == nullptr) return otherwise;
  if (const auto* value = node->as_boolean()) return value->get();
  refuse(key, std::string(key), shown(*node), "true or false");
}

std::string TomlTable::text(std::string_view key, const std::string& otherwise) {
  const toml::node* node = get(key);
  if (node == nullptr) return otherwise;
  if (const auto* value = node->as_string()) return value->get();
  refuse(key, std::string(key), shown(*node), "a text in quotes");
}

std::string TomlTable::text(std::string_view key) {
  if (get(key) == nullptr) missing(key, "a text in quotes");
  return text(key, {});
}

std::string TomlTable::title(std::string_view key, const std::string& otherwise, std::size_t longest) {
  std::string title = text(key, otherwise);
  if (const std::string fault = title_fault(title, longest); !fault.empty())
    refuse(key, std::string(key), title, fault);
  return title;
}

std::string TomlTable::name(std::string_view key) {
  std::string name = text(key);
  if (const std::string fault = name_fault(name); !fault.empty()) refuse(key, std::string(key), name, fault);
  return name;
}

void TomlTable::check_key(const std::string& key, const std::string& who) const {
  if (const std::string fault = name_fault(key); !fault.empty())
    throw usage_error("the name of " + who, key, fault, place(key));
}

std::optional<Vector> TomlTable::sizes(std::string_view key) {
  const std::optional<Vector> sizes = vector(key);
  for (const double side : sizes.value_or(Vector{}))
    if (!(side >= 0)) refuse(key, "a length of " + std::string(key), shortest(side), "a number of 0 or more");
  return sizes;
}

std::optional<Vector> TomlTable::vector(std::string_view key) {
  const toml::node* node = get(key);
  if (node == nullptr) return std::nullopt;
  if (node->is_number()) {
    const double all = number_of(key, *node);
    return Vector{all, all, all};
  }
  const toml::array* array = node->as_array();
  if (array == nullptr || array->size() != 3)
    refuse(key, std::string(key), shown(*node), "a number, or an array of three");
  return Vector{number_of(key, (*array)[0]), number_of(key, (*array)[1]), number_of(key, (*array)[2])};
}

std::optional<Color> TomlTable::color(std::string_view key) {
  if (get(key) == nullptr) return std::nullopt;
  const std::string hex = text(key);
  unsigned rgb = 0;
  const char* const end = hex.data() + hex.size();
  if (hex.size() != 7 || hex[0] != '#' || std::from_chars(hex.data() + 1, end, rgb, 16).ptr != end)
    refuse(key, "a colour", hex, "\"#rrggbb\"");
  return Color{static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8),
               static_cast<std::uint8_t>(rgb)};
}

std::vector<std::string> TomlTable::texts(std::string_view key) {
  const toml::node* node = get(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  std::vector<std::string> result;
  if (array != nullptr)
    for (const toml::node& each : *array)
      if (const auto* value = each.as_string()) result.push_back(value->get());
  if (array == nullptr || result.size() != array->size())
    refuse(key, std::string(key), shown(*node), "an array of texts");
  return result;
}

std::vector<double> TomlTable::numbers(std::string_view key) {
  const toml::node* node = get(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) refuse(key, std::string(key), shown(*node), "an array of numbers");
  std::vector<double> result;
  result.reserve(array->size());
  for (const toml::node& each : *array) result.push_back(number_of(key, each));
  return result;
}

std::vector<std::vector<double>> TomlTable::rows(std::string_view key, std::size_t width) {
  const toml::node* node = get(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) refuse(key, std::string(key), shown(*node), "an array of arrays");
  std::vector<std::vector<double>> result;
  result.reserve(array->size());
  for (const toml::node& each : *array) {
    const toml::array* row = each.as_array();
    if (row == nullptr || row->size() != width)
      throw usage_error("a row of " + std::string(key), shown(each), std::to_string(width) + " numbers",
                        place_of(path_, each));
    result.emplace_back();
    for (const toml::node& value : *row) result.back().push_back(number_of(key, value));
  }
  return result;
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
  const toml::node* node = get(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  std::vector<TomlTable> result;
  if (array != nullptr)
    for (const toml::node& each : *array)
      if (const auto* value = each.as_table()) result.emplace_back(*value, path_);
  if (array == nullptr || result.size() != array->size())
    refuse(key, std::string(key), shown(*node), "tables, [[" + std::string(key) + "]]");
  return result;
}

std::optional<TomlTable> TomlTable::table(std::string_view key) {
  const toml::node* node = get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* value = node->as_table()) return TomlTable(*value, path_);
  refuse(key, std::string(key), shown(*node), "a table, [" + std::string(key) + "]");
}

std::vector<std::string> TomlTable::rest() const {
  std::vector<std::pair<toml::source_position, std::string>> found;
  for (const auto& [key, node] : table_)
    if (!used_.contains(key.str())) found.emplace_back(key.source().begin, key.str());
  std::ranges::stable_sort(found, {}, [](const auto& one) { return std::pair(one.first.line, one.first.column); });
  std::vector<std::string> keys;
  for (auto& [position, key] : found) keys.push_back(std::move(key));
  return keys;
}

void TomlTable::finish() const {
  const std::vector<std::string> unknown = rest();
  if (unknown.empty()) return;
  for (const std::string& key : used_)
    if (is_misspelt(unknown.front(), key))
      throw usage_error("unknown key " + in_quotes(unknown.front()) + "; did you mean " + key + "?", {}, {},
                        place(unknown.front()));
  std::string known;
  for (const std::string& key : used_) known += (known.empty() ? "" : " | ") + key;
  throw usage_error("a key", unknown.front(), "one of " + known, place(unknown.front()));
}

std::string TomlTable::place() const { return place_of(path_, table_); }
std::string TomlTable::place(std::string_view key) const {
  const toml::node* node = table_.get(key);
  return node != nullptr ? place_of(path_, *node) : place();
}

}  // namespace orrery::particles
