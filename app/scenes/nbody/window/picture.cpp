#include "scenes/nbody/window/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/window/trails.hpp"

namespace orrery {
namespace {

constexpr int reference_height = 720;    // pixels, of the viewport for which the look's sprite size holds
constexpr double many = 4096, few = 64;  // bodies: reference of the sprite size; limit for discs
constexpr double disc_share = 0.26;      // of a sprite; shaders/nbody/body.frag
constexpr double star_share = 0.35;
constexpr double tent = 2;           // pixels: the sprite whose light does not depend on its place between pixels
constexpr double largest_star = 12;  // pixels, before it grows by the root only
constexpr double star_light = 0.5, disc_light = 0.8;

double ratio_to_many(const BodyPicture& picture) { return std::max(static_cast<double>(picture.bodies), 1.0) / many; }

// 1 up to `few` bodies, 0 from eight times as many on.
double disc_of(const BodyPicture& picture) {
  const double times = std::max(static_cast<double>(picture.bodies), 1.0) / few;
  return std::clamp(1 - std::log(times) / std::log(8.0), 0.0, 1.0);
}

// Pixels of a body of mean mass where the camera begins. The area that all sprites cover grows by the cube root of
// their number, so that drawing many costs little and shows them as grains.
double home_pixels(const BodyPicture& picture, double disc) {
  const double star = picture.look.sprite_size * std::pow(std::max(ratio_to_many(picture), 1.0), -1. / 3);
  const double whole_disc = 1.9 * picture.look.sprite_size / disc_share;
  return std::lerp(star, whole_disc, disc);
}

// A picture of many bodies is brighter than one of few, but by the fourth root of their number: each sends that much
// less.
double flux_share(const BodyPicture& picture) { return std::pow(std::max(ratio_to_many(picture), 1.0), -0.75); }

}  // namespace

News news_of(BodyPicture picture, const BodyPicture& drawn) {
  if (picture == drawn) return News::none;
  if (wants_trails(picture.look, picture.bodies)) return News::motion;
  picture.published = drawn.published;
  picture.step = drawn.step;
  picture.range = drawn.range;
  picture.parts = drawn.parts;
  return picture == drawn ? News::progress : News::motion;
}

float SpriteScale::visible() const {
  return static_cast<float>(std::lerp(star_share, disc_share, static_cast<double>(disc)));
}

SpriteScale sprite_scale(const BodyPicture& picture, float largest) {
  const double disc = disc_of(picture), pixels = home_pixels(picture, disc);
  const double full = picture.look.sprite_size * picture.look.sprite_size;
  const double light = std::lerp(star_light * flux_share(picture) * full / (pixels * pixels), disc_light, disc);
  const Camera& camera = picture.camera;
  const double pixels_now = pixels * picture.size.y / reference_height;
  SpriteScale scale{};
  scale.focal_pixels = static_cast<float>(camera.focal_pixels(picture.size.y));
  scale.diameter = static_cast<float>(pixels * picture.home_distance / camera.focal_pixels(reference_height));
  scale.mean_mass = static_cast<float>(std::max(picture.mean_mass, 1e-30));
  scale.smallest = static_cast<float>(std::max(tent, 0.4 * disc * pixels_now));
  scale.comfortable = static_cast<float>(std::max(largest_star * picture.scale, disc * pixels_now));
  scale.largest = std::max(largest, scale.smallest);
  scale.disc = static_cast<float>(disc);
  scale.surface_light = static_cast<float>(light);
  return scale;
}

void set_sprite_uniforms(const gl::ShaderProgram& program, const SpriteScale& scale) {
  program.set("focal_pixels", scale.focal_pixels);
  program.set("diameter", scale.diameter);
  program.set("mean_mass", scale.mean_mass);
  program.set("smallest", scale.smallest);
  program.set("comfortable", scale.comfortable);
  program.set("largest", scale.largest);
}

void set_palette_uniforms(const gl::ShaderProgram& program, const BodyPicture& picture) {
  // An unknown quantity, or one that is equal for all, is in the middle of the palette.
  glm::vec2 ramp(0, 0.5);
  if (const double spread = picture.range ? picture.range->high - picture.range->low : 0; spread > 1e-9)
    ramp = {1 / spread, -picture.range->low / spread};
  program.set("ramp", ramp);
  program.set("palette", 0);
}

void set_quantity_uniforms(const gl::ShaderProgram& program, const BodyPicture& picture) {
  constexpr std::array<std::string_view, 3> published{"speed", "acceleration", "potential"};
  const std::string& wanted = picture.look.color_by;
  const auto component = static_cast<int>(std::ranges::find(published, wanted) - published.begin());
  program.set("quantity", wanted == "mass" ? 4 : wanted == "origin" || wanted == "age" ? 5 : component);
  const std::size_t parts = std::min(picture.parts.size(), most_parts);
  program.set("parts", static_cast<int>(parts));
  for (std::size_t k = 0; k < parts; ++k) {
    const std::string at = "[" + std::to_string(k) + "]";
    program.set(("part" + at).c_str(), static_cast<int>(picture.parts[k].first));
    program.set(("value" + at).c_str(), picture.parts[k].value);
  }
}

PaletteRange range_of_parts(std::size_t count) {
  return {-0.5, static_cast<double>(std::max<std::size_t>(count, 1)) - 0.5};
}

}  // namespace orrery
