/// What `bench nbody` times: ways to compute the same time steps. Each has bodies of its own.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "scenes/nbody/headless/bench_check.hpp"
#include "scenes/nbody/model/device_group.hpp"

namespace orrery::cli {

/// What every contender starts from.
struct BenchStart {
  Bodies bodies;
  double softening = 0;
  double dt = 0;
};

class NbodyContender {
 public:
  virtual ~NbodyContender() = default;

  virtual std::string name() const = 0;  ///< of the row
  virtual Precision precision() const = 0;
  /// Besides the number of bodies and the precision.
  virtual nlohmann::ordered_json parameters() const = 0;

  /// Takes time steps and waits for them.
  virtual void step(std::int64_t steps) = 0;
  /// Evaluations of the field that a step takes.
  virtual std::int64_t evaluations() const { return 1; }
  /// Of how many devices the bound is to be taken.
  virtual std::size_t devices() const { return 1; }
  /// The bodies as they are now …
  virtual Bodies bodies() = 0;
  /// … and their accelerations, computed the way that is timed.
  virtual std::vector<Acceleration> accelerations() = 0;
};

std::string_view name_of(Precision precision);

/// The simulation itself, over these devices. Throws a usage Error for what one of them cannot do.
std::unique_ptr<NbodyContender> simulation_contender(std::span<ProgramLibrary* const> devices, Exchange exchange,
                                                     const BenchStart& start, const NbodySettings& settings);
/// The kernel of tutorials, in single or double, at the work-group size that a short trial finds best.
std::unique_ptr<NbodyContender> tutorial_contender(ProgramLibrary& programs, const BenchStart& start,
                                                   Precision precision);
/// A plain loop on the host's processor, in single or double; null where it does not run.
std::unique_ptr<NbodyContender> loop_contender(const BenchStart& start, Precision precision);

}  // namespace orrery::cli
