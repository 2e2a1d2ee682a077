/// The histogram of finished pictures, where colours want it.
///
/// Window thread; nothing waits.
#pragma once

#include <memory>

#include "base/work/background.hpp"
#include "compute/program/program.hpp"
#include "scenes/mandelbrot/output/equalizer.hpp"

namespace orrery::mandelbrot {

/// Keeps the histogram of the last finished picture. Its kernels are built when it is wanted for the first time; their
/// programs must stay until leave() or abandon().
class PictureHistogram {
 public:
  void set_wanted(bool wanted);
  bool wanted() const { return wanted_; }

  /// Takes the kernels; true in the moment when they have been built. Throws the Error of a failed build.
  bool take_kernels();
  /// Begins to build the kernels, unless they are there or being built.
  void build_missing(ProgramLibrary& programs);
  /// Takes the last count, if it has come back.
  void collect();
  /// Counts the values of a picture; nullptr where nothing is to be counted yet.
  Equalizer* equalizer() { return equalizer_.get(); }
  /// The histogram of the last finished picture; while the device counts it, that of an earlier one.
  const Equalization& equalization() const { return equalization_; }

  bool busy() const { return building_.busy(); }
  /// Discards the kernels: the source has changed.
  void reload();
  void leave();
  void abandon();

 private:
  bool wanted_ = false;
  Background<std::shared_ptr<Equalizer>> building_;
  std::shared_ptr<Equalizer> equalizer_;
  Equalization equalization_;
};

}  // namespace orrery::mandelbrot
