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

TEST(MandelbrotPlace, ADecimalCommaIsUnderstoodOrRefusedButNeverAnotherNumber) {
  for (const char* text : {"-0,75 0,1 1e-3", "\u22120,75; 0,1; 0,001", "-0,75, 0,1, 1e-3", "-0,75+0,1i 1e-3",
                           "-0.75,0.1 1e-3", "-0.75,0.1,0.001", "Re: -0,75\nIm: 0,1\nSpan: 0,001"}) {
    const View view = parsed(text).view;
    EXPECT_EQ(view.re.value(), -0.75) << text;
    EXPECT_EQ(view.im.value(), 0.1) << text;
    EXPECT_EQ(view.span.value(), 0.001) << text;
  }
  EXPECT_EQ(parsed("\u22121,401155 0").view.re.value(), -1.401155);
  for (const char* text : {"-0,75", "0,75,1", "-1,401155,0,5", "1,234 0", "-0,75 1,234", "center = [-0,75, 0,1]"})
    EXPECT_THROW(parsed(text), Error) << text;
}

TEST(MandelbrotPlace, AnyNumberOfDigitsIsKept) {
  const std::string digits = "-1.4011551890920506005238267878938612923456789012345678901234567890123456789";
  EXPECT_EQ(parsed(digits + " 0").view.re.text(), digits);
}

// Arithmetic on longer numbers would be slow: the longest allowed number is the smallest one without an exponent.
TEST(MandelbrotPlace, NumbersEndWhereNoExponentReaches) {
  const std::string longest = "0." + std::string(100199, '1');
  EXPECT_EQ(parsed(longest + " 0").view.re.text(), longest);
  for (const std::string& text : {longest + "1 0", "0 -" + longest + "1", "Re: " + longest + "1\nIm: 0\nZoom: 1",
                                  "Re: 0\nIm: 0\nZoom: 1" + std::string(200000, '0')})
    EXPECT_THROW(parsed(text), Error) << text.substr(0, 40);
}

TEST(MandelbrotPlace, RefusesRepeatedValues) {
  for (const char* text : {"Re: 1\nRe: 2\nIm: 0", "Re: 1\nIm: 0\nim = 0", "Re: 0\nIm: 0\nZoom: 1\nRadius: 2",
                           "Re: 0\nIm: 0\nMagnification: 1\nSpan: 2", "center = [0, 0]\nRe: 1\nIm: 0",
                           "Re: 0\nIm: 0\nIterations: 9\nMaxIter: 8", "Re: 0\nIm: 0\nRotation: 1\nRotation: 2"})
    EXPECT_THROW(parsed(text), Error) << text;
}

TEST(MandelbrotPlace, HasAHeightForAnyShapeOfThePicture) {
  for (const auto& [line, height] : std::vector<std::pair<const char*, double>>{
           {"Zoom: 8", 0.5}, {"Magnification: 8", 0.25}, {"Radius: 0.125", 0.25}, {"Height: 0.25", 0.25}}) {
    const Place place = parsed(std::string("Re: 0\nIm: 0\n") + line);
    ASSERT_TRUE(place.height) << line;
    EXPECT_NEAR(place.height->value(), height, 1e-12) << line;
    EXPECT_NEAR(span_of_height(*place.height, 0.5).value(), 0.5 * height, 1e-12) << line;
  }
  EXPECT_FALSE(parsed("Re: 0\nIm: 0\nSpan: 1").height);
}

