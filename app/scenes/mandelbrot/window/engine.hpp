/// Computes the Mandelbrot scene's pictures on a device: kernels, renderer, surfaces, and which pictures to show.
///
/// Two pictures are shown together: a base, finished or nearly so, and the latest, which refines over it. A third
/// surface is being written. Window thread; nothing waits.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "base/work/background.hpp"
#include "scene/scene.hpp"
#include "scenes/mandelbrot/model/iteration_limit.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"
#include "scenes/mandelbrot/model/settings.hpp"
#include "scenes/mandelbrot/output/equalizer.hpp"

namespace orrery {

/// ν of one view in a surface, a float a pixel a plane (see kernels/mandelbrot_publish.cl).
struct MandelbrotPicture {
  std::unique_ptr<Surface> surface;
  mandelbrot::View view;
  mandelbrot::Size size;
  bool detail = false;       ///< a second plane follows: distances in pixels, periods inside
  std::uint32_t stride = 0;  ///< every pixel of that grid is known; 1: all; 0: none need be
  std::uint32_t limit = 0;
  int exponent = 0;          ///< values, and the limit, are in units of 2^exponent iterations
  std::uint64_t render = 0;  ///< which rendering it belongs to
  std::uint64_t serial = 0;  ///< no two pictures have the same

  /// log₂ of the distance of known points in the plane.
  double log2_resolution() const;
};

class MandelbrotEngine {
 public:
  void attach(ComputeContext& context);
  void detach();
  void abandon();
  void set(const MandelbrotSettings& settings);
  /// Builds the kernels anew, their source has changed; the picture begins again when they are there.
  void reload();

  /// One frame's work. While the view moves, `reach` is what it shows by the time that a picture takes, and a picture
  /// that is under way and still of use goes on for a moment.
  void update(const mandelbrot::View& view, const mandelbrot::View& reach, mandelbrot::Size size, bool moving,
              double seconds);

  /// What to draw; nullptr where there is none.
  MandelbrotPicture* base() { return at(base_); }
  MandelbrotPicture* latest() { return at(latest_); }
  /// Another sample of each pixel of the base, that has just arrived.
  MandelbrotPicture* sample() { return sampler_.arrived ? &sampler_.picture : nullptr; }
  /// It has been drawn; the next one may take its place.
  void take_sample() { sampler_.arrived = false; }
  /// Whether the histogram of each finished picture is wanted.
  void set_equalized(bool wanted);
  /// Of the last finished picture, or of one before while it is counted.
  const mandelbrot::Equalization& equalization() const { return equalization_; }

  /// Whether the colours need details. What is shown stays until there are some; without need, what is there stays.
  void set_detailed(bool wanted) { detailed_ = wanted; }
  /// So many samples a pixel are wanted of a picture at rest.
  void set_samples(int wanted) { samples_wanted_ = wanted; }
  /// Of the base, no more than so many are left.
  void resume_samples(int left);

  const mandelbrot::PrecisionChoice& precision() const { return choice_; }
  /// N in use, in units of 2^limit_exponent().
  std::uint32_t limit() const;
  int limit_exponent() const { return renderer_ ? renderer_->value_exponent() : 0; }
  double progress() const;
  /// Nothing more is to come for the view that was asked for last.
  bool finished() const { return finished_; }
  /// What the base shows, when it is finished.
  const mandelbrot::Frame& finished_frame() const { return renderer_->published_frame(); }
  /// The finished picture is not right: computes it again, more exactly, as long as there are better numbers.
  void tighten();
  bool tightened() const { return tightened_.has_value(); }
  double iterations_per_second() const { return rate_; }
  /// How long pictures took lately.
  double picture_seconds() const { return picture_seconds_; }
  std::string status() const;
  const std::optional<Error>& fault() const { return fault_ ? fault_ : refusal_; }
  /// What is being built for the present view is not waited for any more. Returns settings whose kernels go on.
  MandelbrotSettings give_up();
  bool can_give_up() const { return renderer_ && building_.busy() && built_for_ == choice_.precision; }
  bool compiling() const { return building_.busy() || building_equalizer_.busy(); }
  WorkGroupLimits limits() const;
  /// Null before there is a picture.
  const mandelbrot::Variant* running() const { return renderer_ ? &renderer_->kernels().variant : nullptr; }
  bool fp64() const { return context_ == nullptr || context_->device.info().fp64; }

 private:
  static constexpr int none = -1;
  using Built = std::shared_ptr<mandelbrot::Kernels>;

