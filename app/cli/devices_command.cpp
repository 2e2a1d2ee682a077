#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "compute/driver_check.hpp"

namespace orrery::cli {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const DeviceInfo& d) {
  Json json = {{"id", text_of(d.id)},
               {"name", d.name},
               {"vendor", d.vendor},
               {"driver", d.driver},
               {"version", d.version},
               {"type", name_of(d.device_class)},
               {"compute_units", d.compute_units},
               {"clock_mhz", d.clock_mhz},
               {"global_bytes", d.global_bytes},
               {"allocation_bytes", d.allocation_bytes},
               {"local_bytes", d.local_bytes},
               {"local_is_dedicated", d.local_is_dedicated},
               {"max_work_group", d.max_work_group},
               {"max_work_items", d.max_work_items},
               {"preferred_float_width", d.preferred_float_width},
               {"preferred_double_width", d.preferred_double_width},
               {"fp64", d.fp64},
               {"int64_atomics", d.int64_atomics},
               {"unified_memory", d.unified_memory},
               {"timer_resolution_ns", d.timer_resolution_ns},
               {"max_parts", d.max_parts},
               {"extensions", d.extensions}};
  if (!d.fault.empty()) json["fault"] = d.fault;
  return json;
}

Json as_json(const PlatformInfo& p) {
  Json json = {{"name", p.name}, {"vendor", p.vendor}, {"version", p.version}, {"devices", Json::array()}};
  for (const DeviceInfo& device : p.devices) json["devices"].push_back(as_json(device));
  if (!p.fault.empty()) json["fault"] = p.fault;
  return json;
}

void print_table(const std::vector<PlatformInfo>& platforms) {
  for (const PlatformInfo& platform : platforms) {
    std::printf("%s (%s)%s%s\n", platform.name.c_str(), platform.version.c_str(), platform.fault.empty() ? "" : ": ",
                platform.fault.c_str());
    for (const DeviceInfo& d : platform.devices) {
      std::printf("  %-5s %-44s %-4s %4u units %5u MHz  %9s, local %8s  work-group ≤ %-5zu fp64 %-3s  driver %s\n",
                  text_of(d.id).c_str(), d.name.c_str(), std::string(name_of(d.device_class)).c_str(), d.compute_units,
                  d.clock_mhz, bytes_text(static_cast<double>(d.global_bytes)).c_str(),
                  bytes_text(static_cast<double>(d.local_bytes)).c_str(), d.max_work_group, d.fp64 ? "yes" : "no",
                  d.driver.c_str());
      if (!d.fault.empty()) std::printf("        cannot be used: %s\n", d.fault.c_str());
    }
  }
}

}  // namespace

int run_devices(const Arguments& arguments) {
  CLI::App app("Lists every OpenCL platform and device with its limits.", "devices");
  bool json = false;
  app.add_flag("--json", json, "as JSON: {\"platforms\": […]}");
  if (!parse(app, arguments)) return 0;

  const std::vector<PlatformInfo> platforms = enumerate_safely();
  if (json) {
    Json document = {{"platforms", Json::array()}};
    for (const PlatformInfo& platform : platforms) document["platforms"].push_back(as_json(platform));
    std::cout << document.dump(2) << "\n";
  } else {
    print_table(platforms);
    if (ranked_devices(platforms).empty())
      std::printf("No OpenCL device was found. Install a driver:\n%s\n", std::string(installation_hints()).c_str());
  }
  return 0;
}

}  // namespace orrery::cli
