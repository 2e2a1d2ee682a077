#include "scenes/mandelbrot/numbers/place.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr double wide = 16.0 / 9;
const View present{Decimal(-0.5), Decimal(0.25), Decimal(3.0)};
Place parsed(std::string_view text) { return parse_place(text, present, wide); }

TEST(MandelbrotPlace, BareNumbersAreACentreAndASpan) {
  for (const char* text : {"-1.75 0.125 1e-30", "-1.75, 0.125, 1e-30", " -1.75;+0.125\n1e-30 ", "−1.75 + 0.125i, 1e-30",
                           "-1.75+0.125*i 1e-30"}) {
    const View view = parsed(text).view;
    EXPECT_EQ(view.re.value(), -1.75) << text;
    EXPECT_EQ(view.im.value(), 0.125) << text;
    EXPECT_EQ(view.span.value(), 1e-30) << text;
  }
  EXPECT_EQ(parsed("1e-3 -2.5E-4").view.im.value(), -2.5e-4);
  EXPECT_EQ(parsed("1e-3 -2.5E-4").view.span, present.span);
}

TEST(MandelbrotPlace, AnyNumberOfDigitsIsKept) {
  const std::string digits = "-1.4011551890920506005238267878938612923456789012345678901234567890123456789";
  EXPECT_EQ(parsed(digits + " 0").view.re.text(), digits);
}

// Their arithmetic takes longer than they are: the longest number is the smallest one, written without an exponent.
TEST(MandelbrotPlace, NumbersEndWhereNoExponentReaches) {
  const std::string longest = "0." + std::string(100199, '1');
  EXPECT_EQ(parsed(longest + " 0").view.re.text(), longest);
  for (const std::string& text : {longest + "1 0", "0 -" + longest + "1", "Re: " + longest + "1\nIm: 0\nZoom: 1",
                                  "Re: 0\nIm: 0\nZoom: 1" + std::string(200000, '0')})
    EXPECT_THROW(parsed(text), Error) << text.substr(0, 40);
}

TEST(MandelbrotPlace, TellsNothingTwice) {
  for (const char* text : {"Re: 1\nRe: 2\nIm: 0", "Re: 1\nIm: 0\nim = 0", "Re: 0\nIm: 0\nZoom: 1\nRadius: 2",
                           "Re: 0\nIm: 0\nMagnification: 1\nSpan: 2", "center = [0, 0]\nRe: 1\nIm: 0",
                           "Re: 0\nIm: 0\nIterations: 9\nMaxIter: 8", "Re: 0\nIm: 0\nRotation: 1\nRotation: 2"})
    EXPECT_THROW(parsed(text), Error) << text;
}

// Kalles Fraktaler's zoom of 1 shows the disc of radius 2 from top to bottom.
TEST(MandelbrotPlace, ReadsKallesFraktalersFiles) {
  const Place place = parsed(
      "Re: -1.7685\r\nIm: 0.00125\r\nZoom: 2.5E400\r\nIterations: 10050\r\nIterDiv: 0.01\r\nColors: 1,2,3,\r\n"
      "Rotate: 0\r\nSmoothMethod: 0\r\n");
  EXPECT_EQ(place.view.re.value(), -1.7685);
  EXPECT_EQ(place.view.im.value(), 0.00125);
  EXPECT_NEAR(place.view.span.log(), std::log(4 * wide / 2.5) - 400 * std::log(10.0), 1e-9);
  EXPECT_EQ(place.iterations, 10050u);
}

TEST(MandelbrotPlace, OtherSizesSayHowHighThePictureIs) {
  const auto span = [](const char* line) { return parsed(std::string("Re=0\nIm=0\n") + line).view.span.value(); };
  EXPECT_NEAR(span("Zoom: 8"), 0.5 * wide, 1e-12);
  EXPECT_NEAR(span("Magnification = 8"), 0.25 * wide, 1e-12);
  EXPECT_NEAR(span("RADIUS: 0.125"), 0.25 * wide, 1e-12);
  EXPECT_NEAR(span("height: 0.25"), 0.25 * wide, 1e-12);
  EXPECT_EQ(span("Width: 0.25"), 0.25);
}

TEST(MandelbrotPlace, WrittenPlacesAreReadAgain) {
  const View view{Decimal::parse("-1.40115518909205060052382678789386", "re"), Decimal::parse("1e-37", "im"),
                  Decimal::parse("3.25e-420", "span")};
  const Place place = parsed(place_text(view, 77));
  EXPECT_EQ(place.view, view);
  EXPECT_EQ(place.iterations, 77u);
  EXPECT_FALSE(parsed(place_text(view, 0)).iterations);
}

TEST(MandelbrotPlace, RefusesWhatIsNone) {
  for (const std::string& text : std::vector<std::string>{
           "", "hello", "1", "1 2 3 4", "Re: x\nIm: 0", "Re: 0\nIm: 0\nZoom: -3", "Re: 0\nIm: 0\nZoom: 0", "0 0 -1",
           "0 0 0", "0 0 1e-100001", "Im: 0\nZoom: 3", "Re: 0\nZoom: 3", "Zoom: 3", "0 0 " + std::string(400, '9'),
           "Re: 0\nIm: 0\nIterations: 0", "center = 3"}) {
    try {
      (void)parsed(text);
      ADD_FAILURE() << "accepted " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage) << text;
    }
  }
}

}  // namespace
}  // namespace orrery::mandelbrot
