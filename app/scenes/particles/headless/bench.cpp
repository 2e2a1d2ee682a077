#include <algorithm>
#include <cmath>
#include <optional>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "scenes/particles/files/world_file.hpp"
#include "scenes/particles/headless/commands.hpp"
#include "scenes/particles/model/device_particles.hpp"
#include "scenes/particles/model/engine.hpp"

namespace orrery::cli {
namespace {

using namespace particles;

struct BenchOptions {
  std::string particles = "10000,100000,1000000", precision = "mixed";
  double seconds = 3;
};

bool parse_options(const std::vector<std::string>& arguments, BenchOptions& o) {
  CLI::App app(
      "Time per step of a Lennard-Jones liquid: density 0.8, temperature 0.85, cutoff 2.5, velocity Verlet, dt 0.004.",
      "bench particles");
  app.add_option("--particles", o.particles, "numbers of particles, separated by commas; default " + o.particles)
      ->type_name("N,N");
  add_parameters(
      app,
      {{{.name = "precision", .label = "", .help = "precision of the forces", .choices = {"single", "mixed", "double"}},
        &o.precision},
       {{.name = "seconds",
         .label = "",
         .help = "measuring time per row",
         .minimum = 0,
         .maximum = 3600,
         .above_minimum = true},
        &o.seconds}});
  return parse(app, arguments);
}

// The formula of the built-in law, without its derivative.
constexpr const char* derived_law =
    "name = \"derived\"\nsnippet = \"energy += 4 * epsilon * (pow(sigma / r, 12) - pow(sigma / r, 6));\"\n"
    "parameters = { epsilon = 1, sigma = 1 }";
constexpr const char* law_by_hand = "law = \"lennard-jones\"";

World liquid(std::size_t particles, const std::string& law = law_by_hand) {
  const double side = std::cbrt(static_cast<double>(particles) / 0.8);
  return parse_world("name = \"liquid\"\n[box]\nlengths = " + shortest(side) +
                         "\n[[fill]]\nshape = \"lattice\"\njitter = 0.1\ncount = " + std::to_string(particles) +
                         "\n[[pair]]\n" + law + "\ncutoff = 2.5\n[ensemble]\ndt = 0.004\ntemperature = 0.85\n",
                     "bench");
}

// Checks the forces of a few particles against sums over all others in double.
void check_forces(Engine& engine, Queue& queue) {
  const std::vector<Vector> forces = engine.forces_blocking(queue);
  const World& world = engine.world();
  const std::vector<Vector> at = engine.snapshot_blocking(queue).position;
  for (std::size_t i = 0; i < at.size(); i += at.size() / 16 + 1) {
    Vector expected{};
    double largest = 1;
    for (std::size_t j = 0; j < at.size(); ++j) {
      Vector d{};
      double r2 = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        d[k] = at[j][k] - at[i][k];
        d[k] -= (*world.box.lengths)[k] * std::rint(d[k] / (*world.box.lengths)[k]);
        r2 += d[k] * d[k];
      }
      if (j == i || r2 >= 6.25) continue;
      const double s6 = 1 / (r2 * r2 * r2), pull = -24 * (2 * s6 * s6 - s6) / r2;
      for (std::size_t k = 0; k < 3; ++k) expected[k] += pull * d[k];
      largest = std::max(largest, std::abs(pull));
    }
    // A position is off by up to 2⁻²⁴ of the box side, the force of a steep pair by about thirty times that.
    const double tolerance = 60 * largest * (*world.box.lengths)[0] * 0x1p-24 + 1e-4 * largest;
    for (std::size_t k = 0; k < 3; ++k)
      if (!(std::abs(forces[i][k] - expected[k]) < tolerance))
        throw failure("the force on particle " + std::to_string(i) + " is " + brief(forces[i][k], 8) + ", expected " +
                          brief(expected[k], 8),
                      "please report this");
  }
}

class Table {
 public:
  Table(const Device& device, const BenchOptions& options, BenchResults& results)
      : device_(device), programs_(device), options_(options), results_(results) {}

  void fill() {
    for (const std::int64_t count : whole_numbers("--particles", options_.particles, 500, 1 << 24)) {
      const auto particles = static_cast<std::size_t>(count);
      measure(particles);
      compare_laws(particles);
    }
    time_snippet();
  }

