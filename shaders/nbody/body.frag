#version 430 core
flat in vec4 light;
flat in float size;
out vec4 color;

uniform float disc;

#include "body_profile.glsl"

void main() { color = light * profile_of(2.0 * gl_PointCoord - 1.0, size, disc); }
