#version 430 core
// One direction of a Gaussian of nine taps, as five bilinear fetches.
in vec2 uv;
out vec4 color;
uniform sampler2D picture;
uniform vec2 direction;  // one texel along x or y

void main() {
  vec4 sum = 0.2270270270 * texture(picture, uv);
  sum += 0.3162162162 * (texture(picture, uv + 1.3846153846 * direction) + texture(picture, uv - 1.3846153846 * direction));
  sum += 0.0702702703 * (texture(picture, uv + 3.2307692308 * direction) + texture(picture, uv - 3.2307692308 * direction));
  color = sum;
}
