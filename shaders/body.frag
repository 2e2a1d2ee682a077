#version 430 core
// A soft core in a faint halo; (1 − r²)ⁿ instead of a Gaussian, because it ends at the sprite's edge.
in vec3 light;
out vec4 color;

void main() {
  vec2 p = 2.0 * gl_PointCoord - 1.0;
  float w = max(0.0, 1.0 - dot(p, p));
  float w2 = w * w;
  float w4 = w2 * w2;
  color = vec4(light * (0.12 * w2 + 0.88 * w4 * w4), 0.0);
}
