/// The widget that follows from a parameter's declaration. It cannot leave the declared range.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ui/widgets.hpp"

namespace orrery::ui {

/// One row. Sends SetParameter while a slider moves, and when typing ends. `in_use` is the value behind "auto", if it
/// is known. `idle` is why the parameter has no effect at present: then the row is grey, and tells it.
void parameter_row(const Panel& panel, const ParameterView& parameter, std::optional<std::int64_t> in_use = {},
                   std::string_view idle = {});

/// Typed fields beside each other, of what a panel keeps for itself until it asks for something. A text counts when
/// Enter is pressed or its field is left; below, why one is refused. True while one is.
bool form_row(const Panel& panel, std::string_view label, std::string_view help, std::span<Parameter> fields);

/// Draws a dot behind the label, which is the item before, if its value differs from the default. True when a double
/// click asks to reset it; a right click opens the popup "##parameter".
bool resets(const Panel& panel, bool differs);

/// A typed text holds this value for a parameter, or the parameter refuses it and says why.
struct TypedValue {
  std::optional<Value> value;
  std::string refusal;
};
TypedValue typed_value(const ParameterView& parameter, std::string_view text);

/// Help, exact value, range and flag: what the tooltip says.
std::string parameter_help(const ParameterView& parameter);

}  // namespace orrery::ui
