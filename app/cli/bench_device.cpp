#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "compute/measure/ceilings.hpp"
#include "compute/measure/ceilings_store.hpp"

namespace orrery::cli {

void bench_device(const BenchDevices& devices, const std::vector<std::string>& arguments, BenchResults& results) {
  CLI::App app("Peak rates of the device, which bound the rate of every kernel.", "bench device");
  if (!parse(app, arguments)) return;
  const std::vector<Device> opened = open_devices(devices.infos);
  const Device& device = opened.front();
  ProgramLibrary programs(device);
  const Ceilings ceilings = measure_ceilings(programs);
  keep_ceilings(ceilings_path(), device.info(), ceilings);
  const auto add = [&](const char* name, double rate, const char* unit) {
    if (rate <= 0) return;
    BenchResult result;
    result.name = name;
    result.median_seconds = 1 / rate;
    result.runs = 1;
    result.rate = rate;
    result.unit = unit;
    results.push_back(std::move(result));
  };
  add("multiply-adds, single", ceilings.multiply_adds, "operations/s");
  add("multiply-adds, double", ceilings.multiply_adds_double, "operations/s");
  add("reciprocal roots", ceilings.roots, "operations/s");
  add("global memory, read", ceilings.read_bytes, "bytes/s");
  add("global memory, copy", ceilings.copy_bytes, "bytes/s");
  add("local memory, read", ceilings.local_bytes, "bytes/s");
  add("launch to end", 1 / ceilings.launch_seconds, "launches/s");
  add("launch to launch", 1 / ceilings.launch_interval, "launches/s");
}

}  // namespace orrery::cli
