/// Rotated and stretched views: their points, how they move, and their files.
#include "scenes/mandelbrot/numbers/view.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <random>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/image.hpp"
#include "scenes/mandelbrot/model/settings.hpp"
#include "scenes/mandelbrot/numbers/place.hpp"
#include "scenes/mandelbrot/numbers/view_file.hpp"
#include "scenes/mandelbrot/output/coloring.hpp"
#include "scenes/mandelbrot/window/marked_points.hpp"
#include "scenes/mandelbrot/window/view_motion.hpp"
#include "scratch.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr Size turned_size{640, 360};
constexpr double degree = 0.017453292519943295;

// Uses complex numbers instead of matrices: e^iα (F·Re(e^-iα e^iφ p) + i/F·Im(e^-iα e^iφ p)).
std::complex<double> offset_in_plane(const Turn& turn, std::complex<double> at) {
  const std::complex<double> axis = std::polar(1.0, turn.stretch_angle * degree);
  const std::complex<double> along = std::conj(axis) * std::polar(1.0, turn.rotation * degree) * at;
  return axis * std::complex(turn.stretch * along.real(), along.imag() / turn.stretch);
}

class Turns {
 public:
  explicit Turns(unsigned seed) : random_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  Turn turn() { return {between(-360, 360), std::exp(between(-2, 2)), between(-360, 360)}; }
  View view(double span = 0.01) {
    return {Decimal(between(-0.72, -0.7)), Decimal(between(0.1, 0.12)), Decimal(span * between(0.5, 2)), turn()};
  }

 private:
  std::mt19937 random_;
};

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

bool tells(const std::string& message, const std::string& text) { return message.find(text) != std::string::npos; }

TEST(MandelbrotTurn, IsARotationAndThenAStretchThatKeepsAreas) {
  Turns random(1);
  for (int k = 0; k < 1000; ++k) {
    const Turn turn = random.turn();
    const std::complex<double> at(random.between(-1, 1), random.between(-1, 1)), to = offset_in_plane(turn, at);
    const Matrix matrix = matrix_of(turn);
    const Offset mapped = matrix * Offset{at.real(), at.imag()}, back = inverse_of(turn) * mapped;
    EXPECT_NEAR(mapped.x, to.real(), 1e-13);
    EXPECT_NEAR(mapped.y, to.imag(), 1e-13);
    EXPECT_NEAR(back.x, at.real(), 1e-12);
    EXPECT_NEAR(back.y, at.imag(), 1e-12);
    EXPECT_NEAR(matrix.xx * matrix.yy - matrix.xy * matrix.yx, 1, 1e-12);
    EXPECT_LE(std::hypot(mapped.x, mapped.y), turn.reach() * std::abs(at) * (1 + 1e-12));
  }
}

TEST(MandelbrotTurn, QuartersAreExact) {
  for (const double angle : {90.0, -270.0}) {
    const Matrix quarter = matrix_of({.rotation = angle});
    EXPECT_EQ(quarter.xx, 0);
    EXPECT_EQ(quarter.xy, -1);
    EXPECT_EQ(quarter.yx, 1);
    EXPECT_EQ(quarter.yy, 0);
  }
  for (const double angle : {0.0, 360.0, -360.0}) {
    const Matrix none = matrix_of({.rotation = angle});
    EXPECT_EQ(none.xx, 1);
    EXPECT_EQ(none.xy, 0);
    EXPECT_EQ(none.yx, 0);
    EXPECT_EQ(none.yy, 1);
  }
}

TEST(MandelbrotTurn, TurnsOnTheShorterWay) {
  const Turn from{170, 4, 80}, to{-170, 1, 0};
  EXPECT_EQ(mixed(from, to, 0), from);
  EXPECT_EQ(mixed(from, to, 1), to);
  EXPECT_NEAR(mixed(from, to, 0.5).rotation, 180, 1e-9);
  EXPECT_NEAR(mixed(from, to, 0.5).stretch, 2, 1e-12);
  EXPECT_EQ(mixed(from, to, 0.5).stretch_angle, 80) << "what is not stretched has no axis";
  EXPECT_EQ(distance(from, from), 0);
}

