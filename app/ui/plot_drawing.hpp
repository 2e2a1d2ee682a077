/// Draws a plot on ImGui's draw lists: axes with ticks in margins of their own, a grid, and the curves. Histories of
/// any length are drawn with at most a few points for each pixel column.
#pragma once

#include <string>

#include "ui/plot_data.hpp"
#include "ui/widgets.hpp"

namespace orrery::ui {

struct PlotRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value);
  bool empty() const { return !(low <= high); }
  /// 0 at the lower end, 1 at the upper. Halved, so that a range of ±1e308 does not overflow.
  double position(double value) const { return (value / 2 - low / 2) / (high / 2 - low / 2); }
};

/// Where the curves of a plot lie, within its axes: pixels, and the ranges of the axes, of logarithms where they are
/// logarithmic.
struct PlotFrame {
  ImVec2 low, high;
  PlotRange across, along;

  float x_pixel(double position) const;
  float y_pixel(double position) const;
};

enum class PlotSize { small, large };

/// At that place of the present window, margins and all. `large`: with more ticks, titles of the axes and a legend.
PlotFrame draw_plot(const Panel& panel, const Plot& plot, ImVec2 at, ImVec2 size, PlotSize which);

/// Under the mouse, where the item before it is the plot: a line, and what each curve has there; a right click or
/// Ctrl+C copies it.
void read_out(const Panel& panel, const Plot& plot, const PlotFrame& frame, PlotSize which);

/// A swatch and its name, from the left end of the line; the place where the next one begins.
float draw_legend_entry(const Panel& panel, ImVec2 at, Color color, const std::string& text);

/// Recent values, positive, as a line without axes, at the cursor.
void sparkline(std::span<const float> values, Color color, ImVec2 size);

}  // namespace orrery::ui
