/// The numbers of a view as rows: any number of digits is kept, and refused values give a reason.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "scenes/mandelbrot/numbers/place.hpp"
#include "scenes/mandelbrot/window/magnification.hpp"

namespace orrery {
namespace {

using mandelbrot::View;

std::string given(View& view, const char* name, const std::string& text) {
  std::vector<Parameter> rows = parameters(view);
  try {
    find(rows, name)->assign_text(text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string refusal(const char* name, const std::string& text) {
  View view;
  const std::string why = given(view, name, text);
  EXPECT_TRUE(why.empty() || view == View{});
  View other;
  const auto row = views(parameters(other));
  for (const ParameterView& each : row)
    if (each.info.name == name) {
      EXPECT_EQ(why.empty(), refusal_of(each.info, each.value, text).empty()) << text;
    }
  return why;
}

TEST(ViewRows, KeepEveryDigitThatIsTyped) {
  const std::string digits = "-1.40115518909205060052382678789386129222630804339731960000000000000001";
  View view;
  EXPECT_EQ(given(view, "center-re", " " + digits + "\n"), "");
  EXPECT_EQ(view.re.text(), digits);
  EXPECT_EQ(view.im, View{}.im);
  EXPECT_EQ(view.span, View{}.span);
  EXPECT_EQ(given(view, "span", "3e-200"), "");
  EXPECT_EQ(view.span.text(), "3e-200");
}

TEST(ViewRows, CountMagnificationByTheHeightOfThePicture) {
  // Magnification 1 is a height of 4, so that a 16:9 picture has a width of 4·16/9.
  EXPECT_NEAR(span_of_magnification(Decimal(1.0), 16.0 / 9).value(), 64.0 / 9, 1e-9);
  EXPECT_NEAR(span_of_magnification(Decimal(1e100), 2).log(), std::log(8.0) - 100 * std::log(10.0), 1e-9);
  for (const double wanted : {1000.0, 2.5e40, 7e300}) {
    const View view{.span = span_of_magnification(Decimal(wanted), 1.7)};
    EXPECT_EQ(magnification_of(view, 1.7).significant(6).value(), wanted);
  }
  Decimal magnification;
  EXPECT_THROW(magnification_row(magnification, 2).assign_text("0.007"), Error);  // a width above 1000
  magnification_row(magnification, 2).assign_text("0.008");
}

TEST(ViewRows, RefuseInvalidNumbersAndValuesOutOfRange) {
  EXPECT_NE(refusal("center-re", "one").find("--center-re"), std::string::npos) << refusal("center-re", "one");
  EXPECT_NE(refusal("center-im", "1e9").find("from -1000 to 1000"), std::string::npos);
  for (const char* outside : {"0", "-1", "1e-99991", "1001", "1000.0000000000000000000000000001"})
    EXPECT_NE(refusal("span", outside).find("from 1e-99990 to 1000"), std::string::npos) << outside;
  EXPECT_NE(refusal("center-re", ""), "");
  for (const char* inside : {"1000", "1e-99990", "+3", "0.00"}) {
    const std::string why = refusal("span", inside);
    EXPECT_EQ(why.empty(), std::string(inside) != "0.00") << why;
  }
}

}  // namespace
}  // namespace orrery
