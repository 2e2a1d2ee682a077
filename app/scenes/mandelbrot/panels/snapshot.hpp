/// The state that the panels of the Mandelbrot scene show. Plain values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/snapshot.hpp"

namespace orrery {

/// A palette's name and its colours, as RGB triples along one period.
struct PaletteSwatch {
  std::string name;
  std::vector<std::uint8_t> rgb;
};

/// A picture or a film that is being written.
struct ExportSnapshot {
  std::string what;  ///< "picture.png"; empty when nothing is written
  double progress = 0;
  double seconds_left = 0;  ///< 0: not known yet
  std::string detail;       ///< "frame 12 of 600"
  std::string result;       ///< result of the last export: "saved picture.png", or the error
  bool failed = false;
};

/// The search for a copy of the set: how far it is, and which one it has found.
struct CopySnapshot {
  enum class What { not_asked, searching, nothing, copy } what = What::not_asked;
  std::uint64_t period = 0;
  std::string size = {};  ///< size relative to the whole set
};

/// The colours of the values of the last finished picture, at even steps of log ν.
struct ColoredValues {
  std::vector<std::uint8_t> rgb;
  double lowest = 0, highest = 0;
  int exponent = 0;  ///< values are in units of 2^exponent iterations
};

/// The bifurcation diagram below the picture.
struct BifurcationSnapshot {
  bool shown = false;
  float height = 0;     ///< pixels of the picture
  std::string x_range;  ///< "x within ±2"
  std::string note;     ///< why there is no diagram, or how to read it; else empty
  /// Superstable points, by falling c.
  struct Doubling {
    std::string period, c, delta, alpha;  ///< the ratios as it and its neighbours tell them, or empty
    float column = 0;                     ///< pixels from the picture's left side, perhaps beyond it
  };
  std::vector<Doubling> doublings;
  std::string_view limit;  ///< names δ and α of ever deeper ones
};

struct MandelbrotSnapshot {
  std::string span;
  std::string magnification;
  double limit = 0;       ///< limit of iterations, in use
  bool level = true;      ///< neither rotated nor stretched
  std::string precision;  ///< "single", "double"
  std::string precision_reason;
  std::string warning;     ///< warning at the limit of double precision; else empty
  double progress = 1;     ///< progress of the present view, 0 … 1
  int samples = 1;         ///< a pixel, in the picture that is shown …
  int samples_wanted = 1;  ///< samples per pixel of the finished picture
  /// Errors of some pixels of the finished picture, found by recomputing them in many bits.
  struct Proof {
    bool under_way = false;
    int checked = 0;  ///< 0: none is there
    int left_out = 0;
    int wrong_kind = 0, misses = 0;
    double median_error = 0, largest_error = 0;  ///< errors of ν, in units of the published values
    int bits = 0;
    bool fails = false;
  };
  Proof proof;
  struct Delay {
    double p50 = 0, p99 = 0, max = 0;  ///< seconds
    std::int64_t frames = 0;
  };
  Delay behind;  ///< delay of the pictures while zooming in (MandelbrotDelay)
  CopySnapshot copy;
  BifurcationSnapshot bifurcation;
  /// Nothing is seen in the finished picture but …
  enum class Lack { none, all_inside /* … the interior */, one_color /* … of points that escape */ };
  Lack lack = Lack::none;
  double flight_seconds = 0;  ///< to the place that is flown to; 0 when none is
  double iterations_per_second = 0;
  bool can_go_back = false;
  bool can_go_forward = false;
  std::string cursor;  ///< the point under the cursor and its ν, empty outside
  std::shared_ptr<const std::vector<PaletteSwatch>> palettes;
  std::shared_ptr<const Cards> places;  ///< bookmarks, the newest first, then what comes along
  ExportSnapshot exported;
  std::shared_ptr<const ColoredValues> colored;  ///< null while there are none
  double log_height = 0;                         ///< log₁₀ of a length that is as wide as the picture is high
  double rotation = 0;                           ///< degrees
};

}  // namespace orrery
