#version 430 core
// The body nearest to the cursor on the screen. First every body competes; then, in a separate launch, the winner's
// place is written.
layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer Bodies { vec4 published[]; };
layout(std430, binding = 1) buffer Pick {
  uint best;  // the miss in the upper 6 bits, the body in the lower 26
  float place[3];
};

uniform bool decided;
uniform int bodies;
uniform mat4 view;
uniform mat4 projection;
uniform vec2 half_size;  // of the viewport, pixels
uniform vec2 cursor;     // pixels from the viewport's middle, y up
uniform float reach;     // pixels beside a body that count
uniform float visible;   // visible share of a sprite's size

#include "sprite.glsl"

const uint nobody = 0xffffffffu;

// The distance of the cursor: 0 in the body's middle, 1 at the end of its reach; above: out of reach.
float miss(vec4 body) {
  if (is_gone(body.w)) return 2.0;
  vec4 seen = view * vec4(body.xyz, 1.0);
  vec4 clip = projection * seen;
  if (clip.w <= 0.0 || abs(clip.z) > clip.w) return 2.0;
  float radius = 0.5 * visible * sprite_size(apparent_size(body.w, -seen.z));
  return distance(clip.xy / clip.w * half_size, cursor) / (radius + reach);
}

void main() {
  if (decided) {
    if (gl_GlobalInvocationID.x > 0u || best == nobody) return;
    vec4 body = published[best & 0x3ffffffu];
    place[0] = body.x;
    place[1] = body.y;
    place[2] = body.z;
    return;
  }
  uint items = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint i = gl_GlobalInvocationID.x; i < uint(bodies); i += items) {
    float off = miss(published[i]);
    if (off <= 1.0) atomicMin(best, uint(off * 62.0) << 26 | i);
  }
}
