#!/usr/bin/env bash
# The self-test passes on a correct device and fails on a wrong kernel; its report has no personal data, and is complete
# with any failure of the driver.
#   usage: selftest.sh PATH-TO-ORRERY PATH-TO-SOURCE PATH-TO-FAULT-LAYER
set -euo pipefail
orrery=$(realpath "$1")
source=$(realpath "$2")
layer=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Shares the caches of compiled kernels with the other tests: compiling all kernels takes a minute.
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
assert report["platforms"] and all(platform["name"] and platform["version"] for platform in report["platforms"]), report
results = {check["name"]: check["result"] for check in report["checks"]}
assert len(results) >= 18, results
assert set(results.values()) <= {"passed", "not here"}, results
assert report["system"]["os"] and report["system"]["loader"] and report["system"]["cpu"], report["system"]
assert report["properties"]["MAX_WORK_GROUP_SIZE"] == report["device"]["max_work_group"], report["properties"]
for name in ("SINGLE_FP_CONFIG", "IMAGE_SUPPORT", "LOCAL_MEM_SIZE", "MAX_WORK_ITEM_SIZES", "OPENCL_C_VERSION"):
    assert name in report["properties"], name
assert "DISPLAY" in report["opengl"]["none"], report["opengl"]
programs = {program["source"]: program for program in report["programs"]}
assert {"selftest.cl", "nbody_gather.cl", "nbody_pairs.cl", "mandelbrot.cl"} <= programs.keys(), programs.keys()
for program in report["programs"]:
    assert program["result"] == "built" and program["options"].startswith("-cl-std=") and "log" in program, program
    assert not program["from_cache"] and program["seconds"] > 0, program
for check in report["checks"]:
    assert 0 <= check["build_seconds"] <= check["seconds"] + 1e-9, check
PYTHON

# A pull that is larger by a thousandth.
mkdir wrong
cp -r "$source"/kernels "$source"/shaders "$source"/assets wrong
sed -i 's/add_pull(field, dx, dy, dz, source.w \* inverse_cube(r2));/add_pull(field, dx, dy, dz, (real)1.001 * source.w * inverse_cube(r2));/' wrong/kernels/nbody/nbody_force.clh
cmp -s wrong/kernels/nbody/nbody_force.clh "$source/kernels/nbody/nbody_force.clh" && fail "nothing was planted"
# A compiler's message names files without their folders.
echo "not OpenCL" >>wrong/kernels/nbody/nbody_pairs.cl
if ORRERY_HOME=$work/wrong "$orrery" selftest --json wrong.json >wrong.txt; then fail "a wrong kernel passes: $(cat wrong.txt)"; fi
grep -q "failed    forces, gather, single" wrong.txt || fail "$(cat wrong.txt)"
grep -q "passed    parallel sum" wrong.txt || fail "what is right fails: $(cat wrong.txt)"
! grep -qF "$work" wrong.txt || fail "the report tells where the kernels are: $(cat wrong.txt)"
grep -q "failed    forces, pairs" wrong.txt || fail "a kernel that does not build passes: $(cat wrong.txt)"
python3 - "$work" "$USER" <<'PYTHON'
import json, sys
text = open("wrong.json").read()
assert not any(private in text for private in sys.argv[1:])
report = json.loads(text)
checks = {check["name"]: check for check in report["checks"]}
pull = checks["forces, gather, double"]
first = pull["first_difference"]
assert pull["result"] == "failed" and first["of"].startswith("acceleration of body "), pull
assert abs(float(first["found"]) / float(first["expected"]) - 1.001) < 1e-6, first
assert abs(first["relative"] - 1e-3) < 1e-6 and first["ulps"] > 1e9, first
broken = [program for program in report["programs"] if program["source"] == "nbody_pairs.cl"]
assert broken and all(program["result"] == "failed" and "error" in program["log"] for program in broken), broken
assert "error" in checks["forces, pairs, single"]["log"] and checks["forces, pairs, single"]["code"], checks
assert {check["result"] for name, check in checks.items() if name.startswith("picture")} == {"passed"}, checks
PYTHON

# faulty FAULTS CODE: the report of a device with these faults.
faulty() {
  rm -f faulty.json
  local code=0
  OPENCL_LAYERS=$layer ORRERY_FAULTS=$1 ORRERY_PATIENCE=0.05 timeout 200 "$orrery" selftest --json faulty.json \
    >faulty.txt 2>&1 || code=$?
  [[ $code == "$2" ]] || fail "with $1 the exit code is $code: $(cat faulty.txt)"
  python3 - "$1" <<'PYTHON' || fail "with $1: $(cat faulty.txt faulty.json)"
import json, sys
report = json.load(open("faulty.json"))
results = [check["result"] for check in report["checks"]]
fault = sys.argv[1].split()[0]
assert report["orrery"] and report["device"]["name"] and report["properties"]["VERSION"], report
if fault == "context":
    assert results == ["failed"] and report["checks"][0]["code"] == "CL_OUT_OF_RESOURCES", report["checks"]
if fault == "build":
    assert results.count("failed") >= 15 and {each["result"] for each in report["programs"]} == {"failed"}, report
if fault == "lost":
    assert results[:2] == ["passed", "failed"] and results.count("failed") >= 15, report["checks"]
    assert report["checks"][1]["code"] == "CL_OUT_OF_RESOURCES", report["checks"]
if fault == "hang":
    assert results[:2] == ["passed", "failed"] and set(results[2:]) == {"not run"} and len(results) >= 18, report
    assert "has not returned" in report["checks"][1]["told"], report["checks"]  # the device may still be compiling
if fault == "crash":
    assert results == ["passed", "unfinished"], report["checks"]
PYTHON
}
faulty "context at=1" 1
faulty "build from=1" 1
faulty "lost at=1 mode=device" 1
faulty "hang at=1" 1
faulty "crash at=1 mode=abort" 134
