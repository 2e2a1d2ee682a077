#include "ui/ticks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "ui/format.hpp"

namespace orrery::ui {
namespace {

/// mantissa × 10^exponent, as exactly as doubles have it: 3 × 10⁻¹ is 0.3.
double times_power(double mantissa, int exponent) {
  return exponent < 0 ? mantissa / std::pow(10.0, -exponent) : mantissa * std::pow(10.0, exponent);
}

struct Step {
  int mantissa = 1;  // 1, 2 or 5
  int exponent = 0;
  double value() const { return times_power(mantissa, exponent); }
  Step next() const {
    return mantissa == 1 ? Step{2, exponent} : mantissa == 2 ? Step{5, exponent} : Step{1, exponent + 1};
  }
};

constexpr double slack = 1e-9;  // of a step, by which an end may miss its tick

std::pair<double, double> multiples(double low, double high, const Step& step) {
  return {std::ceil(low / step.value() - slack), std::floor(high / step.value() + slack)};
}

std::string minus_sign(std::string text) {
  if (!text.empty() && text.front() == '-') text.replace(0, 1, "−");
  return text;
}

std::string decimals(double value, int digits) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, value == 0 ? 0.0 : value);
  return minus_sign(buffer.data());
}

std::string with_sign(double value) { return (value > 0 ? "+" : "") + number(value, 3); }

}  // namespace

double round_below(double value) {
  const int exponent = static_cast<int>(std::floor(std::log10(value)));
  for (const Step step : {Step{1, exponent + 1}, Step{5, exponent}, Step{2, exponent}})
    if (step.value() <= value * (1 + slack)) return step.value();
  return times_power(1, exponent);
}

std::vector<double> linear_ticks(double low, double high, int most) {
  if (!(low < high) || !std::isfinite(high - low) || most < 1) return {};
  // A step that is too small for sure: more than `most` of them lie in the range.
  const double smallest = (high - low) / (most + 1);
  if (!(smallest > 1e-300)) return {};
  Step step{1, static_cast<int>(std::floor(std::log10(smallest)))};
  const auto count = [&] {
    const auto [first, last] = multiples(low, high, step);
    return last - first + 1;
  };
  while (count() > most) step = step.next();
  const auto [first, last] = multiples(low, high, step);
  constexpr double most_steps = 1e14;  // that doubles count
  if (std::max(std::abs(first), std::abs(last)) > most_steps) return {};
  std::vector<double> ticks;
  for (double k = first; k <= last && std::isfinite(k); ++k) {
    const double tick = times_power(k * step.mantissa, step.exponent) + 0.0;
    if (ticks.empty() || tick > ticks.back()) ticks.push_back(tick);
  }
  return ticks;
}

std::vector<double> decade_ticks(double low_exponent, double high_exponent, int most) {
  if (!(low_exponent < high_exponent) || !std::isfinite(high_exponent - low_exponent) || most < 1) return {};
  std::vector<double> ticks;
  const double first = std::ceil(low_exponent - slack), last = std::floor(high_exponent + slack);
  if (last - first >= 1) {
    double every = 1;
    for (Step step; std::floor(last / every) - std::ceil(first / every) + 1 > most;)
      every = (step = step.next()).value();
    for (double e = std::ceil(first / every) * every; e <= last; e += every)
      if (const double tick = times_power(1, static_cast<int>(e)); tick > 0 && std::isfinite(tick))
        ticks.push_back(tick);
    return ticks;
  }
  for (double e = std::floor(low_exponent); e <= last + 1; ++e)
    for (const int mantissa : {1, 2, 5}) {
      const double tick = times_power(mantissa, static_cast<int>(e)), at = std::log10(tick);
      if (at >= low_exponent - slack && at <= high_exponent + slack) ticks.push_back(tick);
    }
  const auto count = static_cast<int>(ticks.size());
  if (count >= 2 && count <= most) return ticks;
  return linear_ticks(std::pow(10.0, low_exponent), std::pow(10.0, high_exponent), most);
}

std::vector<std::string> tick_texts(const std::vector<double>& ticks) {
  std::vector<std::string> texts;
  if (ticks.empty()) return texts;
  const double largest = std::max(std::abs(ticks.front()), std::abs(ticks.back()));
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : largest;
  if (ticks.size() > 1 && step < 1e-5 * largest) {
    const double base = ticks[ticks.size() / 2];
    for (const double tick : ticks) texts.push_back(tick == base ? number(base, 6) : with_sign(tick - base));
    return texts;
  }
  constexpr double smallest = 1e-3, most = 1e5;
  const int place = step > 0 ? static_cast<int>(std::floor(std::log10(step) + slack)) : 0;
  if (largest < most && (step >= smallest || largest == 0)) {
    for (const double tick : ticks) texts.push_back(decimals(tick, std::max(0, -place)));
    return texts;
  }
  const int digits = 1 + static_cast<int>(std::floor(std::log10(largest) + slack)) - place;
  for (const double tick : ticks) texts.push_back(tick == 0 ? "0" : number(tick, std::clamp(digits, 1, 7)));
  return texts;
}

std::vector<std::string> decade_texts(const std::vector<double>& ticks) {
  std::vector<std::string> texts;
  for (const double tick : ticks) {
    std::string text = number(tick, 6);
    // "1e-05" as people write it.
    if (const auto e = text.find('e'); e != std::string::npos) {
      const std::string power = std::to_string(std::stoi(text.substr(e + 1)));
      text = text.substr(0, e) + "e" + minus_sign(power);
    }
    texts.push_back(text);
  }
  return texts;
}

}  // namespace orrery::ui
