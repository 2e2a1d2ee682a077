/// The work of a launch, as far as the caller knows it: for predictions and the roofline.
#pragma once

namespace orrery {

/// The work of one unit, declared beside the kernel's name. 0 means unknown.
struct UnitCost {
  double operations = 0;  ///< slots of the multiply-add units; a fused multiply-add is one
  double bytes = 0;       ///< requested from global memory, even if a cache serves it
};

/// A value. `units` are those of the kernel's name (interactions, pixels …).
struct Work {
  Work() = default;
  Work(double amount) : units(amount) {}
  Work(double amount, const UnitCost& each, bool in_double)
      : units(amount), operations(amount * each.operations), bytes(amount * each.bytes), doubles(in_double) {}

  double units = 0;       ///< 0: the launch predicts nothing
  double operations = 0;  ///< 0: unknown
  double bytes = 0;       ///< 0: unknown
  bool doubles = false;   ///< the operations are in double precision
  bool counted = false;   ///< operations are reported later (Profiler::tell)
  bool alike = false;     ///< a unit always takes equally long while the device's speed is constant
};

}  // namespace orrery
