/// Named colour gradients as ramps of RGB triples, for pictures, panels and files alike. Plain values; any thread.
///
/// They are the files assets/palettes/NAME.toml, read once; each names its source and its licence.
/// Between its stops a gradient is interpolated in Oklab (B. Ottosson, 2020), where equal steps look equally large.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace orrery {

struct GradientInfo {
  std::string_view name;
  bool cyclic;  ///< its end runs into its beginning
};

/// All of them by name, those that are not cyclic first. Throws an Error that names file and line where one is broken.
std::vector<GradientInfo> gradients();
std::vector<std::string_view> gradient_names();
/// Without those that are cyclic: for what runs from low to high.
std::vector<std::string_view> sequential_gradient_names();

/// `count` ≥ 2 colours as 3 · count sRGB bytes; a cyclic gradient's last colour is the one before its first. Throws a
/// usage Error that lists the names when there is none of that name.
std::vector<std::uint8_t> gradient_ramp(std::string_view name, std::size_t count);

}  // namespace orrery
