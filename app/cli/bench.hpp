/// One row of a benchmark, the table of rows, and its JSON form.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compute/device/device.hpp"
#include "scene/scene_kind.hpp"

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

/// The devices to measure: the first one, or all if a scene can share its work.
struct BenchDevices {
  std::vector<DeviceInfo> infos;
  std::string exchange = "host";  ///< the value of --exchange
};

/// Prints the table to standard output, and writes `json` if it is not empty.
void report(const DeviceInfo& device, const std::vector<BenchResult>& results, const std::string& json);

using BenchResults = std::vector<BenchResult>;

/// Called between two timed runs: throws Interrupted after a recorded signal. The rows so far stay.
void end_if_interrupted();

/// The device's ceilings (compute/measure/ceilings.hpp).
void bench_device(const BenchDevices& devices, const std::vector<std::string>& arguments, BenchResults& results);
/// Sums and extremes of an array, compared with the device's bandwidth (compute/program/reduction.hpp).
void bench_reduce(const BenchDevices& devices, const std::vector<std::string>& arguments, BenchResults& results);
/// The radix sort of pairs, compared with std::stable_sort (compute/sort/radix_sort.hpp).
void bench_sort(const BenchDevices& devices, const std::vector<std::string>& arguments, BenchResults& results);
/// The window of each scene that has a WindowBench, compared with its headless command. Both are child processes.
void bench_window(SceneKinds kinds, const BenchDevices& devices, const std::vector<std::string>& arguments,
                  BenchResults& results);

}  // namespace orrery::cli
