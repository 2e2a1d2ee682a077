/// Random deep views around c∞ and in passages, as data in the chosen precision, against iteration in many bits.
///
/// ORRERY_VIEWS is the number of views (10), ORRERY_VIEWS_FIRST the first one (0), ORRERY_VIEWS_SEED the seed (1). The
/// long form is a thousand views in several parallel processes; each prints its views, and fails like a test.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <random>
#include <thread>

#include "base/text.hpp"
#include "oracle/mandelbrot_on_device.hpp"
#include "oracle/mandelbrot_views.hpp"
#include "scenes/mandelbrot/output/picture.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

using oracle::WideView;

int number_from(const char* name, int standard) {
  const char* text = std::getenv(name);
  return text == nullptr ? standard : std::atoi(text);
}

struct Sampled {
  int i = 0, j = 0;
  double nu = 0, reference = 0;
  bool wrong_kind() const { return (nu == -1) != (reference == -1); }
  bool far() const { return !wrong_kind() && std::abs(nu - reference) > 1e-3; }
};

// Random pixels, and pixels on both sides of the edges found.
std::vector<Sampled> samples_of(const WideView& view, const std::vector<double>& values, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto at = [&](int i, int j) { return values[static_cast<std::size_t>(j * view.width + i)]; };
  std::vector<Sampled> all, edges;
  for (int j = 0; j < view.height; ++j)
    for (int i = 0; i + 1 < view.width; ++i)
      if ((at(i, j) == -1) != (at(i + 1, j) == -1))
        for (const int k : {i, i + 1}) edges.push_back({k, j, at(k, j), 0});
  std::ranges::shuffle(edges, random);
  edges.resize(std::min<std::size_t>(edges.size(), 8));
  for (int k = 0; k < 12; ++k) {
    const int i = static_cast<int>(random() % static_cast<unsigned>(view.width));
    const int j = static_cast<int>(random() % static_cast<unsigned>(view.height));
    all.push_back({i, j, at(i, j), 0});
  }
  all.insert(all.end(), edges.begin(), edges.end());
  return all;
}

void find_references(const WideView& view, std::vector<Sampled>& samples) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> workers;
  for (unsigned k = 0; k < std::max(1u, std::thread::hardware_concurrency()); ++k)
    workers.emplace_back([&] {
      for (std::size_t s; (s = next++) < samples.size();)
        samples[s].reference = oracle::wide_nu(view, samples[s].i, samples[s].j, 100);
      mpfr_free_cache();
    });
}

class MandelbrotViews : public MandelbrotOnDevice {
 protected:
  std::vector<double> values(const WideView& wide, PrecisionChoice& choice) {
    const View view{Decimal::parse(wide.re, "re"), Decimal::parse(wide.im, "im"), Decimal::parse(wide.span, "span")};
    const Size size{static_cast<std::uint32_t>(wide.width), static_cast<std::uint32_t>(wide.height)};
    choice = choose_precision(precision_, view, size, fp64(), Purpose::data);
    auto found = kernels_.find(choice.precision);
    if (found == kernels_.end()) {
      const Variant variant = choose_variant(device().info(), choice, {}, Purpose::data);
      found = kernels_.try_emplace(choice.precision, programs(), variant).first;
    }
    std::vector<double> values;
    const auto take = [&](const Band&, std::span<const Cell> cells, int) {
      for (const Cell& cell : cells) values.push_back(cell.value());
    };
    const PictureRequest request{.view = view, .size = size, .limit = wide.limit};
    compute_picture(device(), found->second, request, wide.limit, take, [](double) { return true; });
    return values;
  }

  std::map<Precision, Kernels> kernels_;
  std::string precision_ = "auto";
};

// Orbits pass by 0 or linger at repelling cycles: next to a copy of the set, and at the band-merging point
// z96 + z64 = 0.
TEST_F(MandelbrotViews, OrbitsThatReturnWithoutBeingAttractedEscape) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  const std::string misiurewicz = "-1.401216504309415209025911160197722460155146622425298246526439";
  const WideView views[] = {{"copy", "-1.401191768409860234771604817458980928172147681265185014630352",
                             "0.000014218137492962033939833383826577818546469400544485030927", "1e-24", 24, 16, 20000},
                            {"misiurewicz", misiurewicz, "0", "1e-28", 24, 16, 20000},
                            {"misiurewicz", misiurewicz, "0", "1e-31", 24, 16, 20000}};
  for (const char* precision : {"auto", "ladder"}) {
    precision_ = precision;
    for (const WideView& view : views) {
      PrecisionChoice choice;
      std::vector<Sampled> samples = samples_of(view, values(view, choice), 5);
      find_references(view, samples);
      for (const Sampled& sample : samples) {
        EXPECT_NE(sample.reference, -1);
        EXPECT_NEAR(sample.nu, sample.reference, 1e-3) << view.kind << " " << view.span << " " << precision;
      }
    }
  }
}

