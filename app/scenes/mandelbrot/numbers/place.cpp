#include "scenes/mandelbrot/numbers/place.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/files/toml_text.hpp"
#include "base/text.hpp"
#include "base/written_number.hpp"
#include "scenes/mandelbrot/numbers/toml_value.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::string_view forms = "RE IM [SPAN], or lines with Re:, Im: and Zoom:, or TOML with center and span";

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view trimmed(std::string_view text, std::string_view what = " \t\r\n\"',;[]") {
  const std::size_t first = text.find_first_not_of(what);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(what) - first + 1);
}

/// The letters only, in lower case.
std::string key_of(std::string_view text) {
  std::string key;
  for (const char c : text)
    if (std::isalpha(static_cast<unsigned char>(c)) != 0)
      key.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  return key;
}

/// ln of a positive number with any exponent, where Decimal refuses exponents beyond a double's.
double log_of(std::string_view text, std::string_view what) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  const Decimal mantissa = Decimal::parse(text.substr(0, e), what);
  const auto exponent = e < text.size() ? parse_integer(text.substr(e + 1)) : std::optional<std::int64_t>(0);
  constexpr std::int64_t largest = 100000;
  if (!exponent || *exponent > largest || *exponent < -largest || mantissa.is_zero() ||
      mantissa.text().starts_with('-'))
    throw usage_error(std::string(what), std::string(text), "a number above 0, its exponent at most 100000");
  return mantissa.log() + static_cast<double>(*exponent) * std::numbers::ln10;
}

// Parsed again, which refuses numbers out of a view's range.
Decimal power_of_e(double log, std::string_view what) { return Decimal::parse(Decimal::exp(log).text(), what); }

// ---- lines of keys and values

struct Line {
  std::string_view name;
  std::string key;
  std::string_view value;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t mark = line.find_first_of(":=");
    if (mark == std::string_view::npos || trimmed(line).starts_with('#')) continue;
    const std::string_view name = trimmed(line.substr(0, mark));
    lines.push_back({name, key_of(name), trimmed(line.substr(mark + 1), " \t\r")});
  }
  return lines;
}

void take_iterations(std::string_view text, Place& place) {
  constexpr double most = 4294967293.0;
  const auto number = typed_real("iterations", trimmed(text));
  if (!number || *number < 1 || *number != std::floor(*number))
    throw usage_error("iterations", std::string(text), "a whole number from 1 to 4294967293");
  place.iterations = *number > most ? 0 : static_cast<std::uint32_t>(*number);
  if (*number > most) place.notes.push_back(std::string(text) + " iterations are more than 4294967293: auto is used");
}

// ---- formulas

/// Refuses formulas other than z^D + c, by name.
class FormulaLines {
 public:
  Formula formula() const { return formula_; }
  bool take(std::string_view key, std::string_view value) {
    const auto only = [&](const char* name, double meant, const char* drawn) {
      const auto number = typed_real(name, value);
      if (!number || *number != meant) throw usage_error(name, std::string(value), drawn);
      return true;
    };
    if (key == "fractaltype") return only("FractalType", 0, "0, because Orrery draws only z^d + c");
    if (key == "power") return take_power(value);
    if (key == "usehybridformula") return only("UseHybridFormula", 0, "0, because Orrery draws only z^d + c");
    if (key == "seedr" || key == "seedi")
      return only(key == "seedr" ? "SeedR" : "SeedI", 0, "0, the start of all orbits");
    if (key == "julia" || key == "isjulia") return refuse_unless("Julia", value, {"", "0", "no", "off", "false"});
    if (key == "type" || key == "formula" || key == "formulaname" || key == "fractal" || key == "fractalname")
      return refuse_unless("the formula", value, {"mandel", "mandelbrot", "mandelfp", "z^2+c", "z*z+c", "z^2 + c"});
    return false;
  }

 private:
  bool take_power(std::string_view text) {
    std::vector<Parameter> row = parameters(formula_);
    row.front().assign_text(text);
    return true;
  }
  static bool refuse_unless(const char* what, std::string_view value, std::initializer_list<std::string_view> known) {
    const std::string name = lower_case(trimmed(value));
    if (std::ranges::find(known, name) == known.end())
      throw usage_error(what, std::string(trimmed(value)), "the Mandelbrot set, because Orrery draws only z^d + c");
    return true;
  }

  Formula formula_;
};

void take_center(std::string_view value, View& view) {
  const std::size_t comma = value.find(',');
  if (comma == std::string_view::npos) throw usage_error("center", std::string(value), "[RE, IM]");
  view.re = Decimal::parse(trimmed(value.substr(0, comma)), "center");
  view.im = Decimal::parse(trimmed(value.substr(comma + 1)), "center");
}

// ---- how the picture is turned

