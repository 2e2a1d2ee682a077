#include "compute/program/program_plan.hpp"

#include <algorithm>

namespace orrery {

ProgramPlan::ProgramPlan(const std::vector<Part>& parts) {
  for (const auto& [library, spec, sources] : parts)
    programs_.emplace(library, sources ? ProgramLibrary::key_of(spec, *sources) : library->key_of(spec));
}

std::size_t ProgramPlan::built() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(programs_, [](const auto& program) { return program.first->has(program.second); }));
}

std::string ProgramPlan::status(const std::string& what) const {
  const std::size_t done = built();
  if (done == size()) return {};
  return "building " + what + ": " + std::to_string(done + 1) + " of " + std::to_string(size()) + ", only once";
}

std::vector<ProgramPlan::Part> ProgramPlan::parts(ProgramLibrary& library, std::vector<ProgramSpec> specs) {
  std::vector<ProgramPlan::Part> parts;
  for (ProgramSpec& spec : specs) parts.push_back({&library, std::move(spec)});
  return parts;
}

}  // namespace orrery
