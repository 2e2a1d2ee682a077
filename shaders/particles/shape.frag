#version 430 core
// A shape of the world: matt, so that the particles stand out. The back of a plane is not drawn.
in vec3 at;
in vec3 normal;
in vec3 within;
out vec4 color;

uniform int form;  // 3: a plane
uniform vec3 ink;  // linear light

#include "particle_light.glsl"

// Faint lines, ten across, show the orientation of a plane.
float ruled(vec2 place, vec2 half_size) {
  vec2 cell = (place + half_size) * 5.0 / half_size;
  vec2 wide = max(fwidth(cell), vec2(1e-6));
  vec2 line = clamp(1.5 - abs(cell - round(cell)) / wide, 0.0, 1.0) * clamp(2.0 - 4.0 * wide, 0.0, 1.0);
  return max(line.x, line.y);
}

uniform vec3 size;

void main() {
  vec3 n = normalize(normal);
  float facing = dot(n, normalize(-at));
  if (facing <= 0.0) discard;
  float lit = 0.18 + 0.62 * max(0.0, 0.35 + 0.65 * dot(n, sun));
  float rim = form == 3 ? 1.0 : 0.6 + 0.4 * smoothstep(0.0, 0.7, facing);
  if (form == 3) lit *= 1.0 - 0.25 * ruled(within.xy, size.xy);
  color = vec4(encoded(hazy(ink * lit * rim, -at.z)), 1.0);
}
