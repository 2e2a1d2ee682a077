#include "scenes/mandelbrot/window/exporter.hpp"

#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/platform/threads.hpp"
#include "base/printable.hpp"
#include "base/work/abandon.hpp"
#include "scenes/mandelbrot/output/proven_picture.hpp"

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr double slice_seconds = 0.008;  // longest delay of the picture on the screen
constexpr double longest_end = 5;        // seconds until a cancelled export ends: a slice, or a compiler

// 0, for unknown, at the start: the first part builds kernels.
double seconds_left(double passed, double done) {
  constexpr double soon = 2, little = 0.01;
  return passed < soon || done < little ? 0 : passed * (1 - done) / done;
}

}  // namespace

void MandelbrotExporter::begin(const Device& device, const MandelbrotSettings& settings, ExportRequest request) {
  check_export(request.out, request.picture.samples);
  request.picture.slice_seconds = slice_seconds;
  request.picture.proved = proved_in_passing;
  start(device, request.out, [device, settings, request](Progress& progress) {
    ProgramLibrary programs(device);
    const auto report = [&](const std::string& text) { log(Level::warning, request.out.string() + ": " + text); };
    const ProvenPicture picture =
        export_proven(programs, request, settings, report, [&](double done) { return progress.show(done, {}); });
    const bool fails = picture.result.proof && picture.result.proof->fails();
    return "Saved " + request.out.string() + (fails ? ", although " + text_of(*picture.result.proof) : std::string());
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
  began_ = now_seconds();
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
  snapshot.seconds_left = seconds_left(now_seconds() - began_, snapshot.progress);
  const std::scoped_lock lock(progress_->mutex);
  snapshot.detail = progress_->detail;
  return snapshot;
}

}  // namespace orrery
