#version 430 core
flat in vec3 ink;
out vec4 color;

void main() { color = vec4(ink, 1.0); }
