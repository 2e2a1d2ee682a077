#include "scene/mandelbrot_exporter.hpp"

#include <thread>

#include "base/error.hpp"

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr double slice_seconds = 0.008;  // so long does the picture on the screen wait for the one that is written

Kernels kernels_for(ProgramLibrary& programs, const MandelbrotSettings& settings, const View& view, Size size,
                    Purpose purpose, bool detail) {
  const DeviceInfo& device = programs.device().info();
  const PrecisionChoice choice = choose_precision(settings.precision, view, size, device.fp64, purpose);
  return Kernels(programs, choose_variant(device, choice, settings, purpose, detail));
}

}  // namespace

void MandelbrotExporter::begin(const Device& device, const MandelbrotSettings& settings, ExportRequest request) {
  check_export(request.out, request.picture.samples);
  request.picture.slice_seconds = slice_seconds;
  start(request.out, [this, device, settings, request] {
    ProgramLibrary programs(device);
    const Purpose purpose = request.out.extension() == ".npy" ? Purpose::data : Purpose::picture;
    const bool detail = purpose == Purpose::picture && needs_details(request.colors);
    const Kernels kernels =
        kernels_for(programs, settings, request.picture.view, request.picture.size, purpose, detail);
    export_picture(programs.device(), kernels, request, [&](double done) { return show(done, {}); });
    return "Saved " + request.out.string();
  });
}

void MandelbrotExporter::begin(const Device& device, const MandelbrotSettings& settings, FilmRequest request) {
  check_film(request);
  request.picture.slice_seconds = slice_seconds;
  start(request.out, [this, device, settings, request] {
    ProgramLibrary programs(device);
    KernelShelf kernels(programs, settings, needs_details(request.colors));
    const FilmResult film = make_film(programs.device(), kernels, request,
                                      [&](double done, const std::string& what) { return show(done, what); });
    const bool pictures = film.written != request.out;
    return "Saved " + std::to_string(film.frames) + " frames: " + film.written.string() +
           (pictures ? " (numbered pictures: there is no ffmpeg)" : "");
  });
}

void MandelbrotExporter::start(const std::filesystem::path& out, std::function<std::string()> work) {
  if (job_.busy()) throw usage_error("cannot write", out.string(), what_ + " is being written");
  what_ = out.filename().string();
  result_.clear();
  cancelled_ = false;
  progress_ = 0;
  job_.start([work = std::move(work)]() -> std::string {
    try {
      return work();
    } catch (const Cancelled&) {
      return "Cancelled; nothing is written";
    }
  });
}

bool MandelbrotExporter::show(double progress, const std::string& detail) {
  progress_ = progress;
  const std::scoped_lock lock(mutex_);
  detail_ = detail;
  return !cancelled_;
}

void MandelbrotExporter::update() {
  try {
    if (auto message = job_.poll()) {
      result_ = *message;
      failed_ = false;
    }
  } catch (const Error& error) {
    result_ = error.what();
    failed_ = true;
  }
}

void MandelbrotExporter::stop() {
  cancel();
  while (job_.busy()) {
    update();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

ExportSnapshot MandelbrotExporter::snapshot() const {
  ExportSnapshot snapshot;
  snapshot.result = result_;
  snapshot.failed = failed_;
  if (!job_.busy()) return snapshot;
  snapshot.what = what_;
  snapshot.progress = progress_;
  const std::scoped_lock lock(mutex_);
  snapshot.detail = detail_;
  return snapshot;
}

}  // namespace orrery
