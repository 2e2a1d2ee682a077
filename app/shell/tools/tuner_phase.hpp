/// The phases of the tuner, and every transition from one phase to another.
///
/// transition() is the whole table: an event that it does not list for a phase changes nothing. Any thread; no device
/// is touched here.
#pragma once

#include <memory>
#include <variant>

#include "shell/tools/tune_job.hpp"

namespace orrery::shell {

namespace tuner_phase {

struct Idle {};
/// The kernel's problem and its reference result are being made.
struct Preparing {
  std::unique_ptr<TuneJob> job;
};
/// Candidates are built, checked and timed.
struct Sweeping {
  std::unique_ptr<TuneJob> job;
};
/// Cancelled: the build or launch under way ends first.
struct Ending {
  std::unique_ptr<TuneJob> job;
};

}  // namespace tuner_phase

using TunerPhase = std::variant<tuner_phase::Idle, tuner_phase::Preparing, tuner_phase::Sweeping, tuner_phase::Ending>;

namespace tuner_event {

struct Started {
  std::unique_ptr<TuneJob> job;
};
struct Prepared {};
/// The kernel cannot be tuned.
struct Refused {};
/// The user cancels; once more: at once.
struct Cancelled {};
/// The sweep is done.
struct Done {};
/// The kernel's source is another one.
struct SourceChanged {};
/// The devices are closed, or the program ends.
struct DeviceLeft {};
/// The candidate on the device does not end.
struct CandidateHung {};
/// The devices are abandoned.
struct DeviceAbandoned {};

}  // namespace tuner_event

using TunerEvent = std::variant<tuner_event::Started, tuner_event::Prepared, tuner_event::Refused,
                                tuner_event::Cancelled, tuner_event::Done, tuner_event::SourceChanged,
                                tuner_event::DeviceLeft, tuner_event::CandidateHung, tuner_event::DeviceAbandoned>;

/// What becomes of a job that a transition ends.
enum class JobEnding {
  none,            ///< there was none, or it continues
  release,         ///< its results are not wanted
  save,            ///< its results so far are saved
  use,             ///< its results are saved, and automatic choices use them
  abandon,         ///< it may never end
  blame_candidate  ///< as abandon; the candidate under way has failed, the results are saved
};

struct TunerTransition {
  TunerPhase phase;
  JobEnding ending = JobEnding::none;
  std::unique_ptr<TuneJob> job;  ///< the one that ends
};

TunerTransition transition(TunerPhase phase, TunerEvent event);

}  // namespace orrery::shell
