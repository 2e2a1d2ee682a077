#include "scenes/mandelbrot/window/display.hpp"

#include <algorithm>

namespace orrery {

std::vector<Parameter> parameters(MandelbrotDisplay& display) {
  return {
      {{.name = "cycling",
        .label = "Cycling",
        .unit = "cycles/s",
        .help = "speed at which the palette moves",
        .minimum = -2,
        .maximum = 2},
       &display.cycling},
      {{.name = "samples",
        .label = "Samples",
        .help = "samples per pixel, accumulated while the view is still",
        .minimum = 1,
        .maximum = 64},
       &display.samples},
      {{.name = "fly-speed",
        .label = "Flight",
        .unit = "octaves/s",
        .help =
            "zoom speed of a flight to a location, in factors of two; a flight slows down when its pictures are late",
        .minimum = 0.25,
        .maximum = 60,
        .logarithmic = true},
       &display.fly_speed},
      {{.name = "julia", .label = "Julia set", .help = "show the Julia set of the point under the cursor in a corner"},
       &display.julia},
  };
}

// ---- the delay

namespace {

constexpr double slowest = 0.5;  // octaves a second; a lag is hardly visible below this

}  // namespace

void MandelbrotDelay::count(double log2_span, double seconds, std::optional<double> octaves_behind) {
  const double before = log2_span_.value_or(log2_span);
  log2_span_ = log2_span;
  if (!(seconds > 0) || !octaves_behind) return;
  const double speed = (before - log2_span) / seconds;
  if (!(speed > slowest)) return;
  const double delay = *octaves_behind / speed;
  const double bin = std::clamp(delay / bin_seconds, 0.0, static_cast<double>(bins_.size() - 1));
  ++bins_[static_cast<std::size_t>(bin)];
  ++frames_;
  longest_ = std::max(longest_, delay);
}

double MandelbrotDelay::part_below(double part) const {
  double below = 0;
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
    below += bins_[bin];
    if (below >= part * static_cast<double>(frames_))
      return std::min(longest_, bin_seconds * (static_cast<double>(bin) + 1));
  }
  return longest_;
}

MandelbrotSnapshot::Delay MandelbrotDelay::summary() const {
  if (frames_ == 0) return {};
  return {.p50 = part_below(0.5), .p99 = part_below(0.99), .max = longest_, .frames = frames_};
}

}  // namespace orrery
