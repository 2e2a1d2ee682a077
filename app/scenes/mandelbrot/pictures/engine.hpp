/// Computes the pictures of the Mandelbrot scene's view.
///
/// Window thread; nothing waits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.hpp"
#include "scenes/mandelbrot/model/iteration_limit.hpp"
#include "scenes/mandelbrot/pictures/picture_kernels.hpp"
#include "scenes/mandelbrot/pictures/picture_phase.hpp"
#include "scenes/mandelbrot/pictures/picture_record.hpp"
#include "scenes/mandelbrot/pictures/published_picture.hpp"

namespace orrery::mandelbrot {

/// Carries the view's picture through the frames: begins it, gives it slices of the device's time, publishes it.
class PictureEngine {
 public:
  /// The context must stay until detach() or abandon().
  void attach(ComputeContext& context);
  void detach();
  void abandon();
  void set(const MandelbrotSettings& settings);
  /// Rebuilds the kernels after a change of their source; the picture then begins again.
  void reload();

  /// One frame's work. While the view moves, `reach` is the part that it will show when a picture is complete, and a
  /// useful picture under way continues for a moment. Throws Error where the device has failed.
  void update(const View& view, const View& reach, Size size, bool moving, double seconds);
  /// Between two frames: enqueues the next slice, if the last one is complete.
  void feed(double seconds);

  /// The pictures to draw; nullptr where there is none.
  PublishedPicture* base() { return pictures_.base(); }
  const PublishedPicture* base() const { return pictures_.base(); }
  PublishedPicture* latest() { return pictures_.latest(); }
  const PublishedPicture* latest() const { return pictures_.latest(); }
  /// The base, or the latest before there is a base; may be null.
  PublishedPicture* shown() { return base() != nullptr ? base() : latest(); }
  const PublishedPicture* shown() const { return base() != nullptr ? base() : latest(); }
  /// Further samples of each pixel of the base that have just arrived.
  std::vector<PublishedPicture*> samples() { return sampler_.arrived(); }
  bool has_samples() const { return sampler_.any_arrived(); }
  /// `count` of samples() have been drawn; the next ones may take their places.
  void take_samples(std::size_t count) { sampler_.take(count); }
  /// Whether the histogram of each finished picture is wanted.
  void set_equalized(bool wanted) { histogram_.set_wanted(wanted); }
  /// The histogram of the finished picture is still to come.
  bool awaits_histogram() const;
  /// The histogram of the last finished picture; while the device counts it, that of an earlier one.
  const Equalization& equalization() const { return histogram_.equalization(); }

  /// Whether the colours need details. The shown picture stays until these arrive, or if they are no longer needed.
  void set_detailed(bool wanted) { detailed_ = wanted; }
  /// Sets the number of samples per pixel for a picture at rest.
  void set_samples(int wanted) { samples_wanted_ = wanted; }
  /// The drawn mean of the base has kept only `left` samples: the sampler computes the others again.
  void resume_samples(int left) { sampler_.resume(left); }

  const PrecisionChoice& precision() const { return numbers_.choice(); }
  /// N in use, in units of 2^limit_exponent().
  std::uint32_t limit() const { return renderer_ ? renderer_->frame().limit : 0; }
  int limit_exponent() const { return renderer_ ? renderer_->value_exponent() : 0; }
  /// Pixels of the picture.
  std::size_t escaped() const { return renderer_ ? renderer_->progress().escaped : 0; }
  double progress() const { return renderer_ ? renderer_->progress().fraction() : 0; }
  /// The picture for the view requested last is final.
  bool finished() const { return phase_ == PicturePhase::finished; }
  /// The picture and all its samples are finished: nothing is to be computed until something changes.
  bool complete() const { return finished() && sampler_.complete(samples_wanted_); }
  /// The frame of the base; only while finished().
  const Frame& finished_frame() const { return renderer_->published_frame(); }
  /// Computes the finished picture again, more exactly. Returns false if there are no better numbers.
  bool tighten();
  bool tightened() const { return numbers_.tightened(); }
  const IterationRate& rate() const { return rate_; }
  /// Typical time of recent pictures, in seconds.
  double picture_seconds() const { return time_.typical(); }
  std::string status() const;
  const std::optional<Error>& fault() const { return fault_ ? fault_ : refusals_.last(); }
  /// Stops waiting for the kernels that are being built for the present view. Returns settings whose kernels are built.
  MandelbrotSettings give_up();
  bool can_give_up() const { return renderer_ && kernels_.is_building(precision().precision); }
  bool compiling() const { return kernels_.busy() || histogram_.busy(); }
  WorkGroupLimits limits() const { return renderer_ ? renderer_->kernels().limits : WorkGroupLimits{}; }
  /// Null before there is a picture.
  const Variant* running() const { return renderer_ ? &renderer_->kernels().variant : nullptr; }
  bool fp64() const { return context_ == nullptr || context_->device.info().fp64; }

 private:
  void enter(PictureEvent event);

  KernelWish kernel_wish() const;
  PictureKernels::Built built() const { return kernels_.built(kernel_wish()); }
  void follow_kernels();
  void follow_renderer();
  void take_renderer();

  void go_on(const View& view, const View& reach, Size size, bool moving, double seconds);
  void do_without(const Error& refusal, double seconds);
  double slice_seconds() const;
  void enqueue_slice();
  void try_to(double seconds, const std::function<void()>& work);
  Frame wanted(const View& view, Size size) const;
  bool can_begin(const Frame& frame) const;
  bool worth_finishing(const View& view, Size size, double seconds) const;
  bool displaced_by(const Frame& frame, bool worth_finishing) const;
  void begin(const Frame& frame, double seconds);
  void follow_limit(const Frame& frame);
  void follow_histogram();
  void publish(double seconds);
  bool base_is_final() const;
  void follow_samples(bool finishes);

  ComputeContext* context_ = nullptr;
  MandelbrotSettings settings_;
  bool detailed_ = false;
  int samples_wanted_ = 1;

  PictureNumbers numbers_;
  PictureKernels kernels_;
  PictureHistogram histogram_;
  std::optional<Error> fault_;  // of kernels: until other kernels are wanted
  PictureRefusals refusals_;

  std::unique_ptr<Renderer> renderer_;
  AutomaticLimit automatic_;
  PicturePhase phase_ = PicturePhase::resting;
  bool awaits_kernels_ = false;  // no picture of the view can begin with the present kernels
  std::uint64_t render_ = 0;     // number of pictures begun so far
  PictureTime time_;
  IterationRate rate_;

  PictureWriter writer_;
  PublishedPictures pictures_;
  PictureSampler sampler_;
};

}  // namespace orrery::mandelbrot
