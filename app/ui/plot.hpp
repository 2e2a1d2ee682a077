/// Plots as rows of a panel, and one of them large.
#pragma once

#include "ui/plot_data.hpp"
#include "ui/widgets.hpp"

namespace orrery::ui {

/// The last value; not a number if there is none.
double last_of(std::span<const double> values);

/// A caption with the present values over their plot, as wide as the column. Hovering reads the curves out; a click
/// shows the plot large.
void plot(const Panel& panel, const Plot& plot);

/// For a chart of another kind: a button as wide as the column that shows the plot of that title large. True while it
/// is shown: show_large() then takes it as it is in this frame.
bool enlarge_button(const Panel& panel, const std::string& title);
void show_large(const Panel& panel, const Plot& plot);

/// The plot that was clicked, over the picture: with a readout, and buttons that save it.
void plot_pane(const Panel& panel, std::string_view scene, const Rect& picture);

}  // namespace orrery::ui
