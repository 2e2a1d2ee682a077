#version 430 core
// A white ring with a dark edge, visible on any colour.
out vec4 color;

uniform vec2 middle;   // in pixels of the framebuffer
uniform float radius;
uniform float pixel;   // size of a pixel by the display's scale

void main() {
  float away = abs(distance(gl_FragCoord.xy, middle) - radius) / pixel;
  float white = 1.0 - smoothstep(0.5, 1.5, away), dark = 1.0 - smoothstep(1.5, 3.0, away);
  color = vec4(vec3(white), max(white, 0.6 * dark));
}
