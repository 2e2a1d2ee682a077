#version 430 core
// A body as a round sprite: size by mass and distance, colour by the chosen quantity.
//
// The light that it sends does not depend on its place between the pixels, and falls with the square of its apparent
// size where that is smaller than the smallest sprite: a far galaxy is as bright as the sum of its stars.
layout(location = 0) in vec4 position_and_mass;
layout(location = 1) in vec4 quantities;  // see quantity.glsl

uniform mat4 view;
uniform mat4 projection;
uniform float surface_light;  // in the middle of a sprite
uniform float disc;           // 0 a star, 1 a disc in a halo
uniform vec4 tint;            // linear; its last component: how much of it replaces the colour

#include "sprite.glsl"
#include "palette.glsl"
#include "quantity.glsl"

flat out vec4 light;  // colour times weight, weight
flat out float size;

void main() {
  vec4 seen = view * vec4(position_and_mass.xyz, 1.0);
  gl_Position = is_gone(position_and_mass.w) ? vec4(2.0, 2.0, 2.0, 1.0) : projection * seen;
  float apparent = apparent_size(position_and_mass.w, -seen.z);
  size = sprite_size(apparent);
  gl_PointSize = size;
  float fade = min(1.0, apparent / size);
  float weight = surface_light * mix(fade * fade, 1.0, disc);
  vec3 color = palette_color(quantity_of(gl_VertexID, position_and_mass.w, quantities));
  light = vec4(mix(color, tint.rgb, tint.a), 1.0) * weight;
}
