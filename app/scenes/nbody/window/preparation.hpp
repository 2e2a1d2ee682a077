/// The slow part of starting a simulation, for a worker thread: makes bodies, buffers and kernels.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/work/announced.hpp"
#include "compute/program/program_plan.hpp"
#include "scene/scene.hpp"
#include "scenes/nbody/bodies/body_reading.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/bodies/suggestion.hpp"
#include "scenes/nbody/checks/force_error_map.hpp"
#include "scenes/nbody/model/force_error_sample.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/tuning/device_group.hpp"

namespace orrery {

/// The bodies of a moment on the host, which survive a change of device or precision.
struct NbodyState {
  Bodies bodies;
  NbodyClock clock;
  TreeMemory tree;  ///< keeps the bits the same afterwards …
  /// … with the exact rows in mixed precision, which doubles may round: NbodyDownload::mixed_rows().
  std::vector<std::vector<std::byte>> mixed_rows = {};
};

/// Applies an edit by hand in a run from this condition. Throws as edit_bodies() does.
void change_by_hand(NbodyState& state, const BodyEdit& edit, std::string_view initial);

/// Bytes of the state.
std::size_t memory_of(const NbodyState& state);

/// The numbers that drawing bodies needs.
struct BodyNumbers {
  double extent = 1;  ///< radius within which nine bodies in ten are
  double mean_mass = 0;
  LogSpread mass, speed;
};

/// The start of a simulation.
struct NbodyStart {
  std::string initial;
  std::int64_t bodies = 0;     ///< requested number; 0: `automatic`
  std::int64_t automatic = 0;  ///< the condition's own number, or one that suits the device
  std::int64_t seed = 1;
  InitialTerms terms = {};
  std::shared_ptr<const NbodyState> state;  ///< replaces the initial condition; may be null
  bool operator==(const NbodyStart&) const = default;
};
NbodyStart start_of(const NbodySettings& settings, const DeviceInfo& device,
                    std::shared_ptr<const NbodyState> state = nullptr);
/// The bodies of the initial condition. Any thread; throws Error.
Bodies fresh_bodies(const NbodyStart& start);

/// The bodies at the beginning, as the kernel `publish` publishes them before the field is known.
struct BodySketch : BodyNumbers {
  std::string initial, units;
  std::vector<std::array<float, 4>> published;
  std::size_t size() const { return published.size() / 2; }
};
/// `file`: the reading, if the initial condition is a file. Any thread; throws Error.
BodySketch sketch_bodies(const NbodyStart& start, BodyReading* file = nullptr);

/// A moment of the past as it is drawn until it has been computed again: a kept state, or an interpolation between two.
struct NbodyGlimpse {
  std::shared_ptr<const NbodyState> from, to;  ///< `to` is null for `from` itself
  double share = 0;                            ///< share of the way from `from` to `to`
  bool operator==(const NbodyGlimpse&) const = default;
  double time() const;
  const std::shared_ptr<const NbodyState>& nearest() const { return to != nullptr && share > 0.5 ? to : from; }
};
/// Any thread.
BodySketch sketch_bodies(const NbodyGlimpse& glimpse, const NbodyStart& start);

/// A simulation that is ready to run.
struct PreparedNbody : BodyNumbers {
  std::unique_ptr<NbodySimulation> simulation;
  std::unique_ptr<NbodyPublisher> publisher;
  std::unique_ptr<ForceErrorSample> error_sample;
  std::unique_ptr<ForceErrorMap> error_map;
  NbodySettings settings;  ///< with the values suggested for the bodies
  Suggestion suggestion;   ///< these values
  std::string crowd;       ///< see crowd_among
};

/// Prepares from `state`, or if that is null from the initial condition, which sets the settings that are `unset`;
/// `file` is its reading if it is a file. The first of the devices that share the bodies has the window's surfaces.
/// `plan`, unless null, receives the programs before the first is built. Any thread; throws Error.
PreparedNbody prepare_nbody(std::span<ProgramLibrary* const> devices, const NbodySettings& settings, const Unset& unset,
                            const std::shared_ptr<const NbodyState>& state, Announced<ProgramPlan>* plan = nullptr,
                            BodyReading* file = nullptr);

}  // namespace orrery
