#include "scenes/nbody/model/diagnostics.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace orrery {

LogSpread log_spread(double count, double sum, double squares) {
  if (!(count > 0)) return {};
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean)), true};
}

LogSpread log_spread(std::span<const double> values) {
  double count = 0, sum = 0, squares = 0;
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value)) continue;
    const double logarithm = std::log(value);
    ++count;
    sum += logarithm;
    squares += logarithm * logarithm;
  }
  return log_spread(count, sum, squares);
}

double NbodyDiagnostics::virial() const { return potential != 0 ? 2 * kinetic / std::abs(potential) : 0; }

std::string csv_header_of_diagnostics() { return "step,time,kinetic,potential,total,px,py,pz,lx,ly,lz,virial,hash"; }

std::string csv_row(const NbodyDiagnostics& row) {
  std::string line = std::to_string(row.step);
  const auto add = [&](double value) { line += "," + digits17(value); };
  for (const double value : {row.time, row.kinetic, row.potential, row.total()}) add(value);
  for (const double value : row.momentum) add(value);
  for (const double value : row.angular_momentum) add(value);
  add(row.virial());
  return line + "," + std::to_string(row.hash);
}

}  // namespace orrery
