#version 430 core
// Adds up the light of many small sprites, ten times as fast as a rasteriser draws points. The sums are whole numbers
// of quanta, so that they do not depend on the order of the bodies. Large sprites are listed instead, to be drawn as
// points.
layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer Positions { vec4 positions[]; };
layout(std430, binding = 1) readonly buffer Published { vec4 published[]; };  // see quantity.glsl
layout(std430, binding = 2) readonly buffer Order { uint order[]; };          // pairs of 16 bits, packed by BodySplat
layout(std430, binding = 3) buffer Low { uint low[]; };    // of each pixel of the band: the low words of its four sums …
layout(std430, binding = 4) buffer High { uint high[]; };  // … and the high ones
layout(std430, binding = 5) buffer Large { uint large_count, command[7], large[]; };  // a command, and the bodies it draws

uniform mat4 projection;
uniform float disc;
uniform ivec2 pixels;      // of the picture
uniform ivec2 band;        // its summed rows: from the first to the end
uniform int first_body;       // of the buffers, among all
uniform int first_published;  // place of its published values
uniform int blocks, rest;  // full blocks of bodies there, and bodies in the last, partial block
uniform ivec2 places;      // drawn places of a full block, from the first to the end …
uniform ivec2 rest_places; // … and of the partial one
uniform float quantum;     // of light

#include "sprite.glsl"
#include "palette.glsl"
#include "quantity.glsl"
#include "body_sprite.glsl"
#include "body_profile.glsl"

const int block = 65536;
const float largest_splat = 6.0;  // pixels

int shuffled(int first, int place) {
  int k = first + place;
  return int(order[k >> 1] >> ((k & 1) * 16)) & 0xffff;
}

// The index of the i-th drawn body; −1 beyond the last.
int chosen(int i) {
  int span = places.y - places.x, in_blocks = blocks * span;
  if (span == block) return i < in_blocks + rest ? i : -1;
  if (i < in_blocks) return i / span * block + shuffled(0, places.x + i % span);
  int k = rest_places.x + i - in_blocks;
  return k < rest_places.y ? blocks * block + shuffled(block, k) : -1;
}

void add(int place, vec4 light) {
  uvec4 quanta = uvec4(light / quantum + 0.5);
  for (int channel = 0; channel < 4; ++channel) {
    if (quanta[channel] == 0u) continue;
    uint before = atomicAdd(low[place + channel], quanta[channel]);
    if (before + quanta[channel] < before) atomicAdd(high[place + channel], 1u);
  }
}

void main() {
  int body = chosen(int(gl_GlobalInvocationID.x));
  if (body < 0) return;
  vec4 position_and_mass = positions[body];
  if (is_gone(position_and_mass.w)) return;
  Sprite sprite = sprite_of(first_body + body, position_and_mass, published[first_published + body], disc);
  vec4 clip = projection * sprite.seen;
  if (!(clip.w > 0.0) || !(abs(clip.z) <= clip.w)) return;
  vec2 at = (0.5 * clip.xy / clip.w + 0.5) * vec2(pixels);
  float reach = 0.5 * sprite.size;
  if (any(greaterThan(abs(at - 0.5 * vec2(pixels)), 0.5 * vec2(pixels) + reach))) return;
  if (sprite.size > largest_splat) {
    uint place = band.x == 0 ? atomicAdd(large_count, 1u) : uint(large.length());
    if (place < uint(large.length()))
      large[place] = uint(first_body + body);
    else
      atomicMin(large_count, uint(large.length()));
    return;
  }
  ivec2 begin = max(ivec2(ceil(at - reach - 0.5)), ivec2(0, band.x));
  ivec2 end = min(ivec2(ceil(at + reach - 0.5)), ivec2(pixels.x, band.y));
  for (int y = begin.y; y < end.y; ++y)
    for (int x = begin.x; x < end.x; ++x) {
      vec2 p = (vec2(x, y) + 0.5 - at) / reach;
      add(4 * ((y - band.x) * pixels.x + x), sprite.light * profile_of(p, sprite.size, disc));
    }
}
