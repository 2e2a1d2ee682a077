#version 430 core
// A parallelogram of the viewport, and that of a picture shown in it.
out vec2 at;

uniform vec4 place;  // left, bottom, right, top, each -1 … 1
uniform vec4 part;   // the picture's coordinates there, each 0 … 1
uniform vec2 place_lean, part_lean;  // offsets of the upper side to the right, and of the right side upwards

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  at = mix(part.xy, part.zw, corner) + part_lean * corner.yx;
  gl_Position = vec4(mix(place.xy, place.zw, corner) + place_lean * corner.yx, 0.0, 1.0);
}
