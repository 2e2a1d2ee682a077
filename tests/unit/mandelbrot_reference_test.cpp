/// Reference orbits: nuclei with known periods, and views that must not count as interior.
#include <gtest/gtest.h>

#include <thread>

#include "scenes/mandelbrot/deep/nucleus.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr Size size{640, 360};

View view_of(const char* re, const char* im, const char* span) {
  return {Decimal::parse(re, "re"), Decimal::parse(im, "im"), Decimal::parse(span, "span")};
}

Reference reference_of(const View& view, std::uint32_t limit) {
  std::optional<Reference> reference = compute_reference({view, size, limit}, {});
  EXPECT_TRUE(reference);
  return *reference;
}

TEST(MandelbrotFloatExp, ComputesLikeDoublesFarBelowTheirRange) {
  const FloatExp a(3, -5000), b(5, -5001);
  EXPECT_DOUBLE_EQ((a + b).scaled(-5000), 5.5);
  EXPECT_DOUBLE_EQ((a - b).scaled(-5000), 0.5);
  EXPECT_DOUBLE_EQ((a * b).scaled(-10001), 15);
  EXPECT_DOUBLE_EQ((a / b).value(), 1.2);
  EXPECT_TRUE(b < a);
  EXPECT_FALSE(a < b);
  EXPECT_TRUE((a - a).is_zero());
  EXPECT_EQ(a.value(), 0);
  EXPECT_DOUBLE_EQ(FloatExp(1e-300).value(), 1e-300);
  EXPECT_DOUBLE_EQ((-b).log2(), std::log2(5.0) - 5001);
  const FloatExpComplex z(3, 4, -9000);
  EXPECT_DOUBLE_EQ(z.abs().scaled(-9000), 5);
  EXPECT_DOUBLE_EQ((z * z).abs().scaled(-18000), 25);
  EXPECT_DOUBLE_EQ((z / z).re(), 1);
}

// The island of period 3 on the real axis, and the disc of period 2.
TEST(MandelbrotReference, AViewOfACopyTurnsAroundItsNucleus) {
  const Reference island = reference_of(view_of("-1.7549", "0.0001", "0.01"), 5000);
  EXPECT_EQ(island.end, Reference::End::periodic);
  EXPECT_EQ(island.points.last(), 3u);
  EXPECT_NEAR(island.c.re.value(), -1.7548776662466927600, 1e-15);
  EXPECT_NEAR(island.c.im.value(), 0, 1e-15);
  EXPECT_EQ(reference_of(view_of("-1.01", "0.01", "0.1"), 100).points.last(), 2u);
}

// The period of a nucleus near c = i is the number of iterations after which the view's image covers the whole set.
TEST(MandelbrotReference, ADeepViewHasAPeriodThatGrowsWithItsDepth) {
  const std::size_t shallow = reference_of(view_of("0", "1", "1e-40"), 5000).points.last();
  const Reference deep = reference_of(view_of("0", "1", "1e-1200"), 50000);
  ASSERT_EQ(deep.end, Reference::End::periodic);
  // The cycle of i, {-1 + i, -i}, has the multiplier 4 + 4i.
  const double expected = 1160 * std::log(10.0) / std::log(std::sqrt(std::sqrt(32.0)));
  EXPECT_NEAR(static_cast<double>(deep.points.last() - shallow), expected, 8);
}

TEST(MandelbrotReference, AnOrbitOfTheOutsideEndsWhereItEscapes) {
  const Reference reference = reference_of(view_of("0.5", "0.5", "1e-5"), 5000);
  EXPECT_EQ(reference.end, Reference::End::escaped);
  EXPECT_LT(reference.points.last(), 30u);
  EXPECT_TRUE(reference.reaches(5000));
}

// c = i is in the set and has no interior near it: only a nucleus or the limit ends its orbit.
TEST(MandelbrotReference, AnOpenOrbitIsContinuedWhereItStopped) {
  const View view = view_of("0", "1", "1e-40");
  const Reference first = reference_of(view, 50);
  ASSERT_EQ(first.end, Reference::End::open);
  EXPECT_EQ(first.points.last() + 1, 50u);
  EXPECT_FALSE(first.reaches(51));
  const std::optional<Reference> longer = extended(first, {view, size, 75}, {});
  ASSERT_TRUE(longer);
  ASSERT_EQ(longer->points.last() + 1, 75u);
  for (std::size_t m = 1; m < 75; ++m) {  // i → -1 + i → -i → -1 + i …
    EXPECT_EQ(longer->points[m].re, m % 2 == 1 ? 0 : -1) << m;
  }
}

TEST(MandelbrotReference, AViewInsideTheSetIsProvedInterior) {
  EXPECT_FALSE(reference_of(view_of("-0.15", "0.2", "1e-3"), 5000).interior_radius.is_zero());
  EXPECT_FALSE(reference_of(view_of("-1.1", "0.1", "1e-30"), 5000).interior_radius.is_zero());
}

TEST(MandelbrotReference, AViewAtTheEdgeOfTheSetIsNotProvedInterior) {
  EXPECT_TRUE(reference_of(view_of("-0.75", "1e-31", "1e-30"), 3000).interior_radius.is_zero());
  EXPECT_TRUE(reference_of(view_of("0", "1", "1e-20"), 3000).interior_radius.is_zero());
  // A Misiurewicz point with a slow spiral: the orbit stays for 21,000 iterations.
  EXPECT_TRUE(
      reference_of(view_of("-0.746457910677609991861887911685545673006326538682884201954794554080471583374934",
                           "0.115154330086192648866223509232689709889659386707980366265842649612120129846414", "1e-60"),
                   24000)
          .interior_radius.is_zero());
}

// A point so near to that one that its orbit is a cycle in doubles; it escapes after 30,000 iterations.
TEST(MandelbrotReference, ACycleOfDoublesIsNotAccepted) {
  const View view =
      view_of("-0.746457910677609991861887911685545673006326538682884201954794554080471583374934790314458403",
              "0.115154330086192648866223509232689709889659386707980366265842649612120129846414475126602899", "1e-300");
  const Reference reference = reference_of(view, 60000);
  EXPECT_TRUE(reference.interior_radius.is_zero());
  EXPECT_EQ(reference.end, Reference::End::escaped);
}

TEST(MandelbrotReference, CanBeCancelled) {
  std::stop_source source;
  std::atomic<std::uint64_t> iterations{0};
  std::optional<Reference> result;
  std::thread worker([&] {
    result = compute_reference({view_of("0", "1", "1e-99000"), size, 1u << 30}, {source.get_token(), &iterations});
  });
  while (iterations < 3) std::this_thread::yield();
  source.request_stop();
  worker.join();
  EXPECT_FALSE(result);
}

TEST(MandelbrotReference, HasTheBitsThatItsDepthNeeds) {
  EXPECT_GE(bits_for(view_of("0", "1", "1e-300"), size), 3.33 * (300 + 60));
  EXPECT_GE(bits_for({}, size), 200);
}

}  // namespace
}  // namespace orrery::mandelbrot
