// Shared by all parts of a picture of particles: the light, and the haze that shows depth.
#include "srgb.glsl"

uniform vec2 haze;  // depth where it begins, and 1 / how far it reaches

const vec3 background = vec3(0.0017, 0.0021, 0.0042);  // linear light: a very dark blue
const vec3 sun = normalize(vec3(-0.45, 0.65, 0.62));   // direction towards it, in camera coordinates

vec3 hazy(vec3 light, float depth) {
  float away = clamp((depth - haze.x) * haze.y, 0.0, 1.0);
  return mix(light, background, 0.72 * away);
}
