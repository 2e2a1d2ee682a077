/// Pictures of rotated and stretched views against the points that the formula gives, in every kind of numbers.
#include <gtest/gtest.h>

#include <complex>
#include <optional>
#include <random>
#include <set>

#include "oracle/mandelbrot_on_device.hpp"
#include "oracle/mandelbrot_reference.hpp"
#include "oracle/mandelbrot_views.hpp"
#include "scenes/mandelbrot/output/picture.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

struct TurnedPicture {
  std::string re, im, span;
  Turn turn;
  int width = 40, height = 30;
  std::uint32_t limit = 2000;
};

// e^iα (F·Re(e^-iα e^iφ p) + i/F·Im(e^-iα e^iφ p)), p in half pixels.
std::complex<double> turned_offset(const TurnedPicture& picture, int i, int j) {
  constexpr double degree = 0.017453292519943295;
  const std::complex<double> at(2 * i + 1 - picture.width, picture.height - 1 - 2 * j);
  const std::complex<double> axis = std::polar(1.0, picture.turn.stretch_angle * degree);
  const auto along = std::conj(axis) * std::polar(1.0, picture.turn.rotation * degree) * at;
  return axis * std::complex(picture.turn.stretch * along.real(), along.imag() / picture.turn.stretch);
}

/// How the offset of a pixel is found: by the formula in doubles, whose last digit decides chaotic orbits; or with the
/// program's matrix, without rounding.
enum class Offsets { by_formula, by_matrix };

// ν in as many bits as the span needs.
double turned_nu(const TurnedPicture& picture, int i, int j, Offsets offsets) {
  constexpr double radius = 100;
  mpfr_t half_pixel;
  mpfr_init2(half_pixel, 64);
  mpfr_set_str(half_pixel, picture.span.c_str(), 10, MPFR_RNDN);
  const long bits = 160 + std::max(0L, -static_cast<long>(mpfr_get_exp(half_pixel)));
  mpfr_set_prec(half_pixel, bits);
  mpfr_set_str(half_pixel, picture.span.c_str(), 10, MPFR_RNDN);
  mpfr_div_si(half_pixel, half_pixel, 2 * picture.width, MPFR_RNDN);
  oracle::Wide c(bits), z(bits), away(bits), up(bits);
  if (offsets == Offsets::by_formula) {
    const auto offset = turned_offset(picture, i, j);
    mpfr_set_d(away.x, offset.real(), MPFR_RNDN), mpfr_set_d(away.y, offset.imag(), MPFR_RNDN);
  } else {
    const Matrix matrix = matrix_of(picture.turn);
    mpfr_set_d(away.x, matrix.xx, MPFR_RNDN), mpfr_set_d(away.y, matrix.yx, MPFR_RNDN);
    mpfr_set_d(up.x, matrix.xy, MPFR_RNDN), mpfr_set_d(up.y, matrix.yy, MPFR_RNDN);
    away.scale(2 * i + 1 - picture.width), up.scale(picture.height - 1 - 2 * j), away.add(up);
  }
  mpfr_mul(away.x, away.x, half_pixel, MPFR_RNDN), mpfr_mul(away.y, away.y, half_pixel, MPFR_RNDN);
  mpfr_clear(half_pixel);
  mpfr_set_str(c.x, picture.re.c_str(), 10, MPFR_RNDN), mpfr_set_str(c.y, picture.im.c_str(), 10, MPFR_RNDN);
  c.add(away);
  for (std::uint32_t n = 0; n < picture.limit; ++n) {
    const double modulus = std::abs(z.value());
    if (modulus > radius) return n + 1 - std::log2(std::log(modulus) / std::log(radius));
    z.step(c);
  }
  return -1;
}

class MandelbrotTurned : public MandelbrotOnDevice {
 protected:
  static View view_of(const TurnedPicture& picture) {
    return {Decimal::parse(picture.re, "re"), Decimal::parse(picture.im, "im"), Decimal::parse(picture.span, "span"),
            picture.turn};
  }
  static Size size_of(const TurnedPicture& picture) {
    return {static_cast<std::uint32_t>(picture.width), static_cast<std::uint32_t>(picture.height)};
  }
  static std::vector<Cell> computed(const TurnedPicture& picture, const Kernels& with) {
    Queue queue(device());
    Renderer renderer(device(), queue, with);
    Frame frame = whole_frame(view_of(picture), size_of(picture));
    frame.limit = picture.limit;
    renderer.begin(frame);
    renderer.finish_blocking(queue, 1);
    return renderer.cells_blocking(queue);
  }
  static Kernels kernels(Precision precision, PerturbedNumbers numbers = PerturbedNumbers::doubles) {
    Variant variant = choose_variant(device().info(), precision, 0);
    variant.perturbed = numbers;
    return Kernels(programs(), variant);
  }
  /// The parts of all pixels that are of another kind, and whose ν differs by more than the tolerance.
  struct Misses {
    double kind = 0, far = 0;
  };
  static Misses misses(const TurnedPicture& picture, const std::vector<Cell>& cells, double tolerance = 1e-3,
                       Offsets offsets = Offsets::by_formula) {
    Misses result;
    for (int j = 0; j < picture.height; ++j)
      for (int i = 0; i < picture.width; ++i) {
        const Cell& cell = cells[static_cast<std::size_t>(j * picture.width + i)];
        const double nu = turned_nu(picture, i, j, offsets);
        const bool other_kind = cell.interior() != (nu == -1);
        result.kind += other_kind;
        result.far += !other_kind && std::abs(cell.value() - nu) > tolerance;
      }
    const double all = picture.width * picture.height;
    return {result.kind / all, result.far / all};
  }
};

