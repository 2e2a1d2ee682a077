#version 430 core
// Smooth values of up to two pictures, each of its own view, reprojected to this view and coloured.
//
// Software renderers run both sides of every branch, so that what counts here is the number of fetches.
out vec4 color;

uniform vec2 origin;   // of the viewport, in pixels
uniform float height;  // of the viewport

// A picture: its values by rows from the top, its size (0: there is none), and where a pixel of this view lies in it.
uniform samplerBuffer first;
uniform vec2 first_size;
uniform vec3 first_map;  // scale, x, y
uniform samplerBuffer second;
uniform vec2 second_size;
uniform vec3 second_map;

uniform sampler2D ramp;
uniform int color_scale;  // 0 log, 1 square root, 2 linear, 3 classic
uniform float density;
uniform float offset;
uniform vec3 interior;

uniform vec4 box;  // from, to
uniform float box_line;

const float interior_limit = -1e29;  // below: interior
const float unknown_limit = -2e38;   // below: not known yet
const float unknown = -3e38;

float texel(samplerBuffer values, vec2 size, vec2 at) {
  ivec2 p = ivec2(clamp(at, vec2(0.0), size - 1.0));
  return texelFetch(values, p.y * int(size.x) + p.x).x;
}

// Between pixels the four neighbours are mixed where all are outside the set, else the nearest counts.
float mixed(samplerBuffer values, vec2 size, vec2 at) {
  vec2 corner = floor(at - 0.5);
  vec2 part = at - 0.5 - corner;
  float a = texel(values, size, corner), b = texel(values, size, corner + vec2(1, 0));
  float c = texel(values, size, corner + vec2(0, 1)), d = texel(values, size, corner + vec2(1, 1));
  float nearest = part.y < 0.5 ? (part.x < 0.5 ? a : b) : (part.x < 0.5 ? c : d);
  return min(min(a, b), min(c, d)) < interior_limit ? nearest : mix(mix(a, b, part.x), mix(c, d, part.x), part.y);
}

bool covers(vec2 size, vec2 at) { return all(greaterThanEqual(at, vec2(0.0))) && all(lessThan(at, size)); }

// The first picture where it knows the point, else the second; outside of both, the nearest pixel of one stands in.
float value_at(vec2 pixel) {
  vec2 at_first = first_map.x * pixel + first_map.yz, at_second = second_map.x * pixel + second_map.yz;
  float a = first_size.x > 0.0 ? mixed(first, first_size, at_first) : unknown;
  float b = second_size.x > 0.0 ? texel(second, second_size, at_second) : unknown;
  bool a_known = a > unknown_limit, b_known = b > unknown_limit;
  if (a_known && (covers(first_size, at_first) || !b_known)) return a;
  return b_known && (covers(second_size, at_second) || !a_known) ? b : max(a, b);
}

vec3 color_of(float v) {
  float w = max(v, 0.0);
  float scaled = color_scale == 0 ? log2(1.0 + w) : color_scale == 1 ? sqrt(w) : w;
  float phase = color_scale == 3 ? density * v + offset : fract(density * scaled + offset);
  vec3 rgb = color_scale == 3 ? clamp(1.5 - abs(phase - vec3(0.75, 0.5, 0.25)) * 4.0, 0.0, 255.0 / 256.0) * (256.0 / 255.0)
                              : texelFetch(ramp, ivec2(int(phase * 1024.0) & 1023, 0), 0).rgb;
  return v < interior_limit ? interior : rgb;
}

vec3 with_box(vec3 below, vec2 pixel) {
  vec2 outside = max(box.xy - pixel, pixel - box.zw);
  float edge = max(outside.x, outside.y);
  return abs(edge) <= box_line ? vec3(1.0) : edge > 0.0 ? 0.55 * below : below;
}

void main() {
  vec2 pixel = vec2(gl_FragCoord.x - origin.x, height - (gl_FragCoord.y - origin.y));
  vec3 rgb = color_of(value_at(pixel));
  color = vec4(box_line > 0.0 ? with_box(rgb, pixel) : rgb, 1.0);
}
