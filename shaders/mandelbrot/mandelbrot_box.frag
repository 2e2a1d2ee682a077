#version 430 core
// The box during a drag: a white line, and shade around it.
out vec4 color;

uniform vec2 origin;   // of the viewport, in pixels
uniform float height;  // of the viewport
uniform vec4 box;      // from, to; y down
uniform float line;

void main() {
  vec2 pixel = vec2(gl_FragCoord.x - origin.x, height - (gl_FragCoord.y - origin.y));
  vec2 outside = max(box.xy - pixel, pixel - box.zw);
  float edge = max(outside.x, outside.y);
  color = abs(edge) <= line ? vec4(1.0) : vec4(0.0, 0.0, 0.0, edge > 0.0 ? 0.45 : 0.0);
}
