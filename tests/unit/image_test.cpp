#include "base/image.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/file.hpp"
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

TEST(Image, PpmIsAHeaderAndItsRows) {
  write_ppm(scratch("picture.ppm"), gradient());
  const std::string bytes = read_file(scratch("picture.ppm"));
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
  const std::string whole = read_file(scratch("whole.png"));
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

TEST(Image, LeavesNothingBehindWhereItCannotWrite) {
  EXPECT_THROW(write_png(scratch("no/such/folder/picture.png"), gradient()), Error);
}

}  // namespace
}  // namespace orrery
