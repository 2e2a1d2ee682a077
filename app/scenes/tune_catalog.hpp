/// Every kernel that can be tuned, by name: what the command line and the window choose from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compute/program/program.hpp"
#include "compute/queue/work.hpp"
#include "compute/tuning/tune_target.hpp"

namespace orrery {

/// What is tuned, and for which problem.
struct TuneWork {
  std::string scene = "nbody";    ///< or "mandelbrot"
  std::string kernel = "single";  ///< one of tunable_kernels()
  std::int64_t bodies = 0;        ///< n-body: 0 is what suits the device
  std::string view = "boundary";  ///< mandelbrot: or "interior"
  bool operator==(const TuneWork&) const = default;
};

/// What can be said of it without computing.
struct TuneQuestion {
  TuneSubject subject;
  TuneSpace space;
  TuneValues standard;
};

/// Of a scene, on that device: "single", "double" …
std::vector<std::string> tunable_kernels(std::string_view scene, const DeviceInfo& device);
/// Throws a usage Error for what the device cannot do.
TuneQuestion question_of(const DeviceInfo& device, const TuneWork& work);
/// What a kernel with an item for each element runs with where that was chosen; empty for the others, whose scene
/// tells.
TuneValues element_values_in_use(const DeviceInfo& device, const TuneWork& work, const NamedTuneValues& chosen);
/// What a run of a candidate does, of `units` of the kernel's work.
Work work_of(const DeviceInfo& device, const TuneWork& work, const TuneSpace& space, const TuneValues& values,
             double units);
/// Allocates and uploads; any thread. `programs` must outlive it. Throws Error for what the device cannot do or hold.
std::unique_ptr<TuneTarget> tune_target(ProgramLibrary& programs, const TuneWork& work);

/// The same target, of which only some axes are swept; the others stay as `values` has them.
std::unique_ptr<TuneTarget> restricted(std::unique_ptr<TuneTarget> target, const TuneValues& values,
                                       const std::vector<std::string>& axes);

}  // namespace orrery
