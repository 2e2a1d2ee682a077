/// Camera paths: through their keyframes smoothly, at any depth, and the same from their text.
#include "scene/keyframes/camera_path.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "scene/orbit_pose.hpp"
#include "scene/path_player.hpp"
#include "scenes/mandelbrot/window/view_pose.hpp"

namespace orrery {
namespace {

using keyframes::CameraPath;
using keyframes::length_of;
using keyframes::PathPlayer;
using keyframes::SmoothWay;
using keyframes::Timing;
using OrbitPath = CameraPath<OrbitPose>;
using ViewPath = CameraPath<ViewPose>;

// Path with zooms, pans, turns, a rest and a reversal.
const OrbitPath orbit(
    "0 -1 0.6 7 0 0 0; 2 0.5 0.3 0.2 0.5 0.1 0; 3 0.5 0.3 0.2 0.5 0.1 0; 3.5 2 1.1 5 0 1 -2; 8 9 -1 5 3 1 0; 9 2 1.1 "
    "5 0 1 -2");
const ViewPath views(
    "0 -0.65 0 3; 2 -1.7490812690190 0.00000000001 1e-9 90; 3 -1.749 0 0.001 720; 5.5 -0.1 0.9 0.4 -20 1.5 30; 6 "
    "-0.1 0.9 0.4 -20 1.5 30; 7 -0.65 0 3");

template <class Pose>
double apparent(const Pose& a, const Pose& b) {
  return length_of(way_between(a, b));
}

template <class Path>
void expect_keyframes(const Path& path) {
  for (const auto& each : path.keyframes()) EXPECT_EQ(path.at(each.time), each.pose) << each.time;
  EXPECT_EQ(path.at(-1), path.keyframes().front().pose);
  EXPECT_EQ(path.at(path.length() + 1), path.keyframes().back().pose);
}

TEST(CameraPath, GoesExactlyThroughItsKeyframes) {
  expect_keyframes(orbit);
  expect_keyframes(views);
  expect_keyframes(OrbitPath("1.5 0 0 1 0 0 0"));
}

// The velocities before and after a moment differ by the acceleration times h: half as much for half of h.
template <class Path>
void expect_no_corner(const Path& path) {
  for (const auto& keyframe : path.keyframes()) {
    const double t = keyframe.time;
    if (t == 0 || t == path.length()) continue;
    const auto corner = [&](double h) {
      const auto before = way_between(path.at(t - h), path.at(t)), behind = way_between(path.at(t), path.at(t + h));
      auto difference = before;
      for (std::size_t i = 0; i < difference.size(); ++i) difference[i] = (behind[i] - before[i]) / h;
      return length_of(difference);
    };
    EXPECT_LT(corner(1e-4), 0.6 * corner(2e-4) + 1e-6) << t;
    EXPECT_LT(corner(1e-4), 0.5) << t;
  }
}

TEST(CameraPath, HasNoCornerAtAKeyframe) {
  expect_no_corner(orbit);
  expect_no_corner(views);
}

TEST(CameraPath, MovesWithoutJumps) {
  for (double t = 0; t < orbit.length(); t += 0.001) {
    const OrbitPose a = orbit.at(t), b = orbit.at(t + 0.001);
    ASSERT_LT(apparent(a, b), 0.05) << t;
    ASSERT_LE(std::abs(b.elevation), steepest_elevation);
  }
  for (double t = 0; t < views.length(); t += 0.001) ASSERT_LT(apparent(views.at(t), views.at(t + 0.001)), 0.15) << t;
}

// The pyramid of Barry and Goldman (1988), with α = 1/2.
std::array<double, 6> pyramid(const std::array<std::array<double, 6>, 4>& points, const std::array<double, 4>& knots,
                              double at) {
  std::vector<std::array<double, 6>> level(points.begin(), points.end());
  for (std::size_t width : {1U, 2U, 3U}) {
    std::vector<std::array<double, 6>> next;
    for (std::size_t k = 0; k + 1 < level.size(); ++k) {
      // The last step is between the two inner knots.
      const double from = width == 3 ? knots[1] : knots[k], to = width == 3 ? knots[2] : knots[k + width];
      const double t = (at - from) / (to - from);
      next.push_back({});
      for (std::size_t i = 0; i < 6; ++i) next.back()[i] = std::lerp(level[k][i], level[k + 1][i], t);
    }
    level = std::move(next);
  }
  return level.front();
}

TEST(CameraPath, WithoutAZoomIsTheCentripetalCatmullRomCurve) {
  const std::array<std::array<double, 6>, 4> points{
      {{0, 0, 0, 0, 0, 0}, {0, 1, 0.5, 0, 0.5, 0.1}, {0, 1.5, 3, -1, 1.5, 0.3}, {0, 0, 3.2, -1, 1, 0.2}}};
  constexpr double distance = 2;
  std::vector<OrbitPose> poses;
  for (const auto& p : points)
    poses.push_back({.azimuth = p[4],
                     .elevation = p[5],
                     .distance = distance,
                     .target = {distance * p[1], distance * p[2], distance * p[3]}});
  std::array<double, 4> knots{};
  for (std::size_t k = 1; k < 4; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i) sum += (points[k][i] - points[k - 1][i]) * (points[k][i] - points[k - 1][i]);
    knots[k] = knots[k - 1] + std::pow(sum, 0.25);
  }
  const SmoothWay<OrbitPose> way(poses);
  for (double t = 0; t <= 1; t += 1.0 / 16) {
    const double at = std::lerp(knots[1], knots[2], t);
    const std::array<double, 6> expected = pyramid(points, knots, at);
    const OrbitPose pose = way.at(at);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(pose.target[axis], distance * expected[1 + static_cast<std::size_t>(axis)], 1e-12) << t;
    EXPECT_NEAR(pose.azimuth, expected[4], 1e-12);
    EXPECT_NEAR(pose.elevation, expected[5], 1e-12);
    EXPECT_NEAR(pose.distance, distance, 1e-12);
  }
}

TEST(CameraPath, IsFiniteAtTheEndsOfItsRanges) {
  const OrbitPath path("0 1e6 0 1e-100 1e100 0 0; 1 -1e6 0 1e100 -1e100 0 0; 2 0 0 1e-100 1e100 0 -1e100", true);
  for (const OrbitPath& each : {path, OrbitPath(path.keyframes())})
    for (double t = 0; t <= 2; t += 0.01) {
      const OrbitPose pose = each.at(t);
      ASSERT_TRUE(std::isfinite(pose.azimuth + pose.elevation + pose.target.x + pose.target.z)) << t;
      ASSERT_GT(pose.distance, 0);
      ASSERT_TRUE(std::isfinite(pose.distance));
    }
}

// ---- depth

TEST(CameraPath, TheTargetOfAZoomStaysInThePictureAtAnyDepth) {
  for (const char* const bottom : {"1e-60", "1e-700"}) {
    const std::string center = "-1.401155189092050600523826787893861292 0.1";
    const ViewPath path("0 -0.65 0 3; 2 -1.4 0.1 0.5; 4 " + center + " 1e-30; 10 " + center + " " + bottom + "; 12 " +
                        center + " " + bottom);
    const mandelbrot::View target = path.keyframes().back().pose.view;
    double last = 0;
    for (double t = 0.01; t < 12; t += 0.01) {
      const mandelbrot::View view = path.at(t).view;
      const mandelbrot::Placement at = placement(view, target);
      ASSERT_LT(std::hypot(at.x, at.y), 0.5) << t;
      ASSERT_LE(view.span.log(), last + (t < 2 ? 2 : 1e-6));
      last = view.span.log();
    }
  }
}

TEST(CameraPath, BetweenFarPlacesTheViewGoesOutAndInAgain) {
  const ViewPath path("0 -1.75 0 1e-40; 4 0.3 0.5 1e-50");
  double widest = -1e9;
  for (double t = 0; t < 4; t += 0.001) {
    const ViewPose a = path.at(t), b = path.at(t + 0.001);
    const mandelbrot::Placement step = placement(a.view, b.view);
    ASSERT_LT(std::hypot(step.x, step.y), 0.5) << t;
    widest = std::max(widest, a.view.span.log());
  }
  EXPECT_GT(widest, std::log(1.0));
  EXPECT_LT(widest, std::log(20.0));
}

// ---- speed

template <class Path>
std::pair<double, double> slowest_and_fastest(const Path& path) {
  double slowest = 1e300, fastest = 0;
  constexpr int steps = 997;
  constexpr int parts = 16;  // per step: a single chord would cut corners
  for (int k = 0; k < steps; ++k) {
    double way = 0;
    for (int i = 0; i < parts; ++i) {
      const auto time = [&](int part) { return path.length() * (k + part / 16.0) / steps; };
      way += apparent(path.at(time(i)), path.at(time(i + 1)));
    }
    slowest = std::min(slowest, way), fastest = std::max(fastest, way);
  }
  return {slowest, fastest};
}

TEST(CameraPath, ConstantSpeedIsConstantForAnyKeyframes) {
  const std::string bends = "0 -1 0.6 7 0 0 0; 1 0.5 0.3 1 0.5 0.1 0; 6 2 1.1 5 0 1 -2; 7 2.5 1 5 3 1 0";
  const auto [slow, fast] = slowest_and_fastest(OrbitPath(bends));
  EXPECT_GT(fast, 3 * slow);
  const auto [least, most] = slowest_and_fastest(OrbitPath(bends, true));
  EXPECT_LT(most, 1.02 * least);
  const auto [least_view, most_view] = slowest_and_fastest(
      ViewPath("0 -0.65 0 3; 1 -1.4 0.1 0.5 20; 9 -1.4011 0.1 1e-8 90; 10 -1.4011 0.100000002 2e-9 300", true));
  EXPECT_LT(most_view, 1.02 * least_view);
}

TEST(CameraPath, TimingPassesThroughItsTimesWithoutGoingBack) {
  const Timing timing({{0, 0}, {1, 2}, {2, 2}, {5, 3}, {5.5, 9}});
  EXPECT_EQ(timing.at(1), 2);
  double last = -1;
  for (double t = 0; t <= 6; t += 0.01) {
    EXPECT_GE(timing.at(t), last);
    last = timing.at(t);
  }
  EXPECT_EQ(timing.at(1.5), 2);
  EXPECT_EQ(last, 9);
}

// ---- text

TEST(CameraPath, IsTheSameFromItsText) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> part(-1, 1);
  std::vector<OrbitPath::Keyframe> all;
  for (int k = 0; k < 100; ++k)
    all.push_back({k + part(random) / 3 + 1,
                   {100 * part(random),
                    1.5 * part(random),
                    std::exp(50 * part(random)),
                    {part(random), 1e9 * part(random), 1e-9 * part(random)}}});
  EXPECT_EQ(OrbitPath(OrbitPath(all).text()).keyframes(), all);
  EXPECT_EQ(ViewPath(views.text()).keyframes(), views.keyframes());
  EXPECT_EQ(OrbitPath("").text(), "");
  EXPECT_EQ(OrbitPath(" ; 1 0 0 1 0 0 0;\n").keyframes().size(), 1U);
}

