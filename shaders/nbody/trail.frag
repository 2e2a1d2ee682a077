#version 430 core
// Light along a trail, falling off to the sides.
in vec4 light;
in float across;
out vec4 color;

void main() {
  float w = 1.0 - across * across;
  color = light * (w * w);
}
