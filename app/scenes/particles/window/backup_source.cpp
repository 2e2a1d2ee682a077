#include "scenes/particles/window/backup_source.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {

Backup<ParticlesState> ParticlesBackupSource::backup_of(const ParticlesDownload& download) {
  auto state = std::make_shared<const ParticlesState>(
      ParticlesState{download.world, download.laws, download.own_laws, download.moment.snapshot()});
  const auto is_finite = [](const particles::Vector& v) {
    return std::ranges::all_of(v, [](double x) { return std::isfinite(x); });
  };
  const particles::Snapshot& moment = state->moment;
  std::size_t faulty = 0;
  for (std::size_t i = 0; i < moment.position.size(); ++i)
    faulty += is_finite(moment.position[i]) && is_finite(moment.velocity[i]) ? 0U : 1U;
  return {std::move(state), faulty};
}

}  // namespace orrery
