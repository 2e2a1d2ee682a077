#version 430 core
// Draws the result of grain_splat.comp for a pixel, in the particle's colour and at its depth.
in vec2 uv;
out vec4 color;

layout(std430, binding = 0) readonly buffer Particles { vec4 published[]; };
layout(std430, binding = 1) readonly buffer Nearest { uint nearest[]; };
layout(std430, binding = 2) readonly buffer Foremost { uint foremost[]; };

uniform int particles;
uniform ivec2 pixels;

#include "particle_look.glsl"
#include "particle_light.glsl"

const uint nobody = 0xffffffffu;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  int p = at.y * pixels.x + at.x;
  uint i = foremost[p];
  if (i == nobody) discard;
  float depth = -(view * vec4(published[i].xyz, 1.0)).z;
  color = vec4(encoded(hazy(0.8 * color_of(published[uint(particles) + i]), depth)), 1.0);
  gl_FragDepth = uintBitsToFloat(nearest[p]);
}
