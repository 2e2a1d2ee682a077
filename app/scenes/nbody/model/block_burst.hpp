/// A burst of individual time steps: which launches come next, as far as the host can foresee it.
///
/// The device alone knows which substeps a step needs. The host foresees them from the last clock that it has read, as
/// if the levels stayed as they are, and enqueues them ahead: unnecessary substeps do nothing, and missing ones follow
/// once the clock shows them. The bits do not depend on the forecast. Used by the thread that owns the queue; nothing
/// waits.
///
/// All devices move all bodies in the same way, so that their clocks are the same. Where several of them share the
/// field, substeps and exchanges depend on the clock alone and not on the time at which it arrives: they are the same
/// in all processes.
#pragma once

#include <vector>

#include "scenes/nbody/model/crew.hpp"

namespace orrery {

/// The host's picture of the clock. Plain values; any thread.
class NbodyBlockForecast {
 public:
  /// Launches that go together.
  enum class Act { open, substep, last_substep };

  /// The launches that come next.
  Act next() const;
  /// The act is enqueued.
  void note(Act act);
  /// A read of the clock is enqueued …
  void note_report() { reported_acts_ = acts_.size(); }
  /// … and has arrived.
  void correct(const NbodyBlockClock& clock);
  /// True if nothing has been enqueued since the last clock.
  bool certain() const { return acts_.empty(); }
  /// The launches since the last clock.
  std::size_t acts() const { return acts_.size(); }

  /// True if a clock has been read within a step.
  bool knows_levels() const;

  cl_uint steps() const { return steps_; }
  /// The largest number of steps that end with the enqueued launches.
  cl_uint most_steps() const;
  /// The part of the step under way that is over, 0 … 1.
  double part() const;
  /// Bodies whose steps end with the next substep.
  cl_uint ending() const;

 private:
  cl_uint moment_after() const;
  void apply(Act act);

  std::vector<Act> acts_;  // enqueued since the last clock
  std::size_t reported_acts_ = 0;
  cl_uint known_steps_ = 0, steps_ = 0, moment_ = block_ticks;
  std::array<cl_uint, block_levels> counts_{};  // bodies by level, in this step or the one before
};

class NbodyBlockBurst {
 public:
  struct Terms {
    NbodyBlockTerms step;
    std::int64_t first = 0, steps = 1;  ///< the number of the first step, and how many follow
    bool potential = true;              ///< the last field includes the potential
  };

  /// Between bursts; the field is known.
  void begin(const Terms& terms);
  /// Enqueues the next launches for the bodies at the positions of this index, of at most `budget` seconds. Returns the
  /// expected seconds; 0 while nothing can be foreseen until the clock has been read.
  double enqueue(Queue& queue, NbodyCrew& crew, std::size_t present, double budget);
  bool done() const { return stage_ == Stage::done; }
  /// The end of a slice: reads the clock where that is of use, unless a read is under way.
  void end_slice(Queue& queue, const NbodyCrew& crew);
  /// True if nothing can be enqueued before the clock has been read.
  bool waits(const NbodyCrew& crew) const { return stage_ == Stage::awaits_clock && !crew.first().blocks().reported(); }
  /// Ends the burst as early as possible; returns the number of its steps.
  std::int64_t shorten();
  double progress() const;
  /// The mean number of field evaluations per body and step, by the last clock.
  double evaluations_per_step() const;
  /// The bodies of each level, by the last clock that was read within a step.
  const std::array<cl_uint, block_levels>& levels() const { return levels_; }

 private:
  enum class Stage { foresee, awaits_clock, listed, field, control, done };

  double enqueue_next(Queue& queue, NbodyCrew& crew, std::size_t present);
  double enqueue_listed(Queue& queue, NbodyCrew& crew, std::size_t present, double budget);
  double enqueue_field(Queue& queue, NbodyCrew& crew, std::size_t present, double budget);
  double end_substep(Queue& queue, NbodyCrew& crew, std::size_t present);
  void take_report(const NbodyCrew& crew);
  NbodyPull pull() const { return {terms_.step.softening, terms_.step.gravity}; }
  bool awaits_clock(Queue& queue, const NbodyCrew& crew, bool last) const;
  /// The next step that ends may be the last one.
  bool ends_burst() const { return forecast_.most_steps() - begun_at_ + 1 >= static_cast<cl_uint>(terms_.steps); }

  NbodyBlockForecast forecast_;
  NbodyBlockClock clock_;
  std::array<cl_uint, block_levels> levels_{};
  Terms terms_;
  cl_uint begun_at_ = 0;  // forecast's steps at the start
  Stage stage_ = Stage::done;
  NbodySubstep substep_ = NbodySubstep::last;  // the one under way
  bool reading_ = false;                       // a report is under way
};

}  // namespace orrery
