/// Editing bodies by hand: the edits, the predicted paths, and undo.
#include "scenes/nbody/window/hands.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <thread>

#include "base/error.hpp"
#include "scenes/nbody/bodies/cohort.hpp"
#include "scenes/nbody/bodies/dense_part.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/window/preparation.hpp"
#include "shell/edits.hpp"

namespace orrery {
namespace {

constexpr double pi = std::numbers::pi;

std::array<double, 3> momentum_of(const Bodies& bodies) {
  std::array<double, 3> sum{};
  for (const Body& b : bodies) sum[0] += b.mass * b.vx, sum[1] += b.mass * b.vy, sum[2] += b.mass * b.vz;
  return sum;
}

const Bodies three{{1, 0, 0, 0, 0, 0.5, 0}, {2, 3, 0, 0, 0, -0.25, 0}, {4, 0, 5, 1, 0.125, 0, 0}};

// ---- edits

TEST(BodyEdits, CohortsTellWhereBodiesComeFromAndHowOldTheyAre) {
  constexpr std::size_t count = 1000;
  Cohorts cohorts = cohorts_of("galaxies", count);
  ASSERT_EQ(cohorts.size(), 2U);
  const std::size_t second = cohorts[1].first;
  follow(BodyRemoved{3}, count, 1, cohorts);
  follow(BodyAdded{}, count - 1, 2, cohorts);
  follow(BodyDuplicated{0, {}}, count, 2.5, cohorts);
  follow(SetAdded{.object = "ring", .bodies = 100, .centre = {}}, count + 1, 3, cohorts);
  follow(BodyChanged{.index = 7, .mass_factor = 2}, count + 101, 4, cohorts);
  EXPECT_EQ(cohorts, (Cohorts{{0, {}}, {second - 1, {}}, {count - 1, 2}, {count, 2.5}, {count + 1, 3}}));
  EXPECT_EQ(parse_cohorts(text_of(cohorts), "cohorts"), cohorts);
  const std::vector<BodyPart> parts = parts_of(cohorts, "galaxies", count + 101);
  const auto first = [&](std::string_view name) {
    const auto found = std::ranges::find(parts, name, &BodyPart::name);
    return found == parts.end() ? count * 10 : found->first;
  };
  EXPECT_EQ(parts.size(), 4U);
  EXPECT_EQ(first("first galaxy"), 0U);
  EXPECT_EQ(first("second galaxy"), second - 1);
  EXPECT_EQ(first("added bodies"), count - 1);
  EXPECT_EQ(first("added at t = 3"), count + 1);
}

TEST(BodyEdits, APlanetThatIsRemovedLeavesTheOthersTheirNames) {
  const auto bodies = static_cast<std::size_t>(find_initial("outer-solar-system")->fixed_bodies);
  Cohorts cohorts = cohorts_of("outer-solar-system", bodies);
  follow(BodyRemoved{2}, bodies, 1, cohorts);
  const std::vector<BodyPart> parts = parts_of(cohorts, "outer-solar-system", bodies - 1);
  ASSERT_EQ(parts.size(), bodies - 1);
  EXPECT_EQ(parts[1].name, "Jupiter");
  EXPECT_EQ(parts[2].name, "Uranus");
  EXPECT_EQ(parts[2].first, 2U);
}

TEST(BodyEdits, BadCohortsAreRefused) {
  for (const char* text : {"", "1", "0 5 4", "0 x", "0 5@", "0 5@x", "0 5@inf", "0 -1", "0 99999999999", "0 1.5"})
    EXPECT_THROW((void)parse_cohorts(text, "cohorts"), Error) << text;
}

// In mixed precision the device has more digits per coordinate than a double.
TEST(BodyEdits, InMixedPrecisionAChangedBodyIsChangedAndTheOthersKeepTheirBits) {
  const auto body_of = [](const NbodyState& state, std::size_t k) {
    std::string bits;
    for (const auto& row : state.mixed_rows)
      bits.append(reinterpret_cast<const char*>(row.data()) + k * sizeof(cl_float4), sizeof(cl_float4));
    return bits;
  };
  NbodyState state{three, {}, {}, rows_of(three, Precision::mixed)};
  for (auto& row : state.mixed_rows) row.back() = std::byte{1};  // digits of the last body that no double has
  const NbodyState before = state;
  change_by_hand(state, BodyChanged{.index = 1, .place = {{7, 8, 9}}, .mass_factor = 1}, "plummer");
  EXPECT_EQ(body_of(state, 0), body_of(before, 0));
  EXPECT_EQ(body_of(state, 2), body_of(before, 2));
  const NbodyState fresh{state.bodies, {}, {}, rows_of(state.bodies, Precision::mixed)};
  EXPECT_EQ(body_of(state, 1), body_of(fresh, 1));
  change_by_hand(state, BodyRemoved{0}, "plummer");
  ASSERT_EQ(state.mixed_rows[0].size(), 2 * sizeof(cl_float4));
  EXPECT_EQ(body_of(state, 0), body_of(fresh, 1));
  EXPECT_EQ(body_of(state, 1), body_of(before, 2));
  change_by_hand(state, BodyAdded{{5, 1, 2, 3, 4, 5, 6}}, "plummer");
  EXPECT_EQ(body_of(state, 1), body_of(before, 2));
  ASSERT_EQ(state.mixed_rows[0].size(), 3 * sizeof(cl_float4));
}

TEST(BodyEdits, AnAddedBodyBringsItsMomentumAndLeavesTheOthers) {
  Bodies bodies = three;
  const Body added{3, 1, 1, 1, 0.5, -1, 2};
  edit_bodies(BodyAdded{added}, bodies);
  ASSERT_EQ(bodies.size(), 4U);
  EXPECT_TRUE(std::equal(three.begin(), three.end(), bodies.begin()));
  const auto before = momentum_of(three), after = momentum_of(bodies);
  EXPECT_DOUBLE_EQ(after[0], before[0] + 3 * 0.5);
  EXPECT_DOUBLE_EQ(after[1], before[1] - 3);
  EXPECT_DOUBLE_EQ(after[2], before[2] + 3 * 2);
}

struct Whole {
  double mass = 0, kinetic = 0, potential = 0;
  glm::dvec3 place{0, 0, 0}, velocity{0, 0, 0}, spin{0, 0, 0};
};
// Sums relative to the centre of mass.
Whole whole_of(const Bodies& bodies) {
  Whole whole;
  const auto at = [](const Body& b) { return glm::dvec3{b.x, b.y, b.z}; };
  const auto speed = [](const Body& b) { return glm::dvec3{b.vx, b.vy, b.vz}; };
  for (const Body& b : bodies) whole.mass += b.mass, whole.place += b.mass * at(b), whole.velocity += b.mass * speed(b);
  whole.place /= whole.mass, whole.velocity /= whole.mass;
  for (const Body& b : bodies) {
    const glm::dvec3 v = speed(b) - whole.velocity;
    whole.kinetic += b.mass * glm::dot(v, v) / 2;
    whole.spin += b.mass * glm::cross(at(b) - whole.place, v);
    for (const Body& other : bodies)
      if (&other != &b) whole.potential -= b.mass * other.mass / glm::distance(at(b), at(other)) / 2;
  }
  return whole;
}

TEST(BodyEdits, AnAddedSetIsInEquilibriumWithTheGivenPlaceAndMass) {
  const glm::dvec3 pole = glm::normalize(glm::dvec3{1, -2, 0.5});
  for (const auto object : {"galaxy", "cluster", "ring"}) {
    Bodies bodies = three;
    const Body centre{5, 10, -20, 3, 0.25, 0.5, -1};
    edit_bodies(SetAdded{object, 800, centre, 0.5, {pole.x, pole.y, pole.z}}, bodies);
    ASSERT_EQ(bodies.size(), 803U);
    EXPECT_TRUE(std::equal(three.begin(), three.end(), bodies.begin()));
    const Bodies set(bodies.begin() + 3, bodies.end());
    const Whole whole = whole_of(set);
    EXPECT_NEAR(whole.mass, 5, 1e-12);
    EXPECT_LT(glm::distance(whole.place, {10, -20, 3}), 1e-12);
    EXPECT_LT(glm::distance(whole.velocity, {0.25, 0.5, -1}), 1e-12);
    std::vector<double> distances;
    for (const Body& b : set) distances.push_back(glm::distance(glm::dvec3{b.x, b.y, b.z}, whole.place));
    std::ranges::sort(distances);
    EXPECT_NEAR(distances[720], 0.5, 0.02) << object;
    EXPECT_NEAR(2 * whole.kinetic / -whole.potential, 1, 0.2) << object;
    if (std::string(object) != "cluster") {
      EXPECT_GT(glm::dot(glm::normalize(whole.spin), pole), 0.99) << object;
    }
    Bodies again = bodies;
    edit_bodies(SetAdded{object, 800, centre, 0.5}, again);
    EXPECT_NE(again[3].x, again[803].x) << "two sets are not alike";
    EXPECT_EQ(text_of(SetAdded{object, 2, centre}), "Add a " + std::string(object));
  }
}

TEST(BodyEdits, ARemovedBodyIsGoneAndTheOthersKeepTheirOrder) {
  Bodies bodies = three;
  edit_bodies(BodyRemoved{1}, bodies);
  EXPECT_EQ(bodies, (Bodies{three[0], three[2]}));
  EXPECT_EQ(index_after(BodyRemoved{1}, 0), 0U);
  EXPECT_EQ(index_after(BodyRemoved{1}, 1), std::nullopt);
  EXPECT_EQ(index_after(BodyRemoved{1}, 2), 1U);
  EXPECT_EQ(index_after(BodyAdded{}, 2), 2U);
}

TEST(BodyEdits, ACopyStandsBesideItsOriginalWithItsVelocity) {
  Bodies bodies = three;
  edit_bodies(BodyDuplicated{2, {1, 0, -1}}, bodies);
  Body expected = three[2];
  expected.x += 1, expected.z -= 1;
  EXPECT_EQ(bodies.back(), expected);
}

TEST(BodyEdits, AMovedBodyKeepsItsVelocityAndAHeavierOneItsPlace) {
  Bodies bodies = three;
  edit_bodies(BodyChanged{.index = 1, .place = {{7, 8, 9}}}, bodies);
  EXPECT_EQ(bodies[1], (Body{2, 7, 8, 9, 0, -0.25, 0}));
  edit_bodies(BodyChanged{.index = 0, .mass_factor = 1.5}, bodies);
  Body heavier = three[0];
  heavier.mass = 1.5;
  EXPECT_EQ(bodies[0], heavier);
}

TEST(BodyEdits, TheLastBodyStaysAndAMissingOneIsRefused) {
  Bodies one{three[0]};
  EXPECT_THROW(edit_bodies(BodyRemoved{0}, one), Error);
  EXPECT_THROW(edit_bodies(BodyRemoved{1}, one), Error);
  EXPECT_THROW(edit_bodies(BodyChanged{.index = 9}, one), Error);
  EXPECT_EQ(one, Bodies{three[0]});
}

// ---- paths

FlightPlan plan_of(const Bodies& bodies, const Body& thrown, double dt, const char* integrator = "pefrl") {
  return {.bodies = std::make_shared<const Bodies>(bodies),
          .thrown = thrown,
          .replaced = {},
          .dt = dt,
          .integrator = &integrator_of(integrator)};
}

const std::atomic<bool> goes_on = false;

// r = p / (1 + e cos ν), and Kepler's third law.
TEST(Flights, AThrownBodyFliesKeplersEllipseAroundOneThatIsFarHeavier) {
  const Bodies sun{{1, 0, 0, 0, 0, 0, 0}};
  const double speed = std::sqrt(1.4), dt = 2e-3;  // at the pericentre, r = 1
  const auto path = fly(plan_of(sun, {1e-12, 1, 0, 0, 0, speed, 0}, dt), goes_on);
  ASSERT_GT(path.size(), 3000U);
  const double energy = speed * speed / 2 - 1, axis = -1 / (2 * energy), eccentricity = 1 - 1 / axis;
  const double parameter = axis * (1 - eccentricity * eccentricity);
  for (const auto& [x, y, z] : path) {
    const double r = std::hypot(x, y);
    EXPECT_NEAR(r, parameter / (1 + eccentricity * x / r), 1e-8);
    EXPECT_EQ(z, 0);
  }
  // Half a period later it is at the apocentre.
  const double half = pi * std::pow(axis, 1.5) / dt;
  const auto& far = path[static_cast<std::size_t>(std::lround(half))];
  EXPECT_NEAR(far[0], -axis * (1 + eccentricity), 1e-5);
  EXPECT_NEAR(far[1], 0, 2e-3);
}

// A circle about the centre of mass: the thrown body's mass moves the other one.
TEST(Flights, AThrownBodyPullsTheOthers) {
  // Two equal masses at distance 1: v² / ½ = 1 / 1².
  const double v = std::sqrt(0.5);
  const auto path = fly(plan_of({{1, 0, 0, 0, 0, -v, 0}}, {1, 1, 0, 0, 0, v, 0}, 1e-3), goes_on);
  for (const auto& [x, y, z] : path) EXPECT_NEAR(std::hypot(x - 0.5, y), 0.5, 1e-9);
}

TEST(Flights, AGrabbedBodyTakesItsOwnPlaceAmongTheOthersAfterTheStepsThatPassed) {
  for (const char* const name : {"leapfrog", "yoshida6", "tutorial"}) {
    FlightPlan plan = plan_of(three, {}, 0.01, name);
    plan.softening = 0.1;
    plan.ahead = 7;
    Bodies then = three;
    advance(then, {*plan.integrator, plan.dt, plan.softening, plan.gravity, plan.ahead}, goes_on);
    plan.replaced = 1;
    plan.thrown = then[1];  // released at its old place
    const auto path = fly(plan, goes_on);
    Bodies all = three;
    advance(all, {*plan.integrator, plan.dt, plan.softening, plan.gravity, plan.ahead + 200}, goes_on);
    EXPECT_NEAR(path[200][0], all[1].x, 1e-12) << name;
    EXPECT_NEAR(path[200][1], all[1].y, 1e-12) << name;
  }
}

// Without forces a body flies straight from 10 to the sum of the radii; one body has eight times the mass.
TEST(Flights, EndWhereBodiesTouch) {
  constexpr double dt = 0.03, speed = 2, radius = 0.25;
  FlightPlan plan = plan_of({{8, 0, 0, 0, 0, 0, 0}, {-0.0, 5, 0, 0, 0, 0, 0}}, {1, 10, 0, 0, -speed, 0, 0}, dt);
  plan.gravity = 0;
  EXPECT_LT(fly(plan, goes_on).back()[0], 0) << "bodies pass";
  plan.radius = radius;
  const auto path = fly(plan, goes_on);
  constexpr double sum = radius * (2 + 1), step = speed * dt;
  EXPECT_LT(path.back()[0], sum) << "nor does a body touch one that is gone";
  EXPECT_GE(path.back()[0], sum - step);
}

// From far away, a sphere pulls like a point mass; a sample of its bodies represents all of its mass.
TEST(Flights, ASampleOfManyBodiesPullsLikeAllOfThem) {
  const InitialInfo& plummer = *find_initial("plummer");
  const Bodies bodies = draw_bodies(plummer, 8192, 3, Draws::in_sequence);
  double mass = 0;
  for (const Body& b : bodies) mass += b.mass;
  FlightPlan plan = plan_of(bodies, {1e-9, 20, 0, 0, 0, 0, 0}, 0.02, "leapfrog");
  plan.softening = 0.05;
  ASSERT_GT(bodies.size(), FlightPlan::most_exact);
  const auto path = fly(plan, goes_on);
  ASSERT_EQ(path.size(), 201U);
  // x ≈ x₀ − ½ (M / x₀²) t² for so short a fall
  const double time = 200 * 0.02, fallen = 0.5 * mass / 400 * time * time;
  EXPECT_NEAR(20 - path.back()[0], fallen, 0.03 * fallen);
}

TEST(Flights, EndEarlyWhenCancelled) {
  const std::atomic<bool> stopped = true;
  EXPECT_EQ(fly(plan_of(three, {1, 9, 9, 9}, 0.01), stopped).size(), 1U);
}

TEST(Flights, TheForecastIsOfTheLastPlanAndEndsWithTheGesture) {
  FlightForecast forecast;
  FlightPlan plan = plan_of(three, {1, 9, 9, 9}, 0.01);
  const auto until_it_begins_at = [&](double x) {
    for (int frame = 0; frame < 2000; ++frame) {
      forecast.follow(plan);
      if (!forecast.path().empty() && forecast.path().front()[0] == x) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  };
  EXPECT_TRUE(until_it_begins_at(9));
  plan.thrown.x = 8;
  EXPECT_TRUE(until_it_begins_at(8));
  forecast.follow(std::nullopt);
  EXPECT_TRUE(forecast.path().empty());
}

// ---- the hand in the picture

HandSight sight_at(double elevation) {
  HandSight sight{.camera = {}, .size = {800, 600}};
  sight.camera.target = {1, -2, 0.5};
  sight.camera.elevation = elevation;
  return sight;
}

TEST(HandSights, APointedPlaceIsSeenAtItsPixel) {
  for (const double elevation : {-1.5, -0.4, 0.0, 0.6, 1.5}) {
    const HandSight sight = sight_at(elevation);
    const HandSight::Plane plane = sight.plane();
    for (const glm::vec2 pixel : {glm::vec2(400, 300), glm::vec2(120, 80), glm::vec2(700, 510)}) {
      const auto seen = sight.pixel(sight.place(plane, pixel));
      ASSERT_TRUE(seen);
      EXPECT_NEAR(seen->x, pixel.x, 0.02);
      EXPECT_NEAR(seen->y, pixel.y, 0.02);
    }
  }
}

TEST(HandSights, AHandMovesInThePlaneOfTheTargetAndFromAboveInThatOfTheOrigin) {
  const HandSight aside = sight_at(0.6), above = sight_at(1.5);
  const glm::dvec3 towards = glm::normalize(aside.camera.target - aside.camera.position());
  const glm::dvec3 place = aside.place(aside.plane(), {90, 500});
  EXPECT_NEAR(glm::dot(place - aside.camera.target, towards), 0, 1e-12);
  EXPECT_NEAR(above.place(above.plane(), {90, 500}).z, 0, 1e-12);
  EXPECT_NEAR(above.place(above.plane(glm::dvec3(0, 0, 3)), {90, 500}).z, 3, 1e-12) << "of a body that is held there";
}

class InHand : public testing::Test {
 protected:
  InHand() { hands.toggle(); }
  static PointerEvent event(PointerEvent::Kind kind, glm::vec2 at, bool down) {
    PointerEvent event{.kind = kind, .position = at};
    event.left_down = down;
    return event;
  }
  void press(glm::vec2 at) { EXPECT_TRUE(hands.take(event(PointerEvent::Kind::press, at, true), 4)); }
  void move(glm::vec2 at) { EXPECT_TRUE(hands.take(event(PointerEvent::Kind::move, at, true), 4)); }
  void release(glm::vec2 at) { EXPECT_TRUE(hands.take(event(PointerEvent::Kind::release, at, false), 4)); }
  void answer(const std::optional<PickedBody>& body) {
    EXPECT_TRUE(hands.take_pick());
    hands.answer(body, sight);
  }
  std::optional<BodyEdit> take() { return hands.take_edit(sight, {.mass = 2, .speed = 3}); }

  HandSight sight = sight_at(0.6);
  Hands hands;
};

TEST_F(InHand, AClickOnSpaceAddsABodyAtRest) {
  press({100, 200});
  release({101, 200});
  EXPECT_FALSE(take()) << "it is not known yet what was pressed";
  answer(std::nullopt);
  const auto edit = take();
  ASSERT_TRUE(edit);
  const Body body = std::get<BodyAdded>(*edit).body;
  EXPECT_EQ(body.mass, 2);
  EXPECT_EQ(std::hypot(body.vx, body.vy, body.vz), 0);
  EXPECT_NEAR(sight.pixel({body.x, body.y, body.z})->x, 100, 0.02);
  EXPECT_FALSE(take());
}

TEST_F(InHand, ADragThrowsWithASpeedInProportionToItsLength) {
  press({100, 200});
  answer(std::nullopt);
  move({130, 200});
  move({220, 200});
  release({220, 200});
  const Body body = std::get<BodyAdded>(*take()).body;
  EXPECT_NEAR(std::hypot(body.vx, body.vy, body.vz), 3, 1e-4) << "a fifth of 600 pixels";
  const glm::dvec3 next = glm::dvec3(body.x, body.y, body.z) + 1e-3 * glm::dvec3(body.vx, body.vy, body.vz);
  EXPECT_GT(sight.pixel(next)->x, 100.02) << "towards where it was dragged";
  EXPECT_NEAR(sight.pixel(next)->y, 200, 0.02);
}

TEST_F(InHand, ADragOnABodyMovesItAndTheWheelChangesItsMass) {
  press({400, 300});
  answer(PickedBody{7, glm::vec3(sight.camera.target)});
  EXPECT_EQ(hands.subject(), 7U);
  move({420, 300});
  EXPECT_TRUE(hands.take(ScrollEvent{.position = {}, .steps = 2}));
  release({500, 300});
  const auto change = std::get<BodyChanged>(*take());
  EXPECT_EQ(change.index, 7U);
  EXPECT_NEAR(change.mass_factor, 1.21, 1e-12);
  const auto seen = sight.pixel({(*change.place)[0], (*change.place)[1], (*change.place)[2]});
  EXPECT_NEAR(seen->x, 500, 0.02);
  EXPECT_FALSE(hands.take(ScrollEvent{.position = {}, .steps = 1})) << "nothing is held: the camera zooms";
}

TEST_F(InHand, AClickOnABodySelectsItUntilTheNextClick) {
  const auto click_body = [&](std::uint32_t index) {
    press({400, 300}), release({400, 300});
    answer(PickedBody{index, {}});
    EXPECT_FALSE(take());
  };
  click_body(7);
  EXPECT_EQ(hands.subject(), 7U);
  hands.follow(BodyRemoved{3});
  EXPECT_EQ(hands.subject(), 6U);
  click_body(6);
  EXPECT_EQ(hands.subject(), std::nullopt);
  click_body(2);
  hands.follow(BodyRemoved{2});
  EXPECT_EQ(hands.subject(), std::nullopt);
}

TEST_F(InHand, EscapeEndsOneThingAtATime) {
  press({400, 300}), release({400, 300});
  answer(PickedBody{7, {}});
  (void)take();
  press({100, 100});
  hands.escape();
  EXPECT_EQ(hands.gesture(), nullptr);
  EXPECT_TRUE(hands.chosen());
  hands.escape();
  EXPECT_FALSE(hands.chosen());
  EXPECT_TRUE(hands.on());
  hands.escape();
  EXPECT_FALSE(hands.on());
}

TEST_F(InHand, OtherButtonsAndShiftMoveTheCamera) {
  PointerEvent right = event(PointerEvent::Kind::press, {100, 100}, false);
  right.button = PointerButton::right;
  EXPECT_FALSE(hands.take(right, 4));
  PointerEvent shift = event(PointerEvent::Kind::press, {100, 100}, true);
  shift.shift = true;
  EXPECT_FALSE(hands.take(shift, 4));
  EXPECT_FALSE(hands.take(event(PointerEvent::Kind::move, {100, 100}, false), 4));
  hands.toggle();
  EXPECT_FALSE(hands.take(event(PointerEvent::Kind::press, {100, 100}, true), 4));
}

TEST_F(InHand, TwoQuickClicksAddTwoBodies) {
  press({100, 100}), release({100, 100});
  press({300, 300}), release({300, 300});
  answer(std::nullopt);
  EXPECT_TRUE(take());
  EXPECT_FALSE(take());
  answer(std::nullopt);
  const Body second = std::get<BodyAdded>(*take()).body;
  EXPECT_NEAR(sight.pixel({second.x, second.y, second.z})->x, 300, 0.02);
}

// ---- dense parts

Bodies moved(Bodies bodies, double x, double vx) {
  for (Body& b : bodies) b.x += x, b.vx += vx;
  return bodies;
}

TEST(DenseParts, AreFoundBesideTheCentreOfMassAndMoveAsTheirBodiesDo) {
  const InitialInfo& sphere = *find_initial("plummer");
  Bodies bodies = moved(draw_bodies(sphere, 4000, 1, Draws::in_sequence), 30, 0.5);
  for (const Body& b : moved(draw_bodies(sphere, 2000, 2, Draws::in_sequence), -30, -0.5)) bodies.push_back(b);
  const auto part = densest_part(bodies);
  ASSERT_TRUE(part);
  // The two parts have the same mass, and their common centre is empty.
  EXPECT_NEAR(std::abs(part->place[0]), 30, 0.2);
  EXPECT_NEAR(part->place[1], 0, 0.2);
  EXPECT_NEAR(part->velocity[0], std::copysign(0.5, part->place[0]), 0.3) << "of some dozens of bodies";
  for (const double x : {28.0, -28.0})
    EXPECT_NEAR(densest_part(bodies, std::array{x, 0.0, 0.0})->place[0], std::copysign(30, x), 0.2)
        << "the one that was found before";
}

TEST(DenseParts, OfASingleBodyAreThatBodyAndOfNoBodiesNone) {
  EXPECT_EQ(densest_part({{2, 1, 2, 3, 4, 5, 6}})->place, (std::array{1.0, 2.0, 3.0}));
  EXPECT_FALSE(densest_part({}));
  EXPECT_FALSE(densest_part({{1, std::nan(""), 0, 0}}));
}

// ---- undo

TEST(StateEdits, AreStepsOfTheHistoryAmongTheOthers) {
  shell::EditHistory history;
  const auto edit = std::make_shared<StateEdit>(StateEdit{.text = "Add a body", .before = {}, .after = {}});
  history.note({{"dt", 1.0}}, {{"dt", 2.0}}, false);
  history.add({.changes = {}, .edit = edit});
  const shell::EditStep* const step = history.next(shell::EditDirection::undo);
  ASSERT_TRUE(step != nullptr && step->edit == edit);
  EXPECT_FALSE(step->edit->known());
  EXPECT_EQ(shell::step_text(*step, shell::EditDirection::undo, {}), "Add a body");
  history.take(shell::EditDirection::undo);
  EXPECT_EQ(history.next(shell::EditDirection::undo)->changes.size(), 1U);
  EXPECT_EQ(history.next(shell::EditDirection::redo)->edit, edit);
}

TEST(StateEdits, KeepOnlyTheLatestThatFitTheMemoryLimit) {
  shell::EditHistory history;
  for (int k = 0; k < 5; ++k) {
    StateEdit edit{.text = std::to_string(k), .before = {}, .after = {}};
    edit.bytes = shell::EditHistory::most_bytes / 2;
    history.add({.changes = {}, .edit = std::make_shared<const StateEdit>(edit)});
  }
  int left = 0;
  for (; history.next(shell::EditDirection::undo); ++left) history.take(shell::EditDirection::undo);
  EXPECT_EQ(left, 2);
}

}  // namespace
}  // namespace orrery
