/// Everything slow about beginning a simulation, done on a worker thread: bodies, buffers, kernels.
#pragma once

#include <memory>
#include <optional>

#include "scene/scene.hpp"
#include "scenes/nbody/bodies/suggestion.hpp"
#include "scenes/nbody/checks/survey.hpp"
#include "scenes/nbody/checks/truth.hpp"
#include "scenes/nbody/model/device_group.hpp"
#include "scenes/nbody/model/observer.hpp"

namespace orrery {

/// Bodies of a moment, on the host: what survives a change of device or precision.
struct NbodyState {
  Bodies bodies;
  NbodyClock clock;
};

/// A simulation that is ready to run, and what is worth knowing of its bodies for drawing them.
struct PreparedNbody {
  std::unique_ptr<NbodySimulation> simulation;
  std::unique_ptr<NbodyPublisher> publisher;
  std::unique_ptr<NbodyTruth> truth;
  std::unique_ptr<NbodySurvey> survey;
  std::unique_ptr<NbodyObserver> observer;
  NbodySettings settings;  ///< that it was prepared for
  bool fresh = true;       ///< from the initial condition, not from a state
  double extent = 1;       ///< nine bodies in ten are within
  double mean_mass = 0;
  LogSpread mass, speed;
};

/// Those of the initial condition. Any thread; throws Error.
Bodies fresh_bodies(const NbodySettings& settings, DeviceClass device_class);

/// From `state` if there is one, else from the settings' initial condition, which brings the settings that are `unset`.
/// The first of the devices that share the bodies has the window's surfaces. Any thread; throws Error.
PreparedNbody prepare_nbody(std::span<ProgramLibrary* const> devices, const NbodySettings& settings, const Unset& unset,
                            const std::shared_ptr<const NbodyState>& state);

}  // namespace orrery
