/// The user's choice of kernel variants as one text: "single: work-group 64, tile 128; double: unroll 4".
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "compute/tuning/tune_space.hpp"

namespace orrery {

/// Values by the kernel's name. Missing kernels and axes are automatic.
using ChosenVariants = std::map<std::string, NamedTuneValues, std::less<>>;

/// Empty for "auto" and for an empty text. Throws a usage Error for a malformed text.
ChosenVariants parse_variants(std::string_view text);
/// Throws a usage Error for a malformed text, or for other kernels or axes than these.
void check_variants(std::string_view text, std::initializer_list<std::string_view> kernels,
                    std::initializer_list<std::string_view> axes);
/// "auto" if empty.
std::string text_of(const ChosenVariants& variants);
/// `text` with a new choice for one kernel; empty `values` are automatic.
std::string with_choice(std::string_view text, const std::string& kernel, const NamedTuneValues& values);
/// The values of `text` for the kernel; empty means automatic.
NamedTuneValues choice_for(std::string_view text, std::string_view kernel);

}  // namespace orrery
