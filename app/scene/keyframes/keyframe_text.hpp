/// The text of a camera path: keyframes between ";", each the time in seconds and the words of its pose. Any thread.
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

/// The words of each keyframe; none of a blank text. Throws a usage Error where there are too many keyframes.
std::vector<std::vector<std::string>> words_of(std::string_view text);
/// The time of the k-th keyframe, whose first word it is, and which is later than `before`. Throws a usage Error.
double time_of(const std::vector<std::string>& words, std::size_t k, double before);
/// Gives the rows the words after the time; the rows from `least` on may have none. Throws a usage Error that names the
/// keyframe, the row and its range.
void assign_words(const std::vector<std::string>& words, std::size_t k, std::span<Parameter> rows, std::size_t least);
/// " 1 2 3", of the rows.
std::string words_text(std::span<const Parameter> rows);

}  // namespace orrery::keyframes
