/// The properties of the followed body. Window thread; nothing waits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/work/background.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/bodies/orbit.hpp"
#include "scenes/nbody/panels/snapshot.hpp"
#include "scenes/nbody/window/hands.hpp"
#include "scenes/nbody/window/preparation.hpp"

namespace orrery {

/// A body at a moment, among the others.
struct Portrait {
  std::uint32_t body = 0;
  NbodyClock clock;
  Body own;
  Standing standing;
};

/// Examines the followed body in each state that comes from the device, about once a second.
class BodyPortraits {
 public:
  struct Look {
    std::shared_ptr<const NbodyState> state;  ///< may be null
    Attraction attraction;
    std::int64_t newest = 0;  ///< step of the run; a later portrait is of another run
  };
  void follow(const Look& look, std::optional<std::uint32_t> body);
  /// Nothing until the followed body has been looked at.
  const std::optional<Portrait>& last() const { return last_; }

  struct Encounter {
    Neighbour with;
    NbodyClock clock;
  };
  /// The closest neighbour in this run since the body is followed.
  const std::optional<Encounter>& closest() const { return closest_; }

 private:
  void take(const Portrait& made);

  Background<Portrait> looking_;
  std::shared_ptr<const NbodyState> of_;  // state of the present or last look
  std::optional<Portrait> last_;
  std::optional<Encounter> closest_;
};

/// The body's own name where the bodies are of named parts, else its index. `parts` may be empty.
std::string name_of_body(std::uint32_t body, const std::vector<BodyPart>& parts, std::size_t bodies);

/// The place where the followed body is drawn, and the time since its last portrait.
struct MarkedBody {
  glm::dvec3 place{0, 0, 0};
  double later = 0;
};
/// Describes the followed body for the panels; empty before its first portrait. The orbit goes through the drawn body.
NbodySnapshot::Followed describe(const BodyPortraits& portraits, const std::vector<BodyPart>& parts, std::size_t bodies,
                                 const HandSight& sight, const MarkedBody& drawn);

}  // namespace orrery
