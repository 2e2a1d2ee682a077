#include "ui/inks.hpp"

#include <algorithm>
#include <array>

namespace orrery::ui {
namespace {

constexpr std::array<std::string_view, 5> transfers{"copy", "read", "write", "acquire", "release"};

}  // namespace

Color ink_of(Inks& inks, std::string_view kernel) {
  if (std::ranges::find(transfers, kernel) != transfers.end()) return palette::dim;
  auto found = inks.find(kernel);
  if (found == inks.end()) found = inks.emplace(std::string(kernel), inks.size()).first;
  const std::array hues{palette::kernel, palette::kinetic, palette::potential, palette::residual, palette::frame,
                        Color{0xe58fb1}, Color{0xd3c46a},  Color{0x5fb7d4},    Color{0xc98a6b},   Color{0x9aa4f0}};
  return hues[found->second % hues.size()];
}

}  // namespace orrery::ui
