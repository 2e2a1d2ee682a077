#version 430 core
// A quarter of the size in each direction: four bilinear fetches cover the sixteen texels.
in vec2 uv;
out vec4 color;
uniform sampler2D picture;

void main() {
  vec2 texel = 1.0 / vec2(textureSize(picture, 0));
  vec4 sum = texture(picture, uv + texel * vec2(-1, -1)) + texture(picture, uv + texel * vec2(1, -1)) +
             texture(picture, uv + texel * vec2(-1, 1)) + texture(picture, uv + texel * vec2(1, 1));
  color = sum / 4.0;
}
