#include "compute/tuning/variant_text.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

Error malformed(std::string_view text) {
  return usage_error("--variant", std::string(text), "auto, or KERNEL: AXIS VALUE, AXIS VALUE; KERNEL: …");
}

}  // namespace

ChosenVariants parse_variants(std::string_view text) {
  ChosenVariants variants;
  if (trimmed(text).empty() || trimmed(text) == "auto") return variants;
  for (std::string_view part : split_text(text, ';')) {
    part = trimmed(part);
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos || colon == 0) throw malformed(text);
    NamedTuneValues& values = variants[std::string(trimmed(part.substr(0, colon)))];
    for (std::string_view setting : split_text(part.substr(colon + 1), ',')) {
      setting = trimmed(setting);
      const std::size_t space = setting.find(' ');
      if (space == std::string_view::npos) throw malformed(text);
      values[std::string(setting.substr(0, space))] = std::string(trimmed(setting.substr(space)));
    }
  }
  return variants;
}

namespace {

void check_known(const char* what, const std::string& name, std::initializer_list<std::string_view> known) {
  if (std::ranges::find(known, name) != known.end()) return;
  throw usage_error("--variant", name, std::string("one of the ") + what + " " + joined(known, ", "));
}

}  // namespace

void check_variants(std::string_view text, std::initializer_list<std::string_view> kernels,
                    std::initializer_list<std::string_view> axes) {
  for (const auto& [kernel, values] : parse_variants(text)) {
    check_known("kernel", kernel, kernels);
    for (const auto& [axis, value] : values) check_known("axis", axis, axes);
  }
}

std::string text_of(const ChosenVariants& variants) {
  std::string text;
  for (const auto& [kernel, values] : variants) {
    std::string settings;
    for (const auto& [axis, value] : values) settings += (settings.empty() ? " " : ", ") + axis + " " + value;
    text += (text.empty() ? "" : "; ") + kernel + ":" + settings;
  }
  return text.empty() ? "auto" : text;
}

std::string with_choice(std::string_view text, const std::string& kernel, const NamedTuneValues& values) {
  ChosenVariants variants = parse_variants(text);
  if (values.empty())
    variants.erase(kernel);
  else
    variants[kernel] = values;
  return text_of(variants);
}

NamedTuneValues choice_for(std::string_view text, std::string_view kernel) {
  const ChosenVariants variants = parse_variants(text);
  const auto found = variants.find(kernel);
  return found == variants.end() ? NamedTuneValues() : found->second;
}

}  // namespace orrery
