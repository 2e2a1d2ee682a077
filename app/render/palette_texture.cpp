#include "render/palette_texture.hpp"

#include <algorithm>

#include "base/files/gradient.hpp"

namespace orrery::gl {
namespace {

bool is_cyclic(std::string_view name) {
  return std::ranges::any_of(gradients(), [&](const GradientInfo& info) { return info.name == name && info.cyclic; });
}

}  // namespace

PaletteTexture::PaletteTexture(std::string_view gradient, Encoding encoding)
    : gradient_(gradient), texture_(make_texture()) {
  const auto ramp = gradient_ramp(gradient, texels);
  glBindTexture(GL_TEXTURE_2D, texture_.name());
  glTexStorage2D(GL_TEXTURE_2D, 1, encoding == Encoding::linear ? GL_SRGB8 : GL_RGB8, texels, 1);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, texels, 1, GL_RGB, GL_UNSIGNED_BYTE, ramp.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, is_cyclic(gradient) ? GL_REPEAT : GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void PaletteTexture::bind(GLuint unit) const {
  glActiveTexture(GL_TEXTURE0 + unit);
  glBindTexture(GL_TEXTURE_2D, texture_.name());
}

}  // namespace orrery::gl
