/// Draws crowds of bodies, and portions of them, by a compute shader. Window thread, with a GL context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "render/gl.hpp"
#include "render/pass_timer.hpp"

namespace orrery {

/// The numbers below `count`, at most 65,536, in a random order that is always the same.
std::vector<std::uint16_t> shuffled_block(std::size_t count);

/// A stretch of a random order of bodies, which is a portion of all.
///
/// Bodies are shuffled in blocks, all full ones alike: places from 0 to `places` stand for the same share of each.
struct Portion {
  static constexpr std::uint32_t places = 1 << 16;
  std::uint32_t first = 0, end = places;

  bool whole() const { return first == 0 && end == places; }
  double share() const { return static_cast<double>(end - first) / places; }
};

/// The light of many bodies, as a sum for each pixel.
class BodySplat {
 public:
  BodySplat();

  /// The program of scatter(), whose uniforms describe the look of a body: see shaders/nbody/body_sprite.glsl.
  const gl::ShaderProgram& program() const { return scatter_; }
  /// The surface has a vec4 for each body, then a second one for each.
  struct Bodies {
    unsigned surface_buffer = 0;
    std::size_t count = 0;
  };
  /// Adds the light of a portion to the bound framebuffer, blending set up, whose viewport is all of a picture of
  /// `size`. program() is in use. `surface_light`: light in the middle of a sprite.
  void draw(const Bodies& bodies, const Portion& portion, glm::ivec2 size, float surface_light);
  /// Returns each measured drawing time of bodies once, without the constant cost of a picture.
  std::optional<gl::WorkTimer::Measured> take_time() { return timer_.take(); }
  /// Draws the bodies that draw() found too large, as points of the bound vertex array.
  void draw_large() const;

 private:
  struct Band {
    int first = 0, end = 0;  // rows of the picture
  };
  void make_room(std::size_t bodies, std::size_t words);
  void shuffle_rest(std::size_t rest);
  void scatter(const Bodies& bodies, const Portion& portion) const;
  void gather(glm::ivec2 size, const Band& band, float quantum) const;

  gl::ShaderProgram scatter_, gather_;
  gl::FullscreenTriangle triangle_;
  gl::Buffer order_;  // orders of a full block and of the last block, which holds the rest of the bodies
  std::size_t rest_ = 0;
  gl::Buffer low_, high_;  // words of the sums of a band's pixels
  std::size_t words_ = 0;
  gl::Buffer large_;  // see shaders/nbody/body_splat.comp
  std::size_t most_large_ = 0;
  gl::WorkTimer timer_;
  std::size_t largest_block_;  // largest bytes of a buffer for a shader
};

}  // namespace orrery
