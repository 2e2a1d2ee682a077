#version 430 core
// A coloured picture, reprojected. Texels coarser than `threshold` (1/stride) are left transparent.
in vec2 at;
out vec4 color;

uniform sampler2D picture;
uniform float threshold;

void main() {
  vec4 rgba = texture(picture, at);
  if (rgba.a < threshold) discard;
  color = vec4(rgba.rgb, 1.0);
}
