#version 430 core
// One of many particles: a few pixels of one colour.
#include "particle.glsl"
#include "particle_light.glsl"

flat out vec3 ink;

void main() {
  vec3 middle = (view * vec4(place_and_radius.xyz, 1.0)).xyz;
  gl_Position = projection * vec4(middle, 1.0);
  gl_PointSize = size_in_pixels(grown * place_and_radius.w, -middle.z);
  ink = encoded(hazy(0.8 * color_of(quantities), -middle.z));
}
