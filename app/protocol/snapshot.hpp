/// What the panels see: plain values, made anew each frame by the window thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/parameter.hpp"
#include "base/timeline.hpp"
#include "compute/device/device_info.hpp"
#include "compute/device/work_group.hpp"
#include "compute/measure/comparison.hpp"
#include "compute/measure/roofline.hpp"
#include "compute/queue/kernel_statistics.hpp"
#include "protocol/editor_snapshot.hpp"
#include "protocol/mandelbrot_snapshot.hpp"
#include "protocol/tuner_snapshot.hpp"

namespace orrery {

/// Conserved quantities over time, as plotted. All vectors have one entry for each published frame kept.
struct DiagnosticsHistory {
  std::vector<double> time;
  std::vector<double> kinetic;
  std::vector<double> potential;
  std::vector<double> total;
  std::vector<double> momentum;          ///< |p|
  std::vector<double> angular_momentum;  ///< |L|
  std::vector<double> virial;            ///< 2K/|W|
  double initial_total = 0;
  double initial_angular_momentum = 0;
  std::vector<double> long_steps;  ///< times from which the time step was too long for the bodies
};

/// |a − a_true| / |a_true| of bodies drawn at random, over time. One entry for each draw kept.
struct AccelerationErrors {
  std::vector<double> time;
  std::vector<double> median;
  std::vector<double> p99;
};

/// Steps a second against the steps between two published frames.
struct TransferSweep {
  bool running = false;
  double progress = 0;  ///< 0 … 1
  std::vector<double> bursts;
  std::vector<double> shared, copied;  ///< steps/s of each burst; no number where it has not been measured
  std::string no_sharing;              ///< why there are no shared surfaces; empty when there are
  std::string fault;                   ///< why nothing can be measured
};

/// What one of several devices does for the bodies.
struct NbodyMemberShare {
  std::int64_t bodies = 0;    ///< that it moves
  double measured_speed = 0;  ///< interactions/s of it alone, by which the bodies are shared; 0 when unknown
};

struct NbodySnapshot {
  bool paused = false;
  bool backwards = false;  ///< time runs so
  std::int64_t bodies = 0;
  std::int64_t step = 0;
  double time = 0;
  double steps_per_second = 0;
  double interactions_per_second = 0;
  double burst_progress = 0;              ///< of the burst in flight, 0 … 1
  std::string initial;                    ///< where the present bodies come from: a name or a file
  std::uint32_t state_hash = 0;           ///< of the exact bits; 0 when unknown
  std::vector<NbodyMemberShare> members;  ///< of each device in use; empty when there is one
  DiagnosticsHistory diagnostics;
  std::string step_warning;  ///< that the time step was too long, one sentence; empty when it was not
  AccelerationErrors errors;
  TransferSweep transfer;
  double color_low = 0;                  ///< the coloured quantity's value at the palette's lower end …
  double color_high = 0;                 ///< … and at its upper end
  std::vector<std::uint8_t> color_ramp;  ///< the palette as RGB triples, low to high
};

/// Made anew only where something has changed; never null.
struct ParticlesSnapshot;
using ParticlesView = std::shared_ptr<const ParticlesSnapshot>;

struct RunningVariant {
  std::string kernel;  ///< as the tuner names it: "single"
  NamedTuneValues values;
};

/// The device's ceilings, and where each kernel stands under them.
struct RooflineSnapshot {
  std::optional<Ceilings> ceilings;  ///< nothing until they have been measured
  bool measuring = false;
  std::vector<RooflinePlace> places;  ///< of the kernels, in their order
};

struct SceneSnapshot {
  std::string_view name;   ///< "nbody"
  std::string_view title;  ///< "N-body"
  std::vector<ParameterView> parameters;
  WorkGroupLimits work_group;  ///< of the scene's main kernel
  RunningVariant running;      ///< of that kernel
  std::vector<KernelStatistics> kernels;
  RooflineSnapshot roofline;
  std::string status;  ///< what is being prepared ("building kernels for 256 …"); empty when nothing
  std::string fault;   ///< the last error, one line; empty when all is well
  std::string fault_log;
  bool can_rewind = false;  ///< the fault is that numbers are not finite; command::Rewind goes back to before
  bool profiling = true;
  std::size_t bytes_copied = 0;  ///< through host memory, per published frame
  std::variant<NbodySnapshot, MandelbrotSnapshot, ParticlesView> view;
};

struct FrameTimes {
  std::vector<float> recent_ms;  ///< oldest first
  double p50_ms = 0;
  double p95_ms = 0;
  double p99_ms = 0;
  double max_ms = 0;
  double frames_per_second = 0;
};

/// Two ways of computing what a scene shows.
struct ComparisonSnapshot {
  bool running = false;
  double progress = 0;               ///< 0 … 1
  std::optional<Comparison> result;  ///< the last one
};

/// A session that did not end in order.
struct LeftSession {
  std::string when;     ///< its last copy was made, else its end; empty: there is none
  std::string report;   ///< how it ended; empty when nobody knows
  bool copied = false;  ///< there is a copy to restore
};

/// Everything that is drawn around the picture.
struct WindowSnapshot {
  std::vector<PlatformInfo> platforms;
  std::vector<DeviceInfo> members;  ///< the devices in use; the first one has the window's surfaces
  std::string device_name;          ///< of them, for people; empty when there is no device
  std::string installation_hints;
  bool shared = false;
  std::string sharing_reason;
  FrameTimes frames;
  bool vsync = true;
  std::vector<std::string_view> scenes;  ///< names, in the order of their tabs
  SceneSnapshot scene;
  TunerSnapshot tuner;
  ComparisonSnapshot comparison;
  std::shared_ptr<const TimelineView> timeline;  ///< null unless its panel is open
  LeftSession left_session;
  EditorSnapshot editor;
  std::string message;  ///< a passing notice: "Saved screenshot …"
  std::string gl_renderer;
};

}  // namespace orrery
