#version 430 core
in float depth;
in float across;
out vec4 color;

uniform vec3 ink;    // linear light
uniform float round_;  // 0 a line, 1 a rod

#include "particle_light.glsl"

void main() {
  float lit = mix(1.0, 0.35 + 0.65 * sqrt(max(0.0, 1.0 - across * across)), round_);
  color = vec4(encoded(hazy(ink * lit, depth)), 1.0);
}
