#version 430 core
// Smooth values of up to two pictures, each of its own view, reprojected to this view and coloured.
in vec2 uv;
out vec4 color;

uniform vec2 origin;   // of the viewport, in pixels
uniform float height;  // of the viewport

// A picture: its values by rows from the top, its size (0: there is none), and where a pixel of this view lies in it.
uniform samplerBuffer first;
uniform vec2 first_size;
uniform vec3 first_map;  // scale, x, y
uniform int first_aligned;
uniform samplerBuffer second;
uniform vec2 second_size;
uniform vec3 second_map;
uniform int second_aligned;

uniform sampler2D ramp;
uniform int color_scale;  // 0 log, 1 square root, 2 linear, 3 classic
uniform float density;
uniform float offset;
uniform vec3 interior;

uniform vec4 box;  // from, to
uniform float box_line;

const float interior_limit = -1e29;  // below: interior
const float unknown_limit = -2e38;   // below: not known yet

float texel(samplerBuffer values, vec2 size, vec2 at) {
  ivec2 p = ivec2(clamp(at, vec2(0.0), size - 1.0));
  return texelFetch(values, p.y * int(size.x) + p.x).x;
}

// Between pixels the four neighbours are mixed where all are outside the set, else the nearest counts.
float value(samplerBuffer values, vec2 size, vec3 map, bool aligned, vec2 pixel) {
  vec2 at = map.x * pixel + map.yz;
  if (aligned) return texel(values, size, floor(at + 0.001));
  vec2 corner = floor(at - 0.5);
  vec2 part = at - 0.5 - corner;
  float a = texel(values, size, corner), b = texel(values, size, corner + vec2(1, 0));
  float c = texel(values, size, corner + vec2(0, 1)), d = texel(values, size, corner + vec2(1, 1));
  if (min(min(a, b), min(c, d)) < interior_limit) return part.y < 0.5 ? (part.x < 0.5 ? a : b) : (part.x < 0.5 ? c : d);
  return mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
}

bool covers(vec2 size, vec3 map, vec2 pixel) {
  vec2 at = map.x * pixel + map.yz;
  return all(greaterThanEqual(at, vec2(0.0))) && all(lessThan(at, size));
}

float value_at(vec2 pixel) {
  float v = -3e38;
  if (covers(first_size, first_map, pixel)) v = value(first, first_size, first_map, first_aligned != 0, pixel);
  if (v > unknown_limit) return v;
  if (covers(second_size, second_map, pixel)) v = value(second, second_size, second_map, second_aligned != 0, pixel);
  if (v > unknown_limit) return v;
  // Outside of both: the nearest pixel that is known stands in for a moment.
  if (second_size.x > 0.0) v = texel(second, second_size, second_map.x * pixel + second_map.yz);
  if (v > unknown_limit) return v;
  if (first_size.x > 0.0) v = texel(first, first_size, first_map.x * pixel + first_map.yz);
  return v;
}

vec3 color_of(float v) {
  if (v < interior_limit) return interior;
  if (color_scale == 3) {
    float s = density * v + offset;
    return clamp(1.5 - abs(s - vec3(0.75, 0.5, 0.25)) * 4.0, 0.0, 255.0 / 256.0) * (256.0 / 255.0);
  }
  float w = max(v, 0.0);
  if (color_scale == 0) w = log2(1.0 + w);
  if (color_scale == 1) w = sqrt(w);
  return textureLod(ramp, vec2(density * w + offset, 0.5), 0.0).rgb;
}

vec3 with_box(vec3 below, vec2 pixel) {
  vec2 outside = max(box.xy - pixel, pixel - box.zw);
  float edge = max(outside.x, outside.y);
  if (abs(edge) <= box_line) return vec3(1.0);
  return edge > 0.0 ? 0.55 * below : below;
}

void main() {
  vec2 pixel = vec2(gl_FragCoord.x - origin.x, height - (gl_FragCoord.y - origin.y));
  vec3 rgb = color_of(value_at(pixel));
  if (box_line > 0.0) rgb = with_box(rgb, pixel);
  color = vec4(rgb, 1.0);
}
