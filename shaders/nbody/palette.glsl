// The colour of a quantity: its logarithm along a palette.
uniform vec2 ramp;  // scale and offset; (0, ½) where nothing is known of the quantity
uniform sampler2D palette;

const float darkest = 0.012;  // linear light: the black end of a palette is seen before the sky

vec3 palette_color(float quantity) {
  float at = log(max(quantity, 1e-30)) * ramp.x + ramp.y;
  return texture(palette, vec2(clamp(at, 0.002, 0.998), 0.5)).rgb + darkest;
}
