/// `orrery bench sort`: pairs per second of the radix sort, compared with the memory limit and with std::stable_sort.
#include <algorithm>
#include <numeric>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/philox.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "compute/measure/ceilings.hpp"
#include "compute/sort/radix_sort.hpp"

namespace orrery::cli {
namespace {

struct SortJob {
  std::string pairs = "65536,1048576";
  std::int64_t runs = 15;
};

bool parse_sort_job(const std::vector<std::string>& arguments, SortJob& job) {
  CLI::App app(
      "Pairs of a 64-bit key and a 32-bit value sorted per second. Every row is compared with "
      "std::stable_sort.",
      "bench sort");
  add_parameters(
      app, {{{.name = "runs", .label = "", .help = "timed runs per row", .minimum = 1, .maximum = 1000}, &job.runs}});
  app.add_option("--pairs", job.pairs, "numbers of pairs, default " + job.pairs)->type_name("N,N,...");
  return parse(app, arguments);
}

/// Keys as along a curve: of 63 bits, each eighth like an earlier one, so that the order of equal keys counts.
struct Pairs {
  explicit Pairs(std::size_t count) : keys(count), values(count) {
    std::iota(values.begin(), values.end(), cl_uint{0});
    for (std::size_t i = 0; i < count; ++i) {
      const PhiloxBlock random = philox4x32({static_cast<std::uint32_t>(i), 0, 0, 0}, {1, 0});
      const cl_ulong fresh = (cl_ulong{random[0]} << 32 | random[1]) >> 1;
      keys[i] = i > 0 && random[2] % 8 == 0 ? keys[random[3] % i] : fresh;
    }
  }
  std::vector<cl_ulong> keys;
  std::vector<cl_uint> values;
};

class SortBench {
 public:
  SortBench(const Device& device, const SortJob& job, BenchResults& results)
      : job_(job), results_(results), programs_(device), queue_(device), kernels_(programs_) {
    bandwidth_ = measure_ceilings(programs_).read_bytes;
  }

  void add(std::size_t count) {
    const Device& device = programs_.device();
    const Pairs pairs(count);
    const std::size_t key_bytes = count * sizeof(cl_ulong), value_bytes = count * sizeof(cl_uint);
    const cl::Buffer keys = device.buffer(key_bytes), values = device.buffer(value_bytes);
    const cl::Buffer first_keys = device.read_only(std::span<const cl_ulong>(pairs.keys)),
                     first_values = device.read_only(std::span<const cl_uint>(pairs.values));
    RadixSort sort(device, count);
    std::vector<double> seconds;
    for (std::int64_t run = -1; run < job_.runs; ++run) {  // the first run warms up and is checked
      end_if_interrupted();
      queue_.copy(first_keys, keys, key_bytes);
      queue_.copy(first_values, values, value_bytes);
      queue_.finish();
      const double began = now_seconds();
      sort.enqueue(queue_, kernels_, keys, values);
      queue_.finish();
      if (run >= 0) seconds.push_back(now_seconds() - began);
      if (run < 0) check(pairs, keys, values);
    }
    BenchResult row;
    row.name = "radix sort";
    row.parameters = {{"pairs", count}, {"key_bits", 64}, {"value_bits", 32}};
    row.median_seconds = median(seconds);
    row.runs = static_cast<int>(seconds.size());
    row.rate = static_cast<double>(count) / row.median_seconds;
    row.unit = "pairs/s";
    // A pass reads the keys twice and the values once, and writes both.
    constexpr double passes = 8, bytes = 2 * sizeof(cl_ulong) + sizeof(cl_uint) + sizeof(cl_ulong) + sizeof(cl_uint);
    row.bound = bandwidth_ / (passes * bytes);
    row.bound_reason = "measured: reading memory, " + shortest(passes * bytes) + " bytes a pair";
    row.parameters["times_stable_sort"] = host_seconds_ / row.median_seconds;
    row.note = brief(host_seconds_ / row.median_seconds, 3) + " × std::stable_sort on one thread";
    results_.push_back(std::move(row));
  }

 private:
  void check(const Pairs& pairs, const cl::Buffer& keys, const cl::Buffer& values) {
    std::vector<cl_uint> expected = pairs.values;
    const double began = now_seconds();
    std::ranges::stable_sort(expected, {}, [&](cl_uint value) { return pairs.keys[value]; });
    host_seconds_ = now_seconds() - began;
    const std::vector<cl_ulong> found_keys = queue_.read_blocking<cl_ulong>(keys, pairs.keys.size());
    const std::vector<cl_uint> found = queue_.read_blocking<cl_uint>(values, pairs.values.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (found[i] != expected[i] || found_keys[i] != pairs.keys[expected[i]])
        throw failure("the radix sort is wrong: place " + std::to_string(i) + " of " + std::to_string(expected.size()) +
                      ": expected the pair " + std::to_string(expected[i]) + ", got " + std::to_string(found[i]));
  }

  SortJob job_;
  BenchResults& results_;
  ProgramLibrary programs_;
  Queue queue_;
  RadixSortKernels kernels_;
  double bandwidth_ = 0, host_seconds_ = 0;
};

}  // namespace

void bench_sort(const BenchDevices& devices, const std::vector<std::string>& arguments, BenchResults& results) {
  SortJob job;
  if (!parse_sort_job(arguments, job)) return;
  const std::vector<std::int64_t> numbers = whole_numbers("--pairs", job.pairs, 1, std::int64_t{1} << 30);
  const std::vector<Device> opened = open_devices(devices.infos);
  SortBench bench(opened.front(), job, results);
  for (const std::int64_t count : numbers) bench.add(static_cast<std::size_t>(count));
}

}  // namespace orrery::cli
