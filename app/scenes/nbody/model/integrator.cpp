#include "scenes/nbody/model/integrator.hpp"

#include <algorithm>

namespace orrery {
namespace {

// Leapfrogs (kick–drift–kick) of these lengths, one after another.
template <class... Lengths>
constexpr Integrator leapfrogs(std::string_view name, std::string_view title, int order, Lengths... lengths) {
  return {name, title, order, {}, {Substep{lengths / 2, lengths, lengths / 2}...}, sizeof...(lengths)};
}

// Yoshida, Phys. Lett. A 150, 262 (1990), section 2: the middle leapfrog goes backwards and cancels the error of third
// order.
constexpr Integrator yoshida4() {
  constexpr double cube_root_of_2 = 1.25992104989487316477;
  constexpr double outer = 1 / (2 - cube_root_of_2), inner = -cube_root_of_2 / (2 - cube_root_of_2);
  return leapfrogs("yoshida4", "Yoshida, 4th order", 4, outer, inner, outer);
}

// Ibid., table 1, solution A; digits of Hairer, Lubich and Wanner, Geometric Numerical Integration, V.3.2.
constexpr Integrator yoshida6() {
  constexpr double first = 0.78451361047755726382, second = 0.23557321335935813368, third = -1.17767998417887100695;
  constexpr double middle = 1 - 2 * (first + second + third);
  return leapfrogs("yoshida6", "Yoshida, 6th order", 6, first, second, third, middle, third, second, first);
}

// Omelyan, Mryglod and Folk, Comput. Phys. Commun. 146, 188 (2002): begins and ends with a drift.
constexpr Integrator pefrl() {
  constexpr double xi = 0.1786178958448091, lambda = -0.2123418310626054, chi = -0.06626458266981849;
  constexpr double outer = (1 - 2 * lambda) / 2, middle = 1 - 2 * (chi + xi);
  return {
      "pefrl", "PEFRL", 4, {}, {{{0, xi, outer}, {0, chi, lambda}, {0, middle, lambda}, {0, chi, outer}, {0, xi, 0}}},
      5};
}

// The default comes first. Tutorial's kicks both use the field before the drift, and its positions follow
// x += v·dt + ½·a·dt².
constexpr std::array table{
    leapfrogs("leapfrog", {}, 2, 1.0),
    yoshida4(),
    pefrl(),
    yoshida6(),
    Integrator{"tutorial", {}, 1, "TUTORIAL", {{{0.5, 1, 0.5}}}, 1},
};

}  // namespace

std::span<const Integrator> integrators() { return table; }

const Integrator& integrator_of(std::string_view name) {
  const auto* row = std::ranges::find(table, name, &Integrator::name);
  return row != table.end() ? *row : table.front();
}

const std::string& integrator_choices() {
  static const std::string choices = [] {
    std::string text;
    for (const Integrator& row : table) text += (text.empty() ? "" : " | ") + std::string(row.name);
    return text;
  }();
  return choices;
}

const std::string& integrator_help() {
  static const std::string help = [] {
    std::string text;
    for (const Integrator& row : table)
      text += (text.empty() ? "order and force evaluations per step: " : "; ") + std::string(row.name) + " " +
              std::to_string(row.order) + ", " + std::to_string(row.evaluations());
    return text;
  }();
  return help;
}

}  // namespace orrery
