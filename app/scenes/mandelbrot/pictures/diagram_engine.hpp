/// Computes the bifurcation diagram below the Mandelbrot picture.
///
/// Window thread; nothing waits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "base/work/background.hpp"
#include "interop/surface.hpp"
#include "scene/scene.hpp"
#include "scenes/mandelbrot/model/diagram.hpp"

namespace orrery::mandelbrot {

/// Visits of a diagram in a surface: see Diagram::publish().
struct PublishedDiagram {
  std::unique_ptr<Surface> surface;
  DiagramFrame frame;
  std::uint64_t serial = 0;  ///< 0: none yet
};

class DiagramEngine {
 public:
  DiagramEngine() = default;
  ~DiagramEngine() { stop_.request_stop(); }
  DiagramEngine(const DiagramEngine&) = delete;
  DiagramEngine& operator=(const DiagramEngine&) = delete;

  /// The context must stay until detach() or abandon().
  void attach(ComputeContext& context) { context_ = &context; }
  void detach();
  void abandon();
  /// Rebuilds the kernels after a change of their source.
  void reload();

  /// One frame of `frame` seconds: continues the diagram of that view, `rows` high. `at_once`: without smooth changes.
  /// Throws Error where the device has failed.
  void update(const View& view, std::uint32_t columns, std::uint32_t rows, double frame, bool at_once);
  /// Between two frames: enqueues the next slice, if the last one is complete. Throws as update() does.
  void feed();

  /// The diagram to draw; null before the first.
  PublishedDiagram* shown() { return shows() ? &shown_ : nullptr; }
  const PublishedDiagram* shown() const { return shows() ? &shown_ : nullptr; }
  /// The frame that the view requires.
  const DiagramFrame& wanted() const { return wanted_; }
  /// The diagram of wanted() is final.
  bool complete() const;
  /// The reason why there is no diagram; empty otherwise.
  const std::string& refusal() const { return refusal_; }
  bool compiling() const { return building_.busy(); }

 private:
  void follow_cascade(const View& view, std::uint32_t columns);
  void glide(const View& view, std::uint32_t columns, std::uint32_t rows, double frame, bool at_once);
  void begin_wanted();
  bool shows() const { return shown_.serial > 0 && shown_.frame.view.formula == wanted_.view.formula; }
  bool under_way() const;
  bool writing() const { return next_.serial > shown_.serial; }
  void take_arrival();
  void go_on();
  bool follow_kernels(Formula formula);
  void try_to(const std::function<void()>& work);

  ComputeContext* context_ = nullptr;
  Background<std::shared_ptr<DiagramKernels>> building_;
  std::shared_ptr<DiagramKernels> kernels_;
  std::unique_ptr<Diagram> diagram_;
  std::string refusal_;

  Background<std::optional<RealCascade>> search_;
  std::stop_source stop_;
  std::optional<View> searched_;  // view of the last search
  std::shared_ptr<const RealCascade> cascade_;

  DiagramFrame wanted_;
  std::optional<double> stretch_;  // log of half the height, relative to a view of that span without a copy of the set
  cl::Event slice_;                // last slice
  PublishedDiagram shown_, next_;  // next_ has the larger serial number while it is being written
};

}  // namespace orrery::mandelbrot
