/// Proofs accept right pictures and reject wrong ones.
#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/mandelbrot_on_device.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"
#include "scenes/mandelbrot/output/picture.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

class MandelbrotProof : public MandelbrotOnDevice {
 protected:
  struct Picture {
    Frame frame;
    std::vector<float> published;
    int exponent = 0;
    ProofRequest request(std::size_t count, std::uint64_t seed = 7) const {
      return {.frame = frame, .exponent = exponent, .pixels = pick_pixels(frame, published, count, seed)};
    }
  };

  static Frame frame_of(const char* re, const char* im, const char* span, std::uint32_t limit) {
    Frame frame =
        whole_frame({Decimal::parse(re, "re"), Decimal::parse(im, "im"), Decimal::parse(span, "span")}, {128, 72});
    frame.limit = limit;
    return frame;
  }
  static Picture computed(const Frame& frame, Precision precision, bool tight = false) {
    const Device& device = programs().device();
    const Kernels kernels(programs(), choose_variant(device.info(), precision, 0));
    Queue queue(device);
    Renderer renderer(device, queue, kernels);
    if (tight) renderer.set_epsilon(PerturbedFormat{}.finest_epsilon());
    renderer.begin(frame);
    renderer.finish_blocking(queue, 1);
    const cl::Buffer surface = device.buffer(frame.size.pixels() * sizeof(float));
    renderer.publish(queue, surface);
    return {renderer.published_frame(), queue.read_blocking<float>(surface, frame.size.pixels()),
            renderer.value_exponent()};
  }
  static ProofResult proved(const ProofRequest& request) {
    const auto result = prove(request);
    EXPECT_TRUE(result.has_value());
    return result.value_or(ProofResult{});
  }
};

TEST_F(MandelbrotProof, RightPicturesPass) {
  const struct {
    const char* name;
    Frame frame;
    Precision precision;
    bool tight;
  } cases[] = {
      {"direct", frame_of("-0.7436", "0.1318", "0.02", 3000), Precision::double_, false},
      {"perturbed", frame_of("0", "1", "1e-40", 3000), Precision::perturbation, true},
      {"beyond doubles", frame_of("0", "1", "1e-400", 9000), Precision::perturbation, false},
      {"a copy of the set", frame_of("-1.7548776662466927600495088963585", "0", "1e-4", 3000), Precision::perturbation,
       false},
  };
  for (const auto& c : cases) {
    if (c.precision == Precision::double_ && !fp64()) continue;
    ProofRequest request = computed(c.frame, c.precision, c.tight).request(60);
    request.slack = slack_of_pictures;
    const ProofResult result = proved(request);
    EXPECT_GE(result.checked, 50) << c.name;
    EXPECT_EQ(result.wrong_kind, 0) << c.name;
    EXPECT_FALSE(result.fails()) << c.name << ": " << result.largest_error;
    EXPECT_LE(result.nearby, 1) << c.name;
    EXPECT_LT(result.median_error, 1e-4) << c.name;
  }
}

TEST_F(MandelbrotProof, LaddersPassWhereTheirNumbersTellPixelsApart) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  for (const char* span : {"1e-9", "1e-20", "1e-60"}) {
    Frame frame = frame_of(
        "-1.40115518909205060052382678789386129222630804339731960893726149667869555775352383788389781", "0", span, 1);
    frame.view.im = frame.view.span * 0.1;
    frame.automatic = true;
    const Picture picture = computed(frame, Precision::ladder, true);
    const ProofResult result = proved(picture.request(40));
    EXPECT_GE(result.checked, 35) << span;
    EXPECT_EQ(result.wrong_kind, 0) << span;
    EXPECT_LE(result.misses, 1) << span << ": " << result.largest_error;
  }
}

TEST_F(MandelbrotProof, ValuesOfTheNextPixelAreCaught) {
  Picture picture = computed(frame_of("-0.7436", "0.1318", "0.02", 3000), Precision::single);
  std::rotate(picture.published.begin(), picture.published.begin() + 1, picture.published.end());
  const ProofResult result = proved(picture.request(60));
  EXPECT_TRUE(result.fails());
  EXPECT_GT(result.misses, 30);
  EXPECT_GT(result.largest_error, proof_tolerance);
}

TEST_F(MandelbrotProof, PixelsOfTheWrongKindAreCaught) {
  Picture picture = computed(frame_of("-0.5", "0", "3", 300), Precision::single);
  for (float& value : picture.published) value = is_interior(value) ? 17.0F : -1e30F;
  const ProofResult result = proved(picture.request(60));
  EXPECT_EQ(result.wrong_kind, result.checked);
  EXPECT_TRUE(result.fails());
}

