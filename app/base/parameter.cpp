#include "base/parameter.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/overloaded.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/written_number.hpp"

namespace orrery {
namespace {

std::string bound(double value, bool in_groups = false) {
  if (value != std::floor(value) || std::abs(value) >= 1e10) return shortest(value);
  const auto whole = static_cast<std::int64_t>(value);
  return in_groups ? grouped(whole) : std::to_string(whole);
}

std::string minimum_text(const ParameterInfo& info, bool in_groups = false) {
  return info.least.empty() ? bound(info.minimum, in_groups) : std::string(info.least);
}

std::string expected_number(const ParameterInfo& info, const char* kind) {
  const std::string minimum = minimum_text(info), maximum = bound(info.maximum);
  std::string text = std::string(kind) + (info.either_sign ? " of a magnitude" : "");
  text += info.above_minimum ? " above " + minimum + ", at most " + maximum : " from " + minimum + " to " + maximum;
  return info.automatic ? text + ", or auto" : text;
}

/// `like`: a value of the parameter's type.
std::string expected_value(const ParameterInfo& info, const Value& like) {
  return std::visit(Overloaded{
                        [](bool) -> std::string { return "on or off"; },
                        [&](std::int64_t) { return expected_number(info, "a whole number"); },
                        [&](double) { return expected_number(info, "a number"); },
                        [&](const std::string&) -> std::string {
                          if (info.decimal) return expected_number(info, "a number");
                          return info.choices.empty() ? "a text" : range_text(info);
                        },
                        [](const Matrix&) -> std::string { return "rows of numbers"; },
                    },
                    like);
}

Error out_of_range(const ParameterInfo& info, const Value& like, const std::string& text) {
  const std::string expected = expected_value(info, like);
  return usage_error("--" + std::string(info.name), text, expected);
}

bool in_range(const ParameterInfo& info, double value) {
  if (info.automatic && value == 0) return true;
  if (!std::isfinite(value)) return false;
  if (info.either_sign) value = std::abs(value);
  return (info.above_minimum ? value > info.minimum : value >= info.minimum) && value <= info.maximum;
}

bool in_range(const ParameterInfo& info, const Decimal& number) {
  const Decimal minimum = info.least.empty() ? Decimal(info.minimum) : Decimal::parse(info.least, info.name);
  return !(number < minimum) && !(Decimal(info.maximum) < number);
}

}  // namespace

Parameter::Parameter(ParameterInfo info, Target target) : info_(std::move(info)), target_(target) {
  info_.decimal = std::holds_alternative<Decimal*>(target_);
}

Value Parameter::value() const {
  return std::visit(Overloaded{[](const Decimal* target) -> Value { return target->text(); },
                               [](const auto* target) -> Value { return *target; }},
                    target_);
}

void Parameter::assign(const Value& value) {
  const auto refuse = [&]() -> Error { return out_of_range(info_, this->value(), value_text(info_, value)); };
  std::visit(Overloaded{
                 [&](bool* target) {
                   const auto* given = std::get_if<bool>(&value);
                   if (given == nullptr) throw refuse();
                   *target = *given;
                 },
                 [&](std::int64_t* target) {
                   const auto* given = std::get_if<std::int64_t>(&value);
                   if (given == nullptr || !in_range(info_, static_cast<double>(*given))) throw refuse();
                   *target = *given;
                 },
                 [&](double* target) {
                   const auto* whole = std::get_if<std::int64_t>(&value);
                   const auto* given = std::get_if<double>(&value);
                   if (given == nullptr && whole == nullptr) throw refuse();
                   const double number = given != nullptr ? *given : static_cast<double>(*whole);
                   if (!in_range(info_, number)) throw refuse();
                   *target = number;
                 },
                 [&](std::string* target) {
                   const auto* given = std::get_if<std::string>(&value);
                   if (given == nullptr) throw refuse();
                   const bool known = info_.choices.empty() ||
                                      std::ranges::find(info_.choices, *given, &Choice::name) != info_.choices.end();
                   if (!known) throw refuse();
                   if (info_.check != nullptr) info_.check(*given);
                   *target = *given;
                 },
                 [&](Decimal* target) {
                   const auto* given = std::get_if<std::string>(&value);
                   if (given == nullptr) throw refuse();
                   Decimal number = Decimal::parse(*given, "--" + std::string(info_.name));
                   if (!in_range(info_, number)) throw refuse();
                   *target = std::move(number);
                 },
             },
             target_);
}

void Parameter::assign_text(std::string_view text) { assign(parse_value(info_, value(), text)); }

Value parse_value(const ParameterInfo& info, const Value& like, std::string_view text) {
  const auto refuse = [&]() -> Error { return out_of_range(info, like, std::string(text)); };
  return std::visit(Overloaded{
                        [&](bool) -> Value {
                          if (text == "on" || text == "true" || text == "1") return true;
                          if (text == "off" || text == "false" || text == "0") return false;
                          throw refuse();
                        },
                        [&](std::int64_t) -> Value {
                          if (info.automatic && text == "auto") return std::int64_t{0};
                          const auto number = typed_integer("--" + std::string(info.name), text);
                          if (!number || (info.automatic && *number == 0)) throw refuse();
                          return *number;
                        },
                        [&](double) -> Value {
                          const auto number = typed_real("--" + std::string(info.name), text);
                          if (!number) throw refuse();
                          return *number;
                        },
                        [&](const std::string&) -> Value { return std::string(text); },
                        [&](const Matrix&) -> Value { throw refuse(); },
                    },
                    like);
}

std::vector<ParameterView> views(std::span<const Parameter> parameters, std::span<const Parameter> usual) {
  std::vector<ParameterView> list;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    list.push_back({parameters[k].info(), parameters[k].value()});
    if (k < usual.size()) list.back().usual = usual[k].value();
  }
  return list;
}

