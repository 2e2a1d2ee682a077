#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/device_report.hpp"
#include "compute/device/driver_check.hpp"

namespace orrery::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const PlatformInfo& p) {
  Json json = {{"name", p.name}, {"vendor", p.vendor}, {"version", p.version}, {"devices", Json::array()}};
  for (const DeviceInfo& device : p.devices) json["devices"].push_back(as_json(device));
  if (!p.fault.empty()) json["fault"] = p.fault;
  return json;
}

void print_table(const std::vector<PlatformInfo>& platforms) {
  for (const PlatformInfo& platform : platforms) {
    const std::string version = platform.version.empty() ? std::string() : " (" + platform.version + ")";
    std::printf("%s%s%s%s\n", platform.name.c_str(), version.c_str(), platform.fault.empty() ? "" : ": ",
                platform.fault.c_str());
    for (const DeviceInfo& device : platform.devices) print_device(device);
  }
}

}  // namespace

int run_devices(const Arguments& arguments) {
  CLI::App app("Lists all OpenCL platforms and devices with their limits.", "devices");
  bool json = false;
  app.add_flag("--json", json, "print JSON: {\"platforms\": […]}");
  if (!parse(app, arguments)) return 0;

  const std::vector<PlatformInfo> platforms = enumerate_safely();
  if (json) {
    Json document = {{"platforms", Json::array()}};
    for (const PlatformInfo& platform : platforms) document["platforms"].push_back(json_of(platform));
    std::cout << document.dump(2) << "\n";
  } else {
    print_table(platforms);
    if (platforms.empty())
      std::printf("No OpenCL device was found. Install a driver:\n%s\n", std::string(installation_hints()).c_str());
    else if (ranked_devices(platforms).empty())
      std::printf("No OpenCL device can be used.\n");
  }
  return 0;
}

}  // namespace orrery::cli
