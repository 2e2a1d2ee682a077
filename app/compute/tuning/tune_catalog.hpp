/// The tunable kernels of one scene, by name, for the command line and the window.
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

/// A kernel and the problem for which it is tuned.
struct TuneWork {
  const TuneCatalog* catalog = nullptr;
  std::string kernel = "single";  ///< one of TuneCatalog::kernels()
  std::int64_t size = 0;          ///< problem size, if it matters; 0: suits the device
  std::string view = {};          ///< the problem's name, if there are several
  bool operator==(const TuneWork&) const = default;
};

/// The description of a tuning, known without computing.
struct TuneQuestion {
  TuneSubject subject;
  TuneSpace space;
  TuneValues standard;
};

/// Options of the command line; each catalog uses some of them.
struct TuneOptions {
  std::string precision = "single", kernel = "main", view = "boundary";
  std::int64_t size = 0;
};

/// Constant; any thread. Its functions throw a usage Error for requests that the device cannot fulfil.
class TuneCatalog {
 public:
  virtual ~TuneCatalog() = default;

  /// The kernels on that device: "single", "double" …
  virtual std::vector<std::string> kernels(const DeviceInfo& device) const = 0;
  virtual TuneQuestion question(const DeviceInfo& device, const TuneWork& work) const = 0;
  /// The values in use for a kernel with one work-item per element, given `chosen`; empty for other kernels, whose
  /// scene knows them.
  virtual TuneValues element_values_in_use(const DeviceInfo& device, const TuneWork& work,
                                           const NamedTuneValues& chosen) const = 0;
  /// The work of a candidate's run over `units` of the kernel's work.
  virtual Work work_of(const DeviceInfo& device, const TuneWork& work, const TuneSpace& space, const TuneValues& values,
                       double units) const = 0;
  /// Allocates and uploads. `programs` must outlive it. Throws Error if the device lacks memory.
  virtual std::unique_ptr<TuneTarget> target(ProgramLibrary& programs, const TuneWork& work) const = 0;

  /// The command line: a sentence of help, the options in short, the bound options, and their meaning.
  virtual std::string_view about() const = 0;
  virtual std::string_view usage() const = 0;
  virtual std::vector<Parameter> parameters(TuneOptions& options) const = 0;
  virtual TuneWork work(const TuneOptions& options) const = 0;

 protected:
  /// Throws a usage Error if the device lacks that kernel.
  void check(const DeviceInfo& device, const TuneWork& work) const;
};

/// The question for a kernel with one work-item per element.
TuneQuestion element_question(const DeviceInfo& device, int dimensions, TuneSubject subject);

/// The same target with only some axes swept; the others keep their `values`.
std::unique_ptr<TuneTarget> restricted(std::unique_ptr<TuneTarget> target, const TuneValues& values,
                                       const std::vector<std::string>& axes);

}  // namespace orrery
