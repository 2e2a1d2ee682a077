#!/usr/bin/env bash
# The n-body benchmark: its file has the promised keys, and a wrong kernel is a failure that names the configuration,
# never a number.
#   usage: bench_nbody.sh PATH-TO-ORRERY PATH-TO-SOURCE
set -euo pipefail
orrery=$(realpath "$1")
source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "$*"; exit 1; }

"$orrery" bench nbody --bodies 300 --precision single,mixed,double --forces gather,pairs --seconds 0 --json good.json >good.txt
python3 - <<'PYTHON'
import json
document = json.load(open("good.json"))
assert document["device"] and "driver" in document, document
rows = document["results"]
for row in rows:
    for key in ("name", "parameters", "median_seconds", "runs", "rate", "unit", "bound", "bound_reason"):
        assert key in row, (key, row)
    assert row["unit"] == "interactions/s" and row["runs"] >= 3 and row["median_seconds"] > 0, row
    assert abs(row["rate"] * row["median_seconds"] - 300 * 300) < 1e-6 * 300 * 300, row
    assert 0 < row["parameters"]["error"] <= row["parameters"]["tolerance"] < 1e-2, row
timed = {(row["parameters"]["precision"], row["parameters"].get("forces", row["name"])) for row in rows}
for precision in ("single", "mixed", "double"):
    assert {(precision, "gather"), (precision, "pairs")} <= timed, timed
assert ("single", "nbody tutorial kernel") in timed and ("double", "nbody tutorial kernel") in timed, timed
assert all("times_tutorial" in row["parameters"] for row in rows if row["name"] == "nbody"), rows
PYTHON

# A tree's row has the percentiles of its errors, and no target error if the angle is given.
"$orrery" bench nbody --bodies 3000 --forces tree --precision single --seconds 0 --no-baselines --json tree.json >tree.txt
"$orrery" bench nbody --bodies 3000 --forces tree --precision single --opening-angle 0.7 --order monopole --seconds 0 \
  --no-baselines --json angle.json >angle.txt
python3 - <<'PYTHON'
import json
for file in ("tree.json", "angle.json"):
    row, = json.load(open(file))["results"]
    told = row["parameters"]
    assert row["unit"] == "bodies/s", row
    assert 0 < told["error_median"] < told["error_90"] < told["error"] <= told["error_largest"] < 0.2, row
    assert ("tolerance" in told) == ("force_error" in told) != ("opening_angle" in told), row
PYTHON

# Several devices against the first of them.
"$orrery" bench nbody --split 2 --bodies 300 --precision single --forces gather --seconds 0 --no-baselines --json split.json >split.txt
python3 - <<'PYTHON'
import json
alone, together = json.load(open("split.json"))["results"]
assert "devices" not in alone["parameters"] and together["parameters"]["devices"] == 2, (alone, together)
assert together["parameters"]["times_one_device"] > 0, together
PYTHON

# planted FILE PATTERN REPLACEMENT NAME: the configuration NAME must be reported as wrong.
planted() {
  rm -rf home wrong.json
  mkdir home
  cp -r "$source/kernels" "$source/assets" "$source/shaders" home/
  sed -i "s|$2|$3|" "home/kernels/nbody/$1"
  cmp -s "home/kernels/nbody/$1" "$source/kernels/nbody/$1" && fail "nothing was planted in $1"
  code=0
  ORRERY_HOME=$work/home "$orrery" bench nbody --bodies 300 --precision single --forces "$5" --seconds 0 --json wrong.json \
    >wrong.txt 2>message.txt || code=$?
  [[ $code -eq 1 ]] || fail "$1: exit code $code"
  grep -q "$4" message.txt && grep -q "is wrong" message.txt || fail "$1: $(cat message.txt)"
  [[ ! -e wrong.json ]] || fail "$1: a table was written all the same"
}

planted nbody_force.clh 'source.w \* inverse_cube' 'source.w * (real)1.001 * inverse_cube' '"forces":"gather"' gather
planted nbody_pairs.cl 'block->mass\[k\] \* over_r3' 'source.w * over_r3' '"forces":"pairs"' pairs
planted nbody_tutorial.cl 'a += other.w' 'a += body.w' 'tutorial kernel' gather

# Deep pictures are proved in many bits before they are timed.
"$orrery" bench mandelbrot --rows deep --size 32x18 --runs 1 >deep.txt 2>&1 || fail "deep pictures: $(cat deep.txt)"
[[ $(grep -c "checked_pixels 24" deep.txt) -eq 6 ]] || fail "deep pictures are not proved: $(cat deep.txt)"

echo "benchmarks refuse what is wrong"
