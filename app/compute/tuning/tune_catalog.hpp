/// The kernels of one scene that can be tuned, by name: what the command line and the window choose from.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/parameter.hpp"
#include "compute/program/program.hpp"
#include "compute/queue/work.hpp"
#include "compute/tuning/tune_target.hpp"

namespace orrery {

class TuneCatalog;

/// A kernel that is tuned, and the problem that it is tuned for.
struct TuneWork {
  const TuneCatalog* catalog = nullptr;
  std::string kernel = "single";  ///< one of TuneCatalog::kernels()
  std::int64_t size = 0;          ///< of the problem, where its size matters; 0 for a size that suits the device
  std::string view = {};          ///< the problem's name, where there are several
  bool operator==(const TuneWork&) const = default;
};

/// What is known of it without computing.
struct TuneQuestion {
  TuneSubject subject;
  TuneSpace space;
  TuneValues standard;
};

/// What a person says on the command line; each catalog uses a part of it.
struct TuneOptions {
  std::string precision = "single", kernel = "main", view = "boundary";
  std::int64_t size = 0;
};

/// Constant; any thread. Its functions throw a usage Error for what the device cannot do.
class TuneCatalog {
 public:
  virtual ~TuneCatalog() = default;

  /// Of that device: "single", "double" …
  virtual std::vector<std::string> kernels(const DeviceInfo& device) const = 0;
  virtual TuneQuestion question(const DeviceInfo& device, const TuneWork& work) const = 0;
  /// What a kernel with one work-item for each element runs with where `chosen` was chosen; empty for the others,
  /// whose scene knows it.
  virtual TuneValues element_values_in_use(const DeviceInfo& device, const TuneWork& work,
                                           const NamedTuneValues& chosen) const = 0;
  /// What a run of a candidate does, of `units` of the kernel's work.
  virtual Work work_of(const DeviceInfo& device, const TuneWork& work, const TuneSpace& space, const TuneValues& values,
                       double units) const = 0;
  /// Allocates and uploads. `programs` must outlive it. Throws Error for what the device cannot hold.
  virtual std::unique_ptr<TuneTarget> target(ProgramLibrary& programs, const TuneWork& work) const = 0;

  /// The command line: one sentence of help, the options in short, the options bound, and what they mean.
  virtual std::string_view about() const = 0;
  virtual std::string_view usage() const = 0;
  virtual std::vector<Parameter> parameters(TuneOptions& options) const = 0;
  virtual TuneWork work(const TuneOptions& options) const = 0;

 protected:
  /// Throws a usage Error when the device does not have that kernel.
  void check(const DeviceInfo& device, const TuneWork& work) const;
};

/// The question of a kernel with one work-item for each element.
TuneQuestion element_question(const DeviceInfo& device, int dimensions, TuneSubject subject);

/// The same target, of which only some axes are swept; the others stay as `values` has them.
std::unique_ptr<TuneTarget> restricted(std::unique_ptr<TuneTarget> target, const TuneValues& values,
                                       const std::vector<std::string>& axes);

}  // namespace orrery
