#version 430 core
// Bonds between particles, or the edges of the box, as strips that face the camera. Six vertices each.
layout(std430, binding = 0) readonly buffer Places { vec4 places[]; };
layout(std430, binding = 1) readonly buffer Bonds { uvec2 bonds[]; };

uniform mat4 view;
uniform mat4 projection;
uniform vec3 box;          // its lengths; 0: open space
uniform int edges;         // 1: the segments are the edges of the box
uniform float focal_pixels;
uniform float width;       // length
uniform float thinnest;    // pixels

out float depth;
out float across;  // -1 … 1

// The vector to the nearest periodic image.
vec3 nearest(vec3 d) {
  if (box.x <= 0.0) return d;
  return d - box * round(d / box);
}

vec3 end_of_edge(int edge, int end) {
  int axis = edge / 4, corner = edge % 4;
  vec3 at = vec3(0.0);
  at[axis] = end == 0 ? -0.5 : 0.5;
  at[(axis + 1) % 3] = (corner & 1) == 0 ? -0.5 : 0.5;
  at[(axis + 2) % 3] = (corner & 2) == 0 ? -0.5 : 0.5;
  return at * box;
}

void main() {
  int segment = gl_VertexID / 6, corner = gl_VertexID % 6;
  int end = corner == 1 || corner == 2 || corner == 4 ? 1 : 0;
  across = corner == 0 || corner == 1 || corner == 3 ? -1.0 : 1.0;
  vec3 a, b;
  if (edges == 1) {
    a = end_of_edge(segment, 0);
    b = end_of_edge(segment, 1);
  } else {
    uvec2 bond = bonds[segment];
    a = places[bond.x].xyz;
    b = a + nearest(places[bond.y].xyz - a);
  }
  vec3 from = (view * vec4(a, 1.0)).xyz, to = (view * vec4(b, 1.0)).xyz;
  vec3 at = end == 0 ? from : to;
  depth = -at.z;
  vec3 side = cross(to - from, at);
  float length_ = length(side);
  side = length_ > 0.0 ? side / length_ : vec3(0.0);
  float half_width = 0.5 * max(width, thinnest * max(depth, 1e-6) / focal_pixels);
  gl_Position = projection * vec4(at + side * half_width * across, 1.0);
}
