/// Small line plots on ImGui's draw lists. Histories of any length are drawn with at most a few points for each pixel
/// column; what is not finite leaves a gap.
#pragma once

#include <initializer_list>
#include <limits>
#include <span>

#include "ui/theme.hpp"

namespace orrery::ui {

struct Series {
  const char* name;
  std::span<const double> values;
  Color color;
};

struct PlotOptions {
  float height = 80;           ///< pixels
  bool logarithmic = false;    ///< what is not positive is left out
  bool logarithmic_x = false;  ///< all of it positive
  const char* x_name = "t";
  bool labels = true;                                           ///< the range, written inside the plot
  double reference = std::numeric_limits<double>::quiet_NaN();  ///< a level worth a line
  std::span<const double> marks = {};                           ///< places along x worth a line
};

/// As wide as the content region. Values share one range; hovering reads them out at `x`.
void plot(const char* id, std::span<const double> x, std::initializer_list<Series> series, const PlotOptions& options,
          const Fonts& fonts);

/// Recent values, positive, as a line without axes, at the cursor.
void sparkline(std::span<const float> values, Color color, ImVec2 size);

/// One bar for each of the last `slots` values, the newest at the right edge; bars above `limit` are in the warning
/// colour, and a line marks it.
void bars(const char* id, std::span<const float> values, std::size_t slots, float limit, float height,
          const Fonts& fonts);

}  // namespace orrery::ui