/// Kalles Fraktaler's picture shows c = S·R·(u, v) at u pixels to the right and v down, where R rotates by RotateAngle
/// and S stretches by 2^StretchAmount along StretchAngle; if ImagPointsUp is set, it shows the conjugates (kf-2.15,
/// common/matrix.cpp, polar_composition, and Settings.cpp). With v up, both angles change their signs then. Where it is
/// not set, that picture is the mirror image of Orrery's, as without a turn.
class TurnLines {
 public:
  bool take(std::string_view key, std::string_view value) {
    const auto degrees = [&](std::string_view what) {
      return number(value, what, -largest_rotation, largest_rotation);
    };
    if (key == "rotation") {
      turn_.rotation = degrees("Rotation");
    } else if (key == "rotateangle") {
      turn_.rotation = degrees("RotateAngle");
    } else if (key == "stretchangle") {
      turn_.stretch_angle = degrees("StretchAngle");
    } else if (key == "stretch") {
      turn_.stretch = number(value, "Stretch", 1 / largest_stretch, largest_stretch);
    } else if (key == "stretchamount") {
      const double most = std::floor(100 * std::log2(largest_stretch)) / 100;
      turn_.stretch = std::exp2(number(value, "StretchAmount", -most, most));
    } else if (key == "imagpointsup") {
      mirrored_ = value == "1" || value == "true";
    } else {
      return false;
    }
    return true;
  }
  Turn turn() const { return mirrored_ ? Turn{0.0 - turn_.rotation, turn_.stretch, 0.0 - turn_.stretch_angle} : turn_; }

 private:
  static double number(std::string_view text, std::string_view what, double least, double most) {
    const auto value = typed_real(what, text);
    if (!value || !(*value >= least && *value <= most))
      throw usage_error(std::string(what), std::string(text),
                        "a number from " + shortest(least) + " to " + shortest(most));
    return *value;
  }

  Turn turn_;
  bool mirrored_ = false;
};

enum class Part { re, im, center, span, iterations };

std::string name_of(Part part) {
  constexpr std::array<const char*, 5> names{"Re", "Im", "center", "span", "iterations"};
  return names[static_cast<std::size_t>(part)];
}

/// The part of the place that the line has set; nothing for an unknown key.
std::optional<Part> take_line(const Line& line, double aspect, Place& place) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, line.key) != names.end();
  };
  const std::string_view value = trimmed(line.value);
  View& view = place.view;
  const auto give_height = [&](double log_height) {
    place.height = power_of_e(log_height, "the height");
    view.span = span_of_height(*place.height, aspect);
  };
  if (is_one_of({"re", "real", "centerre", "centerreal", "centrereal", "cx"})) {
    view.re = Decimal::parse(value, "Re");
    return Part::re;
  } else if (is_one_of({"im", "imag", "imaginary", "centerim", "centerimag", "centreimag", "cy"})) {
    view.im = Decimal::parse(value, "Im");
    return Part::im;
  } else if (is_one_of({"center", "centre"})) {
    take_center(line.value, view);
    return Part::center;
  } else if (line.key == "zoom") {
    give_height(std::log(4.0) - log_of(value, "Zoom"));
  } else if (is_one_of({"magnification", "magn", "mag"})) {
    give_height(std::log(2.0) - log_of(value, "Magnification"));
  } else if (is_one_of({"span", "width"})) {
    view.span = Decimal::parse(value, "Span");
  } else if (line.key == "height") {
    give_height(log_of(value, "Height"));
  } else if (line.key == "radius") {
    give_height(std::log(2.0) + log_of(value, "Radius"));
  } else if (is_one_of({"iterations", "iteration", "maxiter", "maxiterations"})) {
    if (value != "auto") take_iterations(value, place);
    return Part::iterations;
  } else {
    return std::nullopt;
  }
  return Part::span;
}

// ---- bare numbers

/// "-1.4 + 0.1 i" as "-1.4" and "+0.1": words end at spaces, and before a sign other than an exponent's. A comma
/// between two digits is within a word.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty() && word != "+" && word != "-") {
      words.push_back(word);
      word.clear();
    }
  };
  const auto is_digit_at = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool comma = c == ',' && !(at > 0 && is_digit_at(at - 1) && is_digit_at(at + 1));
    const bool ends = is_space(c) || comma || c == ';' || c == 'i' || c == '*';
    const bool sign = c == '+' || c == '-';
    const bool exponent = !word.empty() && (word.back() == 'e' || word.back() == 'E');
    if (ends || (sign && !exponent)) finish();
    if (!ends) word.push_back(c);
  }
  finish();
  return words;
}

/// A comma within a word is a decimal comma, unless there are also points: "-0.75,0.1" are two numbers.
std::vector<std::string> numbers_of(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  std::vector<std::string> numbers;
  for (const std::string& word : words) {
    const bool points = word.find('.') != std::string::npos;
    if (words.size() == 1 && !points && word.find(',') != std::string::npos)
      throw usage_error("the place", word, "RE IM [SPAN] with blanks between them: a comma may be a decimal comma");
    const std::string plain = plain_number("the place", word);
    if (plain != word || !points) {
      numbers.push_back(plain);
    } else {
      for (const std::string_view part : split_text(word, ',')) numbers.emplace_back(part);
    }
  }
  return numbers;
}