TEST(CameraPath, RefusesABadTextWithItsPlace) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      (void)OrbitPath(text);
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::usage);
      return error.what();
    }
  };
  EXPECT_EQ(refusal("0 0 0 1 0 0 0; 2 0 0 0 0 0 0").substr(0, 40), "--camera-path: distance of keyframe 2: e");
  EXPECT_NE(refusal("0 0 2 1 0 0 0").find("from -1.55 to 1.55, got \"2\""), std::string::npos);
  EXPECT_NE(refusal("1 0 0 1 0 0 0; 1 0 0 1 0 0 0").find("time of keyframe 2"), std::string::npos);
  EXPECT_NE(refusal("0 0 0 1 0 0").find("got \"6 words\""), std::string::npos);
  for (const char* const bad :
       {"x", "nan 0 0 1 0 0 0", "-1 0 0 1 0 0 0", "40000 0 0 1 0 0 0", "0 0 0 1 0 0 0 0", "0 0 0 inf 0 0 0"})
    EXPECT_NE(refusal(bad), "") << bad;
  std::string many;
  for (int k = 0; k <= 100; ++k) many += std::to_string(k) + " 0 0 1 0 0 0;";
  EXPECT_NE(refusal(many).find("at most 100"), std::string::npos);
  EXPECT_THROW((void)ViewPath("0 0 0 -1"), Error);
  EXPECT_THROW((void)ViewPath("0 0 0 1 0 0"), Error);
}

