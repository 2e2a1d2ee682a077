// Conway's Life on a torus of side × side cells, each one white or black pixel.

constant uint alive = 0xffe8f0ff, dead = 0xff140f0a;

// PCG of the cell's number: the same seed gives the same cells on every device.
kernel void life_seed(global uint* cells, const uint side, const uint seed, const float density) {
  const uint i = get_global_id(1) * side + get_global_id(0);
  uint state = (i + seed * 0x9e3779b9u) * 747796405u + 2891336453u;
  state = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
  cells[i] = (float)(((state >> 22) ^ state) >> 8) < density * 0x1p24f ? alive : dead;
}

kernel void life_step(global const uint* cells, global uint* next, const uint side) {
  const uint x = get_global_id(0), y = get_global_id(1);
  uint neighbours = 0;
  for (uint dy = side - 1; dy <= side + 1; ++dy)
    for (uint dx = side - 1; dx <= side + 1; ++dx)
      neighbours += (dx != side || dy != side) && cells[(y + dy) % side * side + (x + dx) % side] == alive;
  const bool lives = neighbours == 3 || (neighbours == 2 && cells[y * side + x] == alive);
  next[y * side + x] = lives ? alive : dead;
}
