/// The size limit of kernel files.
#pragma once

#include "base/files/file.hpp"

namespace orrery {

inline constexpr FileKind kernel_kind{"a kernel", 1 << 20};

}  // namespace orrery
