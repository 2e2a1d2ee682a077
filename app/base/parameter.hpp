/// A parameter is declared once; its widget, command-line flag, key in state files and line in --help follow from it.
///
/// A settings struct offers `std::vector<Parameter> parameters(Settings&)`, which binds one Parameter to each of its
/// members. The members' initialisers are the defaults.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orrery {

/// Of every scene: the size of a work-group, and what tuning has found.
inline constexpr std::string_view work_group_parameter = "work-group", variant_parameter = "variant";

using Value = std::variant<bool, std::int64_t, double, std::string>;

/// What is known of a parameter besides its value. All texts are literals.
struct ParameterInfo {
  std::string_view name;       ///< "softening": the flag --softening, the key softening
  std::string_view label;      ///< "Softening": beside its widget
  std::string_view unit = {};  ///< "length", "px"; empty when it has none
  std::string_view help = {};  ///< one line
  double minimum = 0;          ///< numbers: the smallest allowed value …
  double maximum = 0;          ///< … and the largest
  bool above_minimum = false;  ///< the minimum itself is not allowed
  bool either_sign = false;    ///< the range is that of the magnitude
  bool logarithmic = false;    ///< a slider moves by factors
  bool automatic = false;      ///< integers: 0 is allowed and spelled "auto"
  std::vector<std::string_view> choices = {};  ///< texts: the allowed ones; empty allows any
};

/// One member of a settings struct, bound. Borrows the struct; as thread-safe as the struct is.
class Parameter {
 public:
  using Target = std::variant<bool*, std::int64_t*, double*, std::string*>;
  Parameter(ParameterInfo info, Target target);

  const ParameterInfo& info() const { return info_; }
  Value value() const;
  /// Throws a usage Error that names the value and the range; the struct is then unchanged.
  void assign(const Value& value);
  void assign_text(std::string_view text);

 private:
  ParameterInfo info_;
  Target target_;
};

/// A parameter's declaration and present value, free of the struct it came from: what a panel draws.
struct ParameterView {
  ParameterInfo info;
  Value value;
};

std::vector<ParameterView> views(std::span<const Parameter> parameters);
/// "1 … 16777216", "> 0 … 10", "single | mixed | double"
std::string range_text(const ParameterInfo& info);
/// As a command line or a state file spells it; reals as the shortest text that reads back.
std::string value_text(const ParameterInfo& info, const Value& value);
/// Reads a text as the type that `like` has. Throws a usage Error that names the text and the range; the range itself
/// is checked by Parameter::assign.
Value parse_value(const ParameterInfo& info, const Value& like, std::string_view text);
/// The parameter of that name, or nullptr.
Parameter* find(std::span<Parameter> parameters, std::string_view name);

}  // namespace orrery
