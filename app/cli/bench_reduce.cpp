/// `orrery bench reduce`: bandwidth of sums and extremes, compared with the device's memory bandwidth and a plain sum.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "cli/plain_loop.hpp"
#include "compute/measure/ceilings.hpp"
#include "compute/program/reduction.hpp"

namespace orrery::cli {
namespace {

struct Job {
  std::int64_t elements = 100'000'000;
  std::int64_t runs = 15;
  std::int64_t work_group = 0;
};

bool parse_reduce_job(const std::vector<std::string>& arguments, Job& job) {
  CLI::App app("Bytes per second read by sums and extremes. Every row is checked against an exact sum.",
               "bench reduce");
  add_parameters(
      app, {{{.name = "elements", .label = "", .help = "number of elements in the array", .minimum = 1, .maximum = 4e9},
             &job.elements},
            {{.name = "runs", .label = "", .help = "timed runs per row", .minimum = 1, .maximum = 1000}, &job.runs},
            {{.name = "work-group",
              .label = "",
              .help = "work-items in a work-group",
              .minimum = 1,
              .maximum = 4096,
              .automatic = true},
             &job.work_group}});
  return parse(app, arguments);
}

// Multiples of 2⁻²³ in [−½, 1): their sum is a multiple too, and exact.
struct Numbers {
  explicit Numbers(std::size_t count) : values(count) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto steps = static_cast<std::int64_t>(static_cast<std::uint32_t>(i) * 2654435761U % 12582912U) - 4194304;
      values[i] = static_cast<float>(steps) * 0x1p-23F;
      total += steps;
    }
    sum = static_cast<double>(total) * 0x1p-23;
  }
  std::vector<float> values;
  double sum;  ///< exact
};

struct Timing {
  double seconds;  ///< median time of one reduction
  int runs;
};

class Bench {
 public:
  Bench(const Device& device, const Job& job, BenchResults& results)
      : job_(job),
        results_(results),
        programs_(device),
        queue_(device),
        numbers_(static_cast<std::size_t>(job.elements)),
        values_(device.buffer(bytes())) {
    queue_.write_blocking(values_, std::span<const float>(numbers_.values));
    const CeilingsPace pace{.most_bytes = std::max(CeilingsPace{}.most_bytes, bytes()), .processor_bytes = bytes()};
    bandwidth_ = measure_ceilings(programs_, pace).read_bytes;
  }

  void fill() {
    add_device_rows();
    add_plain_row();
  }

 private:
  std::size_t bytes() const { return numbers_.values.size() * sizeof(float); }

  void add_device_rows() {
    const bool doubles = programs_.device().info().fp64;
    const auto group = static_cast<std::size_t>(job_.work_group);
    if (doubles) {
      Reducer reducer(programs_, {Elements::floats, Sums::doubles, group});
      add_sum("sum in doubles", reducer, 0x1p-50);
    }
    Reducer reducer(programs_, {Elements::floats, Sums::two_floats, group});
    add_sum("sum in two floats", reducer, 0x1p-44);
    add_extremes(reducer);
  }

  void add_sum(const char* name, Reducer& reducer, double tolerance) {
    const auto run = [&] { reducer.enqueue_sum(queue_, values_, numbers_.values.size()); };
    run();
    expect(name, numbers_.sum, reducer.sum(queue_), tolerance);
    add(name, reducer, timed(run));
  }

  void add_extremes(Reducer& reducer) {
    const auto run = [&] { reducer.enqueue_extremes(queue_, values_, numbers_.values.size()); };
    run();
    const Extremes found = reducer.extremes(queue_);
    const auto [least, greatest] = std::ranges::minmax(numbers_.values);
    if (found.least != least || found.greatest != greatest) throw failure("the extremes are wrong");
    add("least and greatest", reducer, timed(run));
  }

  void add_plain_row() {
    if (!plain_loop_runs_here()) return;
    double sum = 0;
    const auto run = [&] { sum += plain_sum(numbers_.values.data(), numbers_.values.size()); };
    run();
    expect("plain C++ sum", numbers_.sum, sum, 0x1p-40);
    add("plain C++ sum", {{"elements", job_.elements}, {"threads", plain_loop_threads()}}, timed(run));
  }

  /// Runs many at once, so that the cost of launching and waiting is small.
  Timing timed(const std::function<void()>& run) {
    constexpr double long_enough = 20e-3;
    const auto seconds_of = [&](int count) {
      const double began = now_seconds();
      for (int k = 0; k < count; ++k) run();
      queue_.finish();
      return now_seconds() - began;
    };
    int count = 1;
    while (seconds_of(count) < long_enough && count < 1 << 16) count *= 2;
    std::vector<double> seconds;
    for (std::int64_t k = 0; k < job_.runs; ++k) {
      end_if_interrupted();
      seconds.push_back(seconds_of(count) / count);
    }
    return {median(seconds), static_cast<int>(job_.runs) * count};
  }

  static void expect(const char* name, double exact, double found, double tolerance) {
    // The tolerance is relative to the sum of magnitudes, which is below the length of the array.
    if (std::abs(found - exact) <= tolerance * std::max(1.0, std::abs(exact)) * 8) return;
    throw failure(std::string(name) + " gave " + digits17(found) + ", expected " + digits17(exact));
  }

  void add(const char* name, const Reducer& reducer, const Timing& timing) {
    add(name, {{"elements", job_.elements}, {"work_group", reducer.work_group()}, {"groups", reducer.groups()}},
        timing);
  }

  void add(const char* name, nlohmann::ordered_json parameters, const Timing& timing) {
    BenchResult result;
    result.name = name;
    result.parameters = std::move(parameters);
    result.median_seconds = timing.seconds;
    result.runs = timing.runs;
    result.rate = static_cast<double>(bytes()) / timing.seconds;
    result.unit = "bytes/s";
    result.bound = bandwidth_;
    result.bound_reason = "measured: reading memory";
    results_.push_back(std::move(result));
  }

  Job job_;
  BenchResults& results_;
  ProgramLibrary programs_;
  Queue queue_;
  Numbers numbers_;
  cl::Buffer values_;
  double bandwidth_ = 0;
};

}  // namespace

void bench_reduce(const BenchDevices& devices, const std::vector<std::string>& arguments, BenchResults& results) {
  Job job;
  if (!parse_reduce_job(arguments, job)) return;
  const std::vector<Device> opened = open_devices(devices.infos);
  Bench(opened.front(), job, results).fill();
}

}  // namespace orrery::cli
