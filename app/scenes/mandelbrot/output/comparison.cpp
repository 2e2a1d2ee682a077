#include "scenes/mandelbrot/output/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "scenes/mandelbrot/output/picture.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr double slice_seconds = 0.004;
constexpr int rounds = 4;
constexpr double noticeable = 1e-3;  // least difference of ν
constexpr double longest_limit = 4294967293.0;

struct Side {
  Side(ProgramLibrary& programs, const MandelbrotSettings& settings, const ComparedPicture& picture)
      : device(programs.device()),
        queue(device),
        choice(choose_precision(settings.precision, picture.view, picture.size, device.info().fp64, Purpose::picture)),
        renderer(device, queue, Kernels(programs, choose_variant(device.info(), choice, settings, Purpose::picture))),
        frame(whole_frame(picture.view, picture.size)) {
    frame.automatic = picture.automatic;
    frame.progressive = false;
    frame.escape_radius = settings.escape_radius;
    exponent = exponent_of(renderer.kernels(), frame);
    const double limit = std::ldexp(picture.limit, -exponent);
    if (limit > longest_limit)
      throw usage_error("the number of iterations in " + std::string(name_of(choice.precision)) + " precision",
                        brief(picture.limit), "a whole number from 1 to " + shortest(longest_limit));
    frame.limit = static_cast<std::uint32_t>(std::max(1.0, std::round(limit)));
  }

  void compute(const std::function<void(const Progress&)>& during) {
    renderer.begin(frame);
    renderer.finish_blocking(queue, slice_seconds, during);
  }
  std::vector<double> values() {
    std::vector<double> result;
    for (const Cell& cell : renderer.cells_blocking(queue)) result.push_back(value_of(cell, exponent));
    return result;
  }

  const Device& device;
  Queue queue;
  PrecisionChoice choice;
  Renderer renderer;
  Frame frame;
  int exponent = 0;
};

void note_differences(const std::vector<double>& first, const std::vector<double>& second, Comparison& comparison) {
  double largest = 0, apart = 0, other_kind = 0;
  std::vector<double> each;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if ((first[i] < 0) != (second[i] < 0)) {
      ++other_kind;
      continue;
    }
    if (first[i] < 0) continue;
    each.push_back(std::abs(first[i] - second[i]));
    largest = std::max(largest, each.back());
    apart += each.back() > noticeable ? 1 : 0;
  }
  const auto all = static_cast<double>(first.size());
  comparison.same_bits = first == second;
  comparison.differences = {{"ν, median", each.empty() ? 0 : median(std::move(each)), "in iterations"},
                            {"ν, largest", largest, "in iterations"},
                            {"ν differs by more than 0.001", apart / all, "as a fraction of all pixels"},
                            {"Interior on one side only", other_kind / all, "as a fraction of all pixels"}};
}

}  // namespace

Comparison compare_pictures(const std::array<ProgramLibrary*, 2>& sides,
                            const std::array<MandelbrotSettings, 2>& settings, const ComparedPicture& picture,
                            const BetweenSlices& between) {
  double done = 0;
  Rest rest(between);
  const auto waited = [&](const Progress& progress) {
    rest(std::min(0.99, (done + progress.fraction()) / (2 * (rounds + 1))));
  };
  Side first(*sides[0], settings[0], picture), second(*sides[1], settings[1], picture);
  const auto compute = [&](Side& side) {
    side.compute(waited);
    ++done;
  };
  compute(first);  // warms up: the reference orbit, and the first launches
  compute(second);
  Comparison comparison;
  time_side_by_side(
      {ComparedSide{first.queue, [&] { compute(first); }}, ComparedSide{second.queue, [&] { compute(second); }}},
      rounds, 1, rest, comparison);
  comparison.work = std::to_string(picture.size.width) + " × " + std::to_string(picture.size.height) + ", " +
                    std::string(name_of(first.choice.precision)) + " and " +
                    std::string(name_of(second.choice.precision));
  comparison.unit = "picture";
  note_differences(first.values(), second.values(), comparison);
  return comparison;
}

}  // namespace orrery::mandelbrot
