#version 430 core
// The two widths of the glow in one picture, so that each pixel of the display reads one.
in vec2 uv;
out vec4 color;
uniform sampler2D near_glow;
uniform sampler2D far_glow;

void main() { color = 0.55 * texture(near_glow, uv) + 0.40 * texture(far_glow, uv); }
