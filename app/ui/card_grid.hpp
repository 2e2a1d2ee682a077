/// Small pictures in a grid, each with its title below: a gallery's presets, the places of the Mandelbrot set.
#pragma once

#include <span>

#include "ui/widgets.hpp"

namespace orrery::ui {

/// What was pressed in this frame.
struct CardAnswer {
  const Card* chosen = nullptr;
  const Card* removed = nullptr;  ///< by its cross, which was pressed twice
};

/// As many columns as fit.
int card_columns(const Panel& panel);
CardAnswer card_grid(const Panel& panel, std::span<const Card> cards);

}  // namespace orrery::ui
