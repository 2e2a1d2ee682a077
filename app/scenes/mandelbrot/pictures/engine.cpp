#include "scenes/mandelbrot/pictures/engine.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/work/abandon.hpp"
#include "compute/device/refusal.hpp"

namespace orrery::mandelbrot {
namespace {

// Seconds for which a picture under way may still be completed when the view has moved on.
constexpr double least_patience = 0.15;
constexpr double most_patience = 0.75;
constexpr double longest_first_pass = 5;
constexpr double tolerable_margin = 0.02;  // relative to the view, beyond the picture under way
// One slice is enqueued per frame: it takes most of a frame, so that the device has little idle time, unless the device
// also draws.
constexpr double slice_of_others = 0.008;  // seconds, where the device does not draw
constexpr double slice_of_cpu = 0.006;     // a CPU usually draws too
// The largest N of the passes over ever finer grids. Undecided pixels continue when all passes are complete: each pass
// would otherwise wait for its few longest orbits.
constexpr std::uint32_t limit_of_passes = 16384;
// Next to c∞ the smallest detail of a picture is finer than any pixel: samples show more of it than further digits, if
// these would make the user wait.
constexpr double longest_before_pairs = 0.8;  // seconds for a picture in plain numbers; pairs take ten times as long

// A picture with details remains valid when none are needed any more.
bool serves(Variant present, const Variant& wanted) {
  if (!wanted.detail) present.detail = false;
  return present == wanted;
}

}  // namespace

void PictureEngine::enter(PictureEvent event) {
  const auto next = after(phase_, event);
  if (!next) throw std::logic_error("PictureEngine: illegal change of phase");
  phase_ = *next;
}

// ---- devices and kernels

void PictureEngine::attach(ComputeContext& context) {
  context_ = &context;
  fault_.reset();
}

void PictureEngine::detach() {
  kernels_.leave();
  histogram_.leave();
  renderer_.reset();
  sampler_ = {};
  pictures_ = {};
  context_ = nullptr;
}

void PictureEngine::abandon() {
  kernels_.abandon();
  histogram_.abandon();
  orrery::abandon(renderer_);
  orrery::abandon(sampler_);
  orrery::abandon(pictures_);
  detach();
}

void PictureEngine::set(const MandelbrotSettings& settings) {
  if (settings == settings_) return;
  settings_ = settings;
  fault_.reset();
  refusals_.forget();
  kernels_.reconsider();
}

void PictureEngine::reload() {
  kernels_.reload();
  histogram_.reload();
  fault_.reset();
}

KernelWish PictureEngine::kernel_wish() const {
  return {precision().precision, precision().formula, detailed_, settings_};
}

MandelbrotSettings PictureEngine::give_up() {
  if (can_give_up()) kernels_.give_up(*context_, kernel_wish());
  return kernels_.good();
}

void PictureEngine::follow_kernels() {
  try {
    if (kernels_.collect() == PictureKernels::Arrival::first_of_source) renderer_.reset();
    if (!fault_) kernels_.build_missing(*context_, kernel_wish());
  } catch (const Error& error) {
    fault_ = error;
  }
}

// Uses the wanted kernels once they are built; until then, the present ones.
void PictureEngine::follow_renderer() {
  if (built() && !(renderer_ && serves(renderer_->kernels().variant, built()->variant))) take_renderer();
}

void PictureEngine::take_renderer() {
  renderer_ = std::make_unique<Renderer>(context_->device, context_->queue, *built());
  sampler_ = {};
}

// ---- a frame

void PictureEngine::update(const View& view, const View& reach, Size size, bool moving, double seconds) {
  enter(PictureEvent::stir);
  if (context_ == nullptr) return;
  try_to(seconds, [&] { go_on(view, reach, size, moving, seconds); });
}

void PictureEngine::feed(double seconds) {
  if (context_ == nullptr || !renderer_) return;
  try_to(seconds, [&] {
    enqueue_slice();
    context_->queue.flush();
  });
}

void PictureEngine::try_to(double seconds, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    if (!is_refusal(error)) throw;
    do_without(error, seconds);
  }
}

