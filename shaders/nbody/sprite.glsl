// The size of a body on the screen. Drawing, marking and picking include this file, so that they agree.
uniform float focal_pixels;  // pixels of a length of 1 at a depth of 1
uniform float diameter;      // of a body of mean mass, as a length
uniform float mean_mass;
uniform float smallest;      // least size of a sprite in pixels …
uniform float comfortable;   // … above it, growth by the root only, so that near ones do not fill the view …
uniform float largest;       // … and the largest size

// A body that has merged into another one has the mass −0.
bool is_gone(float mass) { return floatBitsToUint(mass) == 0x80000000u; }

// The size by perspective, in pixels.
float apparent_size(float mass, float depth) {
  float relative = clamp(mass / mean_mass, 0.2, 64.0);
  return diameter * pow(relative, 1.0 / 3.0) * focal_pixels / max(depth, 1e-6);
}

float sprite_size(float apparent) {
  return clamp(apparent > comfortable ? sqrt(apparent * comfortable) : apparent, smallest, largest);
}
