#version 430 core
// The Julia set of the point under the cursor, in single precision with few iterations.
out vec4 color;

uniform vec2 c;
uniform int power;  // exponent of z
uniform vec2 size;     // of the picture, in pixels
uniform float radius;  // of the disc shown from top to bottom
uniform sampler2D ramp;  // linear light
uniform vec3 interior;

const int iterations = 120;
const float escape2 = 400.0;

void main() {
  vec2 z = (gl_FragCoord.xy - 0.5 * size) * (2.0 * radius / size.y);
  float n = 0.0;
  for (int i = 0; i < iterations; ++i) {
    vec2 next = z;
    for (int k = 1; k < power; ++k) next = vec2(next.x * z.x - next.y * z.y, next.x * z.y + next.y * z.x);
    next += c;
    bool inside = dot(z, z) <= escape2;
    z = inside ? next : z;
    n += inside ? 1.0 : 0.0;
  }
  float smoothed = n + 1.0 - log2(log(max(dot(z, z), 1.001)) / log(escape2)) / log2(float(power));
  vec3 light = texelFetch(ramp, ivec2(int(fract(0.86 + 0.13 * sqrt(max(smoothed, 0.0))) * 1024.0) & 1023, 0), 0).rgb;
  light = dot(z, z) <= escape2 ? interior : light;
  color = vec4(mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308))), 1.0);
}
