#version 430 core
// Stores one more published frame of the bodies with trails: a slot of the ring.
layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Bodies { vec4 published[]; };  // places, then quantities
layout(std430, binding = 1) writeonly buffer Ring { vec4 ring[]; };        // (x, y, z, quantity)

uniform int bodies;
uniform int lanes;      // bodies with a trail, and one lane more for the followed body
uniform int every;      // bodies with a trail: their index is a multiple of this
uniform int followed;
uniform int slot;

#include "quantity.glsl"

void main() {
  int lane = int(gl_GlobalInvocationID.x);
  if (lane > lanes) return;
  int body = lane < lanes ? lane * every : followed;
  vec4 place = published[body];
  ring[slot * (lanes + 1) + lane] = vec4(place.xyz, quantity_of(body, place.w, published[bodies + body]));
}
