/// What a model implements so that a Sweep can tune one of its kernels.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/tuning/tune_space.hpp"

namespace orrery {

/// What a result is kept under, besides the device.
struct TuneSubject {
  std::string kernel;              ///< "nbody force, single"
  std::string problem;             ///< the class of problem sizes: "8192 … 16383 bodies"
  std::vector<std::string> files;  ///< the kernel's sources
  double work = 0;                 ///< of one run, in …
  std::string unit;                ///< … "interactions"
};

/// One candidate, built. Used by the sweep's thread alone.
class TuneRun {
 public:
  virtual ~TuneRun() = default;

  virtual void begin() = 0;
  /// Enqueues short launches, about `budget` seconds of device time; true when the run is enqueued completely.
  virtual bool enqueue(double budget_seconds) = 0;

  struct Times {
    std::optional<double> device;  ///< seconds, by the launches' stamps; nothing where the driver does not tell
    double host = 0;               ///< seconds until it was seen to be complete
  };
  /// Of what was enqueued last, once it is complete; never waits. Throws Error when a command ended in one.
  virtual std::optional<Times> poll() = 0;
};

/// A kernel, a problem for it and a reference result. Lives as long as the sweep.
class TuneTarget {
 public:
  virtual ~TuneTarget() = default;

  virtual const TuneSubject& subject() const = 0;
  virtual const TuneSpace& space() const = 0;
  /// What is taken where nobody has tuned.
  virtual TuneValues standard() const = 0;
  /// Points that mean the same, because an axis has no say there, become one.
  virtual TuneValues canonical(TuneValues values) const { return values; }
  /// The result has the same bits as the standard's, by how the kernel is made; verified in the check. What does not is
  /// never taken automatically.
  virtual bool keeps_bits(const TuneValues&) const { return true; }
  /// Why the device cannot have it, empty when it can: what can be said without building.
  virtual std::string refuse(const TuneValues& values) const = 0;

  /// Any thread; once, before anything else.
  virtual void prepare_reference() = 0;
  /// Builds. Any thread, one at a time. Throws Error, whose text is the reason, for what does not build or fit.
  virtual std::unique_ptr<TuneRun> prepare(const TuneValues& values) = 0;

  /// Before a run that is to be checked: what the run must write is filled with what no result is.
  virtual void arm() = 0;
  /// After it is complete: begins to read the output and to compare it with the reference. The standard's comes first.
  virtual void begin_check(const TuneValues& values) = 0;
  /// How the output is wrong, empty when it is right; nothing while that is not known. Never waits.
  virtual std::optional<std::string> poll_check() = 0;
};

}  // namespace orrery
