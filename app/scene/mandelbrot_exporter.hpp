/// Writes pictures and films of the Mandelbrot scene while the window goes on: one at a time, on a worker thread, with
/// kernels and a queue of its own.
///
/// Window thread.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "base/background.hpp"
#include "compute/program.hpp"
#include "model/mandelbrot/export.hpp"
#include "model/mandelbrot/settings.hpp"
#include "model/mandelbrot/zoom_film.hpp"
#include "scene/mandelbrot_snapshot.hpp"

namespace orrery {

class MandelbrotExporter {
 public:
  MandelbrotExporter() = default;
  ~MandelbrotExporter() { stop(); }
  MandelbrotExporter(const MandelbrotExporter&) = delete;
  MandelbrotExporter& operator=(const MandelbrotExporter&) = delete;

  /// The window may move to another device meanwhile. Throw a usage Error for what cannot be written, and while something
  /// is.
  void begin(const Device& device, const MandelbrotSettings& settings, mandelbrot::ExportRequest request);
  void begin(const Device& device, const MandelbrotSettings& settings, mandelbrot::FilmRequest request);
  /// Asks it to give up; what is half done leaves no file.
  void cancel() { cancelled_ = true; }
  /// The same, and waits: for a slice.
  void stop();

  bool busy() const { return job_.busy(); }
  /// Takes note of the end.
  void update();
  ExportSnapshot snapshot() const;

 private:
  void start(const std::filesystem::path& out, std::function<std::string()> work);
  bool show(double progress, const std::string& detail);

  Background<std::string> job_;
  std::string what_, result_;
  bool failed_ = false;
  std::atomic<bool> cancelled_ = false;
  std::atomic<double> progress_ = 0;
  mutable std::mutex mutex_;
  std::string detail_;  // behind the mutex
};

}  // namespace orrery
