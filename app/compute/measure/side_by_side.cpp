#include "compute/measure/side_by_side.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/clock.hpp"
#include "base/statistics.hpp"

namespace orrery {
namespace {

struct Round {
  double seconds = 0;                            // on the host's clock
  std::map<std::string, double> kernel_seconds;  // on the device's clock; NaN if the driver reports none
  std::map<std::string, double> launches;
};

Round between(const std::vector<KernelStatistics>& before, const std::vector<KernelStatistics>& after) {
  Round round;
  for (const KernelStatistics& kernel : after) {
    const auto found = std::ranges::find(before, kernel.name, &KernelStatistics::name);
    const KernelStatistics none;
    const KernelStatistics& old = found == before.end() ? none : *found;
    if (kernel.launches == old.launches) continue;
    round.launches[kernel.name] = static_cast<double>(kernel.launches - old.launches);
    round.kernel_seconds[kernel.name] =
        kernel.untimed == old.untimed ? kernel.timed_seconds - old.timed_seconds : KernelStatistics::unknown;
  }
  return round;
}

Round timed(const ComparedSide& side, const Rest& rest) {
  std::vector<cl::Event> events;  // every launch has one, so that no time is missing
  side.queue.finish();
  side.queue.harvest();
  const std::vector<KernelStatistics> before = side.queue.profiler().statistics();
  side.queue.collect_into(&events);
  const double began = now_seconds(), rested = rest.seconds();
  side.round();
  side.queue.finish();
  const double seconds = now_seconds() - began - (rest.seconds() - rested);
  side.queue.collect_into(nullptr);
  side.queue.harvest();
  Round round = between(before, side.queue.profiler().statistics());
  round.seconds = seconds;
  return round;
}

ComparedTime time_of(const std::vector<double>& seconds) {
  if (seconds.empty() || std::ranges::any_of(seconds, [](double value) { return std::isnan(value); })) return {};
  const auto [least, most] = std::ranges::minmax(seconds);
  return {median(seconds), least, most};
}

ComparedKernel& entry_of(std::vector<ComparedKernel>& kernels, const std::string& name) {
  const auto found = std::ranges::find(kernels, name, &ComparedKernel::name);
  if (found != kernels.end()) return *found;
  kernels.push_back({.name = name, .seconds = {}, .launches = {}});
  return kernels.back();
}

void sum_up(const std::vector<Round>& rounds, std::size_t side, double units, Comparison& comparison) {
  std::vector<double> whole;
  std::map<std::string, std::vector<double>> seconds;
  for (const Round& round : rounds) {
    whole.push_back(round.seconds / units);
    for (const auto& [name, taken] : round.kernel_seconds) seconds[name].push_back(taken / units);
  }
  comparison.whole[side] = time_of(whole);
  for (const auto& [name, each] : seconds) {
    ComparedKernel& kernel = entry_of(comparison.kernels, name);
    kernel.seconds[side] = time_of(each);
    const auto launches = rounds.front().launches.find(name);
    kernel.launches[side] = launches == rounds.front().launches.end() ? 0 : launches->second / units;
  }
}

}  // namespace

void Rest::operator()(double done) {
  const double began = now_seconds();
  between_(done);
  seconds_ += now_seconds() - began;
}

void time_side_by_side(const std::array<ComparedSide, 2>& sides, int rounds, double units, const Rest& rest,
                       Comparison& comparison) {
  std::array<std::vector<Round>, 2> taken;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t side = 0; side < 2; ++side) taken[side].push_back(timed(sides[side], rest));
  for (std::size_t side = 0; side < 2; ++side) sum_up(taken[side], side, units, comparison);
}

}  // namespace orrery
