#include "compute/measure/ceilings.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {
namespace {

constexpr std::size_t unroll = 16;  // equal to ceilings.cl
constexpr int fewest_runs = 5;

struct Shape {
  std::size_t lanes, chains, group, groups;
  std::size_t items() const { return group * groups; }
};

// Enough chains to keep the units busy, and enough groups to fill every compute unit several times.
Shape shape_of(const DeviceInfo& info, bool doubles) {
  const std::size_t units = std::max(1U, info.compute_units);
  const std::size_t group = std::min<std::size_t>(info.max_work_group, is_cpu(info) ? 16 : 256);
  if (!is_cpu(info)) return {1, 4, std::bit_floor(group), units * 16};
  const std::size_t width = doubles ? info.preferred_double_width : info.preferred_float_width;
  return {std::clamp<std::size_t>(std::bit_floor(width), 1, 16), 10, std::bit_floor(group), units * 4};
}

ProgramSpec spec_of(const Device& device, const Shape& shape, bool doubles) {
  ProgramSpec spec{"ceilings.cl", {{"LANES", std::to_string(shape.lanes)}, {"CHAINS", std::to_string(shape.chains)}}};
  if (doubles) spec.definitions["DOUBLE"] = "1";
  if (is_cpu(device.info())) spec.definitions["CONTIGUOUS"] = "1";
  if (device.info().has_fma(doubles)) spec.definitions["FAST_FMA"] = "1";
  return spec;
}

class Bench {
 public:
  Bench(ProgramLibrary& programs, bool doubles, const CeilingsPace& pace)
      : device_(programs.device()),
        queue_(device_),
        shape_(shape_of(device_.info(), doubles)),
        doubles_(doubles),
        program_(programs.build(spec_of(device_, shape_, doubles))),
        results_(device_.buffer(shape_.items() * (doubles ? sizeof(cl_double) : sizeof(cl_float)))),
        pace_(pace) {}

  double multiply_adds() {
    cl::Kernel kernel = with_results("multiply_adds");
    doubles_ ? set_numbers<cl_double>(kernel) : set_numbers<cl_float>(kernel);
    return arithmetic("multiply-adds", kernel, 2);
  }

  double roots() {
    cl::Kernel kernel = with_results("roots");
    return arithmetic("reciprocal square roots", kernel, 1);
  }

  double read_bytes() {
    const std::size_t count = memory_bytes() / sizeof(cl_float4);
    const cl::Buffer data = device_.buffer(count * sizeof(cl_float4));
    queue_.fill(data, cl_float{1}, count * sizeof(cl_float4));
    cl::Kernel kernel = with_results("read_all");
    kernel.setArg(1, data);
    kernel.setArg(2, static_cast<cl_uint>(count));
    const double seconds = shortest([&] { launch(kernel, shape_.items()); });
    expect("reading global memory", static_cast<double>(count) * 4, total());
    return static_cast<double>(count * sizeof(cl_float4)) / seconds;
  }

  double copy_bytes() {
    const std::size_t count = memory_bytes() / 2 / sizeof(cl_float4);
    const cl::Buffer from = device_.buffer(count * sizeof(cl_float4)), to = device_.buffer(count * sizeof(cl_float4));
    queue_.fill(from, cl_float{1}, count * sizeof(cl_float4));
    queue_.fill(to, cl_float{0}, count * sizeof(cl_float4));
    cl::Kernel kernel = program_->kernel("copy_all");
    kernel.setArg(0, to);
    kernel.setArg(1, from);
    kernel.setArg(2, static_cast<cl_uint>(count));
    const double seconds = shortest([&] { launch(kernel, round_up(count, shape_.group)); });
    const auto last = queue_.read_blocking<cl_float4>(to, count).back();
    expect("copying global memory", 1, static_cast<double>(last.s[3]));
    return 2 * static_cast<double>(count * sizeof(cl_float4)) / seconds;
  }

  double local_bytes() {
    cl::Kernel kernel = with_results("read_local");
    kernel.setArg(2, cl::Local(shape_.group * sizeof(cl_float4)));
    const Rounds measured = calibrated(kernel);
    const double each = static_cast<double>(measured.rounds * unroll);
    expect("reading local memory", 4 * each, total() / static_cast<double>(shape_.items()));
    return static_cast<double>(shape_.items()) * each * sizeof(cl_float4) / measured.seconds;
  }

