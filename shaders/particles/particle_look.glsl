// The size and the colour of a particle, from its published values.
uniform mat4 view;
uniform mat4 projection;
uniform float focal_pixels;  // pixels of a length of 1 at a depth of 1
uniform float grown;         // factor of the radius
uniform float largest;       // pixels
uniform int quantity;        // 0 speed, 1 kind, 2 charge, 3 energy
uniform vec2 ramp;           // scale and offset of the quantity along the palette
uniform sampler2D palette;
uniform vec3 kinds[32];

const vec3 negative = vec3(0.07, 0.24, 0.85), neutral = vec3(0.62), positive = vec3(0.85, 0.11, 0.07);

vec3 color_of(vec4 q) {
  if (quantity == 1) return kinds[int(q.w + 0.5) % 32];
  if (quantity == 2) {
    float charge = clamp(q.y * ramp.x, -1.0, 1.0);
    return mix(neutral, charge < 0.0 ? negative : positive, sqrt(abs(charge)));
  }
  float at = (quantity == 3 ? q.z : q.x) * ramp.x + ramp.y;
  return texture(palette, vec2(clamp(at, 0.002, 0.998), 0.5)).rgb + 0.012;
}

float size_in_pixels(float radius, float depth) { return clamp(2.0 * radius * focal_pixels / max(depth, 1e-6) + 1.0, 1.5, largest); }
