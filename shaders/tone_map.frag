#version 430 core
// Light to display values: an asinh stretch of the intensity that keeps the hue (Lupton et al., PASP 116, 133, 2004),
// so that a core and a halo a thousand times fainter are seen together.
in vec2 uv;
out vec4 color;
uniform sampler2D picture;
uniform sampler2D near_glow;
uniform sampler2D far_glow;
uniform float exposure;

const float softness = 6.0;                                // intensities above 1 / softness are compressed
const vec3 background = vec3(0.0017, 0.0021, 0.0042);      // linear light: a very dark blue

vec3 stretched(vec3 light) {
  float intensity = dot(light, vec3(1.0 / 3.0)) + 1e-7;
  float wanted = asinh(softness * intensity) / softness;
  vec3 result = light * (wanted / intensity);
  // What is brighter than the display goes over into white instead of clipping to a primary.
  float peak = max(result.r, max(result.g, result.b));
  float white = 1.0 - exp(-0.5 * max(peak - 0.55, 0.0));
  result = mix(result, vec3(peak), white);
  return result / max(1.0, max(result.r, max(result.g, result.b)));
}

vec3 encoded(vec3 linear) {
  return mix(12.92 * linear, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, linear));
}

// Half a step of noise, so that the faint glow shows no bands.
float noise() { return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5; }

void main() {
  vec3 light = texture(picture, uv).rgb + 0.55 * texture(near_glow, uv).rgb + 0.40 * texture(far_glow, uv).rgb;
  vec3 shown = stretched(exposure * light);
  color = vec4(encoded(background + (1.0 - background) * shown) + noise() / 255.0, 1.0);
}
