#version 430 core
// Light of a thin line, falling off to the sides.
flat in vec4 line;
in float across;
out vec4 color;

void main() {
  float w = 1.0 - across * across;
  color = line * w;
}
