/// State of the tuner for its panel. Plain values.
#pragma once

#include <string>
#include <vector>

#include "compute/tuning/tune_space.hpp"

namespace orrery {

struct TunerSnapshot {
  std::string scene;                 ///< scene of the kernels
  std::string unavailable;           ///< why tuning is impossible; empty: possible
  std::vector<std::string> kernels;  ///< kernels of the scene on this device
  std::string kernel;                ///< kernel of the candidates
  std::string problem, unit;         ///< "8192 … 16383 bodies", "interactions"
  double work = 0;                   ///< work of one run, in units; 0: unknown

  bool running = false;
  bool ending = false;      ///< cancelled; the run under way finishes first
  bool silent = false;      ///< the candidate under way does not respond
  double progress = 0;      ///< 0 … 1
  double seconds_left = 0;  ///< upper limit
  std::string activity;

  TuneSpace space;
  TuneValues standard, best, automatic, in_use;  ///< empty: unknown
  std::vector<TuneEntry> entries;
  std::vector<double> limits;  ///< seconds per run of each candidate at the device's peak; empty: unknown
  bool complete = false;
  bool host_times = false;
  bool stale = false;  ///< measured with another driver or source: not in use
  std::string note;    ///< time and origin of the results
  std::string fault;
};

}  // namespace orrery
