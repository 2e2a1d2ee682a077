/// Measurements of running bodies besides their diagnostics: the place of one body, and the errors of all. Window
/// thread; nothing waits.
#pragma once

#include <array>
#include <optional>

#include "compute/queue/host_mirror.hpp"
#include "scenes/nbody/checks/force_error_map.hpp"
#include "scenes/nbody/model/simulation.hpp"

namespace orrery {

/// What may be published of each body besides its own state and field; it takes work that only those ask for who look.
enum class Measured { nothing, error, leaf_size, interactions };

/// Reads the place of one body at each published moment.
class BodyWatch {
 public:
  /// A body at a moment.
  struct Seen {
    std::uint32_t body = 0;
    std::int64_t step = 0;
    std::array<double, 3> place{};
  };

  BodyWatch(const Device& device, Queue& queue);

  /// The body to be read; none where it is none of these bodies.
  void choose(std::optional<std::uint32_t> body) { body_ = body; }
  /// The chosen body at a moment that was published; nothing until it has been read.
  const std::optional<Seen>& seen() const { return seen_; }

  bool under_way() const { return coming_.has_value(); }
  bool arrived() const { return is_complete(read_); }
  /// The chosen body has been read at this moment, or there is none.
  bool is_seen(const NbodySimulation& simulation) const;
  void begin(Queue& queue, const NbodySimulation& simulation);
  void collect();
  /// The read under way will not arrive.
  void forget() { coming_.reset(); }

 private:
  bool is_there(const NbodySimulation& simulation) const { return body_ && *body_ < simulation.bodies(); }

  std::optional<std::uint32_t> body_;
  HostMirror row_;  // x, y, z and the mass
  cl::Event read_;
  std::optional<Seen> coming_, seen_;
  Precision precision_ = Precision::single;  // of the row
};

/// Finds the errors of all accelerations in slices.
class ForceErrorMapping {
 public:
  void want(bool wanted) { wanted_ = wanted; }
  /// Begins with the present moment, unless it has been mapped or a map is under way.
  void begin(ForceErrorMap& map, Queue& queue, const NbodySimulation& simulation, double softening);
  /// Enqueues what fits into the budget; the seconds that it is expected to take.
  double enqueue_slice(ForceErrorMap& map, Queue& queue, double budget) const;
  /// More errors are known than were published.
  bool has_news(const ForceErrorMap& map) const { return map.done() != published_; }
  void note_published(const ForceErrorMap& map) { published_ = map.done(); }
  /// Something else is published in their place.
  void note_replaced() { published_.reset(); }
  bool wanted() const { return wanted_; }

 private:
  bool wanted_ = false;  // by the person who looks
  std::optional<std::int64_t> step_;
  std::optional<std::size_t> published_;  // bodies
};

}  // namespace orrery
