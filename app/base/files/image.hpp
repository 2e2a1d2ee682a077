/// Pictures of 8-bit RGB: .png with text chunks, and binary .ppm (P6).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"

namespace orrery {

/// Rows from top to bottom, three bytes per pixel, no padding.
struct Image {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgb;

  Image() = default;
  Image(std::uint32_t columns, std::uint32_t rows)
      : width(columns), height(rows), rgb(std::size_t{3} * columns * rows) {}
  std::uint8_t* pixel(std::uint32_t x, std::uint32_t y) { return &rgb[3 * (std::size_t{y} * width + x)]; }
  const std::uint8_t* pixel(std::uint32_t x, std::uint32_t y) const { return &rgb[3 * (std::size_t{y} * width + x)]; }
};

/// Keyword → text. Keywords have 1 … 79 characters; texts are UTF-8.
using ImageTexts = std::map<std::string, std::string>;

void write_png(const std::filesystem::path& path, const Image& image, const ImageTexts& texts = {},
               Links links = Links::followed);
void write_ppm(const std::filesystem::path& path, const Image& image);
/// The extension chooses the format (.png or .ppm); any other extension is a usage Error.
void write_image(const std::filesystem::path& path, const Image& image, const ImageTexts& texts = {});

struct PngFile {
  Image image;
  ImageTexts texts;
};
/// Reads a PNG of at most 64 megapixels as 8-bit RGB. Throws a usage Error that describes the fault.
PngFile read_png(const std::filesystem::path& path, Links links = Links::followed);
/// A PNG of that size whose chunks all have their checksums, up to the end of the file; never a link. Of any number of
/// pixels: the picture is not decoded.
bool is_sound_png(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height);
/// The texts that precede the picture; the picture itself is not read.
ImageTexts read_png_texts(const std::filesystem::path& path);
/// The text of one keyword, of at most so many bytes; nothing where the picture has none. Throws a usage Error for a
/// file that is no PNG, and for a longer text.
std::optional<std::string> read_png_text(const std::filesystem::path& path, std::string_view keyword,
                                         std::size_t most_bytes);
std::optional<std::string> parse_png_text(std::string_view bytes, const std::string& name, std::string_view keyword,
                                          std::size_t most_bytes);
/// All texts from the bytes of a file, or from the first of them; `name` stands for the file in messages.
ImageTexts parse_png_texts(std::string_view bytes, const std::string& name);

}  // namespace orrery
