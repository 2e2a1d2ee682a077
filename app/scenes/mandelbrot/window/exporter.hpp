/// Writes pictures and films of the Mandelbrot scene in the background: one at a time, on a worker thread, with
/// separate kernels and a separate queue.
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

  /// The window may move to another device meanwhile. Throw a usage Error for requests that cannot be written, and
  /// while another one is being written.
  void begin(const Device& device, const MandelbrotSettings& settings, mandelbrot::ExportRequest request);
  void begin(const Device& device, const MandelbrotSettings& settings, mandelbrot::FilmRequest request);
  /// Requests cancellation; an unfinished export leaves no file.
  void cancel();
  /// Cancels and waits: for a slice, or, if the device does not respond, for seconds.
  void leave();
  /// The device does not respond any more: its export is abandoned, and another can begin.
  void abandon(const Device& device);

  bool busy() const { return job_.busy(); }
  /// Handles the end of an export.
  void update();
  ExportSnapshot snapshot() const;

 private:
  /// Shared by the worker and the window; outlives the exporter if the worker does.
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
  cl_context context_ = nullptr;  // of the export's device
  std::string what_, result_;
  double began_ = 0;
  bool failed_ = false;
};

}  // namespace orrery
