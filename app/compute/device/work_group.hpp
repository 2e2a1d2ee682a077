/// Legal work-group sizes of a kernel on a device, and the limits behind them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery {

/// A plain snapshot for panels.
struct WorkGroupLimits {
  std::string kernel;
  std::size_t kernel_maximum = 0;      ///< CL_KERNEL_WORK_GROUP_SIZE: the limit of the compiled kernel
  std::size_t preferred_multiple = 1;  ///< CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE
  std::size_t local_bytes = 0;         ///< local memory of the kernel at its present size
  std::size_t private_bytes = 0;       ///< private memory of a work-item
  std::size_t in_use = 0;              ///< the present size
  std::vector<std::size_t> legal;      ///< ascending: powers of two and the preferred multiple's small multiples
};

/// The smallest multiple of `step` that is ≥ `value`.
constexpr std::size_t round_up(std::size_t value, std::size_t step) { return (value + step - 1) / step * step; }

}  // namespace orrery
