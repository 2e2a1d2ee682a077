/// Numbers as panels show them; NaN reads "n/a".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.hpp"

namespace orrery::ui {

using orrery::grouped;
/// Three digits and an SI prefix: "513 G", "0.5"
std::string metric(double value);
/// "0.0125", "1.235e-07"
std::string number(double value, int significant = 4);
/// "12.3 µs", "1.24 ms", "2.50 s"
std::string duration(double microseconds);
/// "12.3 %" of a share in 0 … 1
std::string percent(double share);
/// `text`, or its beginning and "…", so that it is at most `width` pixels wide in the present font.
std::string fitted(std::string_view text, float width);
/// `text` with line breaks in place of spaces, so that each line is at most `width` pixels wide; a longer word has a
/// line of its own. ImGui breaks lines also behind commas, as in "200,000".
std::string wrapped(std::string_view text, float width);

}  // namespace orrery::ui
