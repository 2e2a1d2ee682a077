// Linear light to display values.
vec3 encoded(vec3 linear) {
  return mix(12.92 * linear, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, linear));
}
