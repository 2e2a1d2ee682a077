/// The window's icon: a sun, and a planet on its orbit. Drawn, so that no file has to be found.
#pragma once

#include <cstdint>
#include <vector>

namespace orrery::shell {

/// RGBA, not premultiplied, from the top row on; `side` pixels wide and high.
std::vector<std::uint8_t> window_icon(int side);

}  // namespace orrery::shell
