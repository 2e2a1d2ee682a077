/// What a launch does, as far as whoever launches knows it: for predictions, and for the roofline.
#pragma once

namespace orrery {

/// What one unit of a kernel's work asks of the device; declared beside the kernel's name. 0 where it is not known.
struct UnitCost {
  double operations = 0;  ///< slots of the units that multiply and add; a fused multiply-add is one
  double bytes = 0;       ///< asked of global memory, whatever a cache serves
};

/// A value. `units` are those of the kernel's name (interactions, pixels …).
struct Work {
  Work() = default;
  Work(double amount) : units(amount) {}
  Work(double amount, const UnitCost& each, bool in_double)
      : units(amount), operations(amount * each.operations), bytes(amount * each.bytes), doubles(in_double) {}

  double units = 0;       ///< 0: nothing can be predicted from this launch
  double operations = 0;  ///< 0: unknown
  double bytes = 0;       ///< 0: unknown
  bool doubles = false;   ///< the operations are in double precision
  bool counted = false;   ///< the operations are told later (Profiler::tell)
  bool alike = false;     ///< a unit always takes as long, as long as the device is as fast
};

}  // namespace orrery
