#include "ui/device_use.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/format.hpp"

namespace orrery::ui {
namespace {

constexpr double full = 0.9;     // of the time: from here on the device is fully used
constexpr double told = 0.05;    // of the time: smaller shares are not named
constexpr double least = 0.001;  // of the time: lower bound of a computing share
constexpr std::int64_t longest_burst = 4096;

std::string whole_percent(double share) { return percent(std::round(100 * std::clamp(share, 0.0, 1.0)) / 100); }

// A frame has at most one picture: a burst that ends within a frame leaves the rest of the frame idle.
bool ends_within_a_frame(const DeviceFacts& facts) {
  constexpr double nearly_every_frame = 0.6;
  return facts.work.burst > 0 && facts.work.bursts_per_second * facts.frame_seconds > nearly_every_frame;
}

// The smallest power of two that would compute for nine tenths of the time, or the largest that looks smooth.
std::int64_t sufficient_burst(const DeviceFacts& facts) {
  const double wanted = full * static_cast<double>(facts.work.burst) / std::max(facts.computing, least);
  std::int64_t burst = 1;
  const std::int64_t longest =
      facts.work.smooth_burst > 0 ? std::min(facts.work.smooth_burst, longest_burst) : longest_burst;
  while (static_cast<double>(burst) < wanted && 2 * burst <= longest) burst *= 2;
  return burst > facts.work.burst ? burst : 0;
}

/// "30 % drawing, 20 % waiting for the display, 12 % copying"
std::string other_uses(const DeviceFacts& facts) {
  struct Use {
    std::string_view name;
    double share;
  };
  // Drawing on the device overlaps its computing: only the rest of the time counts as drawing.
  const double left = std::max(0.0, 1 - facts.computing - facts.copying);
  const double drawing = std::isfinite(facts.drawing) ? std::min(facts.drawing, left) : 0;
  std::array uses{Use{"copying", facts.copying}, Use{"drawing", drawing},
                  Use{"waiting for the display", left - drawing}};
  std::ranges::stable_sort(uses, std::greater(), &Use::share);
  std::string text;
  for (const Use& use : uses) {
    if (use.share < told) continue;
    text += (text.empty() ? "" : ", ") + whole_percent(use.share) + " " + std::string(use.name);
  }
  return text;
}

}  // namespace

DeviceUseLine device_use_line(const DeviceFacts& facts) {
  if (!std::isfinite(facts.computing)) return {"Device busy: n/a", "The driver reports no timings.", 0};
  DeviceUseLine line{"Device busy " + whole_percent(facts.computing), {}, 0};
  if (!facts.status.empty()) {
    line.reason = "Orrery is " + std::string(facts.status) + ".";
  } else if (!facts.work.idle.empty()) {
    line.reason = facts.work.idle;
  } else if (facts.computing >= full) {
    line.reason = "Device fully used";
  } else if (line.burst = ends_within_a_frame(facts) ? sufficient_burst(facts) : 0; line.burst > 0) {
    line.reason = "The device idles: more steps per frame would fit.";
  } else {
    line.reason = other_uses(facts);
  }
  return line;
}

}  // namespace orrery::ui
