/// Known copies of the set: R. Munafo's Mu-Ency, and A. Douady and J. H. Hubbard's list of real nuclei.
#include "scenes/mandelbrot/deep/nucleus.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace orrery::mandelbrot {
namespace {

constexpr Size window{640, 360};

View seen(const char* re, const char* im, const char* span) {
  return {Decimal::parse(re, "re"), Decimal::parse(im, "im"), Decimal::parse(span, "span")};
}

FoundCopy copy_in(const View& view) {
  const auto found = find_copy(view, window, 100000, {});
  EXPECT_TRUE(found);
  return found.value_or(FoundCopy{});
}

TEST(CopySearch, FindsTheWholeSetAndItsIslands) {
  const FoundCopy whole = copy_in({});
  EXPECT_EQ(whole.period, 1u);
  EXPECT_NEAR(whole.re.value(), 0, 1e-15);
  EXPECT_NEAR(whole.log10_size, 0, 1e-9);
  EXPECT_NEAR(whole.copy.re.value(), -0.65, 1e-9);

  const FoundCopy island = copy_in(seen("-1.76", "0.003", "0.05"));
  EXPECT_EQ(island.period, 3u);
  EXPECT_NEAR(island.re.value(), -1.7548776662466927601, 1e-15);
  EXPECT_NEAR(std::pow(10, island.log10_size), 0.019, 0.001) << "Mu-Ency, R2F(1/2B1)S";

  const FoundCopy above = copy_in(seen("-0.15", "1.03", "0.1"));
  EXPECT_EQ(above.period, 4u);
  EXPECT_NEAR(above.re.value(), -0.1565201668337550, 1e-13);
  EXPECT_NEAR(above.im.value(), 1.0322471089228319, 1e-13);
}

TEST(CopySearch, LooksIntoATurnedPictureAndKeepsItsTurn) {
  View view = seen("-1.76", "0.003", "0.05");
  view.turn = {.rotation = 70, .stretch = 2, .stretch_angle = 70};
  const FoundCopy island = copy_in(view);
  EXPECT_EQ(island.period, 3u);
  EXPECT_EQ(island.copy.turn, view.turn);
  EXPECT_EQ(island.embedded_julia.turn, view.turn);
  // A narrow strip beside the island.
  View beside = seen("-1.7549", "0.01", "0.05");
  beside.turn = {.rotation = 0, .stretch = 8, .stretch_angle = 0};
  const auto other = find_copy(beside, window, 1000, {});
  EXPECT_TRUE(!other || other->period != 3u);
}

// Each search begins in the copy found before, and finds a nucleus that is exact to less than a pixel of its copy.
TEST(CopySearch, ItsNucleiAreExactForTheirCopies) {
  View view = seen("-0.7436", "0.1318", "0.01");
  for (int depth = 0; depth < 3; ++depth) {
    const FoundCopy found = copy_in(view);
    ASSERT_GT(found.period, 1u);
    const Placement at = placement(view, {found.re, found.im, found.copy.span});
    EXPECT_LE(std::abs(at.x), 0.5);
    EXPECT_LE(std::abs(at.y), 0.5 * window.height / window.width);
    EXPECT_LT(at.factor, 1);
    const FoundCopy again = copy_in({found.re, found.im, found.copy.span * 0.1});
    EXPECT_EQ(again.period, found.period);
    const Placement same = placement(found.copy, {again.re, again.im, found.copy.span});
    EXPECT_NEAR(std::hypot(same.x, same.y), 0.65 / 4, 1e-3)
        << "left of the middle by what the set lies beside its nucleus";
    view = {found.embedded_julia.re + found.embedded_julia.span * 0.31, found.embedded_julia.im,
            found.embedded_julia.span};
  }
}

TEST(CopySearch, FindsNothingOutside) { EXPECT_FALSE(find_copy(seen("1", "1", "0.1"), window, 100000, {})); }

TEST(CopySearch, CanBeCancelled) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(find_copy(seen("-1.76", "0.003", "0.05"), window, 100000, {stop.get_token()}));
}

}  // namespace
}  // namespace orrery::mandelbrot
