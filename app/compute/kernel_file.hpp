/// How much of a kernel's file is read.
#pragma once

#include "base/file.hpp"

namespace orrery {

inline constexpr FileKind kernel_kind{"a kernel", 1 << 20};

}  // namespace orrery
