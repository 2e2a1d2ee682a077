/// Draws the Mandelbrot scene: colours pictures as they arrive, and in every frame shows all layers, the sharpest on
/// top, reprojected to the present view.
///
/// Coloured pictures are layers. Finished ones are remembered for a while, so that zooming out, or returning, shows a
/// picture at once. Window thread, with the GL context current.
#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "base/files/image.hpp"
#include "render/gl.hpp"
#include "scene/news.hpp"
#include "scene/scene.hpp"
#include "scenes/mandelbrot/drawing/colors.hpp"
#include "scenes/mandelbrot/drawing/layer.hpp"
#include "scenes/mandelbrot/pictures/published_picture.hpp"

namespace orrery {

/// A small picture of the Julia set that belongs to the point under the cursor, in a corner of the viewport.
///
/// Drawn by the shader, again only when the point has changed.
class JuliaPreview {
 public:
  void draw(glm::vec2 c, mandelbrot::Formula formula, const MandelbrotColors& colors, const Viewport& viewport);

 private:
  gl::ShaderProgram program_{"fullscreen.vert", "julia.frag"};
  gl::FullscreenTriangle triangle_;
  gl::RenderTarget picture_{GL_RGBA8};
  std::optional<glm::vec2> drawn_;
  mandelbrot::Formula formula_;
  std::uint64_t palette_ = 0;
};

/// Corners of a rectangle in pixels of the viewport, y down.
struct Box {
  glm::vec2 from{0, 0};
  glm::vec2 to{0, 0};
  bool operator==(const Box&) const = default;
};

/// All pictures of the viewport, and the marks on them.
class MandelbrotPainter {
 public:
  /// nullptr where there is none. `samples` are further samples of `base`, and added to it.
  struct Pictures {
    mandelbrot::PublishedPicture* base = nullptr;
    mandelbrot::PublishedPicture* latest = nullptr;
    std::vector<mandelbrot::PublishedPicture*> samples = {};
  };
  struct Scenery {
    mandelbrot::View view;
    mandelbrot::ColorSettings colors;
    mandelbrot::Equalization equalization;
    std::optional<Box> box;
    std::optional<glm::vec2> julia_of;  ///< a point whose Julia set is shown in a corner
    std::vector<glm::vec2> marks;       ///< positions of rings; pixels of the viewport, y down
    bool operator==(const Scenery&) const = default;
  };
  /// Shows pictures in these colours, until draw() gets other colours.
  MandelbrotPainter(const mandelbrot::ColorSettings& colors, const mandelbrot::Equalization& equalization);
  /// `passed`: seconds since the last frame.
  void draw(const Pictures& pictures, const Scenery& scenery, double passed, const Viewport& viewport);
  /// The same pictures, read only.
  struct SeenPictures {
    const mandelbrot::PublishedPicture* base = nullptr;
    const mandelbrot::PublishedPicture* latest = nullptr;
    bool further_samples = false;
  };
  /// The change that draw() would show against the last frame. More of the picture in the same view is progress.
  News news(const SeenPictures& pictures, const Scenery& scenery) const;
  /// A picture of that view from the present layers; nothing while there are none. Waits for the drawing.
  std::optional<Image> thumbnail(const mandelbrot::View& view, mandelbrot::Size size);
  /// Forgets other views' pictures, which were computed with other settings.
  void forget() { memory_.clear(); }

  /// Keeps a picture of that view in the present colours, to be shown until there are better ones.
  void remember(const Image& image, const mandelbrot::View& view);

  /// Factors of two by which the picture that covered the last frame was coarser than its pixels; nothing without such
  /// a picture.
  std::optional<double> octaves_behind() const { return octaves_behind_; }
  /// The last frame showed an earlier view: the present one has no picture yet.
  bool holds() const { return holds_; }
  /// Samples a pixel of the picture that is shown.
  int samples() const { return samples_.count(); }
  /// Samples at hand for new colours, if the last frame changed them.
  std::optional<int> samples_left() const { return recolored_ ? std::optional(samples_.kept()) : std::nullopt; }

 private:
  void recolor(const Pictures& pictures);
  void follow(const Pictures& pictures);
  void add_samples(const Pictures& pictures, bool all);
  void color(Layer& layer, mandelbrot::PublishedPicture& picture, std::uint32_t grid);
  void color_latest(mandelbrot::PublishedPicture& picture);
  void remember(Layer layer);
  void clear_to_interior();
  void compose(const Scenery& scenery, const Viewport& viewport);
  void hold(const Viewport& viewport);
  void blend_in(const Scenery& scenery, double passed, const Viewport& viewport);
  void draw_refining(const Scenery& scenery, const Viewport& viewport);
  void draw_box(const Box& box, const Viewport& viewport);
  void draw_mark(glm::vec2 at, const Viewport& viewport);

  MandelbrotColors colors_;
  MandelbrotSamples samples_;
  LayerPainter layers_;
  JuliaPreview julia_;
  gl::ShaderProgram box_{"fullscreen.vert", "mandelbrot_box.frag"};
  gl::ShaderProgram mark_{"fullscreen.vert", "mandelbrot_mark.frag"};
  gl::FullscreenTriangle triangle_;
  bool recolored_ = false;
  std::optional<double> octaves_behind_;
  Layer base_, latest_;
  Layer refining_;             // the latest, as far as the next pass is known
  std::uint64_t sampled_ = 0;  // the serial number of the last sample that was added
  std::vector<Layer> memory_;  // the oldest first
  /// The pictures in the layers.
  struct Content {
    std::uint64_t base = 0, latest = 0;  // serial numbers
    int samples = 0;
    bool settled = false;
    bool operator==(const Content&) const = default;
  };
  bool holds_ = false;
  Layer before_;     // the last frame that did not hold …
  Content content_;  // … its content …
  Scenery scenery_;
  double unchanged_ = 0;  // … and the seconds for which that has been the same
};

}  // namespace orrery
