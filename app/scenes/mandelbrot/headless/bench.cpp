#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "cli/options.hpp"
#include "scenes/mandelbrot/headless/bench.hpp"
#include "scenes/mandelbrot/headless/commands.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"
#include "scenes/mandelbrot/model/settings.hpp"
#include "scenes/mandelbrot/numbers/view_file.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::cli {
namespace {

using namespace mandelbrot;

struct Row {
  const char* name;
  View view;
  bool interior_tests;
};

// Wholly inside the cardioid; and the whole set.
const Row rows[] = {
    {"mandelbrot interior", {Decimal(-0.1), Decimal(0.0), Decimal(0.2)}, false},
    {"mandelbrot set", {}, true},
};

bool parse_job(const std::vector<std::string>& arguments, MandelbrotBenchJob& job) {
  CLI::App app("Iterations of z -> z^2 + c per second. Every row is first checked against a plain loop or many bits.",
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

// Fused multiply-adds a cycle of one compute unit, where OpenCL names the device well enough to know them.
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

// Long enough that a run takes a tenth of a second, at the most.
std::uint32_t suitable_limit(const MandelbrotBenchJob& job, const Kernels& kernels) {
  if (job.iterations > 0) return static_cast<std::uint32_t>(job.iterations);
  const double affordable = 0.2 / (kernels.seconds_per_iteration * static_cast<double>(job.size.pixels()));
  return affordable > 1000 ? 10000 : 1000;
}

BenchResult measure(const Device& device, ProgramLibrary& programs, const MandelbrotBenchJob& job, const Row& row,
                    Precision precision) {
  Variant variant = choose_variant(device.info(), precision, job.work_group);
  variant.interior_tests = row.interior_tests;
  // Where every orbit takes all steps, nothing is lost by rare tests; pictures have short orbits as well.
  if (!row.interior_tests && device.info().device_class == DeviceClass::gpu) variant.unroll = 128;
  const Kernels kernels(programs, variant);
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