TEST(MandelbrotTurn, PointsLieWhereTheFormulaPutsThem) {
  Turns random(2);
  for (int k = 0; k < 200; ++k) {
    const View view = random.view();
    const double x = random.between(0, turned_size.width), y = random.between(0, turned_size.height);
    const double pixel = view.span.value() / turned_size.width;
    const auto away = offset_in_plane(view.turn, pixel * std::complex(x - 320, 180 - y));
    const Complex c = point_at(view, turned_size, x, y);
    EXPECT_NEAR(c.re, view.re.value() + away.real(), 1e-15);
    EXPECT_NEAR(c.im, view.im.value() + away.imag(), 1e-15);
  }
}

TEST(MandelbrotTurn, ZoomingAndPanningHoldThePointUnderTheHand) {
  Turns random(3);
  for (int k = 0; k < 100; ++k) {
    const View view = random.view();
    const double x = random.between(0, 640), y = random.between(0, 360);
    const Complex held = point_at(view, turned_size, x, y);
    const View closer = zoomed(view, turned_size, x, y, 0.3), aside = panned(view, turned_size, 31, -17);
    EXPECT_EQ(closer.turn, view.turn);
    const Complex zoomed_to = point_at(closer, turned_size, x, y),
                  panned_to = point_at(aside, turned_size, x + 31, y - 17);
    for (const Complex& c : {zoomed_to, panned_to}) {
      EXPECT_NEAR(c.re, held.re, 1e-13);
      EXPECT_NEAR(c.im, held.im, 1e-13);
    }
  }
}

TEST(MandelbrotTurn, MappingTakesPixelsToTheSamePoint) {
  Turns random(4);
  constexpr Size other{800, 451};
  for (int k = 0; k < 200; ++k) {
    const View here = random.view(), there = random.view(0.03);
    const double x = random.between(0, 640), y = random.between(0, 360);
    const Mapping map = mapping(here, turned_size, there, other);
    const Offset pixel = map(x, y);
    const Complex a = point_at(here, turned_size, x, y), b = point_at(there, other, pixel.x, pixel.y);
    EXPECT_NEAR(a.re, b.re, 1e-12);
    EXPECT_NEAR(a.im, b.im, 1e-12);
    View alike = there;
    alike.turn = here.turn;
    EXPECT_FALSE(mapping(here, turned_size, alike, other).turns()) << "pixels stay pixels";
  }
}

TEST(MandelbrotTurn, CoveringShowsBothViewsCompletely) {
  Turns random(5);
  const auto shows = [](const View& outer, const View& inner) {
    const Mapping map = mapping(inner, turned_size, outer, turned_size);
    bool all = true;
    for (const double x : {0.0, 640.0})
      for (const double y : {0.0, 360.0}) {
        const Offset corner = map(x, y);
        all = all && std::abs(corner.x - 320) < 320.001 && std::abs(corner.y - 180) < 180.001;
      }
    return all;
  };
  for (int k = 0; k < 200; ++k) {
    const View a = random.view(), b = random.view();
    const View both = covering(a, b, turned_size);
    EXPECT_TRUE(shows(both, a) && shows(both, b)) << k;
    EXPECT_EQ(uncovered(a, b, turned_size) < 1e-6, shows(a, b)) << k;
    const View inside{a.re, a.im, a.span * 0.01, b.turn};
    EXPECT_EQ(covering(a, inside, turned_size), a);
  }
}

TEST(MandelbrotTurn, ColoursBesideTheFeigenbaumPointFollowThePoint) {
  Turns random(6);
  for (int k = 0; k < 100; ++k) {
    View view = random.view(0.02);
    view.re = Decimal(-1.41), view.im = Decimal(0.003);
    const Complex c = point_at(view, turned_size, 320 + 100, 180 + 50);
    const Cascade cascade = cascade_of(view, turned_size);
    const double expected = cascade_part(std::hypot(c.re + 1.4011551890920506, c.im));
    EXPECT_NEAR(cascade.at(100, 50), expected, 1e-9);
    EXPECT_LE(cascade.least, expected);
    EXPECT_GE(cascade.most, expected);
  }
}

TEST(MandelbrotTurn, AnAnchorIsSeenWhereItsPointIs) {
  Turns random(7);
  const View view = random.view();
  const Complex c = point_at(view, turned_size, 500, 77);
  const AnchorInPicture there = placed_in({"point", Decimal(c.re), Decimal(c.im)}, view, turned_size);
  EXPECT_NEAR(there.x, 500, 1e-6);
  EXPECT_NEAR(there.y, 77, 1e-6);
}

