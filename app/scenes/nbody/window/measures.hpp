/// What is measured of running bodies besides their diagnostics: one body in full, and the errors of all. Window
/// thread; nothing waits.
#pragma once

#include <optional>

#include "scenes/nbody/checks/force_error_map.hpp"
#include "scenes/nbody/model/observer.hpp"

namespace orrery {

/// What may be published of each body besides its own state and field; it takes work that only those ask for who look.
enum class Measured { nothing, error, leaf_size, interactions };

/// Reads one body in full at each published moment.
class BodyWatch {
 public:
  /// The body to be read; none where it is none of these bodies.
  void choose(std::optional<std::uint32_t> body) { body_ = body; }
  /// The chosen body at a moment that was published; nothing until it has been read.
  const std::optional<NbodyObservation>& seen() const { return seen_; }

  bool under_way() const { return read_ == Read::under_way; }
  /// The chosen body has been read at this moment, or there is none.
  bool is_seen(const NbodySimulation& simulation, bool field_known) const;
  void begin(NbodyObserver& observer, Queue& queue, const NbodySimulation& simulation, double softening,
             bool field_known);
  void collect(const NbodyObserver& observer);
  /// The read under way will not arrive.
  void forget() { read_ = Read::none; }

 private:
  enum class Read { none, under_way };
  bool is_there(const NbodySimulation& simulation) const { return body_ && *body_ < simulation.bodies(); }

  std::optional<std::uint32_t> body_;
  Read read_ = Read::none;
  std::optional<NbodyObservation> seen_;
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