// Views in the slivers between the discs near 1/4 and −3/4 and across their edges; spans below their width.
TEST_F(MandelbrotViews, RandomOnesInPassagesAgreeWithManyBits) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  precision_ = "ladder";
  std::size_t all = 0, escaped = 0, far = 0;
  std::mt19937_64 random(3);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  for (int k = 0; k < 8; ++k) {
    const bool at_cusp = k % 2 == 0;
    const double away = std::pow(10, at_cusp ? -uniform(4.5, 7.5) : -uniform(2.2, 3.7));
    const double width = at_cusp ? 2 * std::pow(away, 1.5) : away * away;
    const double along = at_cusp ? away : (k % 4 == 1 ? -away : away), across = uniform(-1, 1) * width;
    WideView view;
    view.kind = "passage";
    view.re = shortest(at_cusp ? 0.25 + along : -0.75 + across);
    view.im = shortest(at_cusp ? across : along);
    view.span = shortest(width * std::pow(10, -uniform(-1, 3)));
    view.width = 25;
    view.limit = static_cast<std::uint32_t>(40 * 3.2 / (at_cusp ? std::sqrt(away) : away));
    PrecisionChoice choice;
    std::vector<Sampled> samples = samples_of(view, values(view, choice), static_cast<std::uint64_t>(k));
    ASSERT_EQ(choice.precision, at_cusp ? Precision::cusp : Precision::valley);
    find_references(view, samples);
    for (const Sampled& sample : samples) {
      EXPECT_FALSE(sample.wrong_kind()) << "--center " << view.re << " " << view.im << " --span " << view.span << ": "
                                        << sample.i << " " << sample.j << ", " << sample.reference;
      escaped += sample.reference != -1;
      far += sample.far();
    }
    all += samples.size();
  }
  EXPECT_GE(3 * escaped, all);
  EXPECT_LE(static_cast<double>(far), 5e-3 * static_cast<double>(all)) << "of " << all;
}

TEST_F(MandelbrotViews, RandomOnesAroundTheFeigenbaumPointAgreeWithManyBits) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  const int count = number_from("ORRERY_VIEWS", 10), first = number_from("ORRERY_VIEWS_FIRST", 0);
  const int seed = number_from("ORRERY_VIEWS_SEED", 1);
  const bool tells = std::getenv("ORRERY_VIEWS") != nullptr;
  if (const char* precision = std::getenv("ORRERY_VIEWS_PRECISION")) precision_ = precision;
  std::size_t all = 0, interior = 0, wrong = 0, far = 0;
  std::map<std::string, int> numbers;
  for (int k = first; k < first + count; ++k) {
    oracle::WideViews views(static_cast<std::uint64_t>(seed) * 1000003 + static_cast<std::uint64_t>(k));
    const WideView view = views.next(k);
    PrecisionChoice choice;
    std::vector<Sampled> samples = samples_of(view, values(view, choice), static_cast<std::uint64_t>(k));
    find_references(view, samples);
    ++numbers[std::string(name_of(choice.precision))];
    std::size_t wrong_here = 0, far_here = 0;
    double largest = 0;
    for (const Sampled& sample : samples) {
      wrong_here += sample.wrong_kind();
      far_here += sample.far();
      interior += sample.reference == -1;
      if (!sample.wrong_kind()) largest = std::max(largest, std::abs(sample.nu - sample.reference));
    }
    all += samples.size();
    wrong += wrong_here;
    far += far_here;
    EXPECT_EQ(wrong_here, 0u) << view.kind << " " << k << ": --center " << view.re << " " << view.im << " --span "
                              << view.span << " --size 24x16 --iterations " << view.limit;
    if (tells)
      std::printf(
          "%4d %-11s %-12s span %s N %u: %zu samples, %zu of the wrong kind, %zu far, by %.3g at the most%s\n", k,
          view.kind.c_str(), std::string(name_of(choice.precision)).c_str(), view.span.c_str(), view.limit,
          samples.size(), wrong_here, far_here, largest,
          wrong_here + far_here == 0 ? "" : (" --center " + view.re + " " + view.im + " --span " + view.span).c_str());
    if (tells) std::fflush(stdout);
  }
  std::printf("%d views, %zu samples, %zu interior: %zu of the wrong kind, %zu far;", count, all, interior, wrong, far);
  for (const auto& [name, times] : numbers) std::printf(" %s %d", name.c_str(), times);
  std::printf("\n");
  EXPECT_EQ(wrong, 0u);
  EXPECT_LE(static_cast<double>(far), 1e-3 * static_cast<double>(all));
}

}  // namespace
}  // namespace orrery::mandelbrot
