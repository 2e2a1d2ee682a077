/// The colours of the Mandelbrot scene on the GL side: the palette as a texture, and the shaders that colour pictures.
///
/// Window thread, with the GL context current.
#pragma once

#include <map>
#include <string>

#include "render/gl.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"
#include "scenes/mandelbrot/output/coloring.hpp"

namespace orrery {

class MandelbrotColors {
 public:
  MandelbrotColors();

  /// Sets the colours of the next pictures. Returns true if these look different from before.
  bool set(const mandelbrot::ColorSettings& settings, const mandelbrot::Equalization& equalization);

  /// Smooth values by rows from the top, a float a pixel, in a GL buffer.
  struct Values {
    GLuint buffer = 0;
    mandelbrot::Size size;
    double limit = 1;
    int exponent = 0;  ///< values, and the limit, are in units of 2^exponent iterations
    mandelbrot::Cascade cascade = {};
    bool settled = false;  ///< points that have not escaped at the limit are interior; else they are unknown
    int grid = 1;          ///< draws only every n-th row and column, from the top left pixel on, next to each other
    bool refines = false;  ///< draws only the parts of the coarser grid beside new pixels
    bool detail = false;   ///< a second plane follows: distances to the set in pixels, periods inside
  };
  /// For other drawing code that uses the palette: its colours as linear light, the interior, and a number that changes
  /// with it.
  void bind_ramp(GLuint unit) const;
  glm::vec3 interior() const;
  std::uint64_t palette_serial() const { return ramp_serial_; }

  enum class Output { encoded, light };
  /// Colours the values into the bound framebuffer, pixel for pixel (of the grid). Unknown pixels are transparent.
  void draw(const Values& values, Output output);

 private:
  bool classic() const { return settings_.palette == "classic"; }
  bool shaded() const { return settings_.shading != "none"; }
  bool detailed(const Values& values) const { return values.detail && mandelbrot::needs_details(settings_); }
  const gl::ShaderProgram& program_for(const Values& values, Output output);
  bool cascades(const Values& values) const { return values.cascade.most > 0 && settings_.scale != "histogram"; }
  void set_colors(const gl::ShaderProgram& program, const Values& values);
  void set_cascade(const gl::ShaderProgram& program, const Values& values);
  void set_shading(const gl::ShaderProgram& program, const Values& values);
  void upload_ramp();
  void upload_ranks();

  mandelbrot::ColorSettings settings_;
  mandelbrot::Equalization equalization_;
  bool set_ = false;
  std::map<std::string, gl::ShaderProgram> programs_;  // by their definitions
  gl::FullscreenTriangle triangle_;
  gl::Texture values_, ramp_, ranks_;
  std::string ramp_of_;
  std::uint64_t ramp_serial_ = 0;
};

}  // namespace orrery
