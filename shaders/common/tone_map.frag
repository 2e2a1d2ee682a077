#version 430 core
// Light to display values. A pixel holds a sum of colours by weight and the sum of the weights: the mean colour gives
// the hue, an asinh stretch of the weight the brightness (Lupton et al., PASP 116, 133, 2004), so that a core and a
// halo a thousand times fainter are both visible, and crowding turns neither white.
in vec2 uv;
out vec4 color;
uniform sampler2D picture;
uniform sampler2D glow;
uniform float exposure;
uniform vec2 origin;  // of the picture, in the framebuffer

const float softness = 6.0;                                // weights above 1 / softness are compressed
const vec3 background = vec3(0.0017, 0.0021, 0.0042);      // linear light: a very dark blue

vec3 stretched(vec4 light) {
  float weight = softness * exposure * light.a;
  float asinh_of_weight = log(weight + sqrt(weight * weight + 1.0));
  vec3 result = light.rgb * (asinh_of_weight / (softness * max(light.a, 1e-7)));
  // Colours brighter than the display pass into white instead of clipping to a primary.
  float peak = max(result.r, max(result.g, result.b));
  float above = 0.5 * max(peak - 0.55, 0.0);
  float white = above / (1.0 + above * (0.5 + above / 12.0));  // 1 - exp(-above)
  result = mix(result, vec3(peak), white);
  return result / max(1.0, max(result.r, max(result.g, result.b)));
}

#include "srgb.glsl"

// Half a step of noise, to prevent bands in the faint glow.
float noise() { return fract(52.9829189 * fract(dot(gl_FragCoord.xy - origin, vec2(0.06711056, 0.00583715)))) - 0.5; }

void main() {
  vec4 light = texelFetch(picture, ivec2(uv * vec2(textureSize(picture, 0))), 0) + texture(glow, uv);
  color = vec4(encoded(background + (1.0 - background) * stretched(light)) + noise() / 255.0, 1.0);
}
