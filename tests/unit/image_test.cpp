#include "base/files/image.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <random>
#include <sstream>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/image_stream.hpp"
#include "scratch.hpp"

namespace orrery {
namespace {

Image gradient() {
  Image image(5, 3);
  for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = static_cast<std::uint8_t>(i * 5);
  return image;
}

TEST(Image, PngKeepsPixelsAndTexts) {
  const ImageTexts texts{{"orrery:center-re", "-1.401155189092050600523826787893861292"}, {"Title", "Ω at c∞"}};
  write_png(scratch("picture.png"), gradient(), texts);
  const PngFile file = read_png(scratch("picture.png"));
  EXPECT_EQ(file.image.width, 5u);
  EXPECT_EQ(file.image.height, 3u);
  EXPECT_EQ(file.image.rgb, gradient().rgb);
  EXPECT_EQ(file.texts, texts);
}

// The image has smooth, noisy and black parts; read_png uses libpng.
TEST(Image, APngIsTheSameForAnyPiecesOfRows) {
  const auto drawn = [](std::uint32_t width, std::uint32_t height) {
    Image image(width, height);
    std::mt19937 noise(width + height);
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::uint32_t x = 0; x < width; ++x)
        for (std::uint32_t k = 0; k < 3; ++k) {
          const std::uint32_t smooth = (k + 1) * x / 3 + y, part = (x / 64 + y / 64) % 3;
          image.pixel(x, y)[k] = static_cast<std::uint8_t>(part == 0 ? smooth : part == 1 ? noise() : 0);
        }
    return image;
  };
  for (const auto& [width, height] : {std::pair{1u, 1u}, {1u, 3000u}, {150000u, 3u}, {1283u, 717u}}) {
    const Image image = drawn(width, height);
    const std::size_t row = std::size_t{3} * width;
    std::string first;
    for (const std::size_t rows : {std::size_t{height}, std::size_t{1}, std::size_t{70}}) {
      std::ostringstream out;
      PngStream png(out, width, height);
      for (std::size_t at = 0; at < image.rgb.size(); at += rows * row)
        png.write(std::span(image.rgb).subspan(at, std::min(rows * row, image.rgb.size() - at)));
      png.finish();
      if (first.empty()) first = out.str();
      EXPECT_TRUE(out.str() == first) << width << "x" << height << " by " << rows << " rows";
    }
    write_file(scratch("strips.png"), first);
    EXPECT_TRUE(read_png(scratch("strips.png")).image.rgb == image.rgb) << width << "x" << height;
    EXPECT_TRUE(is_sound_png(scratch("strips.png"), width, height));
  }
}

TEST(Image, PpmIsAHeaderAndItsRows) {
  write_ppm(scratch("picture.ppm"), gradient());
  const std::string bytes = read_file(scratch("picture.ppm"), {"a picture", 1 << 20, false});
  EXPECT_EQ(bytes.substr(0, 11), "P6\n5 3\n255\n");
  ASSERT_EQ(bytes.size(), 11u + 45u);
  EXPECT_EQ(static_cast<unsigned char>(bytes[11 + 44]), 44u * 5u);
}

TEST(Image, TheExtensionChoosesTheFormat) {
  write_image(scratch("chosen.png"), gradient());
  EXPECT_EQ(read_png(scratch("chosen.png")).image.rgb, gradient().rgb);
  EXPECT_THROW(write_image(scratch("chosen.gif"), gradient()), Error);
}

TEST(Image, RefusesABrokenPng) {
  write_png(scratch("whole.png"), gradient());
  const std::string whole = read_file(scratch("whole.png"), {"a picture", 1 << 20, false});
  write_file(scratch("half.png"), std::string_view(whole).substr(0, whole.size() / 2));
  write_file(scratch("other.png"), std::string_view("P6\n1 1\n255\n..."));
  for (const char* name : {"half.png", "other.png"}) {
    try {
      (void)read_png(scratch(name));
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage) << error.what();
    }
  }
}

std::string big_endian(std::uint32_t number) {
  return {static_cast<char>(number >> 24), static_cast<char>(number >> 16), static_cast<char>(number >> 8),
          static_cast<char>(number)};
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto* bytes = reinterpret_cast<const Bytef*>(body.data());
  return big_endian(static_cast<std::uint32_t>(data.size())) + body +
         big_endian(static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(body.size()))));
}

std::string compressed(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string bytes(size, '\0');
  compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size());
  return bytes.substr(0, size);
}

// A text of 7.9 MB takes 8 kB in the file; 195 of them would need 3 GB.
TEST(Image, TextsThatExpandTooMuchAreLeftOut) {
  std::string bytes =
      "\x89PNG\r\n\x1a\n" + chunk("IHDR", big_endian(1) + big_endian(1) + std::string("\10\2\0\0\0", 5));
  bytes += chunk("tEXt", std::string("span\0", 5) + "3");
  const std::string data = compressed(std::string(7'900'000, 'A'));
  for (int k = 0; k < 195; ++k) bytes += chunk("zTXt", "bomb" + std::to_string(k) + std::string(2, '\0') + data);
  for (int k = 0; k < 1000; ++k) bytes += chunk("tEXt", "more" + std::to_string(k) + std::string(1, '\0') + "x");
  bytes += chunk("IDAT", compressed(std::string(4, '\0'))) + chunk("IEND", "");
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  const ImageTexts texts = parse_png_notes(bytes, "bomb.png").texts;
  getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(texts.at("span"), "3");
  EXPECT_LT(texts.size(), 100U);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 256 * 1024) << "kilobytes";
}

TEST(Image, TooLargePictureIsRefused) {
  const std::string huge =
      "\x89PNG\r\n\x1a\n" +
      chunk("IHDR", big_endian(1'000'000) + big_endian(1'000'000) + std::string("\10\2\0\0\0", 5)) +
      chunk("IDAT", compressed("")) + chunk("IEND", "");
  write_file(scratch("huge.png"), huge);
  try {
    (void)read_png(scratch("huge.png"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("too many pixels"), std::string::npos) << error.what();
  }
}

TEST(Image, AFailedWriteLeavesNoFile) {
  EXPECT_THROW(write_png(scratch("no/such/folder/picture.png"), gradient()), Error);
}

}  // namespace
}  // namespace orrery