std::vector<Turn> random_turns(int count) {
  std::mt19937 random(11);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  std::vector<Turn> turns{{}, {.rotation = 90}, {.rotation = 180}, {.stretch = 3}};
  for (int k = 0; k < count; ++k) turns.push_back({between(-360, 360), std::exp(between(-1, 1)), between(-360, 360)});
  return turns;
}

TEST_F(MandelbrotTurned, DirectIterationShowsThePointsOfTheFormula) {
  const Kernels single = kernels(Precision::single);
  for (const Turn& turn : random_turns(5)) {
    const TurnedPicture picture{"-0.651155", "0", "3", turn, 48, 30, 200};
    const Misses in_single = misses(picture, computed(picture, single), 1e-2);
    EXPECT_LE(in_single.kind, 0.01);
    EXPECT_LE(in_single.far, 0.03);
  }
  if (!device().info().fp64) return;
  const Kernels with = kernels(Precision::double_);
  for (const Turn& turn : random_turns(5)) {
    const TurnedPicture picture{"-0.7463", "0.1102", "0.02", turn};
    const Misses in_double = misses(picture, computed(picture, with));
    // Rounding decides pixels with chaotic orbits, as in unrotated views.
    EXPECT_LE(in_double.kind, 0.003);
    EXPECT_LE(in_double.far, 0.03);
  }
}

TEST_F(MandelbrotTurned, PerturbedOrbitsShowThePointsOfTheFormulaAtAnyDepth) {
  const Kernels floats = kernels(Precision::perturbation, PerturbedNumbers::float_pairs);
  std::vector<const Kernels*> all{&floats};
  std::optional<Kernels> doubles, pairs;
  if (device().info().fp64) {
    all.push_back(&doubles.emplace(kernels(Precision::perturbation)));
    all.push_back(&pairs.emplace(kernels(Precision::perturbation, PerturbedNumbers::double_pairs)));
  }
  for (const Turn& turn : random_turns(2))
    for (const char* span : {"1e-3", "1e-40", "1e-400"}) {
      const TurnedPicture picture{"0", "1", span, turn, 24, 18, 4000};
      for (const Kernels* with : all) {
        const Misses deep = misses(picture, computed(picture, *with));
        EXPECT_LE(deep.kind, 0.003) << span << " " << turn.rotation << " " << turn.stretch;
        EXPECT_LE(deep.far, 0.003) << span << " " << turn.rotation << " " << turn.stretch;
      }
    }
}

// i·(right + i·up) = −up + i·right: pixel (i, j) shows what (j, side − 1 − i) did.
TEST_F(MandelbrotTurned, AQuarterOfATurnIsTheTurnedPicture) {
  std::vector<Precision> all{Precision::single, Precision::perturbation};
  if (device().info().fp64) all.push_back(Precision::double_);
  constexpr int side = 33;
  for (const Precision precision : all) {
    const Kernels with = kernels(precision);
    TurnedPicture picture{"-0.7463", "0.1102", "0.02", {}, side, side, 500};
    const std::vector<Cell> level = computed(picture, with);
    picture.turn.rotation = 90;
    const std::vector<Cell> turned = computed(picture, with);
    int differ = 0;
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        const Cell& a = turned[static_cast<std::size_t>(j * side + i)];
        const Cell& b = level[static_cast<std::size_t>((side - 1 - i) * side + j)];
        differ += a.interior() != b.interior() || std::abs(a.value() - b.value()) > 1e-2;
      }
    EXPECT_LE(differ, precision == Precision::single ? side * side / 50 : 1) << name_of(precision);
  }
}

// Data must be right except for one pixel in a thousand, and their proof must compute the same points.
TEST_F(MandelbrotTurned, DataAreTheValuesAtThePointsOfTheFormula) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  std::set<Precision> seen;
  for (const Turn& turn : random_turns(3)) {
    const TurnedPicture pictures[] = {{"-0.651155", "0", "3", turn, 40, 30, 300},
                                      {"-0.7463", "0.1102", "1e-6", turn, 40, 30, 3000},
                                      {feigenbaum, "0", "1e-5", turn, 24, 18, 20000}};
    for (const TurnedPicture& picture : pictures) {
      SCOPED_TRACE(testing::Message() << "span " << picture.span << ", rotation " << turn.rotation << ", stretch "
                                      << turn.stretch << " at " << turn.stretch_angle);
      const PrecisionChoice choice = choose_precision("auto", view_of(picture), size_of(picture), true, Purpose::data);
      seen.insert(choice.precision);
      const Kernels with(programs(), choose_variant(device().info(), choice, {}, Purpose::data));
      std::vector<Cell> all;
      const auto take = [&](const Band&, std::span<const Cell> cells, int) { all.assign(cells.begin(), cells.end()); };
      const PictureRequest request{
          .view = view_of(picture), .size = size_of(picture), .limit = picture.limit, .proved = 40};
      const PictureResult result =
          compute_picture(device(), with, request, picture.limit, take, [](double) { return true; });
      ASSERT_TRUE(result.proof);
      EXPECT_GT(result.proof->checked, 20);
      EXPECT_FALSE(result.proof->fails());
      const Misses data = misses(picture, all, 1e-3, Offsets::by_matrix);
      EXPECT_EQ(data.kind, 0);
      EXPECT_LE(data.far, 0.0025) << "one pixel of hundreds";
    }
  }
  EXPECT_EQ(seen, (std::set{Precision::double_, Precision::perturbation, Precision::ladder}));
}

}  // namespace
}  // namespace orrery::mandelbrot
