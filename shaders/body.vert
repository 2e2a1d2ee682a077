#version 430 core
// A body as a round sprite: its size in pixels by perspective, its colour by the chosen quantity.
layout(location = 0) in vec4 position_and_mass;
layout(location = 1) in vec4 quantities;  // speed, acceleration, depth of the potential

uniform mat4 view;
uniform mat4 projection;
uniform float focal_pixels;   // pixels of a length of 1 at a depth of 1
uniform float diameter;       // of a body of mean mass, as a length
uniform float mean_mass;
uniform float smallest;       // pixels; what is smaller fades instead
uniform float surface_light;  // brightness in the middle of a sprite
uniform int quantity;         // component of `quantities`; 3 is the mass
uniform vec2 log_range;       // of the quantity: low, and 1 / (high − low)
uniform sampler2D palette;

out vec3 light;

const float comfortable = 12.0;  // pixels; beyond, sprites grow by the root, so that a near one does not fill the view

float chosen_quantity() { return quantity == 3 ? position_and_mass.w : quantities[quantity]; }

void main() {
  vec4 seen = view * vec4(position_and_mass.xyz, 1.0);
  gl_Position = projection * seen;
  float mass = clamp(position_and_mass.w / mean_mass, 0.2, 64.0);
  float pixels = diameter * pow(mass, 1.0 / 3.0) * focal_pixels / max(-seen.z, 1e-6);
  float fade = min(1.0, pixels / smallest);
  pixels = pixels > comfortable ? sqrt(pixels * comfortable) : pixels;
  gl_PointSize = max(pixels, smallest);
  float at = (log(max(chosen_quantity(), 1e-30)) - log_range.x) * log_range.y;
  light = texture(palette, vec2(clamp(at, 0.002, 0.998), 0.5)).rgb * surface_light * fade * fade;
}