// ---- motion

constexpr double frame_seconds = 1.0 / 60;

void rest_of(ViewMotion& motion) {
  for (int i = 0; motion.moving() && i < 2000; ++i) motion.advance(frame_seconds);
  for (int i = 0; i < 60; ++i) motion.advance(frame_seconds);
}

ViewMotion motion_of(const View& view) {
  ViewMotion motion{View{}};
  motion.set_size(turned_size);
  motion.jump_to(view);
  rest_of(motion);
  return motion;
}

const View level_view{Decimal(-0.71), Decimal(0.11), Decimal(0.01)};

TEST(MandelbrotTurn, TurnsByMouseAtOnceAndBackByTheHistory) {
  ViewMotion motion = motion_of(level_view);
  motion.turn({.rotation = 33});
  EXPECT_FALSE(motion.moving());
  EXPECT_EQ(motion.present().turn.rotation, 33);
  EXPECT_EQ(motion.present().re, level_view.re);
  rest_of(motion);
  motion.back();
  EXPECT_TRUE(motion.moving()) << "on the way";
  rest_of(motion);
  EXPECT_EQ(motion.present(), level_view);
  motion.forward();
  rest_of(motion);
  EXPECT_EQ(motion.present().turn.rotation, 33);
}

TEST(MandelbrotTurn, GlidesToLevelAlsoWhileTheWheelTurns) {
  View view = level_view;
  view.turn = {170, 3, 20};
  ViewMotion motion = motion_of(view);
  motion.turn_to({});
  for (int i = 0; i < 5; ++i) motion.advance(frame_seconds);
  EXPECT_GT(std::abs(motion.present().turn.rotation), 1);
  motion.zoom(100, 100, 0.75);
  rest_of(motion);
  EXPECT_EQ(motion.present().turn, Turn{});
  EXPECT_NEAR(motion.present().span.value(), 0.0075, 1e-12);
}

TEST(MandelbrotTurn, AFlightEndsTurnedAsItsDestination) {
  ViewMotion motion = motion_of(level_view);
  View far{Decimal(-1.75), Decimal(0.0), Decimal(1e-9), {-120, 2, 45}};
  motion.fly_to(far);
  motion.advance(0.5);
  EXPECT_NE(motion.present().turn, Turn{});
  EXPECT_NE(motion.present().turn, far.turn);
  rest_of(motion);
  EXPECT_EQ(motion.present(), far);
}

// ---- files

TEST(MandelbrotTurn, ViewFilesKeepTheTurn) {
  const auto path = scratch("turned.toml");
  MandelbrotSettings settings;
  std::vector<Parameter> known = parameters(settings);
  View view = level_view;
  view.turn = {-12.5, 2.25, 30};
  write_view(path, view, known);
  EXPECT_EQ(read_view(path, {}, known).view, view);
  write_view(path, level_view, known);
  EXPECT_EQ(read_file(path, {"a view", 1 << 20}).find("rotation"), std::string::npos);
  EXPECT_EQ(read_view(path, view, known).view, level_view) << "a file that tells no turn is level";
}

TEST(MandelbrotTurn, PicturesKeepTheTurn) {
  const auto path = scratch("turned.png");
  MandelbrotSettings settings;
  std::vector<Parameter> known = parameters(settings);
  View view = level_view;
  view.turn = {200, 0.5, -30};
  write_png(path, Image(2, 2), view_texts(view, {2, 2}, known));
  EXPECT_EQ(read_view(path, {}, known).view, view);
  write_png(path, Image(2, 2), view_texts(level_view, {2, 2}, known));
  EXPECT_EQ(read_view(path, view, known).view, level_view);
}

TEST(MandelbrotTurn, InvalidFilesNameThePlaceOfTheError) {
  MandelbrotSettings settings;
  std::vector<Parameter> known = parameters(settings);
  const auto message = [&](const std::string& text) {
    return refusal_of([&] { (void)parse_view(text, "view.toml", {}, known); });
  };
  for (const char* text : {"rotation = 361", "rotation = -361", "rotation = \"up\"", "rotation = true"}) {
    EXPECT_TRUE(tells(message(std::string("span = 1\n") + text), "view.toml:2:12")) << message(text);
    EXPECT_TRUE(tells(message(text), "-360")) << text;
  }
  for (const char* text : {"stretch = 0", "stretch = -1", "stretch = 1e9", "stretch = nan"})
    EXPECT_TRUE(tells(message(text), "0.01") && tells(message(text), "view.toml:1:11")) << message(text);
}

