// The profile of a sprite. Small sprites are a tent two pixels wide, whose parts in the touched pixels add up to 1.
// Larger ones are a core in a faint halo, or, where bodies are few, a disc in a halo.
const float tent_size = 2.0, round_size = 4.5;  // pixels
const float disc_radius = 0.26;                 // of the sprite's

float tent(vec2 p) { return max(0.0, 1.0 - abs(p.x)) * max(0.0, 1.0 - abs(p.y)); }

float star(float r2, float size) {
  float w = max(0.0, 1.0 - r2);
  float w2 = w * w, w4 = w2 * w2;
  return 0.12 * w2 + 0.88 * w4 * mix(1.0, w4, smoothstep(4.0, 9.0, size));
}

float disc_and_halo(float r2, float size) {
  float r = sqrt(r2), edge = 1.5 / size;
  float inside = 1.0 - smoothstep(disc_radius - edge, disc_radius + edge, r);
  float limb = sqrt(max(0.0, 1.0 - r2 / (disc_radius * disc_radius)));
  float w = max(0.0, 1.0 - r);
  return inside * (0.6 + 0.9 * limb) + 0.16 * w * w * w;
}

// The profile at p from the middle, in halves of the sprite's size; the size is in pixels.
float profile_of(vec2 p, float size, float disc) {
  float r2 = dot(p, p);
  float profile = mix(tent(p), star(r2, size), smoothstep(tent_size, round_size, size));
  return disc > 0.0 ? mix(profile, disc_and_halo(r2, size), disc) : profile;
}
