/// Small pictures in a grid, each with its title below: a gallery's presets, the places of the Mandelbrot set.
#pragma once

#include <span>
#include <string>

#include "ui/widgets.hpp"

namespace orrery::ui {

/// What was pressed in this frame.
struct CardAnswer {
  const Card* chosen = nullptr;
  const Card* removed = nullptr;  ///< by its cross, which was pressed twice
};

/// As many columns as fit.
int card_columns(const Panel& panel);
/// A card that stands for this was let go over the picture in this frame; empty: none.
std::string dropped_object();
CardAnswer card_grid(const Panel& panel, std::span<const Card> cards);

}  // namespace orrery::ui
