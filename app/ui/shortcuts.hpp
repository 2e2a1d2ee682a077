/// Every mouse and key action, once: the help page shows this table and the shell follows it.
#pragma once

#include <array>
#include <string_view>

namespace orrery::ui {

struct Shortcut {
  std::string_view scene;  ///< a scene's name; empty for all
  std::string_view input;
  std::string_view action;
};

inline constexpr std::array shortcuts{
    Shortcut{"", "Tab", "Other scene"},
    Shortcut{"", "F1", "This help"},
    Shortcut{"", "F2", "Hide or show the panels"},
    Shortcut{"", "F11", "Full screen"},
    Shortcut{"", "F12", "Save a screenshot"},
    Shortcut{"", "[ and ]", "Work-group smaller or larger"},
    Shortcut{"", "D", "Next device"},
    Shortcut{"", "T", "Timeline: what ran when"},
    Shortcut{"", "E", "Edit the running kernel"},
    Shortcut{"", "Ctrl+S", "Save it and see it run"},
    Shortcut{"", "Drop a file", "Its bodies, session or view"},
    Shortcut{"", "Esc", "Close help, leave full screen"},
    Shortcut{"", "Ctrl+Q", "Quit"},

    Shortcut{"nbody", "Left drag", "Orbit"},
    Shortcut{"nbody", "Right or middle drag", "Pan"},
    Shortcut{"nbody", "Wheel", "Zoom"},
    Shortcut{"nbody", "Space", "Pause or continue"},
    Shortcut{"nbody", "N or .", "One burst, then pause"},
    Shortcut{"nbody", "B", "Time backwards or forwards"},
    Shortcut{"nbody", "R", "Initial condition again"},
    Shortcut{"nbody", "C", "Camera back to its place"},

    Shortcut{"particles", "Left drag", "Orbit; right drag pans"},
    Shortcut{"particles", "Click", "Follow a particle, or none"},
    Shortcut{"particles", "Space", "Pause or continue"},
    Shortcut{"particles", "N or .", "One burst, then pause"},
    Shortcut{"particles", "L", "The text of a law"},
    Shortcut{"particles", "R", "The world as it began"},
    Shortcut{"particles", "C", "Camera back to its place"},

    Shortcut{"mandelbrot", "Wheel", "Zoom at the cursor"},
    Shortcut{"mandelbrot", "Left drag", "Pan"},
    Shortcut{"mandelbrot", "Double-click", "Centre on that point"},
    Shortcut{"mandelbrot", "Right or Shift drag", "Zoom into the box"},
    Shortcut{"mandelbrot", "Alt+Left, Backspace", "Previous view"},
    Shortcut{"mandelbrot", "Alt+Right", "Next view"},
    Shortcut{"mandelbrot", "+ and −", "Zoom at the middle"},
    Shortcut{"mandelbrot", "Arrows", "Pan"},
    Shortcut{"mandelbrot", "R", "First view"},
    Shortcut{"mandelbrot", "1 … 9", "Fly to a named location"},
    Shortcut{"mandelbrot", "Ctrl+C, Ctrl+V", "Copy the place, fly to one"},
    Shortcut{"mandelbrot", "Space, End", "End a flight here, or there"},
    Shortcut{"mandelbrot", "B", "Bookmark the view"},
    Shortcut{"mandelbrot", "J", "Julia set under the cursor"},
};

}  // namespace orrery::ui
