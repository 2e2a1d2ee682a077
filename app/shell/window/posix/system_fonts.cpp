#include "shell/window/system_fonts.hpp"

#ifdef ORRERY_FONTCONFIG
#include <fontconfig/fontconfig.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/files/file.hpp"
#endif

namespace orrery::shell {

#ifdef ORRERY_FONTCONFIG

namespace {

template <auto destroy>
struct Destroy {
  void operator()(auto* object) const { destroy(object); }
};
using Pattern = std::unique_ptr<FcPattern, Destroy<FcPatternDestroy>>;
using CharSet = std::unique_ptr<FcCharSet, Destroy<FcCharSetDestroy>>;
using FontSet = std::unique_ptr<FcFontSet, Destroy<FcFontSetDestroy>>;

/// Alphabets end before the radicals of Chinese; of later scripts, only requested characters are loaded.
constexpr ImWchar first_ideograph = 0x2e80;
constexpr ImWchar block = 0x80;

CharSet with_neighbours(const std::set<ImWchar>& characters) {
  CharSet wanted(FcCharSetCreate());
  for (const ImWchar each : characters) {
    const bool alone = each >= first_ideograph;
    const unsigned first = alone ? each : each / block * block;
    for (unsigned k = 0; k < (alone ? 1U : block); ++k) FcCharSetAddChar(wanted.get(), first + k);
  }
  return wanted;
}

/// Pairs of first and last code points.
std::vector<ImWchar> ranges_of(const FcCharSet& characters) {
  std::vector<ImWchar> ranges;
  FcChar32 map[FC_CHARSET_MAP_SIZE];
  FcChar32 next = 0;
  for (FcChar32 page = FcCharSetFirstPage(&characters, map, &next); page != FC_CHARSET_DONE;
       page = FcCharSetNextPage(&characters, map, &next))
    for (FcChar32 k = 0; k < 32 * FC_CHARSET_MAP_SIZE; ++k) {
      if ((map[k / 32] >> k % 32 & 1U) == 0) continue;
      const auto code_point = static_cast<ImWchar>(page + k);
      if (!ranges.empty() && ranges.back() + 1 == code_point)
        ranges.back() = code_point;
      else
        ranges.insert(ranges.end(), {code_point, code_point});
    }
  if (!ranges.empty()) ranges.push_back(0);
  return ranges;
}

/// Opens a font; nothing for formats that ImGui cannot draw: bitmaps, pictures in colour.
std::optional<ui::SystemFont> open_font(FcPattern& font) {
  FcChar8 *path = nullptr, *format = nullptr;
  int face = 0;
  FcBool colored = FcFalse;
  if (FcPatternGetString(&font, FC_FILE, 0, &path) != FcResultMatch ||
      FcPatternGetString(&font, FC_FONTFORMAT, 0, &format) != FcResultMatch)
    return std::nullopt;
  FcPatternGetInteger(&font, FC_INDEX, 0, &face);
  FcPatternGetBool(&font, FC_COLOR, 0, &colored);
  const std::string_view written = reinterpret_cast<const char*>(format);
  if (colored == FcTrue || (written != "TrueType" && written != "CFF")) return std::nullopt;
  constexpr FileKind kind{"a font", std::uint64_t{256} << 20, false};
  try {
    auto bytes = std::make_shared<std::string>(read_file(reinterpret_cast<const char*>(path), kind));
    return ui::SystemFont{std::move(bytes), face & 0xffff, {}};  // above: the instance of a variable font
  } catch (const Error&) {
    return std::nullopt;  // removed since fontconfig listed it
  }
}

}  // namespace

std::vector<ui::SystemFont> system_fonts_for(const std::set<ImWchar>& characters) {
  CharSet wanted = with_neighbours(characters);
  const Pattern pattern(FcPatternCreate());
  FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
  FcPatternAddCharSet(pattern.get(), FC_CHARSET, wanted.get());
  FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  FcResult result = FcResultMatch;
  const FontSet sorted(FcFontSort(nullptr, pattern.get(), FcTrue, nullptr, &result));
  std::vector<ui::SystemFont> fonts;
  for (int k = 0; sorted != nullptr && k < sorted->nfont && FcCharSetCount(wanted.get()) > 0; ++k) {
    FcPattern& each = *sorted->fonts[k];
    FcCharSet* has = nullptr;
    if (FcPatternGetCharSet(&each, FC_CHARSET, 0, &has) != FcResultMatch) continue;
    const CharSet taken(FcCharSetIntersect(wanted.get(), has));
    std::vector<ImWchar> ranges = ranges_of(*taken);
    if (ranges.empty()) continue;
    std::optional<ui::SystemFont> font = open_font(each);
    if (!font) continue;
    font->ranges = std::move(ranges);
    fonts.push_back(std::move(*font));
    wanted.reset(FcCharSetSubtract(wanted.get(), taken.get()));
  }
  return fonts;
}

#else

std::vector<ui::SystemFont> system_fonts_for(const std::set<ImWchar>&) { return {}; }

#endif

}  // namespace orrery::shell
