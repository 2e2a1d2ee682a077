#version 430 core
// Many small particles, each a square of pixels, as points of that size would be: a rasteriser takes ten times as long
// for a point as this takes. In turn: the nearest depth of each pixel is found, and then the lowest number of those
// that are as near.
layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer Particles { vec4 published[]; };
layout(std430, binding = 1) buffer Nearest { uint nearest[]; };    // of each pixel: the bits of a depth of 0 … 1
layout(std430, binding = 2) buffer Foremost { uint foremost[]; };  // of each pixel: the number of a particle

uniform int stage;
uniform int particles;
uniform int every;     // one of so many particles is drawn
uniform ivec2 pixels;  // of the picture

#include "particle_look.glsl"

void main() {
  // Any one of them: particles that were filled in by rows would be seen as rows.
  uint first = gl_GlobalInvocationID.x * uint(every);
  uint i = first + ((first * 2654435761u) >> 16) % uint(every);
  if (i >= uint(particles)) return;
  vec4 particle = published[i];
  vec3 middle = (view * vec4(particle.xyz, 1.0)).xyz;
  vec4 clip = projection * vec4(middle, 1.0);
  if (!(clip.w > 0.0) || !(abs(clip.z) <= clip.w)) return;
  float size = size_in_pixels(grown * particle.w, -middle.z);
  vec2 at = (0.5 * clip.xy / clip.w + 0.5) * vec2(pixels);
  if (any(greaterThan(abs(at - 0.5 * vec2(pixels)), vec2(pixels) + size))) return;
  ivec2 low = max(ivec2(ceil(at - 0.5 * size - 0.5)), ivec2(0));
  ivec2 end = min(ivec2(ceil(at + 0.5 * size - 0.5)), pixels);
  uint depth = floatBitsToUint(0.5 * clip.z / clip.w + 0.5);
  for (int y = low.y; y < end.y; ++y)
    for (int x = low.x; x < end.x; ++x) {
      int p = y * pixels.x + x;
      if (stage == 0) {
        if (depth < nearest[p]) atomicMin(nearest[p], depth);
      } else if (depth == nearest[p]) {
        atomicMin(foremost[p], i);
      }
    }
}
