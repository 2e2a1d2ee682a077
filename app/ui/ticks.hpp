/// Where an axis has its ticks, and how they read. Pure functions.
#pragma once

#include <string>
#include <vector>

namespace orrery::ui {

/// Multiples of 1, 2 or 5 × 10ⁿ in the range, in order: as many as there are with the smallest such step that gives at
/// most `most`. None where the range is empty or not finite.
std::vector<double> linear_ticks(double low, double high, int most);

/// Values of a logarithmic axis whose ends are powers of ten: whole decades, every n-th where there are more than
/// `most`; 1, 2 and 5 in each where there are fewer than two decades; and linear ticks where there is no such either.
std::vector<double> decade_ticks(double low_exponent, double high_exponent, int most);

/// How each of them reads, all with the same digits: "0.25", "1.5e-7". Where ticks differ by less than a hundred
/// thousandth of their size, the middle one is written and the others as differences from it: "+2e-9".
std::vector<std::string> tick_texts(const std::vector<double>& ticks);
/// Texts of a logarithmic axis, each with as few digits as it needs.
std::vector<std::string> decade_texts(const std::vector<double>& ticks);

/// 1, 2 or 5 × 10ⁿ: the largest that is at most `value`, which is above 0.
double round_below(double value);

}  // namespace orrery::ui