// Rows that are interior in a stripe of ten columns.
ProofRows striped() {
  ProofRows rows = ProofRows::wanted({100, 40}, 16, 3);
  for (std::size_t row = 0; row < rows.rows.size(); ++row)
    for (int i = 0; i < 100; ++i) rows.values.push_back(i >= 70 && i < 80 ? interior_value : static_cast<float>(i));
  return rows;
}

TEST(MandelbrotProofPixels, LieOnBothSidesOfTheEdgeInTheMiddleAndAtRandom) {
  const ProofRows rows = striped();
  ASSERT_EQ(rows.rows.size(), 16u);
  EXPECT_TRUE(std::ranges::is_sorted(rows.rows));
  const std::vector<ProofPixel> pixels = pick_pixels(rows, 32, 9);
  ASSERT_EQ(pixels.size(), 32u);
  int inner = 0, outer = 0, middle = 0, elsewhere = 0;
  for (const ProofPixel& pixel : pixels) {
    EXPECT_NE(std::ranges::find(rows.rows, pixel.j), rows.rows.end());
    EXPECT_EQ(is_interior(pixel.published), pixel.i >= 70 && pixel.i < 80);
    inner += pixel.at_edge && (pixel.i == 70 || pixel.i == 79);
    outer += pixel.at_edge && (pixel.i == 69 || pixel.i == 80);
    middle += pixel.i == 75;
    elsewhere += !pixel.at_edge && pixel.i != 75;
  }
  EXPECT_GE(inner, 6);
  EXPECT_GE(outer, 6);
  EXPECT_GE(middle, 2);
  EXPECT_GE(elsewhere, 6);
}

TEST(MandelbrotProofPixels, AreAtRandomWhereThereIsNoEdge) {
  ProofRows rows = ProofRows::wanted({64, 4}, 4, 3);
  rows.values.assign(256, interior_value);
  const std::vector<ProofPixel> pixels = pick_pixels(rows, 20, 9);
  ASSERT_EQ(pixels.size(), 20u);
  for (const ProofPixel& pixel : pixels) EXPECT_TRUE(is_interior(pixel.published) && !pixel.at_edge);
}

// Proving interior takes far fewer iterations than the limit, and escaping pixels are not proved.
TEST_F(MandelbrotProof, InteriorIsDecidedByItsCycle) {
  const Frame frame = frame_of("-0.1226", "0.7449", "0.01", 4000000);
  ProofRequest request{.frame = frame, .pixels = pick_pixels(frame, 20, 1), .most_iterations = 20000};
  for (ProofPixel& pixel : request.pixels) pixel.published = interior_value;
  ProofResult result = proved(request);
  EXPECT_EQ(result.checked, 20);
  EXPECT_EQ(result.wrong_kind, 0);
  request.frame = frame_of("-1.401216504309415209025911160197722460155146622425298246526439", "0", "1e-28", 20000);
  request.most_iterations = 4e6;
  result = proved(request);
  EXPECT_EQ(result.checked, 20);
  EXPECT_EQ(result.wrong_kind, 20);
}

// ν of a point a hundredth of a pixel away is no miss if the slack allows it.
TEST_F(MandelbrotProof, DifferencesWithinTheSlackPass) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  const Frame frame = frame_of("-0.7436", "0.1318", "0.02", 3000);
  Frame beside = frame;
  beside.shifts[0].x += 0.01;
  Picture picture = computed(beside, Precision::double_);
  picture.frame = frame;
  ProofRequest request = picture.request(60);
  EXPECT_TRUE(proved(request).fails());
  request.slack = 0.02;
  const ProofResult result = proved(request);
  EXPECT_FALSE(result.fails()) << text_of(result) << ", e.g. " << result.worst.published << " for "
                               << result.worst_reference;
  EXPECT_GT(result.nearby, 10);
  request.slack = 1e-4;
  EXPECT_TRUE(proved(request).fails());
}

