#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "compute/program/program.hpp"
#include "scenes/mandelbrot/checks/proof.hpp"
#include "scenes/mandelbrot/headless/commands.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"
#include "scenes/mandelbrot/model/settings.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"
#include "scenes/mandelbrot/numbers/view_file.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::cli {
namespace {

using namespace mandelbrot;

struct MandelbrotBenchJob {
  Size size{1920, 1080};
  std::int64_t iterations = 0;  ///< of the direct rows; 0: enough to keep the device busy for a moment
  std::int64_t runs = 7;
  std::int64_t work_group = 0;
  std::string precision = "both";  ///< of the direct rows
  std::string rows = "all";        ///< all, direct, deep or ladder
};

std::string text_of(Size size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

// ---- perturbation and the ladder

struct Place {
  const char* name;
  const char* re;
  const char* im;
  const char* span;
  std::uint32_t limit;
};

// The root of z_96 + z_64 = 0, where two bands of the real axis merge: counts grow by 133 for each factor of ten. Then
// a valley of the period-2 disc, from one copy of the set into the next.
const Place places[] = {
    {"mandelbrot deep 1e-50", "-1.401216504309415209025911160197722460155146622425298246526439", "0", "1e-50", 10000},
    {"mandelbrot deep 1e-50", "-0.746457910677609991861892528635067035814350267087005075489333946642377644151",
     "0.115154330086192648866183194228285201683867228869714890288650897745292886353", "1e-50", 57672},
    {"mandelbrot deep 1e-300",
     "-0.746457910677609991861887911685545673006326538682884201954794554080471583374934790314458402908789183011384594371"
     "195766488819637860225179963926124346967236604885833559807754277908749616438592777777715511452406243730119491687280"
     "4628929084100603725592365585512394979875871034536794342262105762518429133565613422906607781495371434",
     "0.1151543300861926488662235092326897098896593867079803662658426496121201298464144751266028991578995917641721000641"
     "277928552544454076518493855365553366152308174884620546212435505403419505502858898228619938089694622026267666079695"
     "392034952356728643189217709944382295317121687231588605308601086648831524207676628846405479014099241",
     "1e-300", 734020},
};

constexpr const char* feigenbaum = "-1.4011551890920506005238267878938612922263080433973196089372614966786955577535238";

// ---- a picture, timed

struct Timing {
  double median_seconds = 0;
  double table_seconds = 0;  // part of it spent on the table; 0 without timings by the driver
  int runs = 0;
};

struct Picture {
  Frame frame;
  int exponent = 0;
  std::vector<Cell> cells;
  double steps = 0;
  Timing timing;
};

double table_seconds_of(Queue& queue, int runs) {
  double microseconds = 0;
  for (const KernelStatistics& kernel : queue.profiler().statistics())
    if (kernel.name == "bilinear table" && std::isfinite(kernel.median_us))
      microseconds += kernel.median_us * static_cast<double>(kernel.launches);
  return 1e-6 * microseconds / runs;
}

// The first run computes the reference and warms everything up. The others begin with the table: each has its own
// epsilon, slightly larger than the last.
Picture timed(const Device& device, const Kernels& kernels, const Frame& frame, double epsilon, std::int64_t runs) {
  Queue queue(device);
  Renderer renderer(device, queue, kernels);
  std::vector<double> seconds;
  for (std::int64_t run = 0; run <= runs; ++run) {
    renderer.set_epsilon(epsilon * (1 + 1e-9 * static_cast<double>(run)));
    end_if_interrupted();
    renderer.begin(frame);
    const double began = now_seconds();
    renderer.finish_blocking(queue, 0.1);
    if (run > 0) seconds.push_back(now_seconds() - began);
    // A run of many seconds is timed only once more.
    if (run == 0) queue.profiler().clear();
    if (run == 1 && seconds.back() > 2) break;
  }
  const int done = static_cast<int>(seconds.size());
  return {renderer.published_frame(),
          renderer.value_exponent(),
          renderer.cells_blocking(queue),
          renderer.progress().iterations,
          {median(seconds), table_seconds_of(queue, done), done}};
}

// ---- checks

/// Checks some pixels in many bits. Chaotic pixels may be off, one in five in the busiest views; only a few may be of
/// the wrong kind.
ProofResult check(const Picture& picture, const char* name) {
  const ProofRequest request{.frame = picture.frame,
                             .exponent = picture.exponent,
                             .pixels = pick_pixels(picture.frame, picture.cells, 24, 11),
                             .most_iterations = 2e8};
  const ProofResult proof = prove(request).value_or(ProofResult{});
  if (proof.fails_in_chaos() || proof.median_error > proof_tolerance)
    throw failure(std::string(name) + ": " + std::to_string(proof.wrong_kind + proof.misses) + " of " +
                  std::to_string(proof.checked) + " pixels checked in " + std::to_string(proof.bits) +
                  " bits differ, by at most " + brief(proof.largest_error));
  return proof;
}

/// The fraction of pixels that agree, to 1e-3.
double agreement(const std::vector<Cell>& a, const std::vector<Cell>& b) {
  std::size_t alike = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    alike += a[i].interior() == b[i].interior() && std::abs(a[i].value() - b[i].value()) <= 1e-3;
  return static_cast<double>(alike) / static_cast<double>(a.size());
}

/// The picture's iterations: the sum of n over the pixels that escape.
double iterations_of(const Picture& picture) {
  double sum = 0;
  for (const Cell& cell : picture.cells)
    if (!cell.interior()) sum += cell.n;
  return std::ldexp(sum, picture.exponent);
}

BenchResult result_of(const char* name, const Picture& picture, const char* numbers) {
  BenchResult result;
  result.name = name;
  result.median_seconds = picture.timing.median_seconds;
  result.runs = picture.timing.runs;
  result.unit = "iterations/s";
  result.rate = iterations_of(picture) / result.median_seconds;
  result.bound_reason = "a step stands for many iterations: no bound is known";
  const auto pixels = static_cast<double>(picture.cells.size());
  result.parameters = {{"numbers", numbers},
                       {"size", text_of(picture.frame.size)},
                       {"span", picture.frame.view.span.text()},
                       {"iterations", picture.frame.limit}};
  result.parameters["steps_per_pixel"] = picture.steps / pixels;
  result.parameters["steps_per_second"] = picture.steps / result.median_seconds;
  result.parameters["pixels_per_second"] = pixels / result.median_seconds;
  return result;
}

void tell(BenchResult& result, const ProofResult& proof) {
  result.parameters["checked_pixels"] = proof.checked;
  result.parameters["checked_misses"] = proof.wrong_kind + proof.misses;
  result.parameters["median_error"] = proof.median_error;
}

// ---- rows

Frame frame_of(const Place& place, Size size) {
  Frame frame = whole_frame(
      {Decimal::parse(place.re, "re"), Decimal::parse(place.im, "im"), Decimal::parse(place.span, "span")}, size);
  frame.limit = place.limit;
  return frame;
}

/// The size that the device computes in a few seconds when steps are single iterations.
Size affordable(const MandelbrotBenchJob& job, const Picture& approximated) {
  constexpr double seconds = 4;
  const double each = approximated.timing.median_seconds / std::max(approximated.steps, 1.0);
  const double all = each * iterations_of(approximated);
  const double factor = std::sqrt(std::min(1.0, seconds / all));
  const auto side = [&](std::uint32_t length) {
    return std::max(16u, static_cast<std::uint32_t>(std::lround(factor * length)));
  };
  return {side(job.size.width), side(job.size.height)};
}

void bench_place(const Device& device, const Kernels& kernels, const MandelbrotBenchJob& job, const Place& place,
                 std::vector<BenchResult>& results) {
  const char* numbers = is_double(kernels.variant.perturbed) ? "doubles" : "float pairs";
  const double epsilon = PerturbedFormat{kernels.variant.perturbed}.epsilon();
  const Picture approximated = timed(device, kernels, frame_of(place, job.size), epsilon, job.runs);
  BenchResult with = result_of(place.name, approximated, numbers);
  tell(with, check(approximated, place.name));
  const ReferenceRequest request{.view = approximated.frame.view,
                                 .size = job.size,
                                 .limit = place.limit,
                                 .most_points = Perturbation::most_points(device.info()),
                                 .pairs = false,
                                 .patient = true};
  if (const References::Kept reference = kernels.references->find(request)) {
    with.parameters["reference_seconds"] = reference->seconds;
    with.parameters["reference_points"] = reference->points.last();
  }
  with.parameters["table_seconds"] = approximated.timing.table_seconds;

  // For comparison, the same view without the table, at an affordable size, and with the table at that size.
  const Size smaller = affordable(job, approximated);
  const Picture plain = timed(device, kernels, frame_of(place, smaller), -1, 1);
  const Picture same = timed(device, kernels, frame_of(place, smaller), epsilon, 1);
  const double per_pixel = plain.timing.median_seconds / static_cast<double>(smaller.pixels());
  const double gain = per_pixel * static_cast<double>(job.size.pixels()) / with.median_seconds;
  const double alike = agreement(plain.cells, same.cells);
  if (alike < 0.6)  // both are checked in many bits; in busy views rounding alone decides one pixel in seven
    throw failure(std::string(place.name) + ": only " + brief(100 * alike) +
                  " % of the pixels are the same with and without bilinear approximation");
  with.parameters["gain"] = gain;
  with.parameters["agreement"] = alike;
  with.note = brief(gain, 3) + " times as fast as without its table, " + brief(100 * alike, 5) + " % alike";
  results.push_back(std::move(with));
  BenchResult without = result_of(place.name, plain, numbers);
  without.parameters["approximation"] = "none";
  tell(without, check(plain, place.name));
  results.push_back(std::move(without));
}

// The distribution of ν: the 10th, 50th and 90th percentile of escapes, in iterations.
std::array<double, 3> spread_of(const Picture& picture) {
  std::vector<double> values;
  for (const Cell& cell : picture.cells)
    if (!cell.interior()) values.push_back(std::ldexp(cell.value(), picture.exponent));
  std::ranges::sort(values);
  std::array<double, 3> spread{};
  const std::array parts{0.1, 0.5, 0.9};
  for (std::size_t k = 0; k < parts.size() && !values.empty(); ++k)
    spread[k] = values[static_cast<std::size_t>(parts[k] * static_cast<double>(values.size() - 1))];
  return spread;
}

// Deep there, a pixel's own ν depends on more digits than its numbers have; only the distribution of ν is checked.
void check_spread(const Picture& picture, const Picture& exact, const std::string& name) {
  const auto a = spread_of(picture), b = spread_of(exact);
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!(std::abs(a[k] - b[k]) <= 0.1 * b[k]))
      throw failure(name + ": the distribution of ν differs from the double-double reference: " + brief(a[k]) +
                    " and " + brief(b[k]));
}

/// Perturbed orbits at 1e-50 and 1e-300, with and without bilinear approximation.
void bench_deep(ProgramLibrary& programs, const MandelbrotBenchJob& job, BenchResults& results) {
  const Device& device = programs.device();
  const Kernels kernels(programs, choose_variant(device.info(), Precision::perturbation, job.work_group),
                        Kernels::Warm::yes);
  for (const Place& place : places) bench_place(device, kernels, job, place, results);
}

/// The ladder at the Feigenbaum point, from 1e-6 to 1e-60.
void bench_ladder(ProgramLibrary& programs, const MandelbrotBenchJob& job, BenchResults& results) {
  const Device& device = programs.device();
  const double began = now_seconds();
  const Kernels kernels(programs, choose_variant(device.info(), Precision::ladder, job.work_group), Kernels::Warm::yes);
  const double preparation = now_seconds() - began;
  const LadderNumbers kind = kernels.ladders.front().kind;
  for (const char* span : {"1e-6", "1e-10", "1e-30", "1e-60"}) {
    const std::string name = std::string("mandelbrot ladder ") + span;
    Frame frame = frame_of({name.c_str(), feigenbaum, "0", span, 1}, job.size);
    frame.automatic = true;
    const Picture picture = timed(device, kernels, frame, 0, job.runs);
    // In pairs, at an affordable size: these pixels are proved, and the picture must have the same distribution.
    Frame small = frame_of({name.c_str(), feigenbaum, "0", span, 1}, {192, 108});
    small.automatic = true;
    const Picture exact = timed(device, kernels, small, 1, 1);
    BenchResult result = result_of(name.c_str(), picture, is_double(kind) ? "doubles" : "pairs of floats");
    tell(result, check(exact, name.c_str()));
    check_spread(picture, exact, name);
    result.parameters["iterations"] = "auto";
    result.parameters["table_and_programs_seconds"] = preparation;
    const double pixels = static_cast<double>(small.size.pixels());
    result.parameters["pixels_per_second_in_pairs"] = pixels / exact.timing.median_seconds;
    result.note = brief(picture.steps / static_cast<double>(picture.cells.size()), 3) + " steps a pixel";
    results.push_back(std::move(result));
  }
}

// ---- direct iteration

struct Row {
  const char* name;
  View view;
  bool interior_tests;
};

// Only the inside of the cardioid; and the whole set.
const Row rows[] = {
    {"mandelbrot interior", {Decimal(-0.1), Decimal(0.0), Decimal(0.2)}, false},
    {"mandelbrot set", {}, true},
};

bool parse_job(const std::vector<std::string>& arguments, MandelbrotBenchJob& job) {
  CLI::App app(
      "Iterations of z -> z^2 + c per second. Every row is first checked against a plain loop or "
      "arbitrary precision.",
      "bench mandelbrot");
  std::string size;
  app.add_option("--size", size, "size of the picture in pixels; default 1920x1080")->type_name("WxH");
  add_parameters(
      app, {{{.name = "iterations",
              .label = "",
              .help = "iteration limit N of the direct rows",
              .minimum = 16,
              .maximum = 1e8,
              .automatic = true},
             &job.iterations},
            {{.name = "runs", .label = "", .help = "timed runs per row", .minimum = 1, .maximum = 1000}, &job.runs},
            {{.name = "work-group",
              .label = "",
              .help = "work-items in a work-group",
              .minimum = 1,
              .maximum = 4096,
              .automatic = true},
             &job.work_group},
            {{.name = "precision",
              .label = "",
              .help = "precision of the direct rows",
              .choices = {"both", "single", "double"}},
             &job.precision},
            {{.name = "rows",
              .label = "",
              .help = "rows to measure: direct iteration, perturbation (deep) or the Feigenbaum point (ladder)",
              .choices = {"all", "direct", "deep", "ladder"}},
             &job.rows}});
  if (!parse(app, arguments)) return false;
  if (!size.empty()) job.size = parse_size(size);
  return true;
}

// n of the plain loop; 0 for interior.
std::uint32_t reference(Complex c, std::uint32_t limit, double radius) {
  double x = 0, y = 0;
  for (std::uint32_t n = 0; n < limit; ++n) {
    if (x * x + y * y > radius * radius) return n;
    const double next = x * x - y * y + c.re;
    y = 2 * x * y + c.im;
    x = next;
  }
  return 0;
}

/// Compares a grid of pixels with the plain loop. Chaotic pixels may differ; more than one in twenty may not.
void check_results(const Frame& frame, const std::vector<Cell>& cells, const char* name) {
  constexpr std::uint32_t step = 61;
  int checked = 0, wrong = 0;
  for (std::uint32_t j = 0; j < frame.size.height; j += step)
    for (std::uint32_t i = 0; i < frame.size.width; i += step) {
      const Cell& cell = cells[std::size_t{j} * frame.size.width + i];
      const std::uint32_t n =
          reference(point_at(frame.view, frame.size, i + 0.5, j + 0.5), frame.limit, frame.escape_radius);
      ++checked;
      wrong += (cell.interior() ? 0 : cell.n) != n;
    }
  if (20 * wrong > checked) {
    throw failure(std::string(name) + ": " + std::to_string(wrong) + " of " + std::to_string(checked) +
                  " pixels differ from the plain loop");
  }
}

struct Bound {
  double rate = 0;
  std::string reason;
};

// Fused multiply-adds a cycle of one compute unit, where OpenCL's name of the device determines them.
Bound bound_of(const DeviceInfo& device, Precision precision) {
  const bool is_double = precision == Precision::double_;
  double fused = 0;
  if (device.name.find("H100") != std::string::npos || device.name.find("H200") != std::string::npos)
    fused = is_double ? 64 : 128;
  if (fused == 0 || device.clock_mhz == 0) return {0, "the device's peak rate is not known"};
  constexpr double operations = 4;  // of an iteration: three fused multiply-adds and an addition
  return {device.compute_units * fused * device.clock_mhz * 1e6 / operations,
          "four operations an iteration at " + brief(fused) + " a cycle and compute unit"};
}

// 10,000 iterations where a run of 1,000 takes less than 0.2 s, else 1,000.
std::uint32_t suitable_limit(const MandelbrotBenchJob& job, const Kernels& kernels) {
  if (job.iterations > 0) return static_cast<std::uint32_t>(job.iterations);
  const double affordable = 0.2 / (kernels.seconds_per_iteration * static_cast<double>(job.size.pixels()));
  return affordable > 1000 ? 10000 : 1000;
}

BenchResult measure(const Device& device, ProgramLibrary& programs, const MandelbrotBenchJob& job, const Row& row,
                    Precision precision) {
  Variant variant = choose_variant(device.info(), precision, job.work_group);
  variant.interior_tests = row.interior_tests;
  // Where every orbit takes all steps, rare tests lose nothing; pictures have short orbits too.
  if (!row.interior_tests && device.info().device_class == DeviceClass::gpu) variant.unroll = 128;
  const Kernels kernels(programs, variant, Kernels::Warm::yes);
  Queue queue(device);
  Renderer renderer(device, queue, kernels);
  Frame frame = whole_frame(row.view, job.size);
  frame.limit = suitable_limit(job, kernels);
  frame.progressive = false;
  std::vector<double> seconds;
  for (std::int64_t run = 0; run <= job.runs; ++run) {
    end_if_interrupted();
    renderer.begin(frame);
    const double began = now_seconds();
    renderer.finish_blocking(queue, 0.1);
    if (run > 0) seconds.push_back(now_seconds() - began);
    if (run == 0) check_results(frame, renderer.cells_blocking(queue), row.name);
  }
  BenchResult result;
  result.name = row.name;
  result.runs = static_cast<int>(job.runs);
  result.unit = "iterations/s";
  result.parameters = {
      {"precision", name_of(precision)},         {"size", text_of(job.size)}, {"iterations", frame.limit},
      {"work-group", variant.work_group},        {"lanes", variant.lanes},    {"unroll", variant.unroll},
      {"interior-tests", variant.interior_tests}};
  result.median_seconds = median(seconds);
  result.rate = renderer.progress().iterations / result.median_seconds;
  const Bound bound = bound_of(device.info(), precision);
  result.bound = bound.rate;
  result.bound_reason = bound.reason;
  return result;
}

}  // namespace

void bench_mandelbrot(const BenchDevices& devices, const std::vector<std::string>& arguments, BenchResults& results) {
  MandelbrotBenchJob job;
  if (!parse_job(arguments, job)) return;
  const std::vector<Device> opened = open_devices(devices.infos);
  const Device& device = opened.front();
  ProgramLibrary programs(device);
  const auto wanted = [&](const char* rows) { return job.rows == "all" || job.rows == rows; };
  for (const Precision precision : {Precision::single, Precision::double_}) {
    if (!wanted("direct")) break;
    if (job.precision != "both" && job.precision != name_of(precision)) continue;
    if (precision == Precision::double_ && !device.info().fp64) continue;
    for (const Row& row : rows) results.push_back(measure(device, programs, job, row, precision));
  }
  if (wanted("deep")) bench_deep(programs, job, results);
  if (wanted("ladder")) bench_ladder(programs, job, results);
}

}  // namespace orrery::cli
