#include "scenes/nbody/bodies/body_columns.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

constexpr std::array<std::string_view, body_values> own_names{"mass", "x", "y", "z", "vx", "vy", "vz"};
constexpr std::size_t mass_value = 0, x_value = 1, vx_value = 4;

constexpr std::array<std::string_view, 7> mass_words{"m", "mass", "masse", "masses", "massen", "masa", "massa"};
constexpr std::array<std::string_view, 10> position_words{"",           "r",     "pos",   "position",    "positions",
                                                          "coordinate", "coord", "point", "coordinates", "points"};
constexpr std::array<std::string_view, 8> velocity_words{"v",          "vel",     "velo",      "velocity",
                                                         "velocities", "vitesse", "velocidad", "geschwindigkeit"};

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_axis(std::string_view text) { return text.size() == 1 && std::string_view("xyz012").find(text) != text.npos; }

// The name in lower case without blanks, signs between words and units in brackets; an axis stays: "v[0]".
std::string plain_name(std::string_view name) {
  std::string plain;
  const std::string text = lower_case(name);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t close = text[at] == '[' ? text.find(']', at) : text[at] == '(' ? text.find(')', at) : text.npos;
    if (close != text.npos) {
      const std::string_view inner = trimmed(std::string_view(text).substr(at + 1, close - at - 1));
      if (is_axis(inner)) plain += inner;
      at = close;
    } else if (std::string_view(" _-.:/").find(text[at]) == std::string_view::npos) {
      plain += text[at];
    }
  }
  return plain;
}

// "AU" of "x [AU]"; empty where there is none.
std::string_view unit_of(std::string_view name) {
  const std::size_t open = name.find_first_of("[("), close = name.find_first_of("])", std::min(open, name.size()));
  if (close == name.npos) return {};
  const std::string_view inner = trimmed(name.substr(open + 1, close - open - 1));
  return is_axis(lower_case(inner)) ? std::string_view() : inner;
}

std::string units_in(std::span<const std::string> names, const std::vector<bool>& is_read) {
  std::vector<std::string> units;
  for (std::size_t column = 0; column < names.size(); ++column)
    if (const std::string unit = printable(unit_of(names[column]), 16); is_read[column] && !unit.empty())
      if (std::ranges::find(units, unit) == units.end()) units.push_back(unit);
  return units.empty() ? "" : "; units (" + joined(units, ", ") + ") not converted: G is 1";
}

std::string missing_in(const std::array<std::optional<std::size_t>, body_values>& of) {
  const bool has_velocities = of[vx_value].has_value();  // all axes or none
  std::vector<std::string> names;
  for (std::size_t value = x_value; value < (has_velocities ? body_values : vx_value); ++value)
    if (!of[value]) names.emplace_back(own_names[value]);
  if (!has_velocities) names.emplace_back("velocities");
  std::string text = of[mass_value] ? "" : "; mass missing: 1 each";
  if (!names.empty()) text += "; " + joined(names, ", ") + " missing: 0 each";
  return text;
}

std::string unread_in(std::span<const std::string> names, const std::vector<bool>& is_read) {
  constexpr std::size_t most = 5;
  std::vector<std::string> unread;
  for (std::size_t column = 0; column < names.size(); ++column)
    if (!is_read[column] && !is_blank(names[column])) unread.push_back(printable(names[column], 24));
  if (unread.empty()) return {};
  if (unread.size() > most) {
    unread.resize(most);
    unread.emplace_back("…");
  }
  return " (not " + joined(unread, ", ") + ")";
}

}  // namespace

std::span<const std::string_view> body_names() { return own_names; }

std::optional<std::size_t> body_value_named(std::string_view name) {
  const std::string plain = plain_name(name);
  if (is_one_of(mass_words, plain)) return mass_value;
  if (plain.empty()) return std::nullopt;
  constexpr std::string_view letters = "xyz", digits = "012";
  const auto value_of = [&](std::string_view word, std::size_t axis) -> std::optional<std::size_t> {
    if (is_one_of(position_words, word)) return x_value + axis;
    if (is_one_of(velocity_words, word)) return vx_value + axis;
    return std::nullopt;
  };
  const std::string_view before = std::string_view(plain).substr(0, plain.size() - 1);
  std::optional<std::size_t> value;
  if (const std::size_t axis = letters.find(plain.back()); axis != letters.npos) value = value_of(before, axis);
  // "v[0]" and "vel0" are components; "v0" and "r0" have other meanings.
  if (const std::size_t axis = digits.find(plain.back()); axis != digits.npos)
    if (before.size() > 1 || (before.size() == 1 && name.ends_with(']'))) value = value_of(before, axis);
  if (const std::size_t axis = letters.find(plain.front()); !value && axis != letters.npos && plain.size() > 1)
    value = value_of(std::string_view(plain).substr(1), axis);
  return value;
}

std::vector<std::string> usual_body_names(std::size_t columns) {
  const std::vector<std::string> all(own_names.begin(), own_names.end());
  const auto part = [&](std::ptrdiff_t first, std::ptrdiff_t last) {
    return std::vector<std::string>(all.begin() + first, all.begin() + last);
  };
  return columns == 7   ? all
         : columns == 6 ? part(1, 7)
         : columns == 4 ? part(0, 4)
         : columns == 3 ? part(1, 4)
                        : part(0, 0);
}

std::string expected_body_columns() {
  return "columns named x, y and any of z, vx, vy, vz, mass, such as " + std::string(body_header);
}

void check_body_count(std::size_t bodies, const std::string& name) {
  if (bodies == 0) throw usage_error("there are no bodies in", name, {});
  if (bodies > most_in_a_set)
    throw usage_error("the number of bodies in " + in_quotes(name), std::to_string(bodies),
                      "at most " + std::to_string(most_in_a_set));
}

BodyColumns body_columns(std::span<const std::string> names, bool has_names, const std::string& where) {
  BodyColumns columns;
  std::vector<bool> is_read(names.size());
  for (std::size_t column = 0; column < names.size(); ++column) {
    const auto value = body_value_named(names[column]);
    if (!value) continue;
    if (const auto before = columns.of[*value])
      throw usage_error("two columns, " + in_quotes(names[*before]) + " and " + in_quotes(names[column]) + ", are " +
                            std::string(own_names[*value]),
                        {}, "expected one of each", where);
    columns.of[*value] = column;
    is_read[column] = true;
  }
  const auto has = [&](std::size_t value) { return columns.of[value].has_value(); };
  const bool has_velocities = has(vx_value) || has(vx_value + 1) || has(vx_value + 2);
  bool are_axes_alike = true;
  for (std::size_t axis = 0; axis < 3; ++axis) are_axes_alike &= has(x_value + axis) == has(vx_value + axis);
  const bool has_places = has(x_value) && has(x_value + 1);
  if (!has_places || (has_velocities && !are_axes_alike))
    throw usage_error(
        "the columns of the bodies", joined(names, ","),
        has_places ? "as many velocities as positions, such as " + std::string(body_header) : expected_body_columns(),
        where);
  if (std::ranges::equal(names, own_names)) {
    if (!has_names) columns.understood = "no header: read as " + std::string(body_header);
    return columns;
  }
  const auto read = static_cast<std::size_t>(std::ranges::count(is_read, true));
  columns.understood =
      has_names
          ? std::to_string(read) + " of " + std::to_string(names.size()) + " columns read" + unread_in(names, is_read)
          : "no names: " + std::to_string(names.size()) + " columns read as " + joined(names, ",");
  columns.understood += units_in(names, is_read) + missing_in(columns.of);
  return columns;
}

}  // namespace orrery
