/// Writes pictures and films of the Mandelbrot scene while the window goes on: one at a time, on a worker thread, with
/// kernels and a queue of its own.
///
/// Window thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "base/work/background.hpp"
#include "compute/program/program.hpp"
#include "scenes/mandelbrot/model/settings.hpp"
#include "scenes/mandelbrot/output/export.hpp"
#include "scenes/mandelbrot/output/zoom_film.hpp"
#include "scenes/mandelbrot/panels/snapshot.hpp"

namespace orrery {

class MandelbrotExporter {
 public:
  MandelbrotExporter() = default;
  ~MandelbrotExporter() { leave(); }
  MandelbrotExporter(const MandelbrotExporter&) = delete;
  MandelbrotExporter& operator=(const MandelbrotExporter&) = delete;

  /// The window may move to another device meanwhile. Throw a usage Error for what cannot be written, and while
  /// something is.
  void begin(const Device& device, const MandelbrotSettings& settings, mandelbrot::ExportRequest request);
  void begin(const Device& device, const MandelbrotSettings& settings, mandelbrot::FilmRequest request);
  /// Asks it to give up; what is half done leaves no file.
  void cancel();
  /// The same, and waits: for a slice, or, where the device does not answer, for seconds.
  void leave();
  /// The device does not answer any more: what is being written on it is given up, and another can be.
  void abandon(const Device& device);

  bool busy() const { return job_.busy(); }
  /// Takes note of the end.
  void update();
  ExportSnapshot snapshot() const;

 private:
  /// Between the worker and the window; outlives the exporter where the worker does.
  struct Progress {
    std::atomic<bool> cancelled = false;
    std::atomic<double> done = 0;
    std::mutex mutex;
    std::string detail;  // behind the mutex

    bool show(double now_done, const std::string& now_detail);
  };
  using Work = std::function<std::string(Progress&)>;

  void start(const Device& device, const std::filesystem::path& out, Work work);

  Background<std::string> job_;
  std::shared_ptr<Progress> progress_ = std::make_shared<Progress>();
  cl_context context_ = nullptr;  // where it is computed
  std::string what_, result_;
  double began_ = 0;
  bool failed_ = false;
};

}  // namespace orrery
