#version 430 core
// The smooth values of one picture, coloured.
//
// Definitions, so that software renderers, which run both sides of a branch, compute only the necessary parts:
//   SHADED   light on the slopes of ν, or darkness near the set
//   DETAIL   the picture carries a second plane: the distance to the set in pixels, or an interior pixel's period
//   CLASSIC  the palette of that name, which is a formula
//   CASCADE  some of the picture is near the Feigenbaum point, where colours follow log ν
//   LIGHT    the output is linear light, to be added to other samples; else it is encoded as sRGB
//
// Unknown pixels are transparent.
out vec4 color;

uniform samplerBuffer values;  // by rows from the top
uniform ivec2 size;
uniform int grid;  // spacing of the drawn pixels, one a fragment
uniform bool refines;  // draws only the parts of the coarser grid beside new pixels
uniform float unknown_limit;  // lower values are unknown

uniform sampler2D ramp;    // linear light
uniform sampler2D ranks;   // the part of the picture below a value
uniform float rank_origin;
uniform int color_scale;  // 0 log, 1 square root, 2 linear, 3 histogram
uniform float density;
uniform float offset;
uniform float palette_offset;  // the setting
uniform vec3 interior;  // linear light
uniform bool by_period;

uniform vec2 cascade_middle;  // of the picture, from the Feigenbaum point …
uniform vec4 cascade_steps;   // … and from a pixel to its neighbours on the right and above
uniform float one;              // an iteration, in the units of the values
uniform float cascade_density;  // cycles per factor of two …
uniform float cascade_offset;   // … and at one unit
uniform float cascade_pivot;    // iterations at which a slope counts the same in both scales

uniform vec3 light;     // direction towards it; .z is up from the paper
uniform float relief;   // slope of the relief for one unit per pixel
uniform float slopes;   // strength of each shading, 0 … 1
uniform float distances;
uniform float ink;      // distance in pixels at which half the darkness is left

const float interior_limit = -1e29;  // lower values are interior
const float steepest = 0.9;  // slope of the relief for an infinite slope of ν
const float darkest = 0.2;   // light next to the set: near c∞ this is the whole picture
const float golden = 0.61803399, folded = 77.0;
const float interior_light_part = 0.35;

float value_at(ivec2 p) { return texelFetch(values, p.y * size.x + p.x).x; }

// A single known pixel among unknown ones would be a dot.
bool alone(ivec2 p) {
  if (((p.x | p.y) & (2 * grid - 1)) != 0) return false;
  ivec2 low = max(p - grid, ivec2(0)), high = min(p + grid, (size - 1) / grid * grid);
  float across = max(value_at(ivec2(low.x, p.y)), value_at(ivec2(high.x, p.y)));
  float along = max(value_at(ivec2(p.x, low.y)), value_at(ivec2(p.x, high.y)));
  return max(across, along) < unknown_limit;
}

vec3 encoded(vec3 rgb) {
  return mix(12.92 * rgb, 1.055 * pow(rgb, vec3(1.0 / 2.4)) - 0.055, greaterThan(rgb, vec3(0.0031308)));
}
vec3 decoded(vec3 rgb) {
  return mix(rgb / 12.92, pow((rgb + 0.055) / 1.055, vec3(2.4)), greaterThan(rgb, vec3(0.04045)));
}

#ifdef CASCADE
// The weight of log ν, 0 … 1: cascade_part() of coloring.hpp.
float cascade_at(ivec2 p) {
  vec2 away = vec2(p) + 0.5 - 0.5 * vec2(size);
  float from_point = length(cascade_middle + away.x * cascade_steps.xy - away.y * cascade_steps.zw);
  float level = (log2(0.7) - log2(max(from_point, 1e-14))) / 2.2231759;
  return smoothstep(2.0, 4.5, level);
}
#endif

