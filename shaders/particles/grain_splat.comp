#version 430 core
// Draws many small particles, each a square of pixels, ten times as fast as a rasteriser draws points. In turn: for
// each cell of pixels, the depth of the nearest particle that fills it; the nearest depth of each pixel; and the lowest
// number of the particles at that depth. A hidden particle, as most of a crowd are, reads only its cells.
layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer Particles { vec4 published[]; };
layout(std430, binding = 1) buffer Nearest { uint nearest[]; };    // of each pixel: the bits of a depth of 0 … 1
layout(std430, binding = 2) buffer Foremost { uint foremost[]; };  // of each pixel: the number of a particle
layout(std430, binding = 3) buffer Filled { uint filled[]; };      // of each cell: the bits of a depth

uniform int stage;
uniform int particles;
uniform int every;     // every n-th particle is drawn
uniform ivec2 pixels;  // of the picture

#include "particle_look.glsl"

const int cell = 4;  // pixels a side, as in renderer.cpp

bool in_front_somewhere(ivec2 low, ivec2 end, uint depth, int row) {
  for (int y = low.y / cell; cell * y < end.y; ++y)
    for (int x = low.x / cell; cell * x < end.x; ++x)
      if (depth <= filled[y * row + x]) return true;
  return false;
}

void main() {
  // A pseudo-random one of them: in regular order, particles filled in by rows would appear as rows.
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
  int row = (pixels.x + cell - 1) / cell;
  if (stage == 0) {
    for (int y = (low.y + cell - 1) / cell; cell * (y + 1) <= end.y; ++y)
      for (int x = (low.x + cell - 1) / cell; cell * (x + 1) <= end.x; ++x)
        if (depth < filled[y * row + x]) atomicMin(filled[y * row + x], depth);
    return;
  }
  if (!in_front_somewhere(low, end, depth, row)) return;
  for (int y = low.y; y < end.y; ++y)
    for (int x = low.x; x < end.x; ++x) {
      int p = y * pixels.x + x;
      if (stage == 1) {
        if (depth < nearest[p]) atomicMin(nearest[p], depth);
      } else if (depth == nearest[p]) {
        atomicMin(foremost[p], i);
      }
    }
}