// The window keeps its pictures. The engine no longer requests the refused picture, but repeats a refused launch once,
// in new buffers.
void PictureEngine::do_without(const Error& refusal, double seconds) {
  refusals_.note(refusal, seconds);
  log(Level::error, refusal.what());
  enter(PictureEvent::refuse);
  pictures_.drop();
  sampler_ = {};
  if (refusal.fault() != Fault::usage) renderer_.reset();  // else the previous picture continues
}

void PictureEngine::go_on(const View& view, const View& reach, Size size, bool moving, double seconds) {
  numbers_.choose(settings_, reach, size, fp64(), moving);
  follow_kernels();
  pictures_.take_arrival();
  follow_renderer();
  if (!renderer_) return;
  renderer_->collect();
  if (renderer_->idle()) {
    if (phase_ == PicturePhase::iterating) time_.end(seconds);
    enter(PictureEvent::rest);
  }
  const Frame frame = wanted(reach, size);
  const bool displaced = displaced_by(frame, moving && worth_finishing(view, size, seconds));
  const bool begins = displaced && can_begin(frame);
  awaits_kernels_ = displaced && !begins && !fault_;
  if (begins && !refusals_.excludes(frame)) {
    begin(frame, seconds);
  } else {
    follow_limit(frame);
  }
  follow_samples(!moving && !awaits_kernels_);
  enqueue_slice();
  follow_histogram();
  publish(seconds);
  context_->queue.flush();
  rate_.see(renderer_->iterations(), sampler_.iterations(), seconds, !complete());
}

// The device time of one slice.
double PictureEngine::slice_seconds() const {
  if (context_->surfaces.report().shared) return context_->slice_seconds;
  return context_->device.info().device_class == DeviceClass::cpu ? slice_of_cpu : slice_of_others;
}

// Enqueues a slice of the picture or, once it is finished, of its further samples.
void PictureEngine::enqueue_slice() {
  if (context_->yields) return;
  if (renderer_->enqueue_slice(context_->queue, slice_seconds())) pictures_.change();
  if (finished()) sampler_.compute(*renderer_, samples_wanted_, *context_, writer_);
}

void PictureEngine::begin(const Frame& frame, double seconds) {
  if (phase_ == PicturePhase::iterating) time_.give_up(seconds);
  if (built() && renderer_->has_details() && !detailed_) take_renderer();
  if (frame.automatic) automatic_.learn(renderer_->progress());
  renderer_->set_epsilon(numbers_.epsilon());
  Frame first = frame;
  if (!frame.automatic && !is_ladder(renderer_->kernels().variant.precision))
    first.limit = std::min(frame.limit, limit_of_passes);
  renderer_->begin(first);
  renderer_->raise_limit(frame.limit);
  refusals_.ask(frame);
  ++render_;
  time_.begin(seconds);
  enter(PictureEvent::begin);
  pictures_.change();
}

bool PictureEngine::tighten() {
  if (!finished()) return false;
  const Frame frame = renderer_->frame();
  const PictureNumbers::Remedy remedy =
      numbers_.tighten(settings_, {.frame = frame,
                                   .precision = renderer_->kernels().variant.precision,
                                   .fp64 = fp64(),
                                   .pairs_worth_it = time_.typical() < longest_before_pairs});
  if (remedy == PictureNumbers::Remedy::finer_steps) begin(frame, time_.began());
  if (remedy == PictureNumbers::Remedy::precision) enter(PictureEvent::doubt);
  return remedy != PictureNumbers::Remedy::none;
}

// A ladder serves only views near its point, and near c∞ other methods would never end. Beside a passage they are slow,
// and continue until the ladder's kernels are built. Beyond the digits of the present numbers nothing is visible.
bool PictureEngine::can_begin(const Frame& frame) const {
  const Precision present = renderer_->kernels().variant.precision, chosen = precision().precision;
  if (!(renderer_->kernels().variant.formula == frame.view.formula)) return false;
  const bool others_end = !is_ladder(chosen) || has_passage(point_of(chosen));
  return present == chosen || (!is_ladder(present) && others_end && resolves(present, frame.view, frame.size));
}

Frame PictureEngine::wanted(const View& view, Size size) const {
  Frame frame = whole_frame(view, size);
  frame.escape_radius = settings_.escape_radius;
  frame.automatic = settings_.iterations == 0;
  frame.limit = frame.automatic ? automatic_.first(view) : static_cast<std::uint32_t>(settings_.iterations);
  return frame;
}

