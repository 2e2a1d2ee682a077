#version 430 core
// A body as a point with the size of its sprite.
layout(location = 0) in vec4 position_and_mass;
layout(location = 1) in vec4 quantities;  // see quantity.glsl

uniform mat4 projection;
uniform float disc;

#include "sprite.glsl"
#include "palette.glsl"
#include "quantity.glsl"
#include "body_sprite.glsl"

flat out vec4 light;  // colour times weight, weight
flat out float size;

void main() {
  Sprite sprite = sprite_of(gl_VertexID, position_and_mass, quantities, disc);
  gl_Position = is_gone(position_and_mass.w) ? vec4(2.0, 2.0, 2.0, 1.0) : projection * sprite.seen;
  size = sprite.size;
  gl_PointSize = size;
  light = sprite.light;
}
