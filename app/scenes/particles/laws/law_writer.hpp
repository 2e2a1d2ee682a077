/// The steps of a law as OpenCL C. Nothing of what a person has typed is in it: names are v and m with a number, what
/// kernels hand over, and those of the functions (law_tree.hpp). Any thread.
#pragma once

#include <string>
#include <vector>

#include "scenes/particles/laws/law_program.hpp"

namespace orrery::particles::language {

struct Written {
  std::string statements;            ///< in a function; loops count `patience` down from PATIENCE
  std::vector<std::string> results;  ///< expressions, after the statements
  std::size_t steps = 0;             ///< how many numbers they make
  bool vectorised = true;            ///< a processor computes it for several particles at once
};

/// `fast`: functions whose names begin with native_ are called as such, where there are such ones.
Written written(const Program& program, bool fast);

}  // namespace orrery::particles::language