// Whether it covers the view, or lies in it where the view will soon be.
bool PictureEngine::worth_finishing(const View& view, Size size, double seconds) const {
  if (renderer_->idle() || renderer_->waiting()) return false;
  const View& computed = renderer_->frame().view;
  const double elapsed = time_.elapsed(seconds);
  const bool covers = uncovered(computed, view, size) < tolerable_margin;
  // Without its first pass, all its work would be lost.
  if (covers && renderer_->progress().stride == 0 && elapsed < longest_first_pass) return true;
  const double patience = std::clamp(1.5 * time_.typical(), least_patience, most_patience);
  return elapsed < patience && (covers || uncovered(view, computed, size) < tolerable_margin);
}

bool PictureEngine::displaced_by(const Frame& frame, bool worth_finishing) const {
  if (renderer_->frame().size.pixels() == 0) return true;
  Frame same = renderer_->frame();
  const bool lower = frame.limit < same.limit && settings_.iterations != 0;
  same.limit = frame.limit;
  return same == frame ? lower : !worth_finishing;
}

void PictureEngine::follow_limit(const Frame& frame) {
  if (!renderer_->progress().complete || !renderer_->idle()) return;
  if (settings_.iterations != 0) {
    if (refusals_.excludes(frame)) return;
    if (frame.limit > renderer_->frame().limit) refusals_.ask(frame);
    renderer_->raise_limit(frame.limit);
  } else if (const auto limit = automatic_.next(renderer_->progress())) {
    renderer_->raise_limit(*limit);
  }
  if (!renderer_->idle()) enter(PictureEvent::raise);
}

// ---- pictures

void PictureEngine::follow_histogram() {
  bool missing = false;  // of the present picture
  try {
    missing = histogram_.take_kernels();
    if (histogram_.wanted() && !fault_) histogram_.build_missing(context_->programs);
  } catch (const Error& error) {
    fault_ = error;
  }
  const PublishedPicture* const newest = latest() != nullptr ? latest() : base();
  const bool collects = histogram_.collect();
  // A picture is not counted while an earlier count is under way.
  const bool rests = newest != nullptr && newest->stride == 1 && pictures_.settled() && histogram_.idle();
  missing = missing || ((collects || rests) && newest != nullptr && histogram_.lacks(newest->counted()));
  if (missing) pictures_.change();
  for (PublishedPicture* const picture : {base(), latest()})
    if (picture != nullptr) picture->flat = picture->undecided || histogram_.lacks(picture->view);
}

void PictureEngine::publish(double seconds) {
  const bool soon = !renderer_->enqueued_all() && pictures_.just_published(render_, seconds);
  if (!pictures_.due() || soon || renderer_->progress().pixels == 0) return;
  PublishedPicture* picture = pictures_.vacant();
  if (picture == nullptr) return;
  writer_.write(*picture, *renderer_, *context_, &histogram_);
  pictures_.begin_writing(render_, seconds);
}

// The base shows the picture requested last, and no higher limit is on its way.
bool PictureEngine::base_is_final() const {
  const PublishedPicture* base = pictures_.base();
  if (base == nullptr || !pictures_.settled() || phase_ != PicturePhase::resting) return false;
  return base->render == render_ && base->stride == 1 && renderer_->idle() && renderer_->progress().complete &&
         base->limit == renderer_->frame().limit;
}

void PictureEngine::follow_samples(bool finishes) {
  if (finishes && base_is_final()) {
    enter(PictureEvent::finish);
    pictures_.base()->settled = true;
    pictures_.base()->undecided = false;
  }
  sampler_.follow(finished() ? pictures_.base() : nullptr, time_.last());
}

bool PictureEngine::awaits_histogram() const {
  return finished() && (histogram_.lacks(base()->counted()) || !pictures_.settled());
}

std::string PictureEngine::status() const {
  if (context_ == nullptr) return {};
  if (renderer_ && renderer_->waiting()) {
    const std::uint64_t iterations = renderer_->kernels().references->iterations();
    return "computing the reference orbit: " + brief(static_cast<double>(iterations), 3) + " iterations";
  }
  const std::string building = kernels_.status(precision().precision);
  const bool awaits = awaits_kernels_ || (!renderer_ && !fault_);
  return building.empty() && awaits ? "building kernels" : building;
}

}  // namespace orrery::mandelbrot
