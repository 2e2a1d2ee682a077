/// The text of a camera path: keyframes separated by ";". A keyframe is its time in seconds, the words of its pose, and
/// values of rows that follow the path, "softening=0.05". Any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/parameter.hpp"

namespace orrery::keyframes {

inline constexpr std::size_t most_keyframes = 100;
inline constexpr double longest_path = 36000, least_apart = 0.01;  // seconds

/// The words of each keyframe; empty for a blank text. Throws a usage Error for too many keyframes.
std::vector<std::vector<std::string>> words_of(std::string_view text);
/// The time of the k-th keyframe, its first word. Throws a usage Error unless it is later than `before`.
double time_of(const std::vector<std::string>& words, std::size_t k, double before);
/// A keyframe's value of another row of the scene.
struct RowValue {
  std::string row;
  double value = 0;
  bool operator==(const RowValue&) const = default;
};
/// True when the row can follow a path and accepts this value.
bool takes(const ParameterView& row, double value);
/// The present values of these rows, in the order of their names.
std::vector<RowValue> values_of(const std::vector<std::string>& rows, std::span<const ParameterView> present);
/// Removes the k-th keyframe's last words that are values and returns them in the order of the rows' names. Throws a
/// usage Error.
std::vector<RowValue> take_values(std::vector<std::string>& words, std::size_t k);
/// Throws a usage Error that names the keyframe for a value of an unknown row or out of its row's range. The row of a
/// law ("LAW/NAME") may be unknown until its law is loaded.
void check_values(const std::vector<RowValue>& values, std::size_t k, std::span<const Parameter> rows);
/// Assigns the words after the time to the rows; the rows from `least` on are optional. Throws a usage Error that names
/// the keyframe, the row and its range.
void assign_words(const std::vector<std::string>& words, std::size_t k, std::span<Parameter> rows, std::size_t least);
/// Texts of pose rows, " 1 2 3", and of values, " softening=0.05".
std::string words_text(std::span<const Parameter> rows);
std::string values_text(const std::vector<RowValue>& values);

}  // namespace orrery::keyframes
