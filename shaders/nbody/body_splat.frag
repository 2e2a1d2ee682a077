#version 430 core
// The sums of body_splat.comp as light.
out vec4 color;

layout(std430, binding = 3) readonly buffer Low { uint low[]; };
layout(std430, binding = 4) readonly buffer High { uint high[]; };

uniform ivec2 pixels;
uniform ivec2 band;
uniform float quantum;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  if (at.y < band.x || at.y >= band.y) discard;
  int k = 4 * ((at.y - band.x) * pixels.x + at.x);
  vec4 sums = vec4(low[k], low[k + 1], low[k + 2], low[k + 3]);
  vec4 carries = vec4(high[k], high[k + 1], high[k + 2], high[k + 3]);
  color = (sums + carries * 4294967296.0) * quantum;
}
