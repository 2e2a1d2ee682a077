/// What the panels of the Mandelbrot scene remember from frame to frame: what is typed and not yet sent.
#pragma once

#include <cstdint>
#include <string>

namespace orrery::ui {

struct MandelbrotUi {
  std::string place;       ///< to fly to
  std::string place_file;  ///< to open or save
  std::string bookmark;
  std::int64_t width = 3840, height = 2160, samples = 4;
  std::string picture_file = "mandelbrot.png";
  std::int64_t film_seconds = 20, film_rate = 30;
  std::string film_span = "3";
  std::string film_file = "mandelbrot.mp4";
};

}  // namespace orrery::ui
