/// The steps of a law as OpenCL C. It contains none of the user's text: names are v and m with a number, the kernel's
/// inputs, and the functions of law_tree.hpp. Any thread.
#pragma once

#include <string>
#include <vector>

#include "scenes/particles/laws/law_program.hpp"

namespace orrery::particles::language {

struct Written {
  std::string statements;            ///< in a function; loops count `patience` down from PATIENCE
  std::vector<std::string> results;  ///< expressions, after the statements
  std::size_t steps = 0;             ///< number of values that they compute
  bool vectorised = true;            ///< a processor computes it for several particles at once
};

/// `fast`: functions whose names begin with native_ are called by that name where the device has them.
Written written(const Program& program, bool fast);

}  // namespace orrery::particles::language
