/// The contents of a plot: its curves, their axes with units, and the same as a table. Plain values.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "ui/theme.hpp"

namespace orrery::ui {

inline constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

struct Series {
  enum class Style { line, bars, points };

  std::string name;
  std::span<const double> values;  ///< values that are not finite leave gaps
  Color color;
  std::span<const double> x = {};  ///< x of the series; none: the plot's
  Style style = Style::line;
  std::string note = {};  ///< further text of a point
};

struct PlotAxis {
  std::string name;              ///< "Time"
  std::string unit = {};         ///< "ms"; empty: a pure number
  bool logarithmic = false;      ///< values of 0 or less are left out
  double low = unknown_number;   ///< begin of the axis; not given: by the values
  double high = unknown_number;  ///< end of the axis; not given: by the values
  /// "Time (ms)"
  std::string title() const { return unit.empty() ? name : name + " (" + unit + ")"; }
};

/// Spans refer to values that outlive the frame.
struct Plot {
  std::string title;  ///< unique in its scene
  PlotAxis x, y;
  std::span<const double> at = {};  ///< along x
  std::vector<Series> series = {};
  float height = 80;                   ///< height of the curves in the column, at scale 1
  double reference = unknown_number;   ///< a level worth a line
  std::span<const double> marks = {};  ///< places along x worth a line
  std::string note = {};               ///< note of a single series, in place of its last value: "peak 1.12"
  std::string table = {};              ///< table as .csv, if it has more than the curves
};

/// A plot with values of its own.
class KeptPlot {
 public:
  KeptPlot() = default;
  explicit KeptPlot(const Plot& plot);
  Plot plot() const;

 private:
  Plot plot_;  // its spans are set by plot()
  std::vector<double> at_, marks_;
  std::vector<std::vector<double>> x_, values_;
};

/// The plot as .csv: a column of x and one for each series, named with their units; series of their own x have two.
/// Numbers read back unchanged; values that are not finite are left empty.
std::string table_of(const Plot& plot);
/// A cell of such a table: in quotation marks where it needs them.
std::string quoted(const std::string& text);

}  // namespace orrery::ui
