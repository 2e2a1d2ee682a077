#include "compute/tuning/tune_space.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "base/error.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

constexpr std::array<std::string_view, 7> state_names{"waiting",  "measuring", "measured", "slower",
                                                      "rejected", "failed",    "wrong"};

}  // namespace

std::string TuneAxis::text(std::int64_t value) const {
  if (names.empty()) return std::to_string(value);
  const auto found = std::ranges::find(values, value);
  return found == values.end() ? std::to_string(value) : names[static_cast<std::size_t>(found - values.begin())];
}

std::optional<std::int64_t> TuneAxis::value(std::string_view text) const {
  if (names.empty()) {
    const auto number = parse_integer(text);
    return number && std::ranges::find(values, *number) != values.end() ? number : std::nullopt;
  }
  const auto found = std::ranges::find(names, text);
  return found == names.end() ? std::nullopt : std::optional(values[static_cast<std::size_t>(found - names.begin())]);
}

TuneAxis powers_of_two(std::string name, std::size_t least, std::size_t most, std::size_t standard) {
  std::set<std::int64_t> values{static_cast<std::int64_t>(standard)};
  for (std::size_t value = least; value <= most; value *= 2) values.insert(static_cast<std::int64_t>(value));
  return {std::move(name), {values.begin(), values.end()}};
}

std::size_t TuneSpace::points() const {
  std::size_t product = 1;
  for (const TuneAxis& axis : axes) product *= axis.values.size();
  return product;
}

TuneValues TuneSpace::point(std::size_t index) const {
  TuneValues values(axes.size());
  for (std::size_t k = axes.size(); k-- > 0; index /= axes[k].values.size())
    values[k] = axes[k].values[index % axes[k].values.size()];
  return values;
}

std::vector<TuneValues> TuneSpace::line(const TuneValues& values, std::size_t axis) const {
  std::vector<TuneValues> result;
  for (const std::int64_t value : axes[axis].values) {
    result.push_back(values);
    result.back()[axis] = value;
  }
  return result;
}

std::string TuneSpace::text(const TuneValues& values) const {
  std::string text;
  for (std::size_t k = 0; k < axes.size(); ++k)
    text += (text.empty() ? "" : ", ") + axes[k].name + " " + axes[k].text(values[k]);
  return text;
}

NamedTuneValues TuneSpace::named(const TuneValues& values) const {
  NamedTuneValues result;
  for (std::size_t k = 0; k < axes.size(); ++k) result[axes[k].name] = axes[k].text(values[k]);
  return result;
}

std::optional<TuneValues> TuneSpace::values(const NamedTuneValues& named) const {
  TuneValues result;
  for (const TuneAxis& axis : axes) {
    const auto found = named.find(axis.name);
    const auto value = found == named.end() ? std::nullopt : axis.value(found->second);
    if (!value) return std::nullopt;
    result.push_back(*value);
  }
  return result;
}

TuneValues TuneSpace::overlaid(TuneValues result, const NamedTuneValues& named) const {
  for (const auto& [name, text] : named) {
    std::string allowed;
    bool known = false;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      if (axes[k].name != name) {
        if (!known) allowed += (allowed.empty() ? "" : ", ") + axes[k].name;
        continue;
      }
      known = true;
      if (const auto value = axes[k].value(text)) {
        result[k] = *value;
        break;
      }
      throw usage_error("--variant: " + name, text,
                        joined(axes[k].values, ", ", [&](std::int64_t each) { return axes[k].text(each); }));
    }
    if (!known) throw usage_error("--variant", name, "one of the axes " + allowed);
  }
  return result;
}

TuneSpace TuneSpace::restricted(const TuneValues& values, const std::vector<std::string>& swept) const {
  TuneSpace result = *this;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (std::ranges::find(swept, axes[k].name) != swept.end()) continue;
    result.axes[k].values = {values[k]};
    if (!axes[k].names.empty()) result.axes[k].names = {axes[k].text(values[k])};
  }
  return result;
}

std::int64_t TuneSpace::get(const TuneValues& values, std::string_view axis) const {
  for (std::size_t k = 0; k < axes.size(); ++k)
    if (axes[k].name == axis) return values[k];
  throw std::out_of_range(std::string(axis));
}

std::string_view name_of(TuneState state) { return state_names[static_cast<std::size_t>(state)]; }

std::optional<TuneState> tune_state(std::string_view name) {
  const auto found = std::ranges::find(state_names, name);
  if (found == state_names.end()) return std::nullopt;
  return static_cast<TuneState>(found - state_names.begin());
}

}  // namespace orrery
