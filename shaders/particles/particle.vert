#version 430 core
// A particle as a point large enough for its sphere.
#include "particle.glsl"

flat out vec3 ink;
flat out vec3 middle;
flat out float radius;
flat out float size;

void main() {
  middle = (view * vec4(place_and_radius.xyz, 1.0)).xyz;
  radius = grown * place_and_radius.w;
  gl_Position = projection * vec4(middle, 1.0);
  size = size_in_pixels(radius, -middle.z);
  gl_PointSize = size;
  ink = color_of(quantities);
}
