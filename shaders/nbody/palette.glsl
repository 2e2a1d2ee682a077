// The colour of a quantity: its logarithm along a palette.
uniform vec2 ramp;  // scale and offset; (0, ½) for an unknown quantity
uniform sampler2D palette;

const float darkest = 0.012;  // linear light: the black end of a palette stays visible against the sky

vec3 palette_color(float quantity) {
  float at = log(max(quantity, 1e-30)) * ramp.x + ramp.y;
  return texture(palette, vec2(clamp(at, 0.002, 0.998), 0.5)).rgb + darkest;
}
