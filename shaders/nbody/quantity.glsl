// What colours a body. `published` are its speed, acceleration, depth of the potential, and what was measured.
uniform int quantity;  // component of `published`; 4: the mass, 5: the origin
uniform int parts;     // of bodies of one origin …
uniform int part[32];  // … and where each begins

// e^k for the k-th part: the palette takes logarithms.
float quantity_of(int body, float mass, vec4 published) {
  if (quantity == 4) return mass;
  if (quantity < 4) return published[quantity];
  int own = 0;
  for (int k = 1; k < parts; ++k)
    if (body >= part[k]) own = k;
  return exp(float(own));
}
