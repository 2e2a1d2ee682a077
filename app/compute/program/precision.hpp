/// The number formats of kernels, as defined in precision.clh.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace orrery {

class Device;
struct DeviceInfo;

/// mixed: forces in single precision, positions and velocities with twice its digits.
enum class Precision { single, mixed, double_ };

/// The precision of a choice of --precision. Throws a usage Error for double on a device without doubles.
Precision precision_of(std::string_view name, const DeviceInfo& device);
constexpr std::size_t bytes_of_real4(Precision precision) {
  return 4 * (precision == Precision::double_ ? sizeof(double) : sizeof(float));
}
/// The definitions DOUBLE=1 and FAST_FMA=1, if they apply.
std::map<std::string, std::string> precision_definitions(const Device& device, Precision precision);

}  // namespace orrery
