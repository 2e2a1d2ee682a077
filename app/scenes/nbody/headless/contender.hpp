/// The contenders of `bench nbody`: ways to compute the same time steps. Each has its own bodies.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "scenes/nbody/headless/bench_check.hpp"
#include "scenes/nbody/tuning/device_group.hpp"

namespace orrery::cli {

/// The start that all contenders have in common.
struct BenchStart {
  Bodies bodies;
  double softening = 0;
  double dt = 0;
};

class NbodyContender {
 public:
  virtual ~NbodyContender() = default;

  virtual std::string name() const = 0;  ///< of its row
  virtual Precision precision() const = 0;
  /// All but the number of bodies and the precision.
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

std::string_view name_of(Precision precision);

/// The simulation itself, on these devices. Throws a usage Error for settings that one of them does not support.
std::unique_ptr<NbodyContender> simulation_contender(std::span<ProgramLibrary* const> devices, Exchange exchange,
                                                     const BenchStart& start, const NbodySettings& settings);
/// The kernel of tutorials, in single or double, at the work-group size that a short trial finds best.
std::unique_ptr<NbodyContender> tutorial_contender(ProgramLibrary& programs, const BenchStart& start,
                                                   Precision precision);
/// A plain loop on the host's processor, in single or double; null where it does not run.
std::unique_ptr<NbodyContender> loop_contender(const BenchStart& start, Precision precision);

}  // namespace orrery::cli
