#version 430 core
// The mean of samples, summed as linear light and encoded as sRGB.
out vec4 color;

uniform sampler2D sum;
uniform float samples;

void main() {
  vec3 light = min(texelFetch(sum, ivec2(gl_FragCoord.xy), 0).rgb / samples, vec3(1.0));
  color = vec4(mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308))), 1.0);
}
