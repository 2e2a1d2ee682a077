#include "compute/device/device_info.hpp"

namespace orrery {

std::string_view name_of(DeviceClass device_class) {
  switch (device_class) {
    case DeviceClass::cpu:
      return "CPU";
    case DeviceClass::gpu:
      return "GPU";
    case DeviceClass::accelerator:
      return "accelerator";
  }
  return "device";
}

}  // namespace orrery
