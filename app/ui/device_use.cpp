#include "ui/device_use.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "ui/format.hpp"

namespace orrery::ui {
namespace {

constexpr double full = 0.9;     // of the time: nothing is to be explained from there on
constexpr double told = 0.05;    // of the time: what takes less is no reason
constexpr double least = 0.001;  // of the time, that a computing share is taken for at the least
constexpr std::int64_t longest_burst = 4096;

std::string whole_percent(double share) { return percent(std::round(100 * std::clamp(share, 0.0, 1.0)) / 100); }

// There is one picture per frame at the most: a burst that ends within a frame leaves the rest of it to nothing.
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

/// "Drawing takes 30 %, copying 12 %, waiting for the next frame 20 %."
std::string other_uses(const DeviceFacts& facts) {
  struct Use {
    std::string_view name;
    double share;
  };
  // Drawing on the device overlaps what it computes: only what is left of the time explains anything.
  const double left = std::max(0.0, 1 - facts.computing - facts.copying);
  const double drawing = std::isfinite(facts.drawing) ? std::min(facts.drawing, left) : 0;
  std::array uses{Use{"copying", facts.copying}, Use{"drawing", drawing},
                  Use{"waiting for the next frame", left - drawing}};
  std::ranges::stable_sort(uses, std::greater(), &Use::share);
  std::string sentence;
  for (const Use& use : uses) {
    if (use.share < told) continue;
    sentence += sentence.empty() ? capitalised(use.name) + " takes " : ", " + std::string(use.name) + " ";
    sentence += whole_percent(use.share);
  }
  return sentence.empty() ? sentence : sentence + ".";
}

}  // namespace

DeviceUseLine device_use_line(const DeviceFacts& facts) {
  if (!std::isfinite(facts.computing)) return {"Computing time: n/a", "The driver reports no timings.", 0};
  DeviceUseLine line{"Computing " + whole_percent(facts.computing) + " of the time", {}, 0};
  if (!facts.status.empty()) {
    line.reason = "Orrery is " + std::string(facts.status) + ".";
  } else if (!facts.work.idle.empty()) {
    line.reason = facts.work.idle;
  } else if (facts.computing >= full) {
    line.reason = "The device is in full use.";
  } else if (line.burst = ends_within_a_frame(facts) ? sufficient_burst(facts) : 0; line.burst > 0) {
    const std::string steps = facts.work.burst == 1 ? "1 step" : grouped(facts.work.burst) + " steps";
    line.reason = "A burst of " + steps + " is too short to fill a frame.";
  } else {
    line.reason = other_uses(facts);
  }
  return line;
}

}  // namespace orrery::ui
