/// The shipped picture of the default view, shown until the first computed one.
#include <gtest/gtest.h>

#include <iterator>

#include "base/files/image.hpp"
#include "base/files/path.hpp"
#include "scenes/mandelbrot/model/settings.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"
#include "scenes/mandelbrot/output/coloring.hpp"

namespace orrery::mandelbrot {
namespace {

TEST(ShippedPicture, IsOfTheDefaultSettings) {
  const ImageTexts texts = read_png_texts(asset_folder() / "pictures" / "default-view.png");
  MandelbrotSettings settings;
  ColorSettings colors;
  std::vector<Parameter> all = parameters(settings);
  std::ranges::move(parameters(colors), std::back_inserter(all));
  for (const Parameter& parameter : all) {
    const std::string name(parameter.info().name);
    if (name == "iterations") continue;  // the number that "auto" has chosen
    ASSERT_TRUE(texts.contains(name)) << name;
    EXPECT_EQ(texts.at(name), value_text(parameter.info(), parameter.value())) << name;
  }
  EXPECT_FALSE(texts.contains("modified-kernels"));
}

TEST(ShippedPicture, IsOfTheDefaultViewAndCoversIt) {
  const PngFile shipped = read_png(asset_folder() / "pictures" / "default-view.png");
  const View first;
  EXPECT_EQ(shipped.texts.at("center"), first.re.text() + " " + first.im.text());
  const double span = Decimal::parse(shipped.texts.at("span"), "span").value();
  EXPECT_GT(span, first.span.value());
  EXPECT_GT(span * shipped.image.height / shipped.image.width, 2.45) << "the height of the set with some air around it";
}

}  // namespace
}  // namespace orrery::mandelbrot
