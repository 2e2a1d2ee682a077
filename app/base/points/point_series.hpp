/// The frames of a run as files for other programs: a file each, or all in one. However the run ends, a file has whole
/// frames.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/parameter.hpp"
#include "base/points/point_frame.hpp"

namespace orrery {

/// --every N of a command whose --out tells the files.
Parameter frames_parameter(std::int64_t& every);
/// The step of the next frame behind `step`, or `end` where that comes before. `every` 0: there are no frames.
std::int64_t next_frame(std::int64_t step, std::int64_t every, std::int64_t end);
/// `out` and `every` of a command. Throws a usage Error where `every` is given and `out` is neither a name with one %d,
/// "frame-%06d.npy", nor one file of a format that holds frames; and where a format is unknown.
void check_series(const std::string& out, std::int64_t every);
/// The name of a frame's file: "frame-000012.npy".
std::string frame_name(const std::string& pattern, std::int64_t frame);

/// One thread.
class PointSeries {
 public:
  /// A frame is kept of each step that is a multiple of `every`, 0: of none. `begins`: the step from which a run goes
  /// on; one file of all frames then continues behind those before, and is refused where it has none.
  PointSeries(std::string out, std::int64_t every, std::int64_t begins = 0);
  ~PointSeries();
  PointSeries(const PointSeries&) = delete;
  PointSeries& operator=(const PointSeries&) = delete;

  /// The step has a frame that is not kept yet.
  bool due(std::int64_t step) const;
  /// Throws Error; nothing of the frame is then in a file.
  void keep(const PointFrame& frame);
  void finish();
  /// "frame-000000.npy … frame-000010.npy"; empty before the first frame.
  std::string files() const;

 private:
  class Trajectory;

  std::string out_;
  std::int64_t every_;
  std::optional<std::int64_t> first_, last_;  // steps that are kept
  std::unique_ptr<Trajectory> trajectory_;
};

}  // namespace orrery
