#include "shell/window/system_fonts.hpp"

#include <dwrite.h>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/files/file.hpp"

namespace orrery::shell {
namespace {

struct Release {
  void operator()(IUnknown* object) const { object->Release(); }
};
template <typename T>
using Com = std::unique_ptr<T, Release>;

/// The object that `get(&pointer)` hands out; nothing if it fails.
template <typename T, typename Get>
Com<T> made(const Get& get) {
  T* object = nullptr;
  return SUCCEEDED(get(&object)) ? Com<T>(object) : nullptr;
}

/// Alphabets end before the radicals of Chinese; of later scripts, only requested characters are loaded.
constexpr ImWchar first_ideograph = 0x2e80;
constexpr ImWchar block = 0x80;

std::set<ImWchar> with_neighbours(const std::set<ImWchar>& characters) {
  std::set<ImWchar> wanted = characters;
  for (const ImWchar each : characters)
    for (unsigned k = 0; each < first_ideograph && k < block; ++k)
      wanted.insert(static_cast<ImWchar>(each / block * block + k));
  return wanted;
}

/// Moves the font's characters out of `wanted`, as pairs of first and last code points.
std::vector<ImWchar> take_ranges(IDWriteFont& font, std::set<ImWchar>& wanted) {
  std::vector<ImWchar> ranges;
  std::erase_if(wanted, [&](ImWchar code_point) {
    BOOL has = FALSE;
    if (FAILED(font.HasCharacter(code_point, &has)) || !has) return false;
    if (!ranges.empty() && ranges.back() + 1 == code_point)
      ranges.back() = code_point;
    else
      ranges.insert(ranges.end(), {code_point, code_point});
    return true;
  });
  if (!ranges.empty()) ranges.push_back(0);
  return ranges;
}

std::optional<std::filesystem::path> path_of(IDWriteFontFile& file) {
  const void* key = nullptr;
  UINT32 bytes = 0, length = 0;
  if (FAILED(file.GetReferenceKey(&key, &bytes))) return std::nullopt;
  const auto loader = made<IDWriteFontFileLoader>([&](auto** out) { return file.GetLoader(out); });
  if (!loader) return std::nullopt;
  const auto local = made<IDWriteLocalFontFileLoader>([&](auto** out) {
    return loader->QueryInterface(__uuidof(IDWriteLocalFontFileLoader), reinterpret_cast<void**>(out));
  });
  if (!local || FAILED(local->GetFilePathLengthFromKey(key, bytes, &length))) return std::nullopt;
  std::wstring path(length + 1, L'\0');
  if (FAILED(local->GetFilePathFromKey(key, bytes, path.data(), length + 1))) return std::nullopt;
  path.resize(length);
  return path;
}

/// Nothing for formats that ImGui cannot draw.
std::optional<ui::SystemFont> open_font(IDWriteFont& font) {
  const auto face = made<IDWriteFontFace>([&](auto** out) { return font.CreateFontFace(out); });
  if (!face) return std::nullopt;
  const DWRITE_FONT_FACE_TYPE type = face->GetType();
  if (type != DWRITE_FONT_FACE_TYPE_TRUETYPE && type != DWRITE_FONT_FACE_TYPE_TRUETYPE_COLLECTION &&
      type != DWRITE_FONT_FACE_TYPE_CFF)
    return std::nullopt;
  UINT32 count = 1;
  const auto file = made<IDWriteFontFile>([&](auto** out) { return face->GetFiles(&count, out); });
  const auto path = file ? path_of(*file) : std::nullopt;
  if (!path) return std::nullopt;
  constexpr FileKind kind{"a font", std::uint64_t{256} << 20, false};
  try {
    return ui::SystemFont{
        std::make_shared<std::string>(read_file(*path, kind)), static_cast<int>(face->GetIndex()), {}};
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Fonts for text come before those with symbols and old scripts.
constexpr std::array preferred{L"Segoe UI",   L"Segoe UI Symbol", L"Microsoft YaHei", L"Yu Gothic", L"Malgun Gothic",
                               L"Nirmala UI", L"Leelawadee UI",   L"Ebrima",          L"Gadugi",    L"DejaVu Sans"};

}  // namespace

std::vector<ui::SystemFont> system_fonts_for(const std::set<ImWchar>& characters) {
  std::vector<ui::SystemFont> fonts;
  const auto factory = made<IDWriteFactory>([](auto** out) {
    return DWriteCreateFactory(DWRITE_FACTORY_TYPE_SHARED, __uuidof(IDWriteFactory), reinterpret_cast<IUnknown**>(out));
  });
  const auto all =
      factory ? made<IDWriteFontCollection>([&](auto** out) { return factory->GetSystemFontCollection(out, FALSE); })
              : nullptr;
  if (!all) return fonts;
  std::set<ImWchar> wanted = with_neighbours(characters);
  const auto take_from = [&](UINT32 index) {
    if (wanted.empty()) return;
    const auto family = made<IDWriteFontFamily>([&](auto** out) { return all->GetFontFamily(index, out); });
    const auto font = family ? made<IDWriteFont>([&](auto** out) {
      return family->GetFirstMatchingFont(DWRITE_FONT_WEIGHT_NORMAL, DWRITE_FONT_STRETCH_NORMAL,
                                          DWRITE_FONT_STYLE_NORMAL, out);
    })
                             : nullptr;
    if (!font) return;
    std::set<ImWchar> left = wanted;
    std::vector<ImWchar> ranges = take_ranges(*font, left);
    if (ranges.empty()) return;
    std::optional<ui::SystemFont> opened = open_font(*font);
    if (!opened) return;
    opened->ranges = std::move(ranges);
    fonts.push_back(std::move(*opened));
    wanted = std::move(left);
  };
  for (const wchar_t* name : preferred) {
    UINT32 index = 0;
    BOOL exists = FALSE;
    if (SUCCEEDED(all->FindFamilyName(name, &index, &exists)) && exists) take_from(index);
  }
  for (UINT32 index = 0; index < all->GetFontFamilyCount(); ++index) take_from(index);
  return fonts;
}

}  // namespace orrery::shell