// For chaotic orbits, doubles give a pixel an arbitrary ν of its neighbourhood: such a picture passes. A picture that
// is black where orbits are not chaotic fails.
TEST_F(MandelbrotProof, ChaoticPixelsAreRightWhereNuIsArbitrary) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  Frame frame =
      whole_frame({Decimal::parse("-0.7456", "re"), Decimal::parse("0.1126", "im"), Decimal(0.0142)}, {320, 240});
  frame.limit = 10000;
  Picture picture = computed(frame, Precision::double_);
  const auto proved_with = [&](double slack) {
    ProofRows rows = ProofRows::wanted(frame.size, frame.size.height, 1);
    rows.values = picture.published;
    ProofRequest request{.frame = picture.frame,
                         .exponent = picture.exponent,
                         .pixels = pick_pixels(rows, 500, 5),
                         .most_iterations = 1e8,
                         .slack = slack};
    return proved(request);
  };
  EXPECT_GT(proved_with(0).wrong_kind, 0) << "no pixel was black by chance: another view is needed";
  const ProofResult result = proved_with(slack_of_pictures);
  EXPECT_FALSE(result.fails()) << text_of(result) << ", e.g. " << result.worst.published << " for "
                               << result.worst_reference;
  for (std::size_t k = 0; k < picture.published.size(); k += 16) picture.published[k] = interior_value;
  EXPECT_GT(proved_with(slack_of_pictures).wrong_kind, 10);
}

// Single precision does not distinguish the pixels of this view.
TEST_F(MandelbrotProof, PicturesThatRequireAProofAreRefusedIfItFails) {
  const View view{Decimal::parse("-0.743643887037151", "re"), Decimal::parse("0.13182590420533", "im"), Decimal(1e-9)};
  PictureRequest request{.view = view, .size = {48, 32}, .limit = 2000, .proved = 40, .insists = true};
  const auto compute = [&](Precision precision) {
    const Kernels kernels(programs(), choose_variant(programs().device().info(), precision, 0));
    return compute_picture(
        programs().device(), kernels, request, 2000, [](const Band&, std::span<const Cell>, int) {},
        [](double) { return true; });
  };
  EXPECT_THROW(compute(Precision::single), Unproved);
  request.insists = false;
  EXPECT_TRUE(compute(Precision::single).proof.value_or(ProofResult{}).fails());
  const PictureResult right = compute(Precision::perturbation);
  ASSERT_TRUE(right.proof.has_value());
  EXPECT_GE(right.proof->checked, 35);
  EXPECT_FALSE(right.proof->fails());
  request.proved = 0;
  EXPECT_FALSE(compute(Precision::single).proof.has_value());
}

TEST_F(MandelbrotProof, ManyBitsGiveTheSamePicture) {
  const View view{Decimal::parse("-0.743643887037151", "re"), Decimal::parse("0.13182590420533", "im"), Decimal(1e-9)};
  PictureRequest request{.view = view, .size = {24, 20}, .limit = 2000, .border = 1, .many_bits = true};
  const auto cells = [&](bool many_bits) {
    request.many_bits = many_bits;
    const Kernels kernels(programs(), choose_variant(programs().device().info(), Precision::perturbation, 0));
    std::vector<Cell> all;
    const auto take = [&](const Band& band, std::span<const Cell> some, int) {
      const auto own = some.subspan(24 * band.above, std::size_t{24} * band.rows);
      all.insert(all.end(), own.begin(), own.end());
    };
    (void)compute_picture(programs().device(), kernels, request, 2000, take, [](double) { return true; });
    return all;
  };
  const std::vector<Cell> exact = cells(true), perturbed = cells(false);
  ASSERT_EQ(exact.size(), perturbed.size());
  std::size_t alike = 0;  // except pixels that doubles do not decide
  for (std::size_t k = 0; k < exact.size(); ++k) alike += std::abs(exact[k].value() - perturbed[k].value()) <= 1e-3;
  EXPECT_GE(alike, exact.size() - 10);
}

// Beside the root of a small copy of the set, an orbit of 25000 iterations loses more than the 128 spare bits of a
// pixel; 1000 bits confirm the result.
TEST_F(MandelbrotProof, BitsFollowFromTheOrbit) {
  Frame frame = whole_frame({Decimal::parse("0.1468903221936616", "re"), Decimal::parse("-0.5793971919327081", "im"),
                             Decimal::parse("8.57034519e-09", "span")},
                            {16, 12});
  frame.limit = 25000;
  const auto proof_of = [&](float published) {
    return proved({.frame = frame, .pixels = {{.i = 12, .j = 5, .published = published}}});
  };
  const ProofResult right = proof_of(interior_value);
  EXPECT_EQ(right.checked, 1);
  EXPECT_FALSE(right.fails());
  EXPECT_GT(right.bits, 158);
  EXPECT_TRUE(proof_of(22793.3935F).fails());
}

