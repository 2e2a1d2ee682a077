/// Kernels for any view of a film: those of each kind of numbers are built when the first view needs them.
///
/// One thread at a time; waits for compilers.
#pragma once

#include <map>

#include "scenes/mandelbrot/model/kernels.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {

class KernelShelf {
 public:
  KernelShelf(ProgramLibrary& programs, MandelbrotSettings settings, bool detail = false)
      : programs_(programs), settings_(std::move(settings)), detail_(detail) {}

  const Kernels& suiting(const View& view, Size size) {
    const DeviceInfo& device = programs_.device().info();
    const PrecisionChoice choice = choose_precision(settings_.precision, view, size, device.fp64, Purpose::picture);
    const auto found = kernels_.find(choice.precision);
    if (found != kernels_.end()) return found->second;
    const Variant variant = choose_variant(device, choice, settings_, Purpose::picture, detail_);
    return kernels_.try_emplace(choice.precision, programs_, variant).first->second;
  }

 private:
  ProgramLibrary& programs_;
  MandelbrotSettings settings_;
  bool detail_;
  std::map<Precision, Kernels> kernels_;
};

}  // namespace orrery::mandelbrot
