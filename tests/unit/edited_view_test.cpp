/// Numbers of a view that are typed: any number of digits counts, and what is refused says why.
#include "scenes/mandelbrot/window/edited_view.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"

namespace orrery {
namespace {

using mandelbrot::Decimal;
using mandelbrot::View;

View some_view() {
  View view;
  view.re = Decimal::parse("-0.75", "re");
  view.im = Decimal::parse("0.1", "im");
  view.span = Decimal::parse("0.002", "span");
  return view;
}

std::string refusal(ViewField field, const std::string& text) {
  try {
    (void)edited_view(some_view(), field, text, 16.0 / 9);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(EditedView, KeepsEveryDigitThatIsTyped) {
  const std::string digits = "-1.40115518909205060052382678789386129222630804339731960000000000000001";
  const View edited = edited_view(some_view(), ViewField::real, " " + digits + "\n", 1);
  EXPECT_EQ(edited.re.text(), digits);
  EXPECT_EQ(edited.im, some_view().im);
  EXPECT_EQ(edited.span, some_view().span);
  EXPECT_EQ(edited_view(some_view(), ViewField::span, "3e-200", 1).span.text(), "3e-200");
}

TEST(EditedView, CountsMagnificationByTheHeightOfThePicture) {
  // 4 high at 1: a picture of 16:9 is 4·16/9 wide there.
  EXPECT_NEAR(edited_view(some_view(), ViewField::magnification, "1", 16.0 / 9).span.value(), 64.0 / 9, 1e-9);
  EXPECT_NEAR(edited_view(some_view(), ViewField::magnification, "1e100", 2).span.log(),
              std::log(8.0) - 100 * std::log(10.0), 1e-9);
  for (const char* text : {"1000", "2.5e40", "7e300"})
    EXPECT_EQ(
        Decimal::parse(magnification_text(edited_view(some_view(), ViewField::magnification, text, 1.7), 1.7, 6), "m")
            .log(),
        Decimal::parse(text, "m").log())
        << text;
}

TEST(EditedView, RefusesWhatIsNoNumberOrOutOfRange) {
  EXPECT_NE(refusal(ViewField::real, "one").find("real part"), std::string::npos) << refusal(ViewField::real, "one");
  EXPECT_NE(refusal(ViewField::imaginary, "1e9").find("from -1000 to 1000"), std::string::npos);
  EXPECT_NE(refusal(ViewField::span, "0").find("above 0"), std::string::npos);
  EXPECT_NE(refusal(ViewField::span, "-1").find("above 0"), std::string::npos);
  EXPECT_NE(refusal(ViewField::span, "1001").find("at most 1000"), std::string::npos);
  EXPECT_NE(refusal(ViewField::magnification, "1e-9").find("at most 1000 wide"), std::string::npos);
  EXPECT_NE(refusal(ViewField::real, ""), "");
  EXPECT_EQ(refusal(ViewField::span, "1000"), "");
}

}  // namespace
}  // namespace orrery
