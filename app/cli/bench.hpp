/// One row of a benchmark, the table of rows, and its JSON form.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compute/device/device.hpp"

namespace orrery {
class DeviceGroup;
enum class Exchange;
}  // namespace orrery

namespace orrery::cli {

struct BenchResult {
  std::string name;
  nlohmann::ordered_json parameters;
  double median_seconds = 0;
  int runs = 0;
  double rate = 0;
  std::string unit;          ///< "interactions/s" or "iterations/s"
  double bound = 0;          ///< the device's limit in the same unit; 0 when unknown
  std::string bound_reason;  ///< the kind of limit, or why the bound is unknown
  std::string note;          ///< for the table only
};

/// Prints the table to standard output, and writes `json` if it is not empty.
void report(const DeviceInfo& device, const std::vector<BenchResult>& results, const std::string& json);

using BenchResults = std::vector<BenchResult>;

/// Called between two timed runs: throws Interrupted after a recorded signal. The rows so far stay.
void end_if_interrupted();

/// Each function appends the rows of one model as they are measured. It checks the results before timing them, and
/// throws if they are wrong. Several devices also run together.
void bench_nbody(const DeviceGroup& devices, Exchange exchange, const std::vector<std::string>& arguments,
                 BenchResults& results);
/// The device's ceilings (compute/measure/ceilings.hpp).
void bench_device(const Device& device, const std::vector<std::string>& arguments, BenchResults& results);
/// Sums and extremes of an array, compared with the device's bandwidth (compute/queue/reduction.hpp).
void bench_reduce(const Device& device, const std::vector<std::string>& arguments, BenchResults& results);
/// Steps of a Lennard-Jones liquid, the times of its kernels, and the delay until a changed law runs.
void bench_particles(const Device& device, const std::vector<std::string>& arguments, BenchResults& results);
void bench_mandelbrot(const Device& device, const std::vector<std::string>& arguments, BenchResults& results);

}  // namespace orrery::cli
