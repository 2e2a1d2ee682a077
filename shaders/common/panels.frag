#version 430 core
// A kept picture of the panels, laid over what is there.
out vec4 color;
uniform sampler2D panels;  // colour times cover, cover

void main() { color = texelFetch(panels, ivec2(gl_FragCoord.xy), 0); }