  MandelbrotPicture* at(int index) { return index == none ? nullptr : &pictures_[static_cast<std::size_t>(index)]; }
  void follow_kernels();
  static std::size_t index_of(mandelbrot::Precision precision, bool detail) {
    return 2 * static_cast<std::size_t>(precision) + (detail ? 1 : 0);
  }
  const Built& built(mandelbrot::Precision precision) const { return kernels_[index_of(precision, detailed_)]; }
  void take_renderer(const Built& built);
  mandelbrot::Variant wanted_variant(mandelbrot::Precision precision) const;
  bool lacks(mandelbrot::Precision precision) const;
  void choose_numbers(const mandelbrot::View& view, mandelbrot::Size size);
  void build(mandelbrot::Precision precision);
  bool has_renderer();
  bool can_begin() const;
  bool pairs_are_worth_it() const;
  void begin(const mandelbrot::Frame& frame, double seconds);
  void take_arrival();
  void follow_limit();
  void go_on(const mandelbrot::View& view, const mandelbrot::View& reach, mandelbrot::Size size, bool moving,
             double seconds);
  void do_without(const Error& refusal, double seconds);
  bool worth_finishing(const mandelbrot::View& view, mandelbrot::Size size, double seconds) const;
  bool displaced_by(const mandelbrot::Frame& frame, bool worth_finishing) const;
  mandelbrot::Frame wanted(const mandelbrot::View& view, mandelbrot::Size size) const;
  void publish(double seconds);
  void write_to(MandelbrotPicture& picture, mandelbrot::Renderer& renderer);
  void follow_equalization();
  bool base_is_final() const;
  void follow_samples(bool moving);
  int spare_picture() const;
  void measure_rate(double seconds);

  ComputeContext* context_ = nullptr;
  MandelbrotSettings settings_;
  mandelbrot::PrecisionChoice choice_;
  Background<Built> building_;
  std::optional<mandelbrot::Precision> built_for_;  // what building_ builds
  std::array<Built, 8> kernels_;                    // by precision, without details and with them
  MandelbrotSettings good_;                         // that kernels have been built for
  std::optional<mandelbrot::Variant> given_up_;     // not built unless something else has been asked for
  bool reloading_ = false;                          // the renderer's kernels are of an older source
  std::unique_ptr<mandelbrot::Renderer> renderer_;
  std::optional<Error> fault_;    // of kernels: until others are asked for
  std::optional<Error> refusal_;  // of the picture that was asked for last
  std::optional<mandelbrot::Frame> asked_, refused_;
  std::vector<double> refusals_;  // when the device has refused something lately

  /// What a failed proof asks for, of one view.
  struct Tightened {
    mandelbrot::View view;
    std::optional<mandelbrot::Precision> precision;  // instead of the one chosen
    double epsilon = 0;                              // of the steps of perturbed orbits (Renderer::set_epsilon)
  };
  std::optional<Tightened> tightened_;
  mandelbrot::Precision before_tightening_ = mandelbrot::Precision::single;

  mandelbrot::AutomaticLimit automatic_;
  std::uint64_t render_ = 0;
  double began_ = 0;
  double updated_ = 0, slice_seconds_ = 0.008;
  double picture_seconds_ = 0.1;
  bool timed_ = true;  // the present picture is in picture_seconds_

  std::array<MandelbrotPicture, 3> pictures_;
  int base_ = none, latest_ = none, writing_ = none;
  bool unpublished_ = false;
  std::uint64_t published_render_ = 0;
  double published_ = 0;

  /// Computes further samples of a picture that is finished, while nothing else is to do.
  struct Sampler {
    std::unique_ptr<mandelbrot::Renderer> renderer;
    MandelbrotPicture picture;
    std::uint64_t base = 0;  // the serial number of the picture that it samples
    int next = 1;            // the index of the sample that is computed, or waits to be drawn
    bool computing = false, writing = false, arrived = false;
    bool dropped = false;  // what is being written is not wanted any more
  };
  Sampler sampler_;
  int samples_wanted_ = 1;

  bool detailed_ = false;
  bool equalized_ = false;
  Background<std::shared_ptr<mandelbrot::Equalizer>> building_equalizer_;
  std::shared_ptr<mandelbrot::Equalizer> equalizer_;
  mandelbrot::Equalization equalization_;
  bool finished_ = false;
  std::uint64_t serial_ = 0;

  /// Of one renderer and of those that replace it.
  struct Iterated {
    double all = 0, seen = 0;
    void see(const mandelbrot::Renderer* renderer);
  };
  Iterated iterated_, sampled_;
  double rate_ = 0, rate_from_ = 0, rate_iterations_ = 0;
};

}  // namespace orrery