 private:
  void measure(std::size_t particles) {
    Queue queue(device_);
    Engine engine(programs_, liquid(particles),
                  ForceVariant{.precision = precision_of(options_.precision, device_.info())});
    check_forces(engine, queue);
    run_burst(engine, queue, {20});
    const double began = now_seconds();
    run_burst(engine, queue, {20});
    const double each = std::max((now_seconds() - began) / 20, 1e-6);
    const std::int64_t steps =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(options_.seconds / 10 / each), 1, 10000);
    queue.harvest();
    queue.profiler().clear();
    std::vector<double> seconds;
    for (const double until = now_seconds() + options_.seconds; now_seconds() < until || seconds.size() < 3;) {
      end_if_interrupted();
      const double start = now_seconds();
      run_burst(engine, queue, {steps});
      seconds.push_back((now_seconds() - start) / static_cast<double>(steps));
    }
    std::ranges::nth_element(seconds, seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2));
    const double median = seconds[seconds.size() / 2];
    const auto n = static_cast<double>(particles);
    results_.push_back({.name = "particles",
                        .parameters = {{"particles", particles},
                                       {"precision", options_.precision},
                                       {"work_group", engine.variant().work_group},
                                       {"lanes", engine.variant().lanes},
                                       {"split", engine.variant().split},
                                       {"steps_per_second", 1 / median}},
                        .median_seconds = median,
                        .runs = static_cast<int>(seconds.size()),
                        .rate = n / median,
                        .unit = "particle-steps/s",
                        .bound_reason = "a Lennard-Jones liquid has no bound of its own",
                        .note = brief(1 / median) + " steps/s"});
    queue.harvest();
    add_kernels(queue, particles);
  }

  // Times the pair kernel in turns for one law with only its energy and for the same law with its derivative.
  void compare_laws(std::size_t particles) {
    const ForceVariant variant{.precision = precision_of(options_.precision, device_.info())};
    struct Side {
      Side(const Device& device, ProgramLibrary& programs, const World& world, const ForceVariant& v)
          : queue(device), engine(programs, world, v) {}
      Queue queue;
      Engine engine;
      std::vector<double> seconds;
    };
    Side derived(device_, programs_, liquid(particles, derived_law), variant),
        by_hand(device_, programs_, liquid(particles), variant);
    constexpr std::int64_t steps = 10;
    for (Side* side : {&derived, &by_hand}) {
      check_forces(side->engine, side->queue);
      run_burst(side->engine, side->queue, {steps});
    }
    for (const double until = now_seconds() + options_.seconds; now_seconds() < until || derived.seconds.size() < 5;)
      for (Side* side : {&derived, &by_hand}) {
        side->queue.harvest();
        side->queue.profiler().clear();
        const double start = now_seconds();
        run_burst(side->engine, side->queue, {steps});
        const double whole = (now_seconds() - start) / static_cast<double>(steps);
        side->queue.harvest();
        side->seconds.push_back(pair_seconds(side->queue).value_or(whole));
      }
    const auto median = [](std::vector<double>& seconds) {
      std::ranges::sort(seconds);
      return seconds[seconds.size() / 2];
    };
    const double own = median(derived.seconds), other = median(by_hand.seconds);
    results_.push_back({.name = "  pairs, derived law",
                        .parameters = {{"particles", particles},
                                       {"precision", options_.precision},
                                       {"by_hand_seconds", other},
                                       {"times_by_hand", own / other}},
                        .median_seconds = own,
                        .runs = static_cast<int>(derived.seconds.size()),
                        .rate = static_cast<double>(particles) / own,
                        .unit = "particle-steps/s",
                        .bound_reason = "a Lennard-Jones liquid has no bound of its own",
                        .note = brief(own / other) + " times as long as written by hand"});
  }

  static std::optional<double> pair_seconds(Queue& queue) {
    for (const KernelStatistics& k : queue.profiler().statistics())
      if (k.name == particles_launch::pairs && k.median_us > 0) return k.median_us * 1e-6;
    return std::nullopt;
  }

  // The share of each kernel in the device's time.
  void add_kernels(Queue& queue, std::size_t particles) {
    double all = 0;
    const auto statistics = queue.profiler().statistics();
    for (const KernelStatistics& k : statistics) all += k.timed_seconds;
    for (const KernelStatistics& k : statistics) {
      if (!(k.timed_seconds > 0.001 * all)) continue;
      results_.push_back(
          {.name = "  " + k.name,
           .parameters = {{"particles", particles}, {"launches", k.launches}, {"share", k.timed_seconds / all}},
           .median_seconds = k.median_us * 1e-6,
           .runs = static_cast<int>(std::min<std::uint64_t>(k.launches, 1U << 30)),
           .rate = k.timed_seconds / all,
           .unit = "of the time",
           .bound_reason = "a Lennard-Jones liquid has no bound of its own",
           .note = {}});
    }
  }

  // Times the way from a changed text to the first step under it. None of the texts is in any cache.
  void time_snippet() {
    Queue queue(device_);
    World world = liquid(4000);
    Engine engine(programs_, world, ForceVariant{.precision = precision_of(options_.precision, device_.info())});
    run_burst(engine, queue, {2});
    std::vector<double> seconds;
    const auto salt = static_cast<std::int64_t>(now_seconds() * 1e6);
    for (int k = 0; k < 5; ++k) {
      end_if_interrupted();
      world.pairs.front().snippet += "energy += 0 * " + std::to_string((salt + k) % 1000000007) + ".5f;\n";
      const double began = now_seconds();
      engine.use(make_law_kernels(programs_, world, engine.variant()), world);
      run_burst(engine, queue, {1});
      seconds.push_back(now_seconds() - began);
    }
    std::ranges::sort(seconds);
    results_.push_back({.name = "changed snippet",
                        .parameters = {{"particles", 4000}, {"slowest_seconds", seconds.back()}},
                        .median_seconds = seconds[2],
                        .runs = 5,
                        .rate = 1 / seconds[2],
                        .unit = "changes/s",
                        .bound_reason = "compilers have no bound",
                        .note = {}});
  }

  const Device& device_;
  ProgramLibrary programs_;
  const BenchOptions& options_;
  BenchResults& results_;
};

}  // namespace

void bench_particles(const BenchDevices& devices, const std::vector<std::string>& arguments, BenchResults& results) {
  BenchOptions options;
  if (!parse_options(arguments, options)) return;
  const std::vector<Device> opened = open_devices(devices.infos);
  Table(opened.front(), options, results).fill();
}

}  // namespace orrery::cli
