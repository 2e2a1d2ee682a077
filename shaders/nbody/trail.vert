#version 430 core
// A trail: the places of a body in the last published frames, relative to a followed body if there is one. An instance
// is a body; its vertices run from the newest frame to the oldest, two to a frame where the trail is drawn as a ribbon.
uniform samplerBuffer ring;  // (x, y, z, quantity)
uniform int stride;          // lanes of a slot
uniform int slots;           // of the ring
uniform int newest;          // slot
uniform int length;          // frames of this trail
uniform int colored;         // … and how many of them include the shown quantity
uniform int reference;       // lane of the followed body; −1 for none
uniform int sides;           // 2 for ribbons, 1 for lines

uniform mat4 view;
uniform mat4 projection;
uniform vec2 half_size;      // of the viewport, pixels
uniform float half_width;    // of a ribbon, pixels
uniform float trail_light;

#include "palette.glsl"

out vec4 light;  // colour times weight, weight
out float across;

vec4 kept(int lane, int age) {
  int slot = newest - min(age, length - 1);
  return texelFetch(ring, (slot < 0 ? slot + slots : slot) * stride + lane);
}

vec3 place(int age) {
  vec3 here = kept(gl_InstanceID, age).xyz;
  return reference < 0 ? here : here - kept(reference, age).xyz + kept(reference, 0).xyz;
}

vec4 seen(int age) { return projection * (view * vec4(place(age), 1.0)); }

vec2 on_screen(vec4 clip) { return clip.xy / max(clip.w, 1e-6) * half_size; }

// Half a ribbon's width at right angles to it.
vec2 aside(int age) {
  vec2 along = on_screen(seen(max(age - 1, 0))) - on_screen(seen(age + 1));
  float pixels = max(max(abs(along.x), abs(along.y)), 1e-4);
  return half_width * normalize(vec2(-along.y, along.x) / pixels + vec2(1e-6, 0.0));
}

void main() {
  int age = gl_VertexID / sides;
  gl_Position = seen(age);
  across = 0.0;
  if (sides == 2) {
    across = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    gl_Position.xy += across * aside(age) / half_size * gl_Position.w;
  }
  float fresh = 1.0 - float(age) / float(max(length - 1, 1));
  vec3 color = age < colored ? palette_color(kept(gl_InstanceID, age).w) : vec3(0.4);
  light = vec4(color, 1.0) * (trail_light * fresh * fresh);
}
