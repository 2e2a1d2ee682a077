/// Kernels for any view of a film: those of each kind of numbers are built when the first view needs them.
///
/// One thread at a time; waits for compilers.
#pragma once

#include <map>
#include <string>

#include "model/mandelbrot/kernels.hpp"

namespace orrery::mandelbrot {

class KernelShelf {
 public:
  /// `precision` and `work_group` as MandelbrotSettings has them.
  KernelShelf(ProgramLibrary& programs, std::string precision, std::int64_t work_group, bool detail = false)
      : programs_(programs), precision_(std::move(precision)), work_group_(work_group), detail_(detail) {}

  const Kernels& suiting(const View& view, Size size) {
    const DeviceInfo& device = programs_.device().info();
    const PrecisionChoice choice = choose_precision(precision_, view, size, device.fp64, Purpose::picture);
    const auto found = kernels_.find(choice.precision);
    if (found != kernels_.end()) return found->second;
    const Variant variant = choose_variant(device, choice, work_group_, Purpose::picture, detail_);
    return kernels_.try_emplace(choice.precision, programs_, variant).first->second;
  }

 private:
  ProgramLibrary& programs_;
  std::string precision_;
  std::int64_t work_group_;
  bool detail_;
  std::map<Precision, Kernels> kernels_;
};

}  // namespace orrery::mandelbrot