// ---- parameters that follow the path

std::string with_values(const std::vector<std::pair<double, std::string>>& keyframes) {
  std::string text;
  for (const auto& [time, values] : keyframes)
    text += shortest(time) + " " + shortest(0.1 * time) + " 0 1 0 0 0 " + values + ";";
  return text;
}

TEST(PathValues, GoThroughThoseOfTheKeyframesAndStayBetweenThem) {
  const OrbitPath path(with_values({{0, "a=1 b=8"}, {1, "a=3"}, {3, "a=2 b=0.5"}, {4, "a=2"}, {6, "a=-5"}}));
  EXPECT_EQ(path.rows(), (std::vector<std::string>{"a", "b"}));
  const std::vector<std::pair<double, double>> known{{-1, 1}, {0, 1}, {1, 3}, {3, 2}, {4, 2}, {6, -5}, {9, -5}};
  for (const auto& [time, value] : known) EXPECT_EQ(path.value("a", time, false), value) << time;
  for (std::size_t k = 2; k + 1 < known.size(); ++k)
    for (int i = 0; i <= 50; ++i) {
      const double time = std::lerp(known[k - 1].first, known[k].first, i / 50.0);
      const auto [low, high] = std::minmax(known[k - 1].second, known[k].second);
      EXPECT_GE(path.value("a", time, false), low) << time;
      EXPECT_LE(path.value("a", time, false), high) << time;
    }
  EXPECT_NEAR(path.value("b", 1.5, true), 2, 1e-12) << "by equal factors: the geometric mean half way";
  EXPECT_NEAR(path.value("b", 1.5, false), 4.25, 1e-12) << "the mean half way";
  EXPECT_EQ(OrbitPath(path.text()).text(), path.text());
}

