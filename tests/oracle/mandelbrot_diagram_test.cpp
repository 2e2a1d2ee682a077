// The bifurcation diagram against orbits in many bits and closed forms, and δ and α against their known digits.
#include <cmath>
#include <numeric>

#include "mandelbrot_on_device.hpp"
#include "scenes/mandelbrot/checks/diagram_proof.hpp"
#include "scenes/mandelbrot/model/diagram.hpp"

namespace orrery::mandelbrot {
namespace {

View view_of(const std::string& re, const std::string& span) {
  return {Decimal::parse(re, "re"), Decimal(), Decimal::parse(span, "span")};
}

RealCascade cascade_of(const View& view, std::uint32_t columns) {
  return *find_cascade(view, columns, Depth::points, {});
}

struct Drawn {
  DiagramFrame frame;
  DiagramWay way;
  std::vector<float> values;

  // The mean of x over the visits of a column, or of those above the middle; NaN without visits.
  double mean(std::uint32_t column, bool above) const {
    double visits = 0, sum = 0;
    for (std::uint32_t row = 0; row < (above ? frame.rows / 2 : frame.rows); ++row) {
      const double here = static_cast<double>(values[std::size_t{row} * frame.columns + column]);
      visits += here;
      sum += here * (frame.middle + frame.half_height * (1 - (2 * row + 1.0) / frame.rows));
    }
    return sum / visits;
  }
  double c_of(std::uint32_t column) const {
    return frame.view.re.value() + frame.view.span.value() * ((column + 0.5) / frame.columns - 0.5);
  }
};

class mandelbrot_diagram : public MandelbrotOnDevice {
 protected:
  static Drawn draw(const View& view, std::uint32_t columns = 96, std::uint32_t rows = 120) {
    static const auto kernels = std::make_shared<DiagramKernels>(programs(), Formula{});
    Diagram diagram(device(), kernels);
    Queue queue(device());
    const auto cascade = std::make_shared<const RealCascade>(cascade_of(view, columns));
    Drawn drawn{diagram_frame(view, columns, rows, cascade), {}, {}};
    EXPECT_TRUE(diagram.begin(queue, drawn.frame));
    drawn.way = diagram.way();
    drawn.values = diagram.finished_blocking(queue);
    return drawn;
  }
};

struct Seen {
  std::string re, span;
  DiagramWay way;
};

// The whole diagram; the cascade of the copy of period 3, and deep in it; c∞ from where the ladder begins to 1e-140.
TEST_F(mandelbrot_diagram, agrees_with_orbits_in_many_bits) {
  const std::string copy = "-1.75487766624669276004950889635852869189460661777279314398928397064608065512808109073";
  for (const auto& [re, span, way] :
       {Seen{"-0.875", "2.6", DiagramWay::plain}, Seen{"-1.76", "0.1", DiagramWay::plain},
        Seen{"-1.3", "0.4", DiagramWay::plain}, Seen{copy, "1e-20", DiagramWay::perturbed},
        Seen{feigenbaum, "0.01", DiagramWay::ladder}, Seen{feigenbaum, "3e-9", DiagramWay::ladder},
        Seen{feigenbaum, "1e-60", DiagramWay::ladder}}) {
    SCOPED_TRACE(re + " " + span);
    const Drawn drawn = draw(view_of(re, span));
    EXPECT_EQ(drawn.way, way);
    const DiagramProof proof = prove_diagram(drawn.frame, drawn.way, drawn.values, 12, {});
    EXPECT_GE(proof.checked, 8);
    EXPECT_EQ(proof.wrong, 0) << proof.largest;
  }
}

// A wrong diagram: the orbits of another view.
TEST_F(mandelbrot_diagram, proof_tells_another_diagram_from_this_one) {
  Drawn drawn = draw(view_of("-1.6", "0.4"));
  const DiagramProof right = prove_diagram(drawn.frame, drawn.way, drawn.values, 12, {});
  drawn.values = draw(view_of("-1.5", "0.4")).values;
  const DiagramProof wrong = prove_diagram(drawn.frame, drawn.way, drawn.values, 12, {});
  EXPECT_EQ(right.wrong, 0);
  EXPECT_GT(wrong.wrong, 6);
}

// Both the ladder and plain iteration can compute this view.
TEST_F(mandelbrot_diagram, ladder_shows_what_plain_orbits_do) {
  const Drawn drawn = draw(view_of("-1.4011551890920506", "1e-4"));
  ASSERT_EQ(drawn.way, DiagramWay::ladder);
  DiagramFrame frame = drawn.frame;
  RealCascade cascade = *frame.cascade;
  cascade.period = 64;  // each visit of an orbit takes 64 steps
  frame.cascade = std::make_shared<const RealCascade>(cascade);
  const DiagramProof proof = prove_diagram(frame, DiagramWay::plain, drawn.values, 16, {});
  EXPECT_GE(proof.checked, 8);
  EXPECT_EQ(proof.wrong, 0) << proof.largest;
}

// x = ½ − √(¼ − c), and for period 2 x = −½ ± √(−¾ − c); also beside the doubling, where orbits converge slowly.
TEST_F(mandelbrot_diagram, follows_the_cycles_of_periods_1_and_2) {
  if (!fp64()) GTEST_SKIP() << "pairs of floats end before";
  for (const char* span : {"1e-2", "1e-5", "1e-8"}) {
    SCOPED_TRACE(span);
    const Drawn drawn = draw(view_of("-0.75", span));
    const double row = 2 * drawn.frame.half_height / drawn.frame.rows;
    for (std::uint32_t column = 2; column < drawn.frame.columns; column += 7) {
      const double c = drawn.c_of(column);
      if (std::abs(c + 0.75) < 2 * drawn.frame.view.span.value() / drawn.frame.columns) continue;
      const double x = c > -0.75 ? 0.5 - std::sqrt(0.25 - c) : -0.5 + std::sqrt(-0.75 - c);
      if (std::abs(x - drawn.frame.middle) > 0.9 * drawn.frame.half_height) continue;
      // A column is as wide as the curve is steep there.
      const double steep = 0.5 * drawn.frame.view.span.value() / drawn.frame.columns /
                           std::max(1e-12, 2 * std::abs(x + 0.5)) * (c < -0.75 ? 1 : 0);
      EXPECT_NEAR(drawn.mean(column, c < -0.75 && x > drawn.frame.middle), x, 1.5 * row + steep) << c;
    }
  }
}

// With c beyond the set no orbit stays.
TEST_F(mandelbrot_diagram, is_empty_where_orbits_escape) {
  const Drawn drawn = draw(view_of("1", "1"));
  EXPECT_EQ(std::accumulate(drawn.values.begin(), drawn.values.end(), 0.0F), 0.0F);
}

// ---- superstable points

// c₄ is a root of c⁶ + 3c⁵ + 3c⁴ + 3c³ + 2c² + 1, and every one brings 0 back to 0.
TEST(real_cascade, finds_the_superstable_points) {
  const RealCascade cascade = cascade_of(view_of("-0.875", "2.6"), 1280);
  ASSERT_GE(cascade.points.size(), 6U);
  EXPECT_EQ(cascade.points[0].c.value(), 0);
  EXPECT_EQ(cascade.points[1].c.value(), -1);
  const double c4 = cascade.points[2].c.value();
  EXPECT_NEAR(((((c4 + 3) * c4 + 3) * c4 + 3) * c4 + 2) * c4 * c4 + 1, 0, 1e-14);
  for (const Superstable& point : cascade.points) {
    double x = 0;
    const double c = point.c.value();
    for (std::size_t n = 0; n < point.base << static_cast<unsigned>(point.doublings); ++n) x = x * x + c;
    EXPECT_NEAR(x, 0, 1e-9) << point.period();
  }
}

// K. Briggs, Math. Comp. 57 (1991) 435.
TEST(real_cascade, measures_delta_and_alpha_to_the_digits_that_depth_allows) {
  const std::string delta = "4.66920160910299067185320382046620161725818557747576863274565134300413",
                    alpha = "-2.50290787509589282228390287321821578638127137672714997733619205677923";
  std::size_t before = 0;
  for (const char* span : {"0.01", "1e-9", "1e-30"}) {
    SCOPED_TRACE(span);
    const RealCascade cascade = cascade_of(view_of(feigenbaum, span), 1280);
    ASSERT_FALSE(cascade.points.empty());
    const Superstable& told = cascade.points[1];
    const auto right = [](const std::string& text, const std::string& known) {
      return static_cast<std::size_t>(std::ranges::mismatch(text, known).in1 - text.begin());
    };
    // All but the last digits are right; deeper views give more digits.
    EXPECT_GE(right(told.delta, delta) + 3, told.delta.size()) << told.delta;
    EXPECT_GE(right(told.alpha, alpha) + 3, told.alpha.size()) << told.alpha;
    EXPECT_GT(told.delta.size(), before);
    before = told.delta.size();
  }
  EXPECT_GE(before, 24U);
}

// The copy of period 3 has a cascade of its own, and so have others.
TEST(real_cascade, names_the_cascades_of_copies) {
  struct Copy {
    const char *re, *span;
    std::size_t period;
  };
  for (const auto& [re, span, period] :
       {Copy{"-1.7699", "0.03", 3}, Copy{"-1.6263", "0.004", 5}, Copy{"-1.9408", "1e-3", 4}}) {
    SCOPED_TRACE(re);
    const RealCascade cascade = cascade_of(view_of(re, span), 1280);
    EXPECT_EQ(cascade.period, period);
    ASSERT_GE(cascade.points.size(), 5U);
    EXPECT_EQ(cascade.points[1].period(), std::to_string(2 * period));
    EXPECT_NEAR(std::stod(cascade.points[4].delta), 4.669, 0.02);
    EXPECT_NEAR(std::stod(cascade.points[4].alpha), -2.503, 0.005);
  }
}

// Repeated steps to the next doubling (N, or a click on a line): each view looks like the previous one.
TEST(real_cascade, next_doubling_lies_at_the_same_place_of_its_view) {
  View view = view_of("-1.2", "1");
  for (int k = 0; k < 60; ++k) {
    const RealCascade cascade = cascade_of(view, 1280);
    const auto nearest =
        std::ranges::min_element(cascade.points, {}, [](const Superstable& point) { return std::abs(point.at); });
    ASSERT_NE(nearest + 1, cascade.points.end()) << k;
    const Superstable from = *nearest, to = *(nearest + 1);
    view = doubling_view(view, from.at, to, true);
    const double at = placement(view, {to.c, Decimal(), view.span}).x;
    EXPECT_NEAR(at, from.at, 1e-9) << k;
    if (k > 4) {
      EXPECT_EQ(to.doublings, from.doublings + 1) << k;
    }
  }
  EXPECT_LT(view.span.log(), -90);
}

}  // namespace
}  // namespace orrery::mandelbrot
