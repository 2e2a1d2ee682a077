/// The bifurcation diagram in the window: its computation, drawing, texts and mouse input.
///
/// Window thread, with the GL context current; nothing waits.
#pragma once

#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.hpp"
#include "scenes/mandelbrot/drawing/diagram_painter.hpp"
#include "scenes/mandelbrot/model/diagram_settings.hpp"
#include "scenes/mandelbrot/panels/snapshot.hpp"
#include "scenes/mandelbrot/pictures/diagram_engine.hpp"

namespace orrery {

class MandelbrotBifurcation {
 public:
  void attach(ComputeContext& context) { engine_.attach(context); }
  void detach() { engine_.detach(); }
  void abandon() { engine_.abandon(); }
  void reload() { engine_.reload(); }

  /// One frame of `frame` seconds, for a picture of that view and size.
  void update(const mandelbrot::DiagramSettings& settings, const mandelbrot::View& view, mandelbrot::Size size,
              double frame, bool at_once);
  void feed() { engine_.feed(); }
  void draw(const Viewport& viewport);
  bool has_news() const;
  bool complete() const { return !shown() || engine_.complete(); }
  bool compiling() const { return engine_.compiling(); }

  /// Whether that place of the picture, in pixels from its top left corner, is in the diagram.
  bool holds(glm::vec2 at) const;
  /// The row of the real axis, in pixels from the top.
  double axis() const { return axis_; }
  /// The next deeper, or the previous, doubling after the one at that column, or nearest to the middle, framed as in
  /// `view`. Nothing where it is not known.
  std::optional<mandelbrot::View> next(const mandelbrot::View& view, std::optional<float> column, bool deeper) const;
  /// There is a line within a few pixels.
  bool has_mark(float column) const;

  /// Text for that column: c, and the period of the cycle that attracts there.
  std::string text_at(float column) const;
  BifurcationSnapshot snapshot() const;

 private:
  bool shown() const { return rows_ > 0; }

  mandelbrot::DiagramEngine engine_;
  std::unique_ptr<DiagramPainter> painter_;
  std::shared_ptr<const mandelbrot::RealCascade> drawn_;  // the last one …
  std::vector<mandelbrot::DiagramMark> marks_;            // … and its lines
  double axis_ = 0;
  mandelbrot::Size size_{1, 1};
  std::uint32_t rows_ = 0;
};

}  // namespace orrery
