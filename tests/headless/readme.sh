#!/usr/bin/env bash
# The world that README.md shows is one: its dumbbells fall, stay together, and come to rest on the floor.
#   usage: readme.sh PATH-TO-ORRERY SOURCE-FOLDER
set -euo pipefail
orrery=$(realpath "$1")
readme=$(realpath "$2")/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

awk '/^```toml/ { inside = 1; next } /^```/ { inside = 0 } inside' "$readme" >world.toml
"$orrery" particles world.toml --steps 8000 --burst 8000 --out end.csv >said.txt
# Between floor (−15) and top; bonds of 0.97, pairs in the order of the file; in equilibrium the weight of what is above
# presses the lowest together, and 0.5 kT holds up a column whose mean height is a few lengths.
awk -F, 'NR == 1 { for (f = 1; f <= NF; ++f) at[$f] = f; next }
  { x[NR] = $at["x"]; y[NR] = $at["y"]; z[NR] = $at["z"]; ++count; height += z[NR] + 15
    if (z[NR] < -17 || z[NR] > 20) { print "FAILED: particle " NR - 2 " at z = " z[NR]; bad = 1 } }
  function near(d, side) { return d - side * int(d / side + (d < 0 ? -0.5 : 0.5)) }
  END {
    for (i = 2; i < count + 2; i += 2) {
      dx = near(x[i + 1] - x[i], 20); dy = near(y[i + 1] - y[i], 20); dz = near(z[i + 1] - z[i], 40)
      length_of = sqrt(dx * dx + dy * dy + dz * dz)
      if (length_of < 0.7 || length_of > 1.25) { print "FAILED: a bond of " length_of; bad = 1 }
    }
    print count, "particles, mean height", height / count
    if (count != 1000 || height / count > 5) { print "FAILED"; bad = 1 }
    exit bad }' end.csv
