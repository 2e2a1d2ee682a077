/// Shared by the Mandelbrot tests that run on a device.
#pragma once

#include <gtest/gtest.h>

#include "bench.hpp"
#include "compute/device/device.hpp"
#include "compute/program/program.hpp"

namespace orrery::mandelbrot {

/// The default device and its programs, kept from test to test.
class MandelbrotOnDevice : public testing::Test {
 protected:
  static ProgramLibrary& programs() {
    static const Device device(choose_device(enumerate_devices(), ""));
    static ProgramLibrary library = uncached_programs(device);
    return library;
  }
  static const Device& device() { return programs().device(); }
  static bool fp64() { return device().info().fp64; }
};

inline const std::string feigenbaum = "-1.4011551890920506005238267878938612922263080433973196089372614966786955577535";

}  // namespace orrery::mandelbrot