TEST(PathValues, AreOnceDifferentiable) {
  const OrbitPath path(with_values({{0, "a=1"}, {1, "a=3"}, {3, "a=4"}, {4, "a=0"}, {6, "a=-5"}}));
  const auto speed = [&](double from, double to) {
    return (path.value("a", to, false) - path.value("a", from, false)) / (to - from);
  };
  constexpr double h = 1e-5;
  for (const double time : {1.0, 3.0, 4.0}) EXPECT_NEAR(speed(time - h, time), speed(time, time + h), 1e-3) << time;
}

TEST(PathValues, AreReachedWithTheirPosesAtConstantSpeed) {
  const std::string text = "0 0 0 1 0 0 0 a=1; 4 1 0 1 0 0 0 a=2; 5 5 0 1 0 0 0 a=7";
  const OrbitPath path(text, true);
  double there = 0;  // time at a fifth of the turn
  while (path.at(there).azimuth < 1) there += 1e-4;
  EXPECT_NEAR(there, 1, 0.3);
  EXPECT_NEAR(path.value("a", there, false), 2, 1e-2);
  EXPECT_EQ(path.value("a", 5, false), 7);
}

TEST(PathValues, BadOnesAreRefusedWithTheirPlace) {
  const auto refusal = [](const std::string& values) -> std::string {
    double softening = 0.1;
    std::int64_t bodies = 4;
    const std::vector<Parameter> rows{{{.name = "softening", .minimum = 0, .maximum = 1}, &softening},
                                      {{.name = "bodies", .minimum = 1, .maximum = 9}, &bodies},
                                      {{.name = "error", .maximum = 1, .prepares = true}, &softening}};
    try {
      keyframes::check<OrbitPose>({"0 0 0 1 0 0 0; 2 0 0 1 0 0 0 " + values}, rows);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("softening=0.5"), "");
  EXPECT_EQ(refusal("a-law/its-number=0.5"), "") << "may come with its law";
  EXPECT_NE(refusal("softening=5").find("softening of keyframe 2"), std::string::npos) << refusal("softening=5");
  EXPECT_NE(refusal("softening=5").find("from 0 to 1"), std::string::npos) << refusal("softening=5");
  for (const char* const bad : {"softening=", "softening=x", "=1", "softening=0.1 softening=0.2", "softening=nan",
                                "bodies=3", "error=0.5", "hardening=1", "softening=0.1 7"})
    EXPECT_NE(refusal(bad).find("keyframe 2"), std::string::npos) << bad << ": " << refusal(bad);
}

// ---- editing by the user

class PathHand : public testing::Test {
 protected:
  template <class Command>
  void send(Command command, double azimuth = 0) {
    (void)player.apply(command::SceneCommand{command}, {.azimuth = azimuth}, told({}));
  }
  std::vector<double> times() const { return player.view().times; }
  static keyframes::Table told(std::vector<ParameterView> rows) {
    return [rows = std::move(rows)] { return rows; };
  }

  PathPlayer<OrbitPose> player;
};

TEST_F(PathHand, KeyframesAreAddedMovedAndRemoved) {
  for (const double azimuth : {0.0, 1.0, 2.0}) send(command::AddKeyframe{}, azimuth);
  EXPECT_EQ(times(), (std::vector<double>{0, 3, 6}));
  send(command::MoveKeyframe{1, 20});
  EXPECT_NEAR(times()[1], 5.99, 1e-9);
  send(command::MoveKeyframe{1, 1.504});
  EXPECT_NEAR(times()[1], 1.5, 1e-9);
  send(command::GoToTime{4});
  EXPECT_EQ(player.advance(1)->azimuth, player.path().at(4).azimuth);
  EXPECT_FALSE(player.advance(1));
  send(command::AddKeyframe{}, -1);
  EXPECT_EQ(times(), (std::vector<double>{0, 1.5, 4, 6}));
  send(command::GoToTime{4});
  send(command::AddKeyframe{}, -2);
  EXPECT_EQ(times().size(), 4U);
  EXPECT_EQ(player.path().at(4).azimuth, -2);
  send(command::RemoveKeyframe{0});
  EXPECT_EQ(times(), (std::vector<double>{1.5, 4, 6}));
}

TEST_F(PathHand, ARowFollowsThePathUntilItIsReleased) {
  EXPECT_NE(player.apply(command::SceneCommand{command::FollowPath{"a", 1, true}}, {}, told({})), "")
      << "there is no path";
  send(command::AddKeyframe{});
  send(command::FollowPath{"a", 1, true});
  (void)player.apply(command::SceneCommand{command::AddKeyframe{}}, {.azimuth = 1},
                     told({{{.name = "a", .minimum = 0, .maximum = 9}, 5.0}}));
  const std::vector<ParameterView> rows{{{.name = "a", .minimum = 0, .maximum = 9}, 0.0}};
  send(command::GoToTime{1.5});
  (void)player.advance(0);
  EXPECT_EQ(player.values(told(rows)), (std::vector<keyframes::RowValue>{{"a", 3}}));
  const std::vector<ParameterView> narrow{{{.name = "a", .minimum = 0, .maximum = 2}, 0.0}};
  EXPECT_TRUE(player.values(told(narrow)).empty()) << "it would not take it";
  EXPECT_EQ(player.view().rows, std::vector<std::string>{"a"});
  EXPECT_EQ(player.view().values, (std::vector<std::string>{"a 1", "a 5"}));
  send(command::FollowPath{"a", 1, false});
  EXPECT_TRUE(player.path().rows().empty());
}

TEST_F(PathHand, AKeyframeTakesTheShorterWayRound) {
  send(command::AddKeyframe{}, 3);
  send(command::AddKeyframe{}, -3);
  EXPECT_NEAR(player.path().keyframes()[1].pose.azimuth, 2 * std::numbers::pi - 3, 1e-12);
}

TEST_F(PathHand, APlayEndsAtTheLastKeyframeOrUnderTheHand) {
  EXPECT_FALSE(player.advance(1));
  for (const double azimuth : {0.0, 1.0}) send(command::AddKeyframe{}, azimuth);
  send(command::TogglePath{});
  int frames = 0;
  std::optional<OrbitPose> last;
  for (; player.playing(); ++frames) last = player.advance(1.0 / 60);
  EXPECT_EQ(frames, 180);
  EXPECT_EQ(last->azimuth, 1);
  send(command::TogglePath{});
  EXPECT_EQ(player.advance(0)->azimuth, 0);
  (void)player.advance(1);
  player.stop();
  EXPECT_FALSE(player.advance(1));
  send(command::AddKeyframe{}, 0.4);
  EXPECT_EQ(times(), (std::vector<double>{0, 1, 3}));
}

}  // namespace
}  // namespace orrery
