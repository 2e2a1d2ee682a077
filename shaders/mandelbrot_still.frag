#version 430 core
// Smooth values of one picture, pixel for pixel, coloured as mandelbrot.frag does it: what is drawn at rest, on a path
// that software renderers run several times faster.
out vec4 color;

uniform vec2 origin;   // of the viewport, in pixels
uniform float height;  // of the viewport
uniform samplerBuffer first;
uniform vec2 first_size;

uniform sampler2D ramp;
uniform int color_scale;  // 0 log, 1 square root, 2 linear, 3 classic
uniform float density;
uniform float offset;
uniform vec3 interior;

vec3 color_of(float v) {
  float w = max(v, 0.0);
  float scaled = color_scale == 0 ? log2(1.0 + w) : color_scale == 1 ? sqrt(w) : w;
  float phase = color_scale == 3 ? density * v + offset : fract(density * scaled + offset);
  vec3 rgb = color_scale == 3 ? clamp(1.5 - abs(phase - vec3(0.75, 0.5, 0.25)) * 4.0, 0.0, 255.0 / 256.0) * (256.0 / 255.0)
                              : texelFetch(ramp, ivec2(int(phase * 1024.0) & 1023, 0), 0).rgb;
  return v < -1e29 ? interior : rgb;
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.x - origin.x, height - (gl_FragCoord.y - origin.y));
  color = vec4(color_of(texelFetch(first, pixel.y * int(first_size.x) + pixel.x).x), 1.0);
}
