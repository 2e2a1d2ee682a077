#version 430 core
// A shape of the world as triangles: a unit form of 6 vertices a quad, stretched, turned and moved.
uniform mat4 view;
uniform mat4 projection;
uniform int form;     // 0 sphere, 1 box, 2 cylinder, 3 plane
uniform int around;   // quads round a sphere or a cylinder
uniform vec3 center;
uniform vec3 axis;    // direction of the form's z
uniform vec3 size;

out vec3 at;      // in camera coordinates
out vec3 normal;  // in camera coordinates
out vec3 within;  // the form, in lengths

const float turn = 6.283185307;

vec3 round_form(float along, float share) { return vec3(cos(turn * share), sin(turn * share), along); }

void main() {
  int quad = gl_VertexID / 6, corner = gl_VertexID % 6;
  ivec2 step_ = ivec2(corner == 1 || corner == 2 || corner == 4 ? 1 : 0, corner == 2 || corner >= 4 ? 1 : 0);
  vec3 p, n;
  if (form == 0) {
    ivec2 cell = ivec2(quad % around, quad / around) + step_;
    float polar = turn * float(cell.y) / float(around);  // half as many rows as columns
    n = vec3(sin(polar) * round_form(0.0, float(cell.x) / float(around)).xy, cos(polar));
    p = n;
  } else if (form == 1) {
    int side = quad / 2;
    n = vec3(0.0);
    n[side] = quad % 2 == 0 ? 1.0 : -1.0;
    p = n;
    p[(side + 1) % 3] = 2.0 * float(step_.x) - 1.0;
    p[(side + 2) % 3] = 2.0 * float(step_.y) - 1.0;
  } else if (form == 2) {
    int part = quad / around;  // the side and two ends
    vec3 rim = round_form(0.0, float(quad % around + step_.x) / float(around));
    float end = part == 1 ? 1.0 : -1.0;
    n = part == 0 ? rim : vec3(0.0, 0.0, end);
    p = part == 0 ? vec3(rim.xy, 2.0 * float(step_.y) - 1.0) : vec3(rim.xy * float(step_.y), end);
  } else {
    n = vec3(0.0, 0.0, 1.0);
    p = vec3(2.0 * vec2(step_) - 1.0, 0.0);
  }
  vec3 side = normalize(abs(axis.z) < 0.9 ? cross(vec3(0.0, 0.0, 1.0), axis) : cross(axis, vec3(0.0, 1.0, 0.0)));
  mat3 turned = mat3(side, cross(axis, side), axis);
  within = size * p;
  at = (view * vec4(center + turned * within, 1.0)).xyz;
  normal = mat3(view) * (turned * (n / size));
  gl_Position = projection * vec4(at, 1.0);
}
