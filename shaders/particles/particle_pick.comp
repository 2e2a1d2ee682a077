#version 430 core
// The foremost particle under the cursor, or the nearest beside it. In turn: all particles compete for the least
// distance, those at that distance for the lowest number, and the winner's published values are written.
layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer Particles { vec4 published[]; };
layout(std430, binding = 1) buffer Pick {
  uint nearest;  // the bits of positive floats are in the order of the floats
  uint best;
  vec4 place_and_radius;
  vec4 quantities;
};

uniform int stage;
uniform int particles;
uniform mat4 view;
uniform mat4 projection;
uniform vec2 half_size;      // of the viewport, pixels
uniform vec2 cursor;         // pixels from the viewport's middle, y up
uniform float focal_pixels;  // pixels of a length of 1 at a depth of 1
uniform float grown;         // factor of the radius
uniform float largest;       // largest drawn diameter in pixels
uniform float reach;         // pixels beside a particle that count

const uint nobody = 0xffffffffu, out_of_reach = 0x7f7fffffu;
const float beside = 1e30;  // depth beside the cursor: behind all particles under it

uint nearness(vec4 particle) {
  vec4 seen = view * vec4(particle.xyz, 1.0);
  vec4 clip = projection * seen;
  if (clip.w <= 0.0 || abs(clip.z) > clip.w) return out_of_reach;
  float radius = min(grown * particle.w * focal_pixels / -seen.z, 0.5 * largest);
  float off = distance(clip.xy / clip.w * half_size, cursor);
  if (off <= radius) return floatBitsToUint(-seen.z);
  return off <= radius + reach ? floatBitsToUint(beside * (1.0 + off - radius)) : out_of_reach;
}

void main() {
  uint count = uint(particles);
  if (stage == 2) {
    if (gl_GlobalInvocationID.x > 0u || best >= count) return;
    place_and_radius = published[best];
    quantities = published[count + best];
    return;
  }
  uint items = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint i = gl_GlobalInvocationID.x; i < count; i += items) {
    uint near = nearness(published[i]);
    if (near == out_of_reach) continue;
    if (stage == 0)
      atomicMin(nearest, near);
    else if (near == nearest)
      atomicMin(best, i);
  }
}
