/// The kernels of pictures and of their histogram, built in the background.
///
/// Window thread; nothing waits.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "base/work/announced.hpp"
#include "base/work/background.hpp"
#include "compute/program/program.hpp"
#include "compute/program/program_plan.hpp"
#include "scene/scene.hpp"
#include "scenes/mandelbrot/model/kernels.hpp"
#include "scenes/mandelbrot/output/equalizer.hpp"

namespace orrery::mandelbrot {

/// The view's demands that decide which kernels are built.
struct KernelWish {
  Precision precision = Precision::single;
  Formula formula = {};
  bool detail = false;  ///< with kernels for details
  const MandelbrotSettings& settings;
};

/// Builds the kernels of pictures, one variant after the other, and keeps them by precision. Their programs must stay
/// until leave() or abandon().
class PictureKernels {
 public:
  using Built = std::shared_ptr<Kernels>;
  enum class Arrival {
    none,
    kernels,
    first_of_source  ///< the first kernels since the beginning, or since reload(): all others are of an older source
  };

  /// Takes the built kernels. Throws the Error of a failed build.
  Arrival collect();
  /// Begins to build the wanted kernels, or, with automatic precision, those of other views, unless a build is under
  /// way. Throws a usage Error where the device does not support the wanted kernels.
  void build_missing(ComputeContext& context, const KernelWish& wish);
  /// Null where they have not been built.
  Built built(const KernelWish& wish) const {
    const Built& kept = kernels_[index_of(wish.precision, wish.detail)];
    return kept && kept->variant.formula == wish.formula ? kept : nullptr;
  }

  /// Discards all kernels after a change of their source.
  void reload();
  /// Abandons the build for that wish. It is not repeated until another wish has been made.
  void give_up(ComputeContext& context, const KernelWish& wish);
  /// The settings have changed: abandoned builds may be repeated.
  void reconsider() { given_up_.reset(); }

  /// Settings whose kernels have been built.
  const MandelbrotSettings& good() const { return good_; }

  /// True while a build is expected, or a discarded one has not ended yet.
  bool busy() const { return building_.busy(); }
  /// True while kernels of that precision are being built.
  bool is_building(Precision precision) const { return building_for_ == precision; }
  /// "building kernels: 1 of 2, only once"; empty where none of that precision are being built.
  std::string status(Precision precision) const;

  /// Releases all; a build under way is abandoned.
  void leave();
  /// Keeps aside all that belongs to a device that does not answer.
  void abandon();

 private:
  static std::size_t index_of(Precision precision, bool detail) {
    return 2 * static_cast<std::size_t>(precision) + (detail ? 1 : 0);
  }
  bool lacks(ComputeContext& context, const KernelWish& wish) const;
  void build(ComputeContext& context, const KernelWish& wish);

  Background<Built> building_;
  std::shared_ptr<Announced<ProgramPlan>> plan_;  // of the latest build
  std::optional<Precision> building_for_;         // empty while a discarded build ends
  std::array<Built, 12> kernels_;                 // by precision, without details and with them
  MandelbrotSettings good_;
  std::optional<Variant> given_up_;
};

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
  /// The picture of a count, with its serial number.
  struct Counted {
    View view;
    std::uint32_t limit = 0, stride = 0;
    std::uint64_t serial = 0;
  };
  /// Counts the values of a picture whose pass of that stride is complete, unless an earlier count is under way. A
  /// coarse picture is counted only if there is no histogram of its view.
  void count(Queue& queue, const cl::Buffer& values, std::size_t pixels, const Counted& picture);
  /// It can count, and no count is under way.
  bool idle() const { return equalizer_ != nullptr && !counting_; }
  /// Takes the last count, and returns true, if it has come back.
  bool collect();
  /// The histogram of that view, or of a similar one, is missing.
  bool lacks(const View& view) const;
  /// The histogram is missing, or has fewer pixels or iterations than that picture; for a picture with all pixels, it
  /// is of another picture.
  bool lacks(const Counted& picture) const;
  /// The histogram of the last finished picture; while the device counts it, that of an earlier one.
  const Equalization& equalization() const { return equalization_; }

  bool busy() const { return building_.busy(); }
  /// Discards the kernels: the source has changed.
  void reload();
  void leave();
  void abandon();

 private:
  void forget_kernels();

  bool wanted_ = false;
  Background<std::shared_ptr<Equalizer>> building_;
  std::shared_ptr<Equalizer> equalizer_;
  Equalization equalization_;
  std::optional<Counted> counting_, counted_;  // the count under way, and the last one
};

}  // namespace orrery::mandelbrot
