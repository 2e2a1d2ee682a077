#version 430 core
// A ring around the followed particle, outside its sphere.
layout(location = 0) in vec4 place_and_radius;

uniform mat4 view;
uniform mat4 projection;
uniform float focal_pixels;  // pixels of a length of 1 at a depth of 1
uniform float grown;         // factor of the radius
uniform float largest;       // pixels
uniform float scale;         // of the display

flat out float radius;
flat out float size;

void main() {
  vec4 seen = view * vec4(place_and_radius.xyz, 1.0);
  gl_Position = projection * seen;
  float sphere = grown * place_and_radius.w * focal_pixels / max(-seen.z, 1e-6);
  radius = clamp(sphere + 4.0 * scale, 8.0 * scale, 0.5 * largest - 3.0 * scale);
  size = 2.0 * radius + 6.0 * scale;
  gl_PointSize = size;
}
