/// The programs of a preparation, known before the first of them is built.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compute/program/program.hpp"

namespace orrery {

/// Immutable; any thread. The libraries must outlive it.
class ProgramPlan {
 public:
  struct Part {
    ProgramLibrary* library;
    ProgramSpec spec;
    std::shared_ptr<const KernelSources> sources = nullptr;  ///< null: sources in use
  };
  /// The programs for this library to build from its sources in use.
  static std::vector<Part> parts(ProgramLibrary& library, std::vector<ProgramSpec> specs);
  /// Reads the sources of the parts, and counts equal ones once. Throws Error if a source is missing.
  explicit ProgramPlan(const std::vector<Part>& parts);

  std::size_t size() const { return programs_.size(); }
  /// The number of programs that have been built, including earlier builds.
  std::size_t built() const;
  /// "building kernels: 3 of 9, only once"; empty when all are built.
  std::string status(const std::string& what = "kernels") const;

 private:
  std::set<std::pair<ProgramLibrary*, ProgramLibrary::Key>> programs_;
};

}  // namespace orrery
