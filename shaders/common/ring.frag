#version 430 core
flat in float radius;
flat in float size;
out vec4 color;

uniform float scale;
uniform vec3 ink;

void main() {
  float r = length(gl_PointCoord - 0.5) * size;
  float off = abs(r - radius) / scale;
  float line = 1.0 - smoothstep(0.3, 1.3, off);
  float shadow = 0.35 * (1.0 - smoothstep(0.5, 2.5, off));  // visible on bright ground too
  float cover = max(line * 0.9, shadow);
  color = vec4(ink * line, cover);
}
