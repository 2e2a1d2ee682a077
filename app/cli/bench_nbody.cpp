#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "model/nbody/initial.hpp"
#include "model/nbody/simulation.hpp"

namespace orrery::cli {
namespace {

constexpr double softening = 0.05, dt = 0.005;

struct BenchOptions {
  std::string bodies, work_group = "auto", precision = "single", integrator = "leapfrog";
  double seconds = 1;  // of measuring, a row
};

std::vector<std::int64_t> numbers(const std::string& flag, const std::string& list) {
  std::vector<std::int64_t> result;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    const std::string text = list.substr(start, end - start);
    const auto number = text == "auto" && flag == "--work-group" ? std::optional<std::int64_t>(0) : parse_integer(text);
    if (!number || *number < 0 || (*number == 0 && text != "auto") || *number > 16777216)
      throw usage_error(flag + " cannot be", text, "allowed: numbers from 1 to 16777216, with commas between them");
    result.push_back(*number);
    start = end + 1;
  }
  return result;
}

bool parse_options(const std::vector<std::string>& arguments, const DeviceInfo& device, BenchOptions& options) {
  options.bodies = device.device_class == DeviceClass::cpu ? "1024,4096,16384" : "4096,16384,65536,135168";
  CLI::App app("Interactions a second of the n-body step, checked against a plain loop in double.", "bench nbody");
  app.add_option("--bodies", options.bodies, "numbers of bodies, with commas; default " + options.bodies);
  app.add_option("--work-group", options.work_group, "sizes, with commas; auto is what suits the device");
  app.add_option("--precision", options.precision, "single | double");
  app.add_option("--integrator", options.integrator, "leapfrog | tutorial");
  app.add_option("--seconds", options.seconds, "of measuring for each row; default 1");
  return parse(app, arguments);
}

struct Acceleration {
  double x = 0, y = 0, z = 0;
};

Acceleration reference(const Bodies& bodies, std::size_t i) {
  Acceleration a;
  for (const Body& b : bodies) {
    const double dx = b.x - bodies[i].x, dy = b.y - bodies[i].y, dz = b.z - bodies[i].z;
    const double r2 = dx * dx + dy * dy + dz * dz + softening * softening;
    const double pull = b.mass / (r2 * std::sqrt(r2));
    a = {a.x + pull * dx, a.y + pull * dy, a.z + pull * dz};
  }
  return a;
}

// Some bodies' accelerations, where the device has left them.
template <class Real4>
void check_field(Queue& queue, const NbodySimulation& simulation, const Bodies& bodies, double tolerance) {
  const auto got = queue.read_blocking<Real4>(simulation.buffers().accelerations, bodies.size());
  const std::size_t stride = std::max<std::size_t>(1, bodies.size() / 64);
  for (std::size_t i = 0; i < bodies.size(); i += stride) {
    const Acceleration want = reference(bodies, i);
    const auto& a = got[i].s;
    const double error =
        std::hypot(a[0] - want.x, a[1] - want.y, a[2] - want.z) / std::max(std::hypot(want.x, want.y, want.z), 1e-3);
    if (!(error <= tolerance))
      throw failure("body " + std::to_string(i) + " of " + std::to_string(bodies.size()) +
                    " is accelerated wrongly, by " + brief(error) + " of it; at most " + brief(tolerance) +
                    " is rounding");
  }
}

// A sum of N rounded terms, and inputs rounded to the kernel's precision.
double tolerance_of(Precision precision, std::size_t bodies) {
  const double unit = precision == Precision::double_ ? 0x1p-53 : 0x1p-24;
  return unit * (64 + 8 * std::sqrt(static_cast<double>(bodies)) / softening);
}

// Lanes a compute unit issues at once, where the vendor says so; OpenCL itself does not tell.
struct IssueSlots {
  std::string_view device;
  double single, double_;
};
constexpr std::array known_devices{IssueSlots{"H200", 128, 64}, IssueSlots{"H100", 128, 64}};

// Instructions an interaction; the reciprocal root counts for what it keeps its own unit busy.
constexpr double single_slots = 13.25, double_slots = 17;

void bound_of(const DeviceInfo& device, Precision precision, BenchResult& result) {
  const auto known = std::ranges::find_if(
      known_devices, [&](const IssueSlots& slots) { return device.name.find(slots.device) != std::string::npos; });
  if (known == known_devices.end()) {
    result.bound_reason = "bound unknown: OpenCL does not tell how many lanes a compute unit has";
    return;
  }
  const bool single = precision == Precision::single;
  const double lanes = single ? known->single : known->double_;
  const double slots = single ? single_slots : double_slots;
  result.bound = device.compute_units * lanes * device.clock_mhz * 1e6 / slots;
  result.bound_reason = brief(slots) + " issue slots an interaction on " + brief(lanes) + " lanes a unit";
}

BenchResult measure(const Device& device, ProgramLibrary& programs, const NbodySettings& settings, double seconds) {
  const Precision precision = precision_of(settings, device.info());
  const Bodies bodies = make_bodies("plummer", settings.bodies, 0, 1);
  const auto n = static_cast<double>(bodies.size());
  Queue queue(device);
  NbodySimulation simulation(device, bodies, precision);
  const NbodyVariant variant = nbody_variant(device.info(), settings, bodies.size());
  simulation.use(NbodyKernels(programs, variant, bodies.size()));
  run_burst(simulation, queue, {0, dt, softening});
  if (precision == Precision::double_)
    check_field<cl_double4>(queue, simulation, bodies, tolerance_of(precision, bodies.size()));
  else
    check_field<cl_float4>(queue, simulation, bodies, tolerance_of(precision, bodies.size()));

  constexpr std::int64_t burst = 4;
  run_burst(simulation, queue, {burst, dt, softening});  // learns how long launches may be
  std::vector<double> runs;
  for (const double began = now_seconds(); runs.size() < 3 || (now_seconds() - began < seconds && runs.size() < 101);) {
    const double start = now_seconds();
    run_burst(simulation, queue, {burst, dt, softening});
    runs.push_back((now_seconds() - start) / static_cast<double>(burst));
  }
  BenchResult result;
  result.name = "nbody";
  result.parameters = {
      {"bodies", bodies.size()},          {"precision", settings.precision}, {"integrator", settings.integrator},
      {"work_group", variant.work_group}, {"lanes", variant.lanes},          {"tile", variant.tile}};
  result.median_seconds = median(runs);
  result.runs = static_cast<int>(runs.size());
  result.rate = n * n / result.median_seconds;
  result.unit = "interactions/s";
  bound_of(device.info(), precision, result);
  return result;
}

}  // namespace

std::vector<BenchResult> bench_nbody(const Device& device, const std::vector<std::string>& arguments) {
  BenchOptions options;
  if (!parse_options(arguments, device.info(), options)) return {};
  NbodySettings settings;
  for (Parameter& parameter : parameters(settings, device.info().fp64)) {
    if (parameter.info().name == "precision") parameter.assign_text(options.precision);
    if (parameter.info().name == "integrator") parameter.assign_text(options.integrator);
  }
  ProgramLibrary programs(device);
  std::vector<BenchResult> results;
  for (const std::int64_t bodies : numbers("--bodies", options.bodies))
    for (const std::int64_t work_group : numbers("--work-group", options.work_group)) {
      settings.bodies = bodies;
      settings.work_group = work_group;
      results.push_back(measure(device, programs, settings, options.seconds));
    }
  return results;
}

}  // namespace orrery::cli
