/// The bodies of a simulation, as backups read them (scene/backups.hpp).
#pragma once

#include "scene/backups.hpp"
#include "scenes/nbody/window/preparation.hpp"

namespace orrery {

struct NbodyBackupSource {
  using State = NbodyState;
  using Download = NbodyDownload;

  const Device& device;
  Queue& queue;
  const NbodySimulation& simulation;

  bool fits(const NbodyDownload& download) const { return download.fits(simulation); }
  std::unique_ptr<NbodyDownload> make_download() const {
    return std::make_unique<NbodyDownload>(device, queue, simulation.bodies(), simulation.precision());
  }
  void begin(NbodyDownload& download) const {
    download.begin(queue, simulation);
    queue.flush();
  }
  static Backup<NbodyState> backup_of(const NbodyDownload& download);
  static std::string text_of(const NbodyState& state) { return std::to_string(state.bodies.size()) + " bodies"; }
};

}  // namespace orrery
