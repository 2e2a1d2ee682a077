/// The Mandelbrot scene's kernels for the tuner, and its part of the self-test.
#pragma once

#include "compute/measure/selftest.hpp"

namespace orrery {

class TuneCatalog;

namespace mandelbrot {

const TuneCatalog& tune_catalog();
/// Pictures in every kind of numbers that the device has, against references of the host. Any thread; waits for the
/// device. Borrows the library.
std::vector<SelftestItem> selftests(ProgramLibrary& programs);

}  // namespace mandelbrot
}  // namespace orrery
