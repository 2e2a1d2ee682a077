/// What the tuner's panel sees: plain values.
#pragma once

#include <string>
#include <vector>

#include "compute/tuning/tune_space.hpp"

namespace orrery {

struct TunerSnapshot {
  std::string scene;                 ///< whose kernels these are
  std::string unavailable;           ///< why nothing can be tuned; empty when it can
  std::vector<std::string> kernels;  ///< of the scene, on this device
  std::string kernel;                ///< whose candidates these are
  std::string problem, unit;         ///< "8192 … 16383 bodies", "interactions"
  double work = 0;                   ///< of one run, in units; 0 when unknown

  bool running = false;
  bool ending = false;      ///< cancelled; what is under way ends first
  bool silent = false;      ///< the candidate under way does not end
  double progress = 0;      ///< 0 … 1
  double seconds_left = 0;  ///< at the most
  std::string activity;

  TuneSpace space;
  TuneValues standard, best, automatic, in_use;  ///< empty when unknown
  std::vector<TuneEntry> entries;
  std::vector<double> limits;  ///< of each: seconds that its run takes at the device's peak; empty when unknown
  bool complete = false;
  bool host_times = false;
  bool stale = false;  ///< measured with another driver or source: not in use
  std::string note;    ///< when, and of what, the results are
  std::string fault;
};

}  // namespace orrery
