#include "model/nbody/diagnostics.hpp"

#include <cmath>
#include <ostream>

#include "base/file.hpp"
#include "base/text.hpp"

namespace orrery {

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

void write_diagnostics(const std::filesystem::path& path, std::span<const NbodyDiagnostics> rows) {
  write_file(path, [&](std::ostream& stream) {
    stream << csv_header_of_diagnostics() << '\n';
    for (const NbodyDiagnostics& row : rows) stream << csv_row(row) << '\n';
  });
}

}  // namespace orrery
