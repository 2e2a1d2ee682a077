#version 430 core
// A coloured picture, reprojected. Its unknown pixels are transparent and black, so that they do not mix into their
// neighbours' colours; towards soft edges the picture fades.
in vec2 at;
out vec4 color;

uniform sampler2D picture;
uniform vec2 slope;  // of the fading, across the whole picture; 0: none

const float least_known = 0.02;

void main() {
  vec4 rgba = texture(picture, at);
  if (rgba.a < least_known) discard;
  vec2 inside = min(at, 1.0 - at) * slope;
  float fade = slope.x > 0.0 ? clamp(min(inside.x, inside.y), 0.0, 1.0) : 1.0;
  color = vec4(rgba.rgb / rgba.a, rgba.a * fade);
}
