/// A slider on any scale: the value at the right, a bar from the left, nothing over the digits.
///
/// ImGui's own sliders write the value under the grab, refuse wide ranges and know no discrete values.
#pragma once

#include <optional>
#include <string>

#include "ui/widgets.hpp"

namespace orrery::ui {

/// From numbers to places, 0 … 1, and back.
struct SliderScale {
  double low = 0;
  double high = 1;
  bool logarithmic = false;

  double place(double value) const;
  double value(double place) const;
  /// The roundest number within half a thousandth of the scale's length: what a drag should give.
  double round_value(double place) const;
};

struct SliderMove {
  std::optional<double> place;  ///< new place, by a drag or an arrow key
  int arrow = 0;                ///< −1 or 1: that key has
  bool type = false;            ///< a double click, Ctrl+click, or Enter where keys lead: the value is to be typed
};

/// `width` as ImGui takes it: negative leaves that much room at the right edge.
SliderMove slider(const Panel& panel, const char* id, float width, double place, const std::string& text);

}  // namespace orrery::ui