Place place_of_numbers(std::string_view text, const View& present) {
  const std::vector<std::string> numbers = numbers_of(text);
  if (numbers.size() < 2 || numbers.size() > 3)
    throw usage_error("the place", std::string(text.substr(0, 60)), std::string(forms));
  Place place{.view = present};
  place.view.re = Decimal::parse(numbers[0], "RE");
  place.view.im = Decimal::parse(numbers[1], "IM");
  if (numbers.size() == 3) place.view.span = Decimal::parse(numbers[2], "SPAN");
  return place;
}

std::string note_of_ignored(std::vector<std::string> keys) {
  constexpr std::size_t most_named = 5;
  const std::size_t count = keys.size();
  keys.resize(std::min(count, most_named));
  std::string text = joined(keys, ", ");
  if (count > most_named) text += " and " + std::to_string(count - most_named) + " more";
  return text + (count == 1 ? " is not read" : " are not read");
}

std::string with_plain_signs(std::string_view text) {
  std::string plain(text);
  for (const std::string_view minus : {"\u2212", "\u2013"})
    for (std::size_t at = 0; (at = plain.find(minus)) != std::string::npos;) plain.replace(at, minus.size(), "-");
  return plain;
}

}  // namespace

Place parse_place(std::string_view text, const View& present, double aspect) {
  const std::string plain = with_plain_signs(trimmed(text, " \t\r\n"));
  Place place{.view = present};
  std::set<Part> found;
  std::set<std::string> told;
  std::vector<std::string> ignored;
  TurnLines turn;
  FormulaLines formula;
  for (const Line& line : lines_of(plain)) {
    const bool turns = turn.take(line.key, trimmed(line.value));
    const auto part = turns ? std::nullopt : take_line(line, aspect, place);
    if (!turns && !part) {
      if (!formula.take(line.key, line.value)) ignored.emplace_back(line.name);
      continue;
    }
    if (part && *part != Part::iterations) found.insert(*part);
    if (const std::string what = turns ? line.key : name_of(*part); !told.insert(what).second)
      throw usage_error("the place tells its " + what + " twice", {}, "expected one line for it");
  }
  if (found.contains(Part::center) && (found.contains(Part::re) || found.contains(Part::im)))
    throw usage_error("the place tells its center twice", {}, "expected " + std::string(forms));
  if (found.empty())
    place = place_of_numbers(plain, present);
  else if (!found.contains(Part::center) && !(found.contains(Part::re) && found.contains(Part::im)))
    throw usage_error(std::string("the place lacks its ") + (found.contains(Part::re) ? "Im" : "Re"), {},
                      "expected " + std::string(forms));
  place.view.turn = turn.turn();
  if (!found.empty()) place.view.formula = formula.formula();
  check(place.view);
  if (!found.empty() && !ignored.empty()) place.notes.push_back(note_of_ignored(ignored));
  return place;
}

std::vector<std::string> center_words(std::vector<std::string> words) {
  if (words.size() != 1) return words;
  const std::string plain = with_plain_signs(trimmed(words[0]));
  if (plain.empty() || std::string_view("+-.,0123456789").find(plain[0]) == std::string_view::npos) return words;
  std::vector<std::string> numbers = numbers_of(plain);
  if (numbers.size() != 2) throw usage_error("--center", words[0], "RE IM, or the name of a location");
  return numbers;
}

std::vector<std::pair<std::string, std::string>> told_further(View view) {
  std::vector<std::pair<std::string, std::string>> told;
  const auto tell = [&](const std::vector<Parameter>& rows) {
    for (const Parameter& each : rows) told.emplace_back(each.info().name, value_text(each.info(), each.value()));
  };
  if (!view.turn.level()) tell(parameters(view.turn));
  if (!view.formula.quadratic()) tell(parameters(view.formula));
  return told;
}

Decimal magnification_of(const View& view, double aspect) {
  return Decimal::exp(std::log(4 * aspect) - view.span.log());
}

Decimal span_of_height(const Decimal& height, double aspect) {
  return power_of_e(height.log() + std::log(aspect), "the span");
}

std::string kfr_text(const View& view, double aspect, std::uint32_t iterations) {
  const auto line = [](const char* key, const std::string& value) { return std::string(key) + ": " + value + "\r\n"; };
  const Decimal zoom = magnification_of(view, aspect).significant(12);
  std::string text = line("Re", view.re.text()) + line("Im", view.im.text()) + line("Zoom", zoom.text());
  if (iterations != 0) text += line("Iterations", std::to_string(iterations));
  text += line("ImagPointsUp", "1") + line("FractalType", "0") + line("Power", std::to_string(view.formula.power));
  if (view.turn.level()) return text;
  return text + line("RotateAngle", shortest(0.0 - view.turn.rotation)) +
         line("StretchAmount", shortest(std::log2(view.turn.stretch))) +
         line("StretchAngle", shortest(0.0 - view.turn.stretch_angle));
}

std::string place_text(const View& view, std::uint32_t iterations) {
  std::string text =
      "center = [\"" + view.re.text() + "\", \"" + view.im.text() + "\"]\nspan = \"" + view.span.text() + "\"\n";
  for (const auto& [key, value] : told_further(view)) text += key + " = " + value + "\n";
  if (iterations != 0) text += "iterations = " + std::to_string(iterations) + "\n";
  return text;
}

// ---- named places

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
