/// The frames of a run as files for other programs: one file each, or one for all. Files have only whole frames after
/// any end of the run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/parameter.hpp"
#include "base/points/point_frame.hpp"

namespace orrery {

/// --every N of a command with files of --out.
Parameter frames_parameter(std::int64_t& every);
/// The step of the next frame after `step`, at most `end`. `every` 0: there are no frames.
std::int64_t next_frame(std::int64_t step, std::int64_t every, std::int64_t end);
/// Checks `out` and `every` of a command. Throws a usage Error for an unknown format, or if `every` is given and `out`
/// is neither a name with one %d, "frame-%06d.npy", nor a file of a format that holds frames.
void check_series(const std::string& out, std::int64_t every);
/// The name of a frame's file: "frame-000012.npy".
std::string frame_name(const std::string& pattern, std::int64_t frame);

/// One thread.
class PointSeries {
 public:
  /// Keeps a frame of each step that is a multiple of `every`; 0: none. `begins`: first step of a continued run; one
  /// file of all frames is then continued after the frames before it, and refused if it has none.
  PointSeries(std::string out, std::int64_t every, std::int64_t begins = 0);
  ~PointSeries();
  PointSeries(const PointSeries&) = delete;
  PointSeries& operator=(const PointSeries&) = delete;

  /// True if the step needs a frame that is not kept yet.
  bool due(std::int64_t step) const;
  /// Writes the frame, or throws Error and leaves no part of it.
  void keep(const PointFrame& frame);
  void finish();
  /// "frame-000000.npy … frame-000010.npy"; empty before the first frame.
  std::string files() const;

 private:
  class Trajectory;

  std::string out_;
  std::int64_t every_;
  std::optional<std::int64_t> first_, last_;  // first and last kept step
  std::unique_ptr<Trajectory> trajectory_;
};

}  // namespace orrery