std::string range_text(const ParameterInfo& info) {
  if (!info.choices.empty()) {
    std::string text;
    for (const Choice& choice : info.choices) text += (text.empty() ? "" : " | ") + std::string(choice.name);
    return text;
  }
  if (info.minimum == info.maximum) return "on | off";
  const std::string least = minimum_text(info, true), most = bound(info.maximum, true);
  std::string text = info.above_minimum ? "above " + least + ", up to " + most : least + " to " + most;
  if (info.either_sign) text = "any value from -" + most + " to " + most + (info.above_minimum ? " except 0" : "");
  return info.automatic ? text + ", or auto" : text;
}

std::string value_text(const ParameterInfo& info, const Value& value) {
  return std::visit(Overloaded{
                        [](bool on) -> std::string { return on ? "on" : "off"; },
                        [&](std::int64_t number) -> std::string {
                          return info.automatic && number == 0 ? "auto" : std::to_string(number);
                        },
                        [](double number) -> std::string { return shortest(number); },
                        [](const std::string& text) -> std::string { return text; },
                        [](const Matrix& matrix) -> std::string {
                          return std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns) + " numbers";
                        },
                    },
                    value);
}

std::string title_of(const ParameterInfo& info, std::string_view choice) {
  const std::size_t colon = std::min(choice.find(':'), choice.size());
  const auto known = std::ranges::find(info.choices, choice.substr(0, colon), &Choice::name);
  const bool is_name = choice.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos;
  if (known == info.choices.end()) return is_name ? in_words(choice) : std::string(choice);
  const std::string title = known->title.empty() ? in_words(known->name) : std::string(known->title);
  return colon == choice.size() ? title : title + " " + std::string(choice.substr(colon + 1));
}

bool is_none(const ParameterInfo& info, const Value& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return !info.none.empty() && number != nullptr && static_cast<double>(*number) == info.minimum;
}

std::string shown_value(const ParameterInfo& info, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (is_none(info, value)) return std::string(info.none);
  return text != nullptr ? printable(title_of(info, *text)) : value_text(info, value);
}

void check_value(const ParameterInfo& info, const Value& like, const Value& value) {
  const auto check = Overloaded{[](const Matrix&) {}, [&](auto target) { Parameter(info, &target).assign(value); }};
  if (Decimal number; info.decimal) return check(number);
  std::visit(check, like);
}

std::string refusal_of(const ParameterInfo& info, const Value& like, std::string_view text) {
  try {
    check_value(info, like, parse_value(info, like, text));
    return {};
  } catch (const Error& error) {
    const std::string got = error.details().value.value_or("");
    return "Expected " + error.details().advice + ", got " + (text.empty() ? "nothing" : printable(got));
  }
}

std::vector<Parameter> in_group(std::string_view name, std::vector<Parameter> rows) {
  for (Parameter& row : rows) row.set_group(name);
  return rows;
}

std::vector<Parameter> joined(std::initializer_list<std::vector<Parameter>> groups) {
  std::vector<Parameter> all;
  for (const std::vector<Parameter>& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

bool can_follow_path(const ParameterInfo& info, const Value& value) {
  return std::holds_alternative<double>(value) && info.place != ParameterPlace::view && !info.prepares;
}

Parameter* find(std::span<Parameter> parameters, std::string_view name) {
  const auto found = std::ranges::find(parameters, name, [](const Parameter& p) { return p.info().name; });
  return found == parameters.end() ? nullptr : &*found;
}

}  // namespace orrery
