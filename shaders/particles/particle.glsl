// A particle as a vertex.
layout(location = 0) in vec4 place_and_radius;
layout(location = 1) in vec4 quantities;  // speed, charge, energy, kind

#include "particle_look.glsl"
