/// One row of a benchmark, the table of rows, and its JSON form (DESIGN section 8).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compute/device.hpp"

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
  std::string bound_reason;  ///< what limits, or why the bound is unknown
  std::string note;          ///< for the table only
};

/// Prints the table to standard output and, when `json` is not empty, writes the file.
void report(const DeviceInfo& device, const std::vector<BenchResult>& results, const std::string& json);

/// The rows of one model; each checks its results before it times them, and throws when they are wrong.
/// Where there are several devices, also by all of them.
std::vector<BenchResult> bench_nbody(const DeviceGroup& devices, Exchange exchange,
                                     const std::vector<std::string>& arguments);
/// The device's ceilings (compute/ceilings.hpp).
std::vector<BenchResult> bench_device(const Device& device, const std::vector<std::string>& arguments);
/// Sums and extremes of an array beside the device's bandwidth (compute/reduction.hpp).
std::vector<BenchResult> bench_reduce(const Device& device, const std::vector<std::string>& arguments);
/// Steps of a Lennard-Jones liquid, what each kernel takes of them, and how soon a changed law runs.
std::vector<BenchResult> bench_particles(const Device& device, const std::vector<std::string>& arguments);
std::vector<BenchResult> bench_mandelbrot(const Device& device, const std::vector<std::string>& arguments);

}  // namespace orrery::cli