vec3 palette_color(float v, float cascade) {
  float w = max(v, 0.0);
#ifdef CLASSIC
  vec3 distance_to_peak = abs(density * v + offset - vec3(0.75, 0.5, 0.25));
  return decoded(floor(clamp(384.0 - 1024.0 * distance_to_peak, 0.0, 255.0)) / 255.0);
#else
  float rank = texture(ranks, vec2(log2(1.0 + max(v - rank_origin, 0.0)) / 32.0, 0.5)).x;
  float scaled = color_scale == 0 ? log2(1.0 + w) : color_scale == 1 ? sqrt(w) : color_scale == 2 ? w : rank;
  float phase = density * scaled + offset;
#ifdef CASCADE
  phase = mix(phase, cascade_density * log2(one + w) + cascade_offset, cascade);
#endif
  return texelFetch(ramp, ivec2(int(fract(phase) * 1024.0) & 1023, 0), 0).rgb;
#endif
}

#ifdef DETAIL
// Consecutive periods are far apart in the palette. Large ones are folded, because floats do not distinguish them.
vec3 period_color(float period) {
  float beyond = max(floor(log2(period)) - 10.0, 0.0);
  float phase = golden * (floor(period * exp2(-beyond)) + folded * beyond) + palette_offset;
  return interior_light_part * texelFetch(ramp, ivec2(int(fract(phase) * 1024.0) & 1023, 0), 0).rgb;
}
#endif

#ifdef SHADED
// The slope of ν per pixel. It is 0 across the set's boundary.
vec2 slope_at(ivec2 p, int stride) {
  ivec2 low = max(p - stride, ivec2(0)), high = p + stride;
  high = ivec2(high.x < size.x ? high.x : p.x, high.y < size.y ? high.y : p.y);
  float left = value_at(ivec2(low.x, p.y)), right = value_at(ivec2(high.x, p.y));
  float above = value_at(ivec2(p.x, low.y)), below = value_at(ivec2(p.x, high.y));
  vec2 rise = vec2(right - left, above - below) / vec2(max(high - low, ivec2(1)));
  return vec2(min(left, right) < interior_limit ? 0.0 : rise.x, min(above, below) < interior_limit ? 0.0 : rise.y);
}

// Near the set the distance is about 1 / (2 ln 2 |grad ν|) pixels: |grad ν| = |grad G| / (G ln 2), G the potential.
vec3 shaded(vec3 rgb, vec2 slope, float known_distance) {
  float rise = max(length(slope), 1e-6), steep = relief * rise;
  vec3 normal = normalize(vec3(-slope * (steepest * steep / (1.0 + steep) / rise), 1.0));
  float lit = max(dot(normal, light), 0.0) / light.z;
  float away = known_distance > 0.0 ? 0.5 * known_distance : 0.7213 / rise;
  float dark = mix(darkest, 1.0, away / (away + ink));
  return rgb * mix(1.0, lit, slopes) * mix(1.0, dark, distances);
}
#endif

void main() {
  int rows = (size.y + grid - 1) / grid;
  ivec2 p = grid * ivec2(int(gl_FragCoord.x), rows - 1 - int(gl_FragCoord.y));
  float v = value_at(p);
  if (v < unknown_limit || (refines && alone(p))) {
    color = vec4(0.0);
    return;
  }
  float known_distance = 0.0;
  vec3 inside = interior;
#ifdef DETAIL
  float detail = texelFetch(values, size.x * size.y + p.y * size.x + p.x).x;
  known_distance = v < interior_limit ? 0.0 : detail;
  if (by_period && detail >= 1.0) inside = period_color(detail);
#endif
#ifdef CASCADE
  float cascade = cascade_at(p);
#else
  const float cascade = 0.0;
#endif
  vec3 rgb = palette_color(v, cascade);
#ifdef SHADED
  vec2 slope = slope_at(p, grid);
#ifdef CASCADE
  slope *= mix(1.0, cascade_pivot / (one + max(v, 0.0)), cascade);
#endif
  rgb = shaded(rgb, slope, known_distance);
#endif
  rgb = v < interior_limit ? inside : rgb;
#ifdef LIGHT
  color = vec4(min(rgb, vec3(1.0)), 1.0);
#else
  color = vec4(encoded(min(rgb, vec3(1.0))), 1.0);
#endif
}
