/// Small pictures in a grid, each with its title below: a gallery's presets, the places of the Mandelbrot set.
#pragma once

#include <span>
#include <string>

#include "ui/widgets.hpp"

namespace orrery::ui {

/// The cards pressed in this frame.
struct CardAnswer {
  const Card* chosen = nullptr;
  const Card* removed = nullptr;  ///< the card whose cross was pressed twice
};

/// The number of columns that fit.
int card_columns(const Panel& panel);
/// The object whose card was dropped onto the picture in this frame; empty: none.
std::string dropped_object();
CardAnswer card_grid(const Panel& panel, std::span<const Card> cards);

}  // namespace orrery::ui