TEST(MandelbrotTurn, PlacesAsTextKeepTheTurn) {
  View view = level_view;
  view.turn = {45, 1.5, 10};
  EXPECT_EQ(parse_place(place_text(view, 0), {}, 1).view, view);
  EXPECT_EQ(parse_place("-0.71 0.11 0.01", view, 1).view, level_view) << "bare numbers are level";
}

// KF 2.15: with m = matrix_of(RotateAngle …) its pixel (u, v), v down, is (re + m00·u + m01·v, im + m10·u + m11·v). The
// matrix as polar_composition() builds it, in glm's columns.
std::complex<double> kalles_fraktaler(double sign, double rotate, double amount, double stretch_angle, double u,
                                      double v) {
  using Columns = std::array<std::array<double, 2>, 2>;
  const auto times = [](const Columns& a, const Columns& b) {
    Columns product{};
    for (std::size_t column = 0; column < 2; ++column)
      for (std::size_t row = 0; row < 2; ++row)
        product[column][row] = a[0][row] * b[column][0] + a[1][row] * b[column][1];
    return product;
  };
  const double r = rotate * degree, a = -stretch_angle * degree, factor = std::exp2(amount);
  const Columns rotation{{{std::cos(r), -std::sin(r)}, {std::sin(r), std::cos(r)}}};
  const Columns stretch{{{factor, 0}, {0, 1 / factor}}};
  const Columns axis{{{std::cos(a), -std::sin(a)}, {std::sin(a), std::cos(a)}}};
  const Columns back{{{std::cos(a), std::sin(a)}, {-std::sin(a), std::cos(a)}}};
  const Columns mirror{{{1, 0}, {0, sign}}};
  const Columns m = times(times(times(times(rotation, axis), stretch), back), mirror);
  return {m[0][0] * u + m[0][1] * v, m[1][0] * u + m[1][1] * v};
}

TEST(MandelbrotTurn, ReadsKallesFraktalersTransformation) {
  Turns random(8);
  for (int k = 0; k < 200; ++k) {
    const double rotate = random.between(-360, 360), amount = random.between(-3, 3), axis = random.between(-360, 360);
    const bool up = k % 2 == 0;
    const View view =
        parse_place("Re: -0.5\nIm: 0.25\nZoom: 1\nRotateAngle: " + std::to_string(rotate) +
                        "\nStretchAngle: " + std::to_string(axis) + "\nStretchAmount: " + std::to_string(amount) +
                        "\nImagPointsUp: " + (up ? "1" : "0") + "\n",
                    {}, 1)
            .view;
    const double u = random.between(-100, 100), above = random.between(-100, 100);
    const Offset here = matrix_of(view.turn) * Offset{u, above};
    // With the imaginary axis down, KF's picture is the mirror image of ours.
    const auto there = kalles_fraktaler(up ? -1 : 1, rotate, amount, axis, u, up ? -above : above);
    EXPECT_NEAR(here.x, there.real(), 0.01) << up;  // the texts have six decimals
    EXPECT_NEAR(here.y, there.imag(), 0.01) << up;
  }
  EXPECT_TRUE(parse_place("Re: 0\nIm: 0\nZoom: 1\nRotateAngle: 0\nStretchAmount: 0\n", {}, 1).view.turn.level());
}

TEST(MandelbrotTurn, RefusesInvalidTransformations) {
  const auto message = [](const std::string& line) {
    return refusal_of([&] { (void)parse_place("Re: 0\nIm: 0\nZoom: 1\n" + line, {}, 1); });
  };
  EXPECT_TRUE(tells(message("RotateAngle: 720"), "RotateAngle") && tells(message("RotateAngle: 720"), "720"));
  EXPECT_TRUE(tells(message("StretchAmount: 9"), "from -6.64 to 6.64")) << message("StretchAmount: 9");
  EXPECT_TRUE(tells(message("StretchAngle: x"), "-360"));
  EXPECT_TRUE(tells(message("Stretch: 0"), "0.01"));
}

}  // namespace
}  // namespace orrery::mandelbrot
