#version 430 core
// A lit sphere with an antialiased edge; it hides everything behind it.
flat in vec3 ink;
flat in vec3 middle;
flat in float radius;
flat in float size;
out vec4 color;

uniform mat4 projection;

#include "particle_light.glsl"

const vec3 between = normalize(sun + vec3(0.0, 0.0, 1.0));  // the sun and the eye

void main() {
  vec2 p = (2.0 * gl_PointCoord - 1.0) * vec2(1.0, -1.0) * size / max(size - 1.0, 1.0);
  float r2 = dot(p, p), r = sqrt(r2);
  float covered = clamp((1.0 - r) * 0.5 * (size - 1.0) + 0.5, 0.0, 1.0);
  if (covered <= 0.0) discard;
  vec3 normal = vec3(p, sqrt(max(0.0, 1.0 - r2)));
  vec4 front = projection * vec4(middle + radius * vec3(0.0, 0.0, normal.z), 1.0);
  gl_FragDepth = clamp(0.5 * front.z / front.w + 0.5, 0.0, 1.0);
  // A very small sphere has no dark side.
  float round_ = smoothstep(2.0, 6.0, size);
  float lit = mix(0.8, 0.22 + 0.78 * max(0.0, 0.35 + 0.65 * dot(normal, sun)), round_);
  float rim = mix(1.0, 0.55 + 0.45 * smoothstep(0.0, 0.75, normal.z), round_);
  float facing = max(0.0, dot(normal, between));
  float facing2 = facing * facing, facing4 = facing2 * facing2, facing8 = facing4 * facing4;
  float facing16 = facing8 * facing8;
  float gleam = round_ * 0.16 * facing16 * facing16 * facing16;
  color = vec4(encoded(hazy(ink * lit * rim + gleam, -middle.z)), covered);
}
