#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "scenes/mandelbrot/model/precision.hpp"
#include "scenes/mandelbrot/model/settings.hpp"
#include "scenes/mandelbrot/numbers/place.hpp"
#include "scenes/mandelbrot/numbers/view_file.hpp"
#include "scratch.hpp"

namespace orrery::mandelbrot {
namespace {

template <class F>
std::string refusal(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

bool mentions(const std::string& message, const std::string& text) { return message.find(text) != std::string::npos; }

TEST(MandelbrotDecimal, KeepsTheTypedDigits) {
  const std::string typed = "-1.401155189092050600523826787893861292";
  EXPECT_EQ(Decimal::parse(typed, "re").text(), typed);
  EXPECT_EQ(Decimal::parse(typed, "re").value(), -1.401155189092050600523826787893861292);
  EXPECT_EQ(Decimal::parse("+.5e1", "re").value(), 5);
  EXPECT_EQ(Decimal::parse("3e-120", "span").value(), 3e-120);
  EXPECT_EQ(Decimal::parse("3e-1200", "span").value(), 0);
}

TEST(MandelbrotDecimal, RefusesInvalidDecimals) {
  for (const char* text : {"", "-", ".", "1.2.3", "1e", "e5", "0x10", "nan", "inf", "--1", "1e1.5"}) {
    EXPECT_TRUE(mentions(refusal([&] { (void)Decimal::parse(text, "--span"); }), "--span")) << text;
  }
  EXPECT_TRUE(mentions(refusal([] { (void)Decimal::parse("1e100001", "re"); }), "100000"));
  EXPECT_TRUE(mentions(refusal([] { (void)Decimal::parse("1e400", "re"); }), "1.8e308"));
}

// The sums and products were worked out by hand.
TEST(MandelbrotDecimal, AddsAndMultipliesExactly) {
  const auto d = [](const char* text) { return Decimal::parse(text, "x"); };
  EXPECT_EQ((d("0.1") + d("0.2")).text(), "0.3");
  EXPECT_EQ((d("999.9") + d(".1")).text(), "1000");
  EXPECT_EQ((d("1") - d("1e-40")).text(), "0." + std::string(40, '9'));
  EXPECT_EQ((d("-1.401155189092050601") + d("1e-30")).text(), "-1.401155189092050600999999999999");
  EXPECT_EQ((d("2.5e-400") - d("25e-401")).text(), "0");
  EXPECT_EQ((d("1e-400") - d("2e-400")).text(), "-1e-400");
  EXPECT_EQ((d("-123456789012345678901") * -0.5).text(), "61728394506172839450.5");
  EXPECT_EQ((d("9.99e-7") * 1000.0).text(), "0.000999");
  EXPECT_EQ((d("3") * 0.0).text(), "0");
}

TEST(MandelbrotDecimal, RoundsComparesAndMeasures) {
  const auto d = [](const char* text) { return Decimal::parse(text, "x"); };
  EXPECT_EQ(d("-1.2345").rounded(-3).text(), "-1.235");
  EXPECT_EQ(d("0.9996").rounded(-3).text(), "1");
  EXPECT_EQ(d("0.0004").rounded(-3).text(), "0");
  EXPECT_EQ(d("0.0005").rounded(-3).text(), "0.001");
  EXPECT_EQ(d("1.23456e-400").significant(3).text(), "1.23e-400");
  EXPECT_EQ(d("-1.25").rounded(-9).text(), "-1.25");
  EXPECT_TRUE(d("1e-400") < d("2e-400"));
  EXPECT_FALSE(d("-1e-400") < d("-1.0e-400"));
  EXPECT_TRUE(d("-3") < d("1e-400"));
  EXPECT_DOUBLE_EQ(ratio(d("3e-400"), d("-2e-402")), -150);
  EXPECT_EQ(ratio(d("0.0"), d("2")), 0);
  EXPECT_EQ(ratio(d("1"), d("1e-400")), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(d("-2e-400").log(), std::log(2.0) - 400 * std::log(10.0), 1e-12);
}

TEST(MandelbrotView, PixelsLieAtTheirDefinedPoints) {
  const View view{Decimal(-1.0), Decimal(0.5), Decimal(2.0)};
  const Complex first = point_at(view, {4, 2}, 0.5, 0.5);  // pixel (0, 0): top left
  EXPECT_DOUBLE_EQ(first.re, -1.0 + 2.0 * (0.5 / 4 - 0.5));
  EXPECT_DOUBLE_EQ(first.im, 0.5 + 2.0 * (2.0 / 4) * (0.5 - 0.5 / 2));
}

// Rows are whole multiples of half a pixel from the middle, even if span / height is not exact in doubles.
TEST(MandelbrotView, RowsMirrorEachOtherAndTheMiddleOneIsReal) {
  std::mt19937 random(7);
  for (int k = 0; k < 1000; ++k) {
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    const Size size{1 + below(3000), 1 + 2 * below(1500)};
    const View view{Decimal(-1.3), Decimal(0.0), Decimal(1e-9 * (1 + below(1000000000)))};
    const double x = below(size.width) + 0.5, middle = 0.5 * size.height, away = below(size.height / 2 + 1);
    EXPECT_EQ(point_at(view, size, x, middle).im, 0);
    EXPECT_EQ(point_at(view, size, x, middle - away).im, -point_at(view, size, x, middle + away).im);
  }
}

TEST(MandelbrotView, TheDefaultIsTheOneOfTheTutorial) {
  const View view;
  EXPECT_DOUBLE_EQ(view.re.value() - 0.5 * view.span.value(), -1.401155 - 0.75);
  EXPECT_DOUBLE_EQ(view.re.value() + 0.5 * view.span.value(), -1.401155 + 2.25);
}

TEST(MandelbrotView, ZoomKeepsThePointUnderTheCursor) {
  const Size size{1280, 720};
  View view;
  const Complex before = point_at(view, size, 333, 91);
  for (int step = 0; step < 60; ++step) view = zoomed(view, size, 333, 91, 0.7);
  const Complex after = point_at(view, size, 333, 91);
  EXPECT_NEAR(after.re, before.re, spacing(view, size));
  EXPECT_NEAR(after.im, before.im, spacing(view, size));
}

// 1,600 halvings are 10^−482, far below the range of doubles.
TEST(MandelbrotView, ZoomKeepsThePointUnderTheCursorAtAnyDepth) {
  const Size size{1280, 720};
  View view;
  const auto held = [&] {
    const double unit = 1.0 / size.width;
    return placed(view, {unit * (333 - 640.0), unit * (360.0 - 91), 1});
  };
  for (int step = 0; step < 1600; ++step) {
    const View before = held();
    view = zoomed(view, size, 333, 91, 0.5);
    const Placement moved = placement(held(), {before.re, before.im, view.span});
    ASSERT_NEAR(moved.x, 0, 1e-9) << step;
    ASSERT_NEAR(moved.y, 0, 1e-9) << step;
  }
  EXPECT_NEAR(view.span.log(), std::log(3.0) - 1600 * std::log(2.0), 1e-9);
}

TEST(MandelbrotView, PlacementUndoesPlaced) {
  const View base{Decimal::parse("-1.401155189092050600523826787893861292", "re"), Decimal(0.0),
                  Decimal::parse("3e-400", "span")};
  const Placement at = placement(base, placed(base, {0.25, -0.125, 0.01}));
  EXPECT_NEAR(at.x, 0.25, 1e-12);
  EXPECT_NEAR(at.y, -0.125, 1e-12);
  EXPECT_NEAR(at.factor, 0.01, 1e-15);
  EXPECT_EQ(placed(base, {0, 0, 0.5}).re, base.re);
}

TEST(MandelbrotView, PanMovesThePictureWithTheHand) {
  const Size size{640, 480};
  const View view;
  const Complex held = point_at(view, size, 100, 100);
  const Complex moved = point_at(panned(view, size, 30, -20), size, 130, 80);
  EXPECT_NEAR(held.re, moved.re, 1e-14);
  EXPECT_NEAR(held.im, moved.im, 1e-14);
}

TEST(MandelbrotView, MappingTakesPixelsToTheSamePoint) {
  const View here{Decimal(-0.7), Decimal(0.1), Decimal(0.01)}, there{Decimal(-0.702), Decimal(0.101), Decimal(0.03)};
  const Size small{300, 200}, large{800, 450};
  const Mapping map = mapping(here, small, there, large);
  const Complex a = point_at(here, small, 17, 150);
  const Offset pixel = map(17, 150);
  const Complex b = point_at(there, large, pixel.x, pixel.y);
  EXPECT_NEAR(a.re, b.re, 1e-14);
  EXPECT_NEAR(a.im, b.im, 1e-14);
}

TEST(MandelbrotView, CoveringShowsBothViewsCompletely) {
  const Size size{300, 200};
  const View a{Decimal(-0.7), Decimal(0.1), Decimal(0.01)}, b{Decimal(-0.69), Decimal(0.05), Decimal(0.03)};
  const View both = covering(a, b, size);
  EXPECT_NEAR(uncovered(both, a, size), 0, 1e-9);
  EXPECT_NEAR(uncovered(both, b, size), 0, 1e-9);
  EXPECT_GT(uncovered(a, b, size), 1);
  const View inside{a.re, a.im, Decimal(0.004)};
  EXPECT_EQ(covering(a, inside, size), a);
}

TEST(MandelbrotView, ViewsAreAlikeNearEachOther) {
  const View deep{Decimal(-0.75), Decimal(0.1), Decimal::parse("1e-60", "span")};
  const Size size{1280, 720};
  EXPECT_TRUE(alike(deep, deep));
  for (const double factor : {0.1, 10.0}) EXPECT_TRUE(alike(deep, zoomed(deep, size, 0, 0, factor))) << factor;
  for (const double factor : {0.05, 20.0, 1e-40}) EXPECT_FALSE(alike(deep, zoomed(deep, size, 0, 0, factor))) << factor;
  EXPECT_TRUE(alike(deep, panned(deep, size, 1000, 0)));
  EXPECT_FALSE(alike(deep, panned(deep, size, 1500, 0)));
}

TEST(MandelbrotView, SpansArePositive) {
  for (const char* span : {"0", "0.00e7", "-1", "-3e-5"}) {
    EXPECT_TRUE(mentions(refusal([&] { check({Decimal(0.0), Decimal(0.0), Decimal::parse(span, "span")}); }), span));
  }
  check({Decimal(0.0), Decimal(0.0), Decimal::parse("3e-1200", "span")});
}

TEST(MandelbrotPrecision, IsTheLadderNearTheFeigenbaumPoint) {
  const auto choice = [](const char* re, const char* span, bool fp64 = true, const char* requested = "auto") {
    const View view{Decimal::parse(re, "re"), Decimal(0.0), Decimal::parse(span, "span")};
    return choose_precision(requested, view, {1000, 1000}, fp64, Purpose::picture);
  };
  const char* feigenbaum =
      "-1.401155189092050600523826787893861292226308043397319608937261496678695557753523838837898114696414613865721737740"
      "413243631271475824292805479169601235193718518";
  for (const char* span : {"1e-5", "1e-20", "1e-100"}) {
    EXPECT_EQ(choice(feigenbaum, span).precision, Precision::ladder) << span;
    EXPECT_EQ(choice(feigenbaum, span, false).precision, Precision::ladder) << span;
    EXPECT_FALSE(choice(feigenbaum, span).reason.empty());
  }
  EXPECT_NE(choice(feigenbaum, "1e-3").precision, Precision::ladder);
  EXPECT_EQ(choice(feigenbaum, "1e-3", true, "ladder").precision, Precision::ladder);
  // Beside the point, orbits of small pictures are short enough for perturbation; otherwise the ladder continues beyond
  // its digits, with a warning.
  EXPECT_EQ(choice("-1.40115518", "1e-8").precision, Precision::ladder);
  EXPECT_EQ(choice("-1.40115518", "1e-25").precision, Precision::perturbation);
  EXPECT_EQ(choice("-1.4011551890920", "1e-30").precision, Precision::ladder);
  EXPECT_TRUE(choice("-1.4011551890920", "1e-30").warning.empty());
  EXPECT_EQ(choice("-1.4011551890920", "1e-60").precision, Precision::ladder);
  EXPECT_TRUE(mentions(choice("-1.4011551890920", "1e-60").warning, "digits"));
  EXPECT_EQ(choice("-1.40115518", "1e-60").precision, Precision::perturbation);
  EXPECT_EQ(choice("-1.40115518", "1e-25", false).precision, Precision::perturbation);
  const PrecisionChoice far = choice("-0.6", "1e-5", true, "ladder");
  EXPECT_NE(far.precision, Precision::ladder);
  EXPECT_TRUE(mentions(far.warning, "Feigenbaum")) << far.warning;
}

TEST(MandelbrotPrecision, IsTheValleysLadderInTheValley) {
  const auto choice = [](const char* im, const char* span) {
    const View view{Decimal(-0.75), Decimal::parse(im, "im"), Decimal::parse(span, "span")};
    return choose_precision("auto", view, {1000, 1000}, true, Purpose::picture);
  };
  for (const char* span : {"1e-6", "1e-10", "1e-15"}) EXPECT_EQ(choice("0", span).precision, Precision::valley) << span;
  EXPECT_EQ(choice("1e-6", "1e-12").precision, Precision::valley);
  EXPECT_EQ(choice("0.01", "1e-4").precision, Precision::double_);
  EXPECT_EQ(choice("1e-4", "1e-5").precision, Precision::double_);
  EXPECT_EQ(choice("1e-4", "1e-8").precision, Precision::perturbation) << "orbits pass many times";
  EXPECT_EQ(choice("1e-6", "1e-50").precision, Precision::perturbation);
}

TEST(MandelbrotPrecision, IsTheCuspsLadderNearTheCusp) {
  const auto choice = [](const char* re, const char* span, Purpose purpose = Purpose::picture, bool fp64 = true,
                         const char* requested = "auto") {
    const View view{Decimal::parse(re, "re"), Decimal(0.0), Decimal::parse(span, "span")};
    return choose_precision(requested, view, {1000, 1000}, fp64, purpose);
  };
  for (const Purpose purpose : {Purpose::picture, Purpose::data})
    for (const char* span : {"1e-9", "1e-12", "1e-20", "1e-30"}) {
      EXPECT_EQ(choice("0.25", span, purpose).precision, Precision::cusp) << span;
      EXPECT_TRUE(choice("0.25", span, purpose).warning.empty()) << span;
      EXPECT_TRUE(mentions(choice("0.25", span, purpose).reason, "cusp"));
    }
  // For short passages, direct iteration and perturbation are faster.
  EXPECT_EQ(choice("0.25", "1e-3").precision, Precision::double_);
  EXPECT_EQ(choice("0.25", "1e-6", Purpose::data).precision, Precision::perturbation);
  EXPECT_EQ(choice("0.25", "1e-6", Purpose::data, true, "ladder").precision, Precision::cusp);
  // Beside the cusp, while pairs of numbers distinguish the pixels; then perturbation, if a reference fits.
  EXPECT_EQ(choice("0.250000000001", "1e-17", Purpose::data).precision, Precision::cusp);
  EXPECT_EQ(choice("0.250000000001", "1e-40", Purpose::data).precision, Precision::perturbation);
  EXPECT_EQ(choice("0.25000000000000000001", "1e-60", Purpose::data).precision, Precision::cusp);
  EXPECT_TRUE(mentions(choice("0.25000000000000000001", "1e-60", Purpose::data).warning, "digits"));
  // Deeper than the ladder's levels.
  EXPECT_EQ(choice("0.25", "1e-34", Purpose::data).precision, Precision::perturbation);
  EXPECT_EQ(choice("0.25", "1e-12", Purpose::picture, false).precision, Precision::cusp);
}

TEST(MandelbrotPrecision, IsPerturbationBesideParabolicPointsIfDirectIterationIsSlower) {
  const auto choice = [](const char* re, const char* im, const char* span, Purpose purpose = Purpose::picture) {
    const View view{Decimal::parse(re, "re"), Decimal::parse(im, "im"), Decimal::parse(span, "span")};
    return choose_precision("auto", view, {1000, 1000}, true, purpose);
  };
  const PrecisionChoice root = choice("-0.12505441447431774", "0.64951905027409954", "4e-8");
  EXPECT_EQ(root.precision, Precision::perturbation);
  EXPECT_FALSE(root.exact);
  EXPECT_TRUE(mentions(root.reason, "parabolic point of period 3")) << root.reason;
  EXPECT_TRUE(mentions(choice("-1.75", "0", "1e-8").reason, "parabolic point of period 3"));
  EXPECT_TRUE(choice("-0.12505441447431774", "0.64951905027409954", "4e-8", Purpose::data).exact);
  // At 6e-5 from the root 2/5, orbits make one short passage; in a view that is small for this distance, many.
  const auto beside_a_root = [&](const char* span) {
    return choice("-0.481811088512629236294335", "0.531621628688980923215355", span).precision;
  };
  EXPECT_EQ(beside_a_root("3e-5"), Precision::double_);
  EXPECT_EQ(beside_a_root("1.793e-8"), Precision::perturbation);
  EXPECT_EQ(choice("-0.125", "0.66", "4e-8").precision, Precision::double_) << "in the disc of period 3";
  EXPECT_EQ(choice("-0.74364388703", "0.13182590420", "1e-8").precision, Precision::double_) << "orbits are short";
}

TEST(MandelbrotPrecision, EndsWherePixelsCannotBeDistinguished) {
  const Size size{1280, 720};
  const auto reaches = [&](Precision precision, const char* span) {
    return resolves(precision, View{Decimal(-0.75), Decimal(0.1), Decimal::parse(span, "span")}, size);
  };
  EXPECT_TRUE(reaches(Precision::single, "1e-3"));
  EXPECT_FALSE(reaches(Precision::single, "1e-5"));
  EXPECT_TRUE(reaches(Precision::double_, "1e-12"));
  EXPECT_FALSE(reaches(Precision::double_, "1e-14"));
  EXPECT_TRUE(reaches(Precision::perturbation, "1e-1000"));
}

TEST(MandelbrotPrecision, FollowsThePixelSpacing) {
  const auto choice = [](const char* span, bool fp64, Purpose purpose = Purpose::picture) {
    const View view{Decimal(-1.4), Decimal(0.0), Decimal::parse(span, "span")};
    return choose_precision("auto", view, {1000, 1000}, fp64, purpose);
  };
  EXPECT_EQ(choice("3", true).precision, Precision::single);
  EXPECT_EQ(choice("1e-3", true).precision, Precision::double_);
  EXPECT_EQ(choice("3", true, Purpose::data).precision, Precision::double_);
  EXPECT_EQ(choice("1e-10", true).precision, Precision::perturbation);
  EXPECT_EQ(choice("1e-5", true, Purpose::data).precision, Precision::perturbation);
  EXPECT_EQ(choice("3e-90000", true).precision, Precision::perturbation);
  EXPECT_TRUE(mentions(choice("1e-12000", true).reason, "7.1e-12004")) << choice("1e-12000", true).reason;
  // Without doubles, pairs of floats come after floats.
  EXPECT_EQ(choice("3", false).precision, Precision::single);
  EXPECT_EQ(choice("1e-3", false).precision, Precision::perturbation);
  for (const char* span : {"3", "1e-9", "1e-13", "1e-400"}) EXPECT_TRUE(choice(span, true).warning.empty()) << span;
  EXPECT_FALSE(
      choose_precision("single", {Decimal(-1.4), Decimal(0.0), Decimal(1e-5)}, {1000, 1000}, true, Purpose::picture)
          .warning.empty());
  EXPECT_TRUE(mentions(refusal([] {
                         (void)choose_precision("double", {}, {1, 1}, false, Purpose::picture);
                       }),
                       "single"));
}

TEST(MandelbrotLocations, AreReadAndBeginAtTheFeigenbaumPoint) {
  ASSERT_GE(locations().size(), 12u);
  EXPECT_TRUE(locations().front().view.re.text().starts_with("-1.401155189092050600523826787893861292"));
  std::set<std::string> names;
  for (const Location& location : locations()) {
    EXPECT_TRUE(names.insert(location.name).second) << location.name;
    EXPECT_FALSE(location.title.empty() || location.text.empty()) << location.name;
  }
  EXPECT_TRUE(mentions(refusal([] { (void)find_location("nowhere"); }), "feigenbaum"));
}

class MandelbrotViewFile : public testing::Test {
 protected:
  ViewFile read(const std::string& text) {
    const auto path = scratch("view.toml");
    write_file(path, text);
    std::vector<Parameter> known = parameters(settings_);
    return read_view(path, {}, known);
  }
  MandelbrotSettings settings_;
};

TEST_F(MandelbrotViewFile, TakesTheKeysOfTheCommandLine) {
  const ViewFile file = read(
      "center = [\"-0.75000000000000000000001\", 0.1]\nspan = 1e-3\nsize = \"320x200\"\n"
      "iterations = \"auto\"\nescape-radius = 50\nprecision = \"double\"\n");
  EXPECT_EQ(file.view.re.text(), "-0.75000000000000000000001");
  EXPECT_EQ(file.view.im.value(), 0.1);
  EXPECT_EQ(file.view.span.value(), 1e-3);
  EXPECT_EQ(file.size, (Size{320, 200}));
  EXPECT_EQ(settings_.iterations, 0);
  EXPECT_EQ(settings_.escape_radius, 50);
  EXPECT_EQ(settings_.precision, "double");
}

TEST_F(MandelbrotViewFile, TakesOffsetsFromTheCentre) {
  const ViewFile file = read("center = [-1.401155, 0]\nx = [-0.75, 2.25]\ny = [-1.125, 1.125]\n");
  EXPECT_DOUBLE_EQ(file.view.re.value(), -1.401155 + 0.75);
  EXPECT_EQ(file.view.im.value(), 0);
  EXPECT_EQ(file.view.span.value(), 3);
  EXPECT_EQ(file.size, (Size{1280, 960}));
}

TEST_F(MandelbrotViewFile, OffsetsThatAddUpToTheRealAxisLieOnIt) {
  EXPECT_TRUE(read("center = [-1.4, 0.1]\nx = [-1, 1]\ny = [-0.3, 0.1]\n").view.im.is_zero());
  EXPECT_TRUE(read("center = [-1.4, \"1.1e-30\"]\nx = [-1, 1]\ny = [\"-3.3e-30\", \"1.1e-30\"]\n").view.im.is_zero());
  const View deep = read("center = [-1.4, 0]\nx = [\"-3e-400\", \"5e-400\"]\n").view;
  EXPECT_EQ(deep.span, Decimal::parse("8e-400", "span"));
  EXPECT_FALSE(deep.re == Decimal(-1.4));
}

// Fraktaler 3 omits default values; its stretch is in hundredths of an octave.
TEST_F(MandelbrotViewFile, TakesFraktaler3sFiles) {
  const std::string head = "program = \"fraktaler-3\"\nversion = \"3-1\"\n";
  const ViewFile file = read(head +
                             "location.real = \"-1.76\"\nlocation.imag = \"0.01\"\nlocation.zoom = \"1e400\"\n"
                             "bailout.iterations = 9000\ntransform.reflect = true\ntransform.rotate = 30.0\n"
                             "transform.stretch_amount = 100.0\n[[formula]]\npower = 2\nabs_x = false\n");
  EXPECT_EQ(file.view.re.text(), "-1.76");
  EXPECT_EQ(file.view.im.text(), "0.01");
  ASSERT_TRUE(file.height);
  EXPECT_NEAR(file.height->log(), std::log(4.0) - 400 * std::log(10.0), 1e-9);
  EXPECT_EQ(settings_.iterations, 9000);
  EXPECT_EQ(file.view.turn, (Turn{-30, 2, 0}));
  const ViewFile plain = read(head);
  EXPECT_TRUE(plain.view.re.is_zero() && plain.view.im.is_zero() && plain.view.turn.level());
  EXPECT_EQ(plain.height->value(), 4);
  EXPECT_EQ(settings_.iterations, 1024);
  EXPECT_TRUE(mentions(refusal([&] { (void)read(head + "[[formula]]\nabs_y = true\n"); }), "formula.abs_y"));
  EXPECT_EQ(read(head + "[[formula]]\npower = 3\n").view.formula.power, 3);
  EXPECT_TRUE(mentions(refusal([&] { (void)read(head + "[[formula]]\npower = 9\n"); }), "power"));
  EXPECT_TRUE(
      mentions(refusal([&] { (void)read(head + "[[formula]]\n[[formula]]\npower = 3\n"); }), "alternating formulas"));
  EXPECT_TRUE(mentions(refusal([&] { (void)read(head + "transform.exponential_map = true\n"); }), "exponential_map"));
}

TEST_F(MandelbrotViewFile, TakesALocationByName) {
  EXPECT_EQ(read("center = \"seahorse-valley\"\n").view, find_location("seahorse-valley").view);
}

TEST_F(MandelbrotViewFile, SaysWhereItIsWrong) {
  const auto message = [&](const std::string& text) { return refusal([&] { (void)read(text); }); };
  EXPECT_TRUE(mentions(message("span = = 3\n"), "view.toml:1:8"));
  EXPECT_TRUE(mentions(message("span = 3\ncenter = [0, \"zero\"]\n"), "view.toml:2:14"));
  EXPECT_TRUE(mentions(message("span = 0\n"), "view.toml:1:8"));
  EXPECT_TRUE(mentions(message("\n\nzoom = 3\n"), "view.toml:3:8"));
  EXPECT_TRUE(mentions(message("iterations = 0.5\n"), "view.toml:1:14"));
  EXPECT_TRUE(mentions(message("x = [2, 1]\n"), "view.toml:1:5"));
  EXPECT_TRUE(mentions(message("size = [10]\n"), "view.toml:1:8"));
  EXPECT_TRUE(mentions(message("size = \"10x10\"\nx = [0, 1]\ny = [0, 2]\n"), "view.toml:3:5"));
}

TEST(MandelbrotSize, IsWidthAndHeight) {
  EXPECT_EQ(parse_size("65536x1"), (Size{65536, 1}));
  for (const char* text : {"", "x", "10", "0x10", "10x0", "65537x1", "1x2x3", "-1x5", "1.5x5"})
    EXPECT_TRUE(mentions(refusal([&] { (void)parse_size(text); }), "from 1 to 65536")) << text;
}

}  // namespace
}  // namespace orrery::mandelbrot
