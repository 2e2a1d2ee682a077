#version 430 core
// The bifurcation diagram, in the lowest rows of the picture: the visits of orbits, as light; and lines at the
// superstable points, which go up to the real axis.
out vec4 color;

uniform samplerBuffer values;  // by rows from the top: visits relative to the column's mean
uniform bool known;
uniform ivec2 from_size;  // of the values, columns and rows
uniform vec2 first;       // place in them of the diagram's top left corner …
uniform vec2 steps;       // … and step to the next pixel
uniform vec2 corner;      // of the picture: bottom left, in pixels
uniform float picture_height;
uniform float rows;  // of the diagram
uniform float zero;  // the row of x = 0
uniform float axis;  // the row of the real axis in the picture, from its top
uniform float pixel;
uniform float marks[16];  // columns
uniform int mark_count;

float value_at(ivec2 at) {
  if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, from_size))) return 0.0;
  return texelFetch(values, at.y * from_size.x + at.x).r;
}

// Interpolates four values where they are enlarged.
float value_between(vec2 place) {
  vec2 low = floor(place - 0.5), part = place - 0.5 - low;
  ivec2 at = ivec2(low);
  float above = mix(value_at(at), value_at(at + ivec2(1, 0)), part.x);
  float below = mix(value_at(at + ivec2(0, 1)), value_at(at + ivec2(1, 1)), part.x);
  return mix(above, below, part.y);
}

void main() {
  vec2 at = vec2(gl_FragCoord.x - corner.x, picture_height - (gl_FragCoord.y - corner.y));
  float row = at.y - (picture_height - rows);
  float near_mark = 1e9;
  for (int k = 0; k < mark_count; ++k) near_mark = min(near_mark, abs(at.x - marks[k]));
  float line = 1.0 - smoothstep(0.5 * pixel, pixel, near_mark);
  vec3 mark = vec3(1.0, 0.72, 0.35);
  if (row < 0.0) {
    float part = clamp((at.y - axis) / max(1.0, picture_height - rows - axis), 0.0, 1.0);
    color = vec4(mark, at.y > axis ? line * (0.15 + 0.3 * part) : 0.0);
    return;
  }
  vec3 ground = vec3(0.022, 0.027, 0.043);
  float visits = known ? value_between(first + steps * vec2(at.x, row)) : 0.0;
  float light = min(1.0, log2(1.0 + visits) / 5.5);
  vec3 shown = ground + (1.0 - ground) * vec3(light * light, pow(light, 1.3), pow(light, 0.7));
  shown += 0.06 * (1.0 - smoothstep(0.5 * pixel, pixel, abs(row - zero)));
  shown = mix(shown, mark, 0.45 * line * (1.0 - light));
  float edge = 1.0 - smoothstep(0.5 * pixel, 1.5 * pixel, row);
  color = vec4(mix(shown, vec3(0.35, 0.38, 0.44), edge), 1.0);
}
