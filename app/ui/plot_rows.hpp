/// Plots with what their lines mean and the present values: rows of a panel.
#pragma once

#include <initializer_list>
#include <span>

#include "ui/plot.hpp"
#include "ui/widgets.hpp"

namespace orrery::ui {

/// Not a number where there are none.
double last_of(std::span<const double> values);

/// A colour, a name and the present value of each, side by side.
void legend(const Panel& panel, std::initializer_list<Series> all);

/// A caption with the present values, above their plot.
void small_plot(const Panel& panel, const char* name, std::span<const double> x, std::initializer_list<Series> all,
                const PlotOptions& options);

}  // namespace orrery::ui