  double launch_seconds() { return launches(1); }
  double launch_interval() { return launches(64) / 64; }

 private:
  struct Rounds {
    std::uint32_t rounds = 1;
    double seconds = 0;
  };

  cl::Kernel with_results(const char* entry) {
    cl::Kernel kernel = program_->kernel(entry);
    kernel.setArg(0, results_);
    return kernel;
  }

  template <class Number>
  static void set_numbers(cl::Kernel& kernel) {
    kernel.setArg(2, Number(0.5));
    kernel.setArg(3, Number(1));
  }

  void launch(const cl::Kernel& kernel, std::size_t items) {
    queue_.launch("ceiling", kernel, {cl::NDRange(items), cl::NDRange(shape_.group)});
  }

  // The shortest of several runs: a ceiling is the best case, whatever else the machine does.
  template <class Run>
  double shortest(Run&& run) {
    double least = 1e300;
    const double until = now_seconds() + pace_.patience;
    for (int k = 0; k < fewest_runs || now_seconds() < until; ++k) {
      const double began = now_seconds();
      run();
      queue_.finish();
      least = std::min(least, now_seconds() - began);
      if (pace_.rest) pace_.rest();
    }
    return least;
  }

  // Enough rounds to make the cost of the launch negligible.
  Rounds calibrated(cl::Kernel& kernel) {
    Rounds result;
    const auto run = [&] {
      kernel.setArg(1, static_cast<cl_uint>(result.rounds));
      launch(kernel, shape_.items());
      queue_.finish();
    };
    run();
    for (; result.rounds < 1U << 20; result.rounds *= 2) {
      const double began = now_seconds();
      run();
      if (now_seconds() - began > pace_.long_enough) break;
      if (pace_.rest) pace_.rest();
    }
    result.seconds = shortest(run);
    return result;
  }

  // `ends` are the ends of the chains.
  double arithmetic(const char* what, cl::Kernel& kernel, double ends) {
    const Rounds measured = calibrated(kernel);
    const double values = static_cast<double>(shape_.items() * shape_.chains * shape_.lanes);
    expect(what, ends * values, total());
    return values * static_cast<double>(measured.rounds * unroll) / measured.seconds;
  }

  double launches(int count) {
    cl::Kernel kernel = with_results("nothing");
    return shortest([&] {
      for (int k = 0; k < count; ++k) launch(kernel, shape_.group);
    });
  }

  double total() {
    double sum = 0;
    if (doubles_)
      for (const cl_double value : queue_.read_blocking<cl_double>(results_, shape_.items())) sum += value;
    else
      for (const cl_float value : queue_.read_blocking<cl_float>(results_, shape_.items()))
        sum += static_cast<double>(value);
    return sum;
  }

  void expect(const char* what, double expected, double found) const {
    constexpr double tolerance = 1e-2;  // the fastest root is an estimate
    if (std::abs(found - expected) <= tolerance * expected) return;
    throw failure(std::string("measuring ") + what + " gave " + brief(found, 9) + ", expected " + brief(expected, 9),
                  "the device or its driver computes wrong results: " + device_.info().name);
  }

  std::size_t memory_bytes() const {
    const DeviceInfo& info = device_.info();
    const std::size_t wanted = is_cpu(info) ? pace_.processor_bytes : pace_.most_bytes;
    return std::bit_floor(std::min<std::size_t>({wanted, info.allocation_bytes, info.global_bytes / 8}));
  }

  Device device_;
  Queue queue_;
  Shape shape_;
  bool doubles_;
  std::shared_ptr<const Program> program_;
  cl::Buffer results_;
  const CeilingsPace& pace_;
};

}  // namespace

Ceilings measure_ceilings(ProgramLibrary& programs, const CeilingsPace& pace) {
  Ceilings ceilings;
  {
    Bench bench(programs, false, pace);
    ceilings.multiply_adds = bench.multiply_adds();
    ceilings.roots = bench.roots();
    ceilings.read_bytes = bench.read_bytes();
    ceilings.copy_bytes = bench.copy_bytes();
    ceilings.local_bytes = bench.local_bytes();
    ceilings.launch_seconds = bench.launch_seconds();
    ceilings.launch_interval = bench.launch_interval();
  }
  if (programs.device().info().fp64) ceilings.multiply_adds_double = Bench(programs, true, pace).multiply_adds();
  return ceilings;
}

}  // namespace orrery
