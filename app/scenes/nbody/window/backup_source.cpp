#include "scenes/nbody/window/backup_source.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

bool is_finite(const Body& b) {
  return std::isfinite(b.x) && std::isfinite(b.y) && std::isfinite(b.z) && std::isfinite(b.vx) && std::isfinite(b.vy) &&
         std::isfinite(b.vz);
}

}  // namespace

Backup<NbodyState> NbodyBackupSource::backup_of(const NbodyDownload& download) {
  auto state = std::make_shared<const NbodyState>(NbodyState{download.bodies(), download.clock(), download.tree()});
  const auto faulty = std::ranges::count_if(state->bodies, [](const Body& body) { return !is_finite(body); });
  return {std::move(state), static_cast<std::size_t>(faulty)};
}

}  // namespace orrery
