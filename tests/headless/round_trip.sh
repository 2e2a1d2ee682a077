#!/usr/bin/env bash
# The headless commands end to end: their files have the promised form and can be read back.
#   usage: round_trip.sh PATH-TO-ORRERY
set -euo pipefail
orrery=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "$*"; exit 1; }

"$orrery" devices >devices.txt
"$orrery" devices --json | python3 -c 'import json,sys; d=json.load(sys.stdin); assert d["platforms"][0]["devices"][0]["compute_units"] >= 1'

# Bodies: order and values survive .csv → .npy → .csv bit for bit.
"$orrery" nbody --bodies 37 --initial plummer --seed 7 --steps 0 --precision double --out a.csv
[[ $(head -1 a.csv) == mass,x,y,z,vx,vy,vz ]] || fail "header: $(head -1 a.csv)"
[[ $(wc -l <a.csv) -eq 38 ]] || fail "a body a row"
"$orrery" nbody --initial a.csv --steps 0 --precision double --out b.npy
"$orrery" nbody --initial b.npy --steps 0 --precision double --out c.csv
cmp a.csv c.csv || fail "bodies changed on the way through files"

# The device's largest work-group (PoCL computes it on a thread's stack) gives the bits of a small one.
largest=$("$orrery" devices --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["platforms"][0]["devices"][0]["max_work_group"])')
for group in 64 "$largest"; do
  "$orrery" nbody --bodies 600 --initial plummer --seed 5 --work-group "$group" --steps 5 --out "group-$group.csv" --diagnostics d.csv >/dev/null
done
cmp group-64.csv "group-$largest.csv" || fail "a work-group of $largest computes other bodies"

# Tipsy: reads Python's files in both byte orders, and writes files that Python reads.
python3 - <<'PYTHON'
import struct
for order, name in ((">", "big"), ("<", "little")):
    gas, dark, star = [1, 2, 3, 4, 5, 6, 7] + [0] * 5, [2, 0, 0, 0, 0, 0, 0.25] + [0] * 2, [0.5, -1, 0, 9, 0, 0, 0] + [0] * 4
    data = struct.pack(order + "d6i", 1.5, 3, 3, 1, 1, 1, 0) + b"".join(struct.pack(f"{order}{len(p)}f", *p) for p in (gas, dark, star))
    open(f"{name}.tipsy", "wb").write(data)
PYTHON
"$orrery" nbody --initial big.tipsy --steps 0 --out big.csv
"$orrery" nbody --initial little.tipsy --steps 0 --out little.csv
cmp big.csv little.csv || fail "the byte order changed the bodies"
[[ $(tail -3 big.csv | tr '\n' ' ') == "1,2,3,4,5,6,7 2,0,0,0,0,0,0.25 0.5,-1,0,9,0,0,0 " ]] || fail "$(cat big.csv)"
"$orrery" nbody --initial big.csv --steps 4 --dt 0.25 --softening 0.5 --out end.tipsy >said.txt
"$orrery" nbody --initial big.csv --steps 4 --dt 0.25 --softening 0.5 --out end.csv
grep -q "softening 0.5" said.txt || fail "does not say what is in use: $(cat said.txt)"
python3 - <<'PYTHON'
import csv, struct
data = open("end.tipsy", "rb").read()
assert struct.unpack(">d6i", data[:32]) == (1.0, 3, 3, 0, 3, 0, 0), data[:32]
rows = list(csv.reader(open("end.csv")))[1:]
for i, row in enumerate(rows):
    particle = struct.unpack(">9f", data[32 + 36 * i : 68 + 36 * i])
    assert particle[:7] == struct.unpack("7f", struct.pack("7f", *map(float, row))), (particle, row)
    assert particle[7:] == (0.5, 0.0), particle
assert len(data) == 32 + 36 * len(rows)
PYTHON

# Diagnostics: one row per published frame.
"$orrery" nbody --bodies 37 --steps 10 --burst 5 --diagnostics d.csv --out e.csv
[[ $(head -1 d.csv) == step,time,kinetic,potential,total,px,py,pz,lx,ly,lz,virial,hash ]] || fail "$(head -1 d.csv)"
[[ $(wc -l <d.csv) -eq 4 ]] || fail "expected the start and two bursts: $(cat d.csv)"
[[ $(tail -1 d.csv | cut -d, -f1) == 10 ]] || fail "last step: $(tail -1 d.csv)"

# Pictures: the three formats agree.
"$orrery" mandelbrot --size 65x33 --out m.npy
"$orrery" mandelbrot --size 65x33 --precision double --palette classic --out m.ppm
"$orrery" mandelbrot --size 65x33 --precision double --palette classic --out m.png
python3 - <<'PYTHON'
import ast, struct
data = open("m.npy", "rb").read()
length = struct.unpack("<H", data[8:10])[0]
header = ast.literal_eval(data[10:10 + length].decode())
assert header == {"descr": "<f8", "fortran_order": False, "shape": (33, 65)}, header
nu = struct.unpack("<%dd" % (33 * 65), data[10 + length:])
ppm = open("m.ppm", "rb").read()
assert ppm.startswith(b"P6\n65 33\n255\n"), ppm[:20]
pixels = ppm[len(b"P6\n65 33\n255\n"):]
assert len(pixels) == 3 * 33 * 65
def channel(t):
    return max(0, min(255, int(1.5 * 256 - abs(t) * 4 * 256)))
for i, v in enumerate(nu):
    expected = (0, 0, 0) if v == -1 else tuple(channel(v / 100 - o) for o in (0.75, 0.5, 0.25))
    assert all(abs(a - b) <= 1 for a, b in zip(expected, pixels[3 * i:3 * i + 3])), (i, v, expected, pixels[3 * i:3 * i + 3])
assert any(v == -1 for v in nu) and any(v > 0 for v in nu)
PYTHON
[[ $(head -c 4 m.png | tail -c 3) == PNG ]] || fail "no PNG"

[[ -z $(find . -name '*.part') ]] || fail "a temporary was left behind"
echo "files hold what they promise"
