#version 430 core
// One triangle that covers the viewport; uv is 0 … 1 inside it, origin bottom left.
out vec2 uv;

void main() {
  uv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
