/// The contenders of `bench nbody`: ways to compute the same time steps, each with bodies of its own, and the check of
/// their accelerations against sums of the host in long double.
#pragma once

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/settings.hpp"
#include "scenes/nbody/tuning/device_group.hpp"

namespace orrery::cli {

using Acceleration = std::array<double, 3>;

/// The error of the worst drawn body, and the bound of its rounding error; both relative to its
/// acceleration.
struct AccelerationCheck {
  double error = 0;
  double tolerance = 0;
  double median = 0, p90 = 0, largest = 0;  ///< of a tree's errors; 0 where rounding explains all
};

/// Compares accelerations in `precision` of all `bodies` with the host's, for 32 bodies drawn at random (all if few).
/// `bodies` as the device holds them. Throws a failure that names `what`, the body and its error, when the error is
/// larger than rounding explains.
AccelerationCheck check_accelerations(const std::string& what, const Bodies& bodies,
                                      const std::vector<Acceleration>& accelerations, Precision precision,
                                      double softening, std::uint64_t draw);

/// The same for a tree, which leaves something out: `error` is the one that 99 of 100 of 256 random bodies keep,
/// `tolerance` the `promised` one, or infinite. Throws a failure where it is a third larger, which chance does not
/// explain.
AccelerationCheck check_tree(const std::string& what, const Bodies& bodies,
                             const std::vector<Acceleration>& accelerations, double promised, double softening,
                             std::uint64_t draw);

/// The start that all contenders have in common.
struct BenchStart {
  Bodies bodies;
  double softening = 0;
  double dt = 0;
};

class NbodyContender {
 public:
  virtual ~NbodyContender() = default;

  virtual std::string name() const = 0;  ///< name of its row
  virtual Precision precision() const = 0;
  /// Parameters other than the number of bodies and the precision.
  virtual nlohmann::ordered_json parameters() const = 0;

  /// Takes time steps and waits for them.
  virtual void step(std::int64_t steps) = 0;
  /// Evaluations of the field per step.
  virtual std::int64_t evaluations() const { return 1; }
  /// The number of devices that the bound is for.
  virtual std::size_t devices() const { return 1; }
  /// The present bodies …
  virtual Bodies bodies() = 0;
  /// … and their accelerations, computed in the timed way.
  virtual std::vector<Acceleration> accelerations() = 0;
};

/// The simulation itself, on these devices. Throws a usage Error for settings that one of them does not support.
std::unique_ptr<NbodyContender> simulation_contender(std::span<ProgramLibrary* const> devices, Exchange exchange,
                                                     const BenchStart& start, const NbodySettings& settings);
/// The kernel of tutorials, in single or double, at the work-group size that a short trial finds best.
std::unique_ptr<NbodyContender> tutorial_contender(ProgramLibrary& programs, const BenchStart& start,
                                                   Precision precision);
/// A plain loop on the host's processor, in single or double; null where it does not run.
std::unique_ptr<NbodyContender> loop_contender(const BenchStart& start, Precision precision);

}  // namespace orrery::cli
