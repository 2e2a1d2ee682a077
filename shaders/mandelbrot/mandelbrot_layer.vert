#version 430 core
// A rectangle of the viewport, and the part of a picture shown in it.
out vec2 at;

uniform vec4 place;  // left, bottom, right, top, each -1 … 1
uniform vec4 part;   // the picture's coordinates there, each 0 … 1

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  at = mix(part.xy, part.zw, corner);
  gl_Position = vec4(mix(place.xy, place.zw, corner), 0.0, 1.0);
}
