/// The variants that a person has chosen for kernels, as one text: "single: work-group 64, tile 128; double: unroll 4".
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "compute/tuning/tune_space.hpp"

namespace orrery {

/// By the kernel's name. What is not among them, and axes that are not named, are automatic.
using ChosenVariants = std::map<std::string, NamedTuneValues, std::less<>>;

/// Of "auto" and of nothing: none. Throws a usage Error for a text that is not of that form.
ChosenVariants parse_variants(std::string_view text);
/// Throws a usage Error for a text that is not of that form, or that names another kernel or axis than these.
void check_variants(std::string_view text, std::initializer_list<std::string_view> kernels,
                    std::initializer_list<std::string_view> axes);
/// "auto" of none.
std::string text_of(const ChosenVariants& variants);
/// `text` with the choice for one kernel in place of the one it had; empty `values` are automatic.
std::string with_choice(std::string_view text, const std::string& kernel, const NamedTuneValues& values);
/// What `text` says of the kernel; nothing is automatic.
NamedTuneValues choice_for(std::string_view text, std::string_view kernel);

}  // namespace orrery