// With pairs of doubles as the last resort, 11 and 13 of the 192 pixels were wrong.
TEST_F(MandelbrotProof, DataBesideRootsAreRight) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  const View views[] = {{Decimal::parse("0.1468903221936616", "re"), Decimal::parse("-0.5793971919327081", "im"),
                         Decimal::parse("8.57034519e-09", "span")},
                        {Decimal::parse("-0.2227356283445428", "re"), Decimal::parse("0.6413229500226281", "im"),
                         Decimal::parse("1.07763162e-09", "span")}};
  for (const View& view : views) {
    const PictureRequest request{.view = view, .size = {16, 12}, .limit = 25000, .proved = 192};
    const PrecisionChoice choice = choose_precision("auto", view, request.size, true, Purpose::data);
    const Kernels kernels(programs(), choose_variant(programs().device().info(), choice, {}, Purpose::data));
    const PictureResult result = compute_picture(
        programs().device(), kernels, request, 25000, [](const Band&, std::span<const Cell>, int) {},
        [](double) { return true; });
    ASSERT_TRUE(result.proof.has_value());
    EXPECT_EQ(result.proof->checked, 192);
    EXPECT_LE(result.proof->wrong_kind + result.proof->misses, 4);
    EXPECT_EQ(result.uncertain, 0u);
  }
}

// The budget is in iterations, not in time, so the load of the machine has no effect.
TEST_F(MandelbrotProof, TheNumberOfCheckedPixelsIsReproducible) {
  const Frame frame = frame_of("-0.743643887037151", "0.13182590420533", "1e-9", 20000);
  ProofRequest request{.frame = frame, .pixels = pick_pixels(frame, 20, 1), .most_iterations = 3000};
  for (ProofPixel& pixel : request.pixels) pixel.published = interior_value;
  const ProofResult first = proved(request), second = proved(request);
  EXPECT_GT(first.left_out, 0);
  EXPECT_EQ(first.checked, second.checked);
  EXPECT_EQ(first.iterations, second.iterations);
}

TEST_F(MandelbrotProof, OneWrongPixelFails) {
  Picture picture = computed(frame_of("-0.5", "0", "3", 300), Precision::single);
  ProofRequest request = picture.request(40);
  request.slack = slack_of_pictures;
  EXPECT_FALSE(proved(request).fails());
  request.pixels[17].published += is_interior(request.pixels[17].published) ? 1e31F : 0.5F;
  EXPECT_TRUE(proved(request).fails());
}

TEST_F(MandelbrotProof, WrongLadderPicturesAreCaught) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  Frame frame = frame_of("-1.4011551890920506005238267878938612922263080433973196", "1e-31", "1e-30", 1);
  frame.automatic = true;
  Picture picture = computed(frame, Precision::ladder);
  for (float& value : picture.published) value = is_interior(value) ? value : 1.01F * value;
  EXPECT_TRUE(proved(picture.request(30)).fails());
}

TEST_F(MandelbrotProof, TooExpensivePixelsAreLeftOutAndCounted) {
  // Interior without a closed form: the bulb of period 3.
  const Frame frame = frame_of("-0.1226", "0.7449", "0.01", 4000000);
  ProofRequest request{.frame = frame, .pixels = pick_pixels(frame, 10, 1), .most_iterations = 20};
  for (ProofPixel& pixel : request.pixels) pixel.published = -1e30F;
  const ProofResult result = proved(request);
  EXPECT_EQ(result.left_out, 10);
  EXPECT_EQ(result.checked, 0);
  EXPECT_LE(result.iterations, 20);
  EXPECT_FALSE(result.fails());
}

TEST_F(MandelbrotProof, ABackgroundProofIsCancelledByTheNext) {
  // Next to the root of the bulb of period 3, orbits pass as slowly as beside the cusp, and no table helps.
  const Frame slow = frame_of("-0.125", "0.64951905283832898507279237806470213760", "1e-24", 400000000);
  ProofRequest endless{.frame = slow, .pixels = pick_pixels(slow, 10, 1), .most_iterations = 1e12};
  for (ProofPixel& pixel : endless.pixels) pixel.published = -1e30F;
  Prover prover;
  prover.begin(endless);
  EXPECT_TRUE(prover.busy());
  EXPECT_FALSE(prover.collect().has_value());
  const Picture picture = computed(frame_of("-0.5", "0", "3", 300), Precision::single);
  prover.begin(picture.request(5));
  while (prover.busy()) std::this_thread::yield();
  const auto result = prover.collect();
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->checked, 5);
  EXPECT_FALSE(prover.collect().has_value());
  prover.begin(endless);  // and by the destructor
}

}  // namespace
}  // namespace orrery::mandelbrot
