#!/usr/bin/env bash
# The self-test passes on a device that is right, fails where a kernel is wrong, and tells nobody who and where we are.
#   usage: selftest.sh PATH-TO-ORRERY PATH-TO-SOURCE
set -euo pipefail
orrery=$(realpath "$1")
source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# The caches of compiled kernels are those of the other tests: to compile all kernels takes a minute and is not tested here.
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$HOME/.cache}
export HOME=$work/a-home-of-somebody USER=somebody-we-know
mkdir -p "$HOME"
unset DISPLAY WAYLAND_DISPLAY

fail() { echo "$*"; exit 1; }

"$orrery" selftest --json report.json >report.txt || fail "$(cat report.txt)"
grep -q " 0 failed" report.txt || fail "$(cat report.txt)"
grep -q "not here  surfaces, copied" report.txt || fail "without a display there is no OpenGL: $(cat report.txt)"
for private in "$HOME" "$USER" "$XDG_CACHE_HOME" "$work" "$source"; do
  ! grep -qF "$private" report.txt report.json || fail "the report tells $private"
done
python3 - <<'PYTHON'
import json
report = json.load(open("report.json"))
assert report["orrery"] and report["device"]["driver"] and report["device"]["max_work_group"], report
results = {check["name"]: check["result"] for check in report["checks"]}
assert len(results) >= 18, results
assert set(results.values()) <= {"passed", "not here"}, results
PYTHON

# A thousandth more pull than there is.
mkdir wrong
cp -r "$source"/kernels "$source"/shaders "$source"/assets wrong
sed -i 's/add_pull(field, dx, dy, dz, source.w \* inverse_cube(r2));/add_pull(field, dx, dy, dz, (real)1.001 * source.w * inverse_cube(r2));/' wrong/kernels/nbody/nbody_force.clh
cmp -s wrong/kernels/nbody/nbody_force.clh "$source/kernels/nbody/nbody_force.clh" && fail "nothing was planted"
# A compiler's message names files: not where they are.
echo "not OpenCL" >>wrong/kernels/nbody/nbody_pairs.cl
if ORRERY_HOME=$work/wrong "$orrery" selftest >wrong.txt; then fail "a wrong kernel passes: $(cat wrong.txt)"; fi
grep -q "failed    forces, gather, single" wrong.txt || fail "$(cat wrong.txt)"
grep -q "passed    parallel sum" wrong.txt || fail "what is right fails: $(cat wrong.txt)"
! grep -qF "$work" wrong.txt || fail "the report tells where the kernels are: $(cat wrong.txt)"
grep -q "failed    forces, pairs" wrong.txt || fail "a kernel that does not build passes: $(cat wrong.txt)"
