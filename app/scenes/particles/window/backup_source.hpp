/// The particles of an engine, as backups read them (scene/backups.hpp).
#pragma once

#include "scene/backups.hpp"
#include "scenes/particles/window/preparation.hpp"

namespace orrery {

/// What is read, and the world and laws that it belongs to.
struct ParticlesDownload {
  particles::Download moment;
  std::shared_ptr<const particles::World> world = {};
  EditedLaws laws = {};
  std::optional<EditedLaws> own_laws = {};

  bool complete() const { return moment.complete(); }
  bool arrived() const { return moment.arrived(); }
  double seconds() const { return moment.seconds(); }
};

struct ParticlesBackupSource {
  using State = ParticlesState;
  using Download = ParticlesDownload;

  const Device& device;
  Queue& queue;
  const PreparedParticles& prepared;
  const EditedLaws& laws;

  bool fits(const ParticlesDownload& download) const { return download.moment.fits(*prepared.engine); }
  std::unique_ptr<ParticlesDownload> make_download() const {
    return std::make_unique<ParticlesDownload>(ParticlesDownload{particles::Download(device, queue, *prepared.engine)});
  }
  void begin(ParticlesDownload& download) const {
    download.world = prepared.world;
    download.laws = laws;
    download.own_laws = prepared.own_laws;
    download.moment.begin(queue, *prepared.engine);
    queue.flush();
  }
  static Backup<ParticlesState> backup_of(const ParticlesDownload& download);
  static std::string text_of(const ParticlesState& state) {
    return std::to_string(state.moment.position.size()) + " particles";
  }
};

}  // namespace orrery
