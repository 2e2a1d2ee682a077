#include "scenes/mandelbrot/window/exporter.hpp"

#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/platform/threads.hpp"
#include "base/printable.hpp"
#include "base/work/abandon.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr double slice_seconds = 0.008;  // so long does the picture on the screen wait for the one that is written
constexpr double longest_end = 5;        // seconds for what is cancelled to end: a slice, or a compiler

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
  start(device, request.out, [device, settings, request](Progress& progress) {
    ProgramLibrary programs(device);
    const Purpose purpose = request.out.extension() == ".npy" ? Purpose::data : Purpose::picture;
    const bool detail = purpose == Purpose::picture && needs_details(request.colors);
    const Kernels kernels =
        kernels_for(programs, settings, request.picture.view, request.picture.size, purpose, detail);
    export_picture(programs.device(), kernels, request, [&](double done) { return progress.show(done, {}); });
    return "Saved " + request.out.string();
  });
}

void MandelbrotExporter::begin(const Device& device, const MandelbrotSettings& settings, FilmRequest request) {
  check_film(request);
  request.picture.slice_seconds = slice_seconds;
  start(device, request.out, [device, settings, request](Progress& progress) {
    ProgramLibrary programs(device);
    KernelShelf kernels(programs, settings, needs_details(request.colors));
    const FilmResult film = make_film(programs.device(), kernels, request,
                                      [&](double done, const std::string& what) { return progress.show(done, what); });
    const bool pictures = film.written != request.out;
    return "Saved " + std::to_string(film.frames) + " frames: " + film.written.string() +
           (pictures ? " (numbered pictures, because ffmpeg is missing)" : "");
  });
}

void MandelbrotExporter::start(const Device& device, const std::filesystem::path& out, Work work) {
  if (job_.busy())
    throw usage_error("cannot write " + in_quotes(out.string()) + " while " + in_quotes(what_) + " is being written",
                      {}, {});
  what_ = out.filename().string();
  result_.clear();
  context_ = device.context()();
  progress_ = std::make_shared<Progress>();
  job_.start([work = std::move(work), progress = progress_]() -> std::string {
    name_thread("export");
    try {
      return work(*progress);
    } catch (const Cancelled&) {
      return "Cancelled; nothing was saved";
    }
  });
}

bool MandelbrotExporter::Progress::show(double now_done, const std::string& now_detail) {
  done = now_done;
  const std::scoped_lock lock(mutex);
  detail = now_detail;
  return !cancelled;
}

void MandelbrotExporter::cancel() { progress_->cancelled = true; }

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

void MandelbrotExporter::leave() {
  cancel();
  for (const double began = now_seconds(); job_.busy() && now_seconds() - began < patience(longest_end);) {
    update();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  orrery::leave(job_);
}

void MandelbrotExporter::abandon(const Device& device) {
  if (!job_.busy() || device.context()() != context_) return;
  cancel();
  orrery::abandon(job_);
  result_ = what_ + " was cancelled: the device stopped responding";
  failed_ = true;
}

ExportSnapshot MandelbrotExporter::snapshot() const {
  ExportSnapshot snapshot;
  snapshot.result = result_;
  snapshot.failed = failed_;
  if (!job_.busy()) return snapshot;
  snapshot.what = what_;
  snapshot.progress = progress_->done;
  const std::scoped_lock lock(progress_->mutex);
  snapshot.detail = progress_->detail;
  return snapshot;
}

}  // namespace orrery
