/// The interface that a model implements to make a kernel tunable.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/tuning/tune_space.hpp"

namespace orrery {

/// The key of a result, besides the device.
struct TuneSubject {
  std::string kernel;              ///< "nbody force, single"
  std::string problem;             ///< the class of problem sizes: "8192 … 16383 bodies"
  std::vector<std::string> files;  ///< the kernel's sources
  double work = 0;                 ///< work of one run, in …
  std::string unit;                ///< … "interactions"
};

/// One built candidate. Used by the sweep's thread only.
class TuneRun {
 public:
  virtual ~TuneRun() = default;

  virtual void begin() = 0;
  /// Enqueues short launches, about `budget` seconds of device time; true when the whole run is enqueued.
  virtual bool enqueue(double budget_seconds) = 0;

  struct Times {
    std::optional<double> device;  ///< seconds by the launches' events; nothing if the driver reports none
    double host = 0;               ///< seconds until completion was seen
  };
  /// The times of the last run once it is complete; never waits. Throws an Error if a command failed.
  virtual std::optional<Times> poll() = 0;
};

/// A kernel, a problem for it and a reference result. Exists as long as the sweep.
class TuneTarget {
 public:
  virtual ~TuneTarget() = default;

  virtual const TuneSubject& subject() const = 0;
  virtual const TuneSpace& space() const = 0;
  /// The variant used without tuning.
  virtual TuneValues standard() const = 0;
  /// Maps points with the same meaning, because an axis has no effect there, to one point.
  virtual TuneValues canonical(TuneValues values) const { return values; }
  /// True if the result is bit-identical to the standard's by construction; verified by the check. Other variants are
  /// never chosen automatically.
  virtual bool keeps_bits(const TuneValues&) const { return true; }
  /// Why the device cannot have the variant, as far as known without building; empty if it can.
  virtual std::string refuse(const TuneValues& values) const = 0;

  /// Any thread; called once, before anything else.
  virtual void prepare_reference() = 0;
  /// Builds. Any thread, one at a time. Throws an Error with the reason if the variant does not build or fit.
  virtual std::unique_ptr<TuneRun> prepare(const TuneValues& values) = 0;

  /// Before a checked run: fills the outputs with values that no result has.
  virtual void arm() = 0;
  /// After it is complete: begins to read and compare the output. The standard's comes first.
  virtual void begin_check(const TuneValues& values) = 0;
  /// A description of the error, empty if the output is right; nothing while unknown. Never waits.
  virtual std::optional<std::string> poll_check() = 0;
};

}  // namespace orrery
