#version 430 core
// A stored picture of the panels, drawn over the framebuffer.
out vec4 color;
uniform sampler2D panels;  // colour times cover, cover

void main() { color = texelFetch(panels, ivec2(gl_FragCoord.xy), 0); }
