// A body as a round sprite: size by mass and distance, colour by the chosen quantity. Needs sprite.glsl, palette.glsl and
// quantity.glsl.
//
// Its light does not depend on its place between the pixels, and falls with the square of its apparent size below the
// smallest sprite: a far galaxy is as bright as the sum of its stars.
uniform mat4 view;
uniform float surface_light;  // in the middle of a sprite
uniform vec4 tint;            // linear; its last component: the part by which it replaces the colour

struct Sprite {
  vec4 seen;   // from the camera
  float size;  // pixels
  vec4 light;  // colour times weight, weight
};

// `disc`: 0 a star, 1 a disc in a halo.
Sprite sprite_of(int body, vec4 position_and_mass, vec4 quantities, float disc) {
  Sprite sprite;
  sprite.seen = view * vec4(position_and_mass.xyz, 1.0);
  float apparent = apparent_size(position_and_mass.w, -sprite.seen.z);
  sprite.size = sprite_size(apparent);
  float fade = min(1.0, apparent / sprite.size);
  float weight = surface_light * mix(fade * fade, 1.0, disc);
  vec3 color = palette_color(quantity_of(body, position_and_mass.w, quantities));
  sprite.light = vec4(mix(color, tint.rgb, tint.a), 1.0) * weight;
  return sprite;
}
