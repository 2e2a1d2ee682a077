#version 430 core
// A ring around one body, outside its sprite.
layout(location = 0) in vec4 position_and_mass;

uniform mat4 view;
uniform mat4 projection;
uniform float scale;  // of the display
uniform float visible;  // visible share of a sprite's size

#include "sprite.glsl"

flat out float radius;
flat out float size;

void main() {
  vec4 seen = view * vec4(position_and_mass.xyz, 1.0);
  gl_Position = projection * seen;
  float body = 0.5 * visible * sprite_size(apparent_size(position_and_mass.w, -seen.z));
  radius = max(body + 5.0 * scale, 9.0 * scale);
  size = 2.0 * radius + 6.0 * scale;
  gl_PointSize = size;
}