TEST(MandelbrotPlace, OtherFormulasAreRefusedByName) {
  for (const auto& [line, name] :
       std::vector<std::pair<const char*, const char*>>{{"FractalType: 1", "FractalType"},
                                                        {"Power: 9", "power"},
                                                        {"type=julia", "julia"},
                                                        {"SeedI: 0.25", "SeedI"},
                                                        {"UseHybridFormula: 1", "UseHybridFormula"},
                                                        {"Formula = burningship", "burningship"}}) {
    try {
      (void)parsed(std::string("Re: 0\nIm: 0\nZoom: 1\n") + line);
      ADD_FAILURE() << "accepted " << line;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
  const Place plain = parsed("Re: 0\nIm: 0\nZoom: 1\nFractalType: 0\nPower: 2\ntype=mandel\nSeedR: 0\nSeedI: 0\n");
  EXPECT_TRUE(plain.notes.empty());
}

// Numbers alone mean the displayed plane; a place with several lines names its own.
TEST(MandelbrotPlace, ContainsItsPower) {
  View shown = present;
  shown.formula = {5};
  EXPECT_EQ(parse_place("-0.5 0.1 1e-3", shown, wide).view.formula.power, 5);
  EXPECT_EQ(parse_place("Re: 0\nIm: 0\nZoom: 1\nPower: 3\n", shown, wide).view.formula.power, 3);
  EXPECT_EQ(parse_place("Re: 0\nIm: 0\nZoom: 1\n", shown, wide).view.formula.power, 2);
  for (const std::int64_t power : {2, 3, 8}) {
    View view = present;
    view.formula = {power};
    EXPECT_EQ(parse_place(kfr_text(view, wide, 0), shown, wide).view.formula.power, power);
    EXPECT_EQ(told_further(view).empty(), power == 2);
  }
}

TEST(MandelbrotPlace, ReportsIgnoredValues) {
  const Place place =
      parsed("Re: 0\nIm: 0\nZoom: 1\nIterations: 9000000000\nColors: 1,2\nA: 1\nB: 1\nC: 1\nD: 1\nE: 1\n");
  ASSERT_EQ(place.notes.size(), 2U);
  EXPECT_EQ(place.iterations, 0U);
  EXPECT_EQ(place.notes[0], "9000000000 iterations are more than 4294967293: auto is used");
  EXPECT_EQ(place.notes[1], "Colors, A, B, C, D and 1 more are not read");
}

TEST(MandelbrotPlace, IsWrittenForKallesFraktaler) {
  const View view{Decimal::parse("-1.40115518909205060052382678789386", "re"),
                  Decimal::parse("1e-37", "im"),
                  Decimal::parse("3.25e-420", "span"),
                  {30, 1.5, -20}};
  for (const double aspect : {wide, 1.0, 0.4}) {
    const Place place = parse_place(kfr_text(view, aspect, 77), present, aspect);
    EXPECT_EQ(place.view.re, view.re);
    EXPECT_EQ(place.view.im, view.im);
    EXPECT_NEAR(ratio(place.view.span, view.span), 1, 1e-11);
    EXPECT_NEAR(place.view.turn.rotation, 30, 1e-12);
    EXPECT_NEAR(place.view.turn.stretch, 1.5, 1e-12);
    EXPECT_NEAR(place.view.turn.stretch_angle, -20, 1e-12);
    EXPECT_EQ(place.iterations, 77U);
    EXPECT_TRUE(place.notes.empty());
  }
}

// In Kalles Fraktaler, zoom 1 shows the disc of radius 2 from top to bottom.
TEST(MandelbrotPlace, ReadsKallesFraktalersFiles) {
  const Place place = parsed(
      "Re: -1.7685\r\nIm: 0.00125\r\nZoom: 2.5E400\r\nIterations: 10050\r\nIterDiv: 0.01\r\nColors: 1,2,3,\r\n"
      "Rotate: 0\r\nSmoothMethod: 0\r\n");
  EXPECT_EQ(place.view.re.value(), -1.7685);
  EXPECT_EQ(place.view.im.value(), 0.00125);
  EXPECT_NEAR(place.view.span.log(), std::log(4 * wide / 2.5) - 400 * std::log(10.0), 1e-9);
  EXPECT_EQ(place.iterations, 10050u);
  EXPECT_EQ(place.notes, std::vector<std::string>{"IterDiv, Colors, Rotate, SmoothMethod are not read"});
}

TEST(MandelbrotPlace, OtherSizesGiveTheHeightOfThePicture) {
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

TEST(MandelbrotPlace, RefusesInvalidText) {
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

TEST(MandelbrotPlace, TheWordsOfACenterAreTwoNumbersInAnyForm) {
  const std::vector<std::string> two{"-0.75", "0.1"};
  for (const char* word : {"-0.75,0.1", "-0.75+0.1i", "-0.75 + 0.1 i", "-0.75 0.1", "-0,75;0,1", "\u22120.75;0.1"})
    EXPECT_EQ(center_words({word}), two) << word;
  EXPECT_EQ(center_words({"-.5-1e-3i"}), (std::vector<std::string>{"-.5", "-1e-3"}));
  EXPECT_EQ(center_words({"feigenbaum"}), std::vector<std::string>{"feigenbaum"});
  EXPECT_EQ(center_words({"1", "2"}), (std::vector<std::string>{"1", "2"}));
  for (const char* word : {"-0,75,0,1", "0.5", "-0.75,0.1,0.01"})
    EXPECT_THROW((void)center_words({word}), Error) << word;
}

}  // namespace
}  // namespace orrery::mandelbrot
