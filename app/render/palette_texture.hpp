/// A gradient as a lookup texture: colours from low to high along x, one texel high.
#pragma once

#include <string>
#include <string_view>

#include "render/gl.hpp"

namespace orrery::gl {

class PaletteTexture {
 public:
  /// The values that a shader reads: the bytes unchanged, or decoded to linear light.
  enum class Encoding { as_is, linear };
  static constexpr int texels = 256;

  PaletteTexture(std::string_view gradient, Encoding encoding);

  const std::string& gradient() const { return gradient_; }
  void bind(GLuint unit) const;

 private:
  std::string gradient_;
  Texture texture_;
};

}  // namespace orrery::gl
