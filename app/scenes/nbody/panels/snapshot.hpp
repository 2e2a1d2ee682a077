/// The state that the panels of the n-body scene show. Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "ui/picture_colors.hpp"

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
  std::vector<double> long_steps;  ///< times from which the time step was too long for the bodies
  std::string step_warning;        ///< warning of too long a time step, one sentence; else empty
};

/// |a − a_true| / |a_true| of bodies drawn at random, over time. One entry for each draw kept.
struct AccelerationErrors {
  std::vector<double> time;
  std::vector<double> median;
  std::vector<double> p99;
};

/// The errors of the last bodies that were drawn: that of half of them, of 90 of 100 … is smaller.
struct ErrorPercentiles {
  double median = unknown, p90 = unknown, p99 = unknown, p999 = unknown, largest = unknown;
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
};

/// Milliseconds of a step for each force error that the tree may be asked for.
struct AccuracyCosts {
  bool running = false;
  double progress = 0;  ///< 0 … 1
  std::vector<double> errors;
  std::vector<double> quadrupole, monopole, all_pairs;  ///< ms for each force error; all_pairs: equal values
  std::string fault;                                    ///< why nothing was measured
};

/// How far forces are from exact ones, and what it costs.
struct ForceErrorView {
  double asked = 0;  ///< error that 99 of 100 bodies are to keep; 0: none is set
  AccelerationErrors history;
  ErrorPercentiles percentiles;
  AccuracyCosts costs;
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

/// The share of the bodies that one of several devices computes.
struct NbodyMemberShare {
  std::int64_t bodies = 0;    ///< bodies that the device moves
  double measured_speed = 0;  ///< interactions/s of it alone, by which the bodies are shared; 0 when unknown
};

/// Moments of the run that are kept, and where it is.
struct PastView {
  struct Moment {
    std::int64_t step = 0;
    double time = 0;
    bool changes = false;  ///< settings changed there
  };
  std::vector<Moment> moments;       ///< in their order
  std::vector<Moment> other_branch;  ///< moments after `fork` before the last branching; empty without one
  std::int64_t fork = 0;
  std::int64_t step = 0;  ///< the shown step, or the one being computed
  double time = 0;        ///< the shown time
  bool is_near = false;   ///< the shown bodies are not exactly those of the step, until these have been computed
};

/// Names of the units, for labels: "AU/yr", or "G = 1" where units have no names; `length` of those is "length units".
struct UnitNames {
  std::string length, time, speed, acceleration, potential, mass, energy, momentum, angular_momentum;
  bool named = false;
};

struct NbodySnapshot {
  bool paused = false;
  bool backwards = false;  ///< time runs so
  std::int64_t bodies = 0;
  std::int64_t step = 0;
  /// A tree computes fewer interactions than there are pairs.
  enum class Forces { unknown, of_tree, of_all_pairs } forces = Forces::unknown;
  ForceErrorView force_errors;
  double time = 0;
  UnitNames units;
  std::string date;  ///< date of a solar system; empty for other bodies
  double steps_per_second = 0;
  double interactions_per_second = 0;
  double burst_progress = 0;  ///< progress of the burst in flight, 0 … 1
  std::string_view readable;  ///< extensions of files of bodies: ".csv, .npy"
  bool individual = false;    ///< each body takes its own time steps
  struct Contacts {
    bool touch = false, bounce = false;  ///< bodies do not pass; they bounce
    bool keep_energy = true;
    std::int64_t merged = 0;  ///< bodies that have merged into others
  } contacts;
  std::uint32_t state_hash = 0;           ///< checksum of the exact bits; 0: unknown
  std::vector<NbodyMemberShare> members;  ///< shares of the devices in use; empty for one device
  DiagnosticsHistory diagnostics;
  TransferSweep transfer;
  double drawn_share = 0;  ///< share of the bodies that the picture shows; 0 where all are always drawn
  ColorScale colors;
  std::vector<NamedColor> parts;  ///< origins, if bodies are coloured by them and they are known
  struct Cells {
    bool wanted = false;
    std::vector<NamedColor> levels;  ///< drawn levels, from 1: the root's
    std::int64_t drawn = 0;          ///< finest level that is drawn, or would be; 0 without a tree
    std::int64_t drawable = 0;       ///< finest level with few enough cells to be drawn
    std::int64_t finest = 0;         ///< level of the leaves
  } cells;
  /// The left button adds, throws and grabs bodies. Places are pixels of the picture, origin top left.
  struct Hands {
    bool on = false;
    double new_mass = 0;     ///< mass of the object that would be added
    std::string new_object;  ///< object that would be added: "a galaxy of 1,000 bodies"
    float radius = 0;        ///< radius of a set that would be added, in pixels; 0: a body
    enum class Holds { nothing, new_body, body } holds = Holds::nothing;
    bool dragged = false;
    std::array<float, 2> from{}, to{};
    double speed = 0, mass = 0;                   ///< speed and mass of the held body
    std::vector<std::array<float, 2>> path = {};  ///< predicted path
  } hands;
  /// Known facts about the followed body.
  struct Followed {
    struct Near {
      std::string name;  ///< empty: there is none
      double distance = 0;
    };
    std::string name;  ///< empty while no body is followed
    double mass = 0, speed = 0;
    Near nearest, closest = {};
    double closest_time = 0;
    std::int64_t closest_step = 0;
    std::string orbits;  ///< the body that it goes around; empty where none holds it
    double semi_major = 0, eccentricity = 0, period = 0;
    double inclination = 0;                        ///< degrees
    std::vector<std::array<float, 4>> orbit = {};  ///< lines from x, y to x, y; pixels of the picture, origin top left
  } followed;
  PastView past;
  double picture_height = 0;  ///< length that is as wide as the picture is high, where the camera looks
};

}  // namespace orrery
