#include "ui/plot_data.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace orrery::ui {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

namespace {

std::string with_unit(const std::string& name, const std::string& unit) {
  return quoted(unit.empty() ? name : name + " (" + unit + ")");
}

struct Column {
  std::string name;
  std::span<const double> values;
};

std::vector<Column> columns_of(const Plot& plot) {
  std::vector<Column> columns;
  if (std::ranges::any_of(plot.series, [](const Series& series) { return series.x.empty(); }))
    columns.push_back({with_unit(plot.x.name, plot.x.unit), plot.at});
  for (const Series& series : plot.series) {
    if (!series.x.empty()) columns.push_back({with_unit(series.name + ": " + plot.x.name, plot.x.unit), series.x});
    const std::string name = series.x.empty() ? series.name : series.name + ": " + plot.y.name;
    columns.push_back({with_unit(name, plot.y.unit), series.values});
  }
  return columns;
}

}  // namespace

KeptPlot::KeptPlot(const Plot& plot)
    : plot_(plot), at_(plot.at.begin(), plot.at.end()), marks_(plot.marks.begin(), plot.marks.end()) {
  for (const Series& series : plot.series) {
    x_.emplace_back(series.x.begin(), series.x.end());
    values_.emplace_back(series.values.begin(), series.values.end());
  }
}

Plot KeptPlot::plot() const {
  Plot plot = plot_;
  plot.at = at_;
  plot.marks = marks_;
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    plot.series[k].x = x_[k];
    plot.series[k].values = values_[k];
  }
  return plot;
}

std::string table_of(const Plot& plot) {
  if (!plot.table.empty()) return plot.table;
  const std::vector<Column> columns = columns_of(plot);
  std::size_t rows = 0;
  std::string text;
  for (const Column& column : columns) {
    text += (text.empty() ? "" : ",") + column.name;
    rows = std::max(rows, column.values.size());
  }
  text += '\n';
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (k > 0) text += ',';
      if (row < columns[k].values.size() && std::isfinite(columns[k].values[row]))
        text += shortest(columns[k].values[row]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace orrery::ui
