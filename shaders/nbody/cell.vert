#version 430 core
// The frame of a cell: a box, each of whose twelve edges is an instance and a ribbon of a constant width on the screen.
//
// A cell that is small on the screen fades out, so that its bodies stay visible; nearer cells are brighter.
layout(location = 0) in vec4 low;
layout(location = 1) in vec4 high;

uniform mat4 view;
uniform mat4 projection;
uniform vec2 half_size;      // of the viewport, pixels
uniform float half_width;    // of a ribbon, pixels
uniform float focal_pixels;  // pixels of a length of 1 at a depth of 1
uniform float scale;         // of the display
uniform float middle;        // distance of the camera's target
uniform vec4 light;          // colour times weight, weight

flat out vec4 line;
out float across;

const float gone = 5.0, whole = 48.0;  // pixels of a cell's longest edge

vec4 corner(int edge, bool end) {
  int axis = edge / 4, first = (axis + 1) % 3, second = (axis + 2) % 3;
  vec3 place = low.xyz;
  if ((edge & 1) != 0) place[first] = high[first];
  if ((edge & 2) != 0) place[second] = high[second];
  if (end) place[axis] = high[axis];
  return projection * (view * vec4(place, 1.0));
}

// Cuts the line at the near plane, before which there is no perspective.
vec4 cut(vec4 end, vec4 other) {
  float inside = end.w + end.z, beyond = other.w + other.z;
  return inside > 0.0 || beyond <= 0.0 ? end : mix(end, other, inside / (inside - beyond) + 1e-4);
}

void main() {
  int edge = gl_InstanceID % 12;
  bool end = gl_VertexID > 1;
  vec4 from = corner(edge, false), to = corner(edge, true);
  vec4 begin = cut(from, to), finish = cut(to, from);
  vec3 size = high.xyz - low.xyz;
  float depth = -(view * vec4(mix(low.xyz, high.xyz, 0.5), 1.0)).z;
  float reach = max(size.x, max(size.y, size.z));
  float pixels = reach * focal_pixels / max(depth, 0.5 * reach) / scale;
  float seen = smoothstep(gone, whole, pixels) * clamp(middle / max(depth, 1e-6), 0.25, 1.25);
  line = light * seen;
  across = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
  gl_Position = end ? finish : begin;
  if (begin.w + begin.z <= 0.0 || seen <= 0.0) {
    gl_Position = vec4(0.0, 0.0, -2.0, 1.0);  // nothing is drawn
    return;
  }
  vec2 along = (finish.xy / finish.w - begin.xy / begin.w) * half_size;
  float length_on_screen = length(along);
  vec2 aside = length_on_screen > 1e-4 ? vec2(-along.y, along.x) / length_on_screen : vec2(0.0, 1.0);
  gl_Position.xy += across * half_width * aside / half_size * gl_Position.w;
}
