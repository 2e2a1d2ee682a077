// The quantity that colours a body. `published`: speed, acceleration, depth of the potential, and the measured value.
uniform int quantity;     // component of `published`; 4: the mass, 5: value of its part
uniform int parts;        // of bodies of one origin or age …
uniform int part[32];     // … where each begins …
uniform float value[32];  // … and its value: the palette takes logarithms

float quantity_of(int body, float mass, vec4 published) {
  if (quantity == 4) return mass;
  if (quantity < 4) return published[quantity];
  int own = 0;
  for (int k = 1; k < parts; ++k)
    if (body >= part[k]) own = k;
  return parts > 0 ? exp(value[own]) : 1.0;
}
