/// Conversion between sRGB values and linear light after IEC 61966-2-1; values 0 … 1.
#pragma once

#include <cmath>

namespace orrery {

inline double to_linear(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}
inline double to_encoded(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

}  // namespace orrery
