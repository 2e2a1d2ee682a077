#include "scenes/mandelbrot/window/engine.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/work/abandon.hpp"
#include "compute/device/refusal.hpp"
#include "scenes/mandelbrot/output/picture.hpp"

namespace orrery {
namespace {

using namespace mandelbrot;

// A picture that is under way when the view moves on is worth finishing for so long, in seconds.
constexpr double least_patience = 0.15;
constexpr double most_patience = 0.75;
constexpr double longest_first_pass = 5;
constexpr double tolerable_margin = 0.02;  // of the view, beyond the picture under way
constexpr double publish_interval = 0.03;
// A slice is asked for once a frame: so that the device has little idle time, it is as long as most of one, where the
// device is not the one that draws.
constexpr double busy_part = 0.6;
constexpr double longest_slice = 0.012;
constexpr double longest_slice_of_cpu = 0.006;  // it is the one that draws, more often than not
constexpr double longest_before_pairs = 0.8;    // that a picture takes in plain numbers; pairs take ten times as long
constexpr std::size_t most_refusals = 3;        // by a device, …
constexpr double refusal_interval = 10;         // … in so many seconds
constexpr double tighter_epsilon = 0x1p-52;     // of the steps of perturbed orbits, after a failed proof

// A picture that has details goes on where none are needed any more.
bool serves(Variant present, const Variant& wanted) {
  if (!wanted.detail) present.detail = false;
  return present == wanted;
}

}  // namespace

double MandelbrotPicture::log2_resolution() const {
  return log2_spacing(view, size) + std::log2(stride == 0 ? 2.0 * Renderer::coarsest : stride);
}

// ---- devices and kernels

void MandelbrotEngine::attach(ComputeContext& context) {
  context_ = &context;
  fault_.reset();
}

void MandelbrotEngine::detach() {
  leave(building_);
  leave(building_equalizer_);
  equalizer_.reset();
  built_for_.reset();
  kernels_ = {};
  renderer_.reset();
  sampler_ = {};
  for (MandelbrotPicture& picture : pictures_) picture = {};
  base_ = latest_ = writing_ = none;
  context_ = nullptr;
}

void MandelbrotEngine::abandon() {
  orrery::abandon(building_);
  orrery::abandon(building_equalizer_);
  orrery::abandon(equalizer_);
  orrery::abandon(kernels_);
  orrery::abandon(renderer_);
  orrery::abandon(sampler_);
  orrery::abandon(pictures_);
  detach();
}

void MandelbrotEngine::set(const MandelbrotSettings& settings) {
  if (settings == settings_) return;
  settings_ = settings;
  fault_.reset();
  refusal_.reset();
  refused_.reset();
  given_up_.reset();
}

MandelbrotSettings MandelbrotEngine::give_up() {
  if (can_give_up()) {
    orrery::abandon(building_);
    built_for_.reset();
    given_up_ = wanted_variant(choice_.precision);
  }
  return good_;
}

Variant MandelbrotEngine::wanted_variant(Precision precision) const {
  const DeviceInfo& device = context_->device.info();
  return choose_variant(device, {.precision = precision}, settings_, Purpose::picture, detailed_);
}

bool MandelbrotEngine::lacks(Precision precision) const {
  const Built& built = this->built(precision);
  return !built || !(built->variant == wanted_variant(precision));
}

void MandelbrotEngine::build(Precision precision) {
  const Variant variant = wanted_variant(precision);
  built_for_ = precision;
  building_.start([&programs = context_->programs, variant] { return std::make_shared<Kernels>(programs, variant); });
}

void MandelbrotEngine::reload() {
  kernels_ = {};
  building_.forget();  // it may be of the older source
  built_for_.reset();
  building_equalizer_.forget();
  equalizer_.reset();
  fault_.reset();
  reloading_ = true;
}

void MandelbrotEngine::follow_kernels() {
  try {
    if (std::optional<Built> built = building_.poll()) {
      const Variant& variant = (*built)->variant;
      kernels_[index_of(variant.precision, variant.detail)] = *built;
      built_for_.reset();
      if (std::exchange(reloading_, false)) renderer_.reset();
    }
    if (fault_ || building_.busy()) return;
    if (given_up_ && *given_up_ == wanted_variant(choice_.precision)) return;
    given_up_.reset();
    if (lacks(choice_.precision)) return build(choice_.precision);
    good_ = settings_;
    // The others before the view needs them.
    if (settings_.precision != "auto") return;
    for (const Precision other : {Precision::single, Precision::double_, Precision::perturbation, Precision::ladder})
      if ((other != Precision::double_ || fp64()) && lacks(other)) return build(other);
  } catch (const Error& error) {
    fault_ = error;
    built_for_.reset();
  }
}

void MandelbrotEngine::choose_numbers(const View& view, Size size) {
  const bool offered = settings_.precision != "double" || fp64();
  choice_ = choose_precision(offered ? settings_.precision : "auto", view, size, fp64(), Purpose::picture);
  if (tightened_ && !(tightened_->view == view)) tightened_.reset();
  if (!tightened_ || !tightened_->precision) return;
  choice_.precision = *tightened_->precision;
  choice_.reason = "a check found errors in the picture in " + std::string(name_of(before_tightening_)) + " precision";
}

// The renderer with the kernels that are wanted; until they are built, the one that there is.
bool MandelbrotEngine::has_renderer() {
  const Built& built = this->built(choice_.precision);
  if (built && !(renderer_ && serves(renderer_->kernels().variant, built->variant))) take_renderer(built);
  return renderer_ != nullptr;
}

void MandelbrotEngine::take_renderer(const Built& built) {
  renderer_ = std::make_unique<Renderer>(context_->device, context_->queue, *built);
  sampler_ = {};
}

// ---- a frame

void MandelbrotEngine::update(const View& view, const View& reach, Size size, bool moving, double seconds) {
  finished_ = false;
  if (context_ == nullptr) return;
  try {
    go_on(view, reach, size, moving, seconds);
  } catch (const Error& error) {
    if (!is_refusal(error)) throw;
    do_without(error, seconds);
  }
}

// What is shown stays, and the picture is not asked for any more; a launch once more, in new buffers. A device that
// keeps refusing has failed.
void MandelbrotEngine::do_without(const Error& refusal, double seconds) {
  const bool is_launch = refusal.fault() != Fault::usage && !is_memory_refusal(refusal);
  std::erase_if(refusals_, [&](double when) { return seconds - when > refusal_interval; });
  refusals_.push_back(seconds);
  if (is_launch && refusals_.size() >= most_refusals) throw refusal;
  log(Level::error, refusal.what());
  refusal_ = refusal;
  finished_ = unpublished_ = false;
  sampler_ = {};
  if (refusal.fault() != Fault::usage) renderer_.reset();  // else the picture before goes on
  if (!is_launch || refusals_.size() > 1) refused_ = asked_;
}

void MandelbrotEngine::go_on(const View& view, const View& reach, Size size, bool moving, double seconds) {
  const bool cpu = context_->device.info().device_class == DeviceClass::cpu;
  const double longest = cpu ? longest_slice_of_cpu : longest_slice;
  slice_seconds_ = context_->surfaces.report().shared ? context_->slice_seconds
                                                      : std::clamp(busy_part * (seconds - updated_),
                                                                   std::min(context_->slice_seconds, longest), longest);
  updated_ = seconds;
  choose_numbers(reach, size);
  follow_kernels();
  if (writing_ != none && at(writing_)->surface->arrived()) take_arrival();
  if (!has_renderer()) return;
  renderer_->collect();
  if (!timed_ && renderer_->idle()) {
    picture_seconds_ = std::lerp(picture_seconds_, seconds - began_, 0.5);
    timed_ = true;
  }
  const Frame frame = wanted(reach, size);
  if (can_begin() && displaced_by(frame, moving && worth_finishing(view, size, seconds)) && !(refused_ == frame)) {
    begin(frame, seconds);
  } else {
    follow_limit();
  }
  if (!context_->yields && renderer_->enqueue_slice(context_->queue, slice_seconds_)) unpublished_ = true;
  follow_equalization();
  publish(seconds);
  follow_samples(moving);
  context_->queue.flush();
  measure_rate(seconds);
}

void MandelbrotEngine::begin(const Frame& frame, double seconds) {
  if (!timed_) picture_seconds_ = std::max(picture_seconds_, seconds - began_);  // it has been given up
  if (const Built& built = this->built(choice_.precision); built && renderer_->has_details() && !detailed_)
    take_renderer(built);
  renderer_->set_epsilon(tightened_ ? tightened_->epsilon : 0);
  renderer_->begin(frame);
  if (!(asked_ == frame)) refusal_.reset();
  asked_ = frame;
  ++render_;
  began_ = seconds;
  timed_ = false;
  unpublished_ = true;
}

// Next to c∞ the smallest detail of a picture is beyond all pixels: samples tell more of it than further digits do, if
// a person has to wait for those.
bool MandelbrotEngine::pairs_are_worth_it() const { return picture_seconds_ < longest_before_pairs; }

void MandelbrotEngine::tighten() {
  if (!finished_) return;
  const Precision present = renderer_->kernels().variant.precision;
  Tightened next = tightened_.value_or(Tightened{.view = renderer_->frame().view, .precision = {}});
  const bool ladder = present == Precision::ladder;
  const bool leaves_ladder = ladder && next.epsilon > 0;  // it has had pairs of numbers, and has no more
  const bool has_steps = present == Precision::perturbation || (ladder && !leaves_ladder);
  if (leaves_ladder) {
    if (settings_.precision != "auto" || !perturbation_reaches(renderer_->frame().view, renderer_->frame().size))
      return;
    next = {.view = next.view, .precision = Precision::perturbation};
    before_tightening_ = present;
  } else if (has_steps) {
    // After that every step is an iteration.
    if (next.epsilon < 0 || (ladder && !pairs_are_worth_it())) return;
    next.epsilon = next.epsilon == 0 ? tighter_epsilon : -1;
  } else if (settings_.precision == "auto") {
    next.precision = present == Precision::single && fp64() ? Precision::double_ : Precision::perturbation;
    before_tightening_ = present;
  } else {
    return;
  }
  tightened_ = next;
  if (has_steps) begin(renderer_->frame(), began_);
  finished_ = false;
}

// The ladder serves no view but those near c∞, and there others would never end.
bool MandelbrotEngine::can_begin() const {
  const Precision built = renderer_->kernels().variant.precision;
  return built == choice_.precision || (built != Precision::ladder && choice_.precision != Precision::ladder);
}

Frame MandelbrotEngine::wanted(const View& view, Size size) const {
  Frame frame = whole_frame(view, size);
  frame.escape_radius = settings_.escape_radius;
  frame.automatic = settings_.iterations == 0;
  frame.limit = frame.automatic ? automatic_.first(view) : static_cast<std::uint32_t>(settings_.iterations);
  return frame;
}

// It covers the view, or it lies in it, where the view is about to be.
bool MandelbrotEngine::worth_finishing(const View& view, Size size, double seconds) const {
  if (renderer_->idle() || renderer_->waiting()) return false;
  const View& computed = renderer_->frame().view;
  const bool covers = uncovered(computed, view, size) < tolerable_margin;
  // Without its first pass nothing at all would come of it.
  if (covers && renderer_->progress().stride == 0 && seconds - began_ < longest_first_pass) return true;
  const double patience = std::clamp(1.5 * picture_seconds_, least_patience, most_patience);
  return seconds - began_ < patience && (covers || uncovered(view, computed, size) < tolerable_margin);
}

bool MandelbrotEngine::displaced_by(const Frame& frame, bool worth_finishing) const {
  if (renderer_->frame().size.pixels() == 0) return true;
  Frame same = renderer_->frame();
  const bool lower = frame.limit < same.limit && settings_.iterations != 0;
  same.limit = frame.limit;
  return same == frame ? lower : !worth_finishing;
}

void MandelbrotEngine::follow_limit() {
  if (!renderer_->progress().complete || !renderer_->idle()) return;
  if (settings_.iterations != 0) {
    renderer_->raise_limit(static_cast<std::uint32_t>(settings_.iterations));
  } else if (const auto limit = automatic_.next(renderer_->progress())) {
    renderer_->raise_limit(*limit);
  }
}

// ---- pictures

int MandelbrotEngine::spare_picture() const {
  for (int i = 0; i < static_cast<int>(pictures_.size()); ++i)
    if (i != base_ && i != latest_ && i != writing_) return i;
  return none;
}

void MandelbrotEngine::publish(double seconds) {
  const bool soon =
      !renderer_->enqueued_all() && render_ == published_render_ && seconds - published_ < publish_interval;
  if (!unpublished_ || soon || writing_ != none || renderer_->progress().pixels == 0) return;
  const int spare = spare_picture();
  if (spare == none) return;
  MandelbrotPicture& picture = *at(spare);
  if (picture.surface && !picture.surface->idle()) return;
  write_to(picture, *renderer_);
  picture.render = render_;
  writing_ = spare;
  published_ = seconds;
  published_render_ = render_;
  unpublished_ = false;
}

// The surface is idle, or made here.
void MandelbrotEngine::write_to(MandelbrotPicture& picture, Renderer& renderer) {
  const Frame& frame = renderer.published_frame();
  const std::size_t bytes = renderer.planes() * frame.size.pixels() * sizeof(float);
  if (!picture.surface || picture.surface->bytes() != bytes) {
    picture.surface = context_->surfaces.make(bytes, context_->queue);
  }
  {
    const Surface::Lease lease = picture.surface->lease(context_->queue);
    renderer.publish(context_->queue, lease.buffer());
    const bool whole = &renderer == renderer_.get() && renderer.enqueued_stride() == 1;
    if (equalizer_ && whole) equalizer_->enqueue(context_->queue, lease.buffer(), frame.size.pixels());
  }
  picture.view = frame.view;
  picture.size = frame.size;
  picture.detail = renderer.has_details();
  picture.stride = renderer.enqueued_stride();
  picture.limit = frame.limit;
  picture.exponent = renderer.value_exponent();
  picture.serial = ++serial_;
}

// What arrives is the latest. A finished one is the base as well; of two that are not, the sharper stays.
void MandelbrotEngine::take_arrival() {
  const int arrived = std::exchange(writing_, none);
  if (at(arrived)->stride == 1) {
    base_ = arrived;
    latest_ = none;
    return;
  }
  if (latest_ != none && at(latest_)->render != at(arrived)->render) {
    if (base_ == none || at(latest_)->log2_resolution() < at(base_)->log2_resolution()) base_ = latest_;
  }
  latest_ = arrived;
}

// ---- histogram

void MandelbrotEngine::set_equalized(bool wanted) {
  equalized_ = wanted;
  if (!wanted) equalizer_.reset();
}

void MandelbrotEngine::follow_equalization() {
  if (!equalized_) return;
  try {
    if (auto built = building_equalizer_.poll()) {
      equalizer_ = *built;
      unpublished_ = true;  // the present picture's histogram is wanted as well
    }
    if (!equalizer_ && !building_equalizer_.busy() && !fault_)
      building_equalizer_.start([&programs = context_->programs] { return std::make_shared<Equalizer>(programs); });
  } catch (const Error& error) {
    fault_ = error;
  }
  if (!equalizer_) return;
  if (auto counted = equalizer_->collect()) equalization_ = *counted;
}

// ---- samples

void MandelbrotEngine::resume_samples(int left) {
  const int on_the_way = sampler_.writing || sampler_.arrived ? 1 : 0;
  if (sampler_.next - on_the_way <= left) return;
  sampler_.next = left;
  sampler_.computing = sampler_.arrived = false;
  sampler_.dropped = sampler_.writing;
}

// The base shows what was asked for last, and no higher limit is on its way.
bool MandelbrotEngine::base_is_final() const {
  if (base_ == none || writing_ != none || unpublished_) return false;
  const MandelbrotPicture& base = pictures_[static_cast<std::size_t>(base_)];
  return base.render == render_ && base.stride == 1 && renderer_->idle() && renderer_->progress().complete &&
         base.limit == renderer_->frame().limit;
}

void MandelbrotEngine::follow_samples(bool moving) {
  Sampler& s = sampler_;
  finished_ = !moving && base_is_final();
  if (s.writing && s.picture.surface->arrived()) {
    s.writing = false;
    s.arrived = !std::exchange(s.dropped, false) && finished_ && s.base == at(base_)->serial;
  }
  if (!finished_) return;
  const MandelbrotPicture& base = *at(base_);
  if (s.base != base.serial) {
    s.base = base.serial;
    s.next = 1;
    s.computing = s.arrived = false;
    s.dropped = s.writing;
  }
  if (s.next >= samples_wanted_) return;
  if (!s.renderer) s.renderer = std::make_unique<Renderer>(context_->device, context_->queue, renderer_->kernels());
  if (!s.computing) {
    Frame frame = renderer_->frame();
    const SampleShift shift = sample_shift(s.next);
    frame.shift_x = shift.x;
    frame.shift_y = shift.y;
    s.renderer->begin(frame);
    s.computing = true;
  }
  if (!context_->yields) s.renderer->enqueue_slice(context_->queue, slice_seconds_);
  const bool free = !s.writing && !s.arrived && (!s.picture.surface || s.picture.surface->idle());
  if (!s.renderer->enqueued_all() || !free) return;
  write_to(s.picture, *s.renderer);
  s.writing = true;
  s.computing = false;
  ++s.next;
}

// ---- for people

void MandelbrotEngine::Iterated::see(const Renderer* renderer) {
  const double now = renderer != nullptr ? renderer->iterations() : 0;
  all += now < seen ? now : now - seen;
  seen = now;
}

void MandelbrotEngine::measure_rate(double seconds) {
  iterated_.see(renderer_.get());
  sampled_.see(sampler_.renderer.get());
  const double iterations = iterated_.all + sampled_.all;
  if (seconds - rate_from_ < 0.25) return;
  rate_ = (iterations - rate_iterations_) / (seconds - rate_from_);
  rate_iterations_ = iterations;
  rate_from_ = seconds;
}

std::uint32_t MandelbrotEngine::limit() const { return renderer_ ? renderer_->frame().limit : 0; }

double MandelbrotEngine::progress() const { return renderer_ ? renderer_->progress().fraction() : 0; }

std::string MandelbrotEngine::status() const {
  if (context_ == nullptr) return {};
  if (renderer_ && renderer_->waiting()) {
    const std::uint64_t iterations = renderer_->kernels().references->iterations();
    return "computing the reference orbit: " + brief(static_cast<double>(iterations), 3) + " iterations";
  }
  if (renderer_ && renderer_->kernels().variant.precision == choice_.precision && !built_for_) return {};
  if (built_for_ && *built_for_ != choice_.precision) return {};
  return built_for_ ? "building kernels in " + std::string(name_of(*built_for_)) + " precision" : std::string();
}

WorkGroupLimits MandelbrotEngine::limits() const { return renderer_ ? renderer_->kernels().limits : WorkGroupLimits{}; }

}  // namespace orrery
