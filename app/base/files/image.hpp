/// Pictures of 8-bit RGB: .png with text chunks, and binary .ppm (P6).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
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

/// The type of the private chunks behind the pixels that hold an attachment, in order. Any program may copy them.
inline constexpr const char* attachment_chunk = "orRy";

/// `attachment`: bytes of any size inside the picture.
void write_png(const std::filesystem::path& path, const Image& image, const ImageTexts& texts = {},
               std::string attachment = {}, Links links = Links::followed);
void write_ppm(const std::filesystem::path& path, const Image& image);
/// The extension chooses the format (.png or .ppm); any other extension is a usage Error.
void write_image(const std::filesystem::path& path, const Image& image, const ImageTexts& texts = {},
                 std::string attachment = {});

struct PngFile {
  Image image;
  ImageTexts texts;
};
/// Reads a PNG of at most 64 megapixels as 8-bit RGB. Throws a usage Error that describes the fault.
PngFile read_png(const std::filesystem::path& path, Links links = Links::followed);
/// True for a complete PNG of that size with valid checksums; false for a link. The picture is not decoded, so its size
/// is not limited.
bool is_sound_png(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height);

/// The texts and the attachment of a picture; its pixels are not read.
struct PngNotes {
  ImageTexts texts;
  std::string attachment;
};
struct PngLimits {
  std::string_view keyword = {};            ///< keyword of the only wanted text; empty: any
  std::size_t text = std::size_t{1} << 20;  ///< bytes of one text; numbers of a view may be long
  std::size_t attachment = 0;               ///< bytes; 0: not wanted
};
/// Reads texts before and after the pixels. Throws a usage Error for a file that is no PNG, or a wanted text above its
/// limit.
PngNotes read_png_notes(const std::filesystem::path& path, const PngLimits& limits = {});
/// `name` stands for the file in messages.
PngNotes parse_png_notes(std::string_view bytes, const std::string& name, const PngLimits& limits = {});
inline ImageTexts read_png_texts(const std::filesystem::path& path) { return read_png_notes(path).texts; }

}  // namespace orrery
