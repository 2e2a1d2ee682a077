/// A parameter is declared once; its widget, command-line flag, key in state files and line in --help follow from it.
///
/// A settings struct offers `std::vector<Parameter> parameters(Settings&)`, which binds one Parameter to each of its
/// members. The members' initialisers are the defaults.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/decimal.hpp"
#include "base/matrix.hpp"

namespace orrery {

/// Parameters of every scene: work-group size and tuning results.
inline constexpr std::string_view work_group_parameter = "work-group", variant_parameter = "variant";

/// A key of a state holds one of these; a parameter holds one of the first four, a decimal as its text.
using Value = std::variant<bool, std::int64_t, double, std::string, Matrix>;

/// An allowed text of a parameter.
struct Choice {
  std::string_view name;        ///< "sqrt": in options and files
  std::string_view title = {};  ///< "√ν": in the window; empty: the name in words

  constexpr Choice(std::string_view name, std::string_view title = {}) : name(name), title(title) {}
  constexpr Choice(const char* name, std::string_view title = {}) : name(name), title(title) {}
  operator std::string_view() const { return name; }
};

/// The part of a state that a parameter belongs to.
enum class ParameterPlace {
  choice,  ///< computation and display: undone, reset, kept in presets
  law,     ///< like choice, but for one law, beside which it is shown
  view     ///< the camera: kept in files, but not undone
};

/// The declaration of a parameter. All texts are literals, or interned().
struct ParameterInfo {
  std::string_view name;                             ///< "softening": the flag --softening, the key softening
  std::string_view label = {};                       ///< "Softening": beside its widget; empty: no widget
  std::string_view unit = {};                        ///< "length", "px"; empty: none
  std::string_view help = {};                        ///< one line
  std::string_view placeholder = {};                 ///< its value in --help; empty: by its type
  double minimum = 0;                                ///< numbers: the smallest allowed value …
  double maximum = 0;                                ///< … and the largest
  double soft_minimum = 0;                           ///< a slider reaches from here …
  double soft_maximum = 0;                           ///< … to here; both 0: over the whole range
  bool above_minimum = false;                        ///< the minimum itself is not allowed
  bool either_sign = false;                          ///< the range limits the magnitude
  bool logarithmic = false;                          ///< the slider is logarithmic
  bool automatic = false;                            ///< integers: 0 is allowed and spelled "auto"
  std::string_view none = {};                        ///< integers: text shown for the minimum, "none"
  std::vector<Choice> choices = {};                  ///< allowed texts; empty: any text
  void (*check)(const std::string& text) = nullptr;  ///< throws a usage Error for an invalid text
  bool decimal = false;                              ///< text of a decimal number of any length; set by Parameter …
  std::string_view least = {};                       ///< … with its minimum, if too small for a double
  ParameterPlace place = ParameterPlace::choice;
  std::string_view group = {};  ///< "Motion": group of rows in the window
  bool compared = false;        ///< the two sides of a comparison may differ by it
  bool ruinous = false;         ///< a wrong value ruins the simulation
  bool prepares = false;        ///< the scene pauses while it prepares another value
  bool brought = false;         ///< the initial state (a world) brings the value, unless given
};

/// One member of a settings struct and its declaration. Refers to the struct; as thread-safe as the struct is.
class Parameter {
 public:
  using Target = std::variant<bool*, std::int64_t*, double*, std::string*, Decimal*>;
  Parameter(ParameterInfo info, Target target);

  const ParameterInfo& info() const { return info_; }
  void set_group(std::string_view group) { info_.group = group; }
  Value value() const;
  /// Throws a usage Error that shows the value and the range; the struct is then unchanged.
  void assign(const Value& value);
  void assign_text(std::string_view text);

 private:
  ParameterInfo info_;
  Target target_;
};

/// A parameter's declaration and value, without reference to a struct.
struct ParameterView {
  ParameterInfo info;
  Value value;
  std::optional<Value> usual = {};  ///< its present default, for a reset; nothing: none
  bool open = false;                ///< the scene will decide the value, or another row has it: not saved
};

/// `usual`: the same parameters with their defaults, or none.
std::vector<ParameterView> views(std::span<const Parameter> parameters, std::span<const Parameter> usual = {});
/// "1 to 16,777,216, or auto", "above 0, up to 10", "single | mixed | double"
std::string range_text(const ParameterInfo& info);
/// The value's text on a command line or in a state file; reals as the shortest text that reads back.
std::string value_text(const ParameterInfo& info, const Value& value);
/// A choice as the window shows it: "Outer solar system", "Kepler pair 0.9" for kepler:0.9. Other names, "argon", are
/// written in words; other texts, such as file names, stay unchanged.
std::string title_of(const ParameterInfo& info, std::string_view choice);
/// True if the window shows the integer as a word.
bool is_none(const ParameterInfo& info, const Value& value);
/// Writes the value like value_text(), but a choice by its title, and none as its word.
std::string shown_value(const ParameterInfo& info, const Value& value);
/// Parses a text as the type of `like`. Throws a usage Error that shows the text and the range; Parameter::assign()
/// checks the range itself.
Value parse_value(const ParameterInfo& info, const Value& like, std::string_view text);
/// Throws the usage Error of Parameter::assign() for a value that a parameter of the type of `like` refuses.
void check_value(const ParameterInfo& info, const Value& like, const Value& value);
/// "Expected a number from 0 to 10, got 99": why a parameter refuses a typed text; empty: accepted.
std::string refusal_of(const ParameterInfo& info, const Value& like, std::string_view text);
/// Joins the groups in this order.
std::vector<Parameter> joined(std::initializer_list<std::vector<Parameter>> groups);
/// Returns the rows as a group of that name.
std::vector<Parameter> in_group(std::string_view name, std::vector<Parameter> rows);
/// True if it can follow a camera path: a real number that is not part of the view and needs no preparation.
bool can_follow_path(const ParameterInfo& info, const Value& value);
/// The parameter with this name, or nullptr.
Parameter* find(std::span<Parameter> parameters, std::string_view name);

}  // namespace orrery
