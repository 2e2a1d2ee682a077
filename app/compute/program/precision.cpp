#include "compute/program/precision.hpp"

#include "base/error.hpp"
#include "compute/device/device.hpp"

namespace orrery {

Precision precision_of(std::string_view name, const DeviceInfo& device) {
  if (name == "mixed") return Precision::mixed;
  if (name != "double") return Precision::single;
  if (!device.fp64)
    throw usage_error("--precision", "double", "single or mixed (this device has no double precision)", device.name);
  return Precision::double_;
}

std::map<std::string, std::string> precision_definitions(const Device& device, Precision precision) {
  std::map<std::string, std::string> definitions;
  if (precision == Precision::double_) definitions["DOUBLE"] = "1";
  if (device.info().has_fma(precision == Precision::double_)) definitions["FAST_FMA"] = "1";
  return definitions;
}

}  // namespace orrery
