/// Checks of a device and its driver: the basic operations that all scenes need.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "compute/program/program.hpp"

namespace orrery {

/// One check. `run` waits for the device and returns a note ("1,000,003 values"). It throws an Error if the result is
/// wrong, and NotHere if the check does not apply.
struct SelftestItem {
  std::string name;
  std::function<std::string()> run;
};
struct NotHere {
  std::string reason;
};

/// The first value of a check that differs from the expected one.
struct Difference {
  std::string of;                         ///< "body 17, x", "pixel (3, 5)"
  std::string expected = {}, found = {};  ///< all digits
  double relative = 0;                    ///< |found − expected| / |expected|
  double ulps = 0;                        ///< the same in units of the last place of the expected value's type
};
/// The difference of floating-point numbers with `bits` of mantissa: 24 or 53.
Difference value_difference(std::string of, double expected, double found, int bits = 53);
Difference whole_difference(std::string of, std::uint64_t expected, std::uint64_t found);

/// A check found a wrong value. The message names it.
class WrongValue : public Error {
 public:
  WrongValue(const std::string& what, Difference first)
      : Error(failure(what + ": " + first.of + " is " + first.found + ", expected " + first.expected)),
        first_(std::move(first)) {}
  const Difference& first() const { return first_; }

 private:
  Difference first_;
};
/// Throws NotHere if a check needs double precision and the device has none.
void need_doubles(const ProgramLibrary& programs, bool needed);

/// Fill and map, parallel sum, minimum by local and by global atomics, synchronisation of two queues over two buffers.
/// Refers to the library. Any thread.
std::vector<SelftestItem> device_selftests(ProgramLibrary& programs);

}  // namespace orrery
