#!/usr/bin/env bash
# Orrery on Intel's OpenCL runtime for CPUs, from PyPI: devices, self-test, the same bits for any work-group, and two
# devices of different vendors in one run.
#   usage: intel.sh PATH-TO-ORRERY [PATH-TO-TEST_ORACLE]
# With PATH-TO-TEST_ORACLE, all oracle tests run on Intel's device too: minutes. The libraries (270 MB to fetch) and
# their compiled kernels are kept in $XDG_CACHE_HOME/orrery-tests. Ends with 77 if they cannot be fetched.
set -euo pipefail
orrery=$(realpath "$1")
oracle=${2:+$(realpath "$2")}
runtime=2026.2.0 threads=2023.2.0
kept=${XDG_CACHE_HOME:-$HOME/.cache}/orrery-tests/intel-opencl-$runtime
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "$*"; exit 1; }

if [[ ! -e $kept/lib/libintelocl.so ]]; then
  [[ $(uname -sm) == "Linux x86_64" ]] || { echo "skipped: Intel's runtime is for Linux on x86-64"; exit 77; }
  python3 -m pip --quiet --disable-pip-version-check download --no-deps --timeout 20 --retries 1 --dest "$work/wheels" \
    "intel-opencl-rt==$runtime" "intel-cmplr-lib-rt==$runtime" "tbb==$threads" ||
    { echo "skipped: Intel's runtime cannot be fetched from PyPI"; exit 77; }
  mkdir -p "$work/lib" "$(dirname "$kept")"
  for wheel in "$work"/wheels/*.whl; do
    python3 - "$wheel" "$work/lib" <<'PYTHON'
import pathlib, re, sys, zipfile
wanted = re.compile(r"(libintelocl\.so|libcommon_clang\.so\.[0-9.]+|libocl_svml_\w+\.so|clbltfn\w+\.rtl|cllibrary\w*\.(o|rtl)"
                    r"|cl\.cfg|libintlc\.so\.5|libimf\.so|libsvml\.so|libirng\.so|libtbb\.so\.12)$")
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for entry in wheel.namelist():
        name = entry.rsplit("/", 1)[-1]
        if "/data/lib/" in entry and wanted.match(name):
            (pathlib.Path(sys.argv[2]) / name).write_bytes(wheel.read(entry))
PYTHON
  done
  rm -rf "$kept"
  mkdir "$kept"
  mv "$work/lib" "$kept/lib"
fi

# Folders of drivers for this test: "intel" has Intel's only, "both" also PoCL.
mkdir "$work/intel" "$work/both" "$work/home"
echo "$kept/lib/libintelocl.so" | tee "$work/intel/intel.icd" >"$work/both/intel.icd"
cp /etc/OpenCL/vendors/pocl.icd "$work/both/" 2>/dev/null || true
export LD_LIBRARY_PATH=$kept/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} XDG_STATE_HOME=$work/home XDG_CACHE_HOME=$kept/cache
mkdir -p "$XDG_CACHE_HOME"
export OCL_ICD_VENDORS=$work/intel
cd "$work"

"$orrery" devices >devices.txt || fail "$(cat devices.txt)"
grep -q "^Intel(R) OpenCL" devices.txt || fail "Intel's device is not listed: $(cat devices.txt)"
"$orrery" selftest >selftest.txt || fail "$(cat selftest.txt)"
grep -q " 0 failed" selftest.txt || fail "$(cat selftest.txt)"

# Intel's rsqrt rounds differently if a work-group is no multiple of a register: n-body and particles do not use it.
run=(nbody --initial plummer --bodies 3000 --steps 5 --burst 5)
for precision in single double; do
  for group in 1 4 16 64; do
    "$orrery" "${run[@]}" --precision $precision --forces gather --work-group $group --out "$group.csv" >/dev/null
    cmp 1.csv "$group.csv" || fail "work-groups of 1 and $group give different bits in $precision"
  done
  "$orrery" "${run[@]}" --precision $precision --forces gather --split 2 --out split.csv >/dev/null
  cmp 1.csv split.csv || fail "two sub-devices and one device give different bits in $precision"
done

if [[ -e both/pocl.icd ]]; then
  export OCL_ICD_VENDORS=$work/both
  "$orrery" devices --json >devices.json
  python3 - <<'PYTHON'
import json
names = [platform["name"] for platform in json.load(open("devices.json"))["platforms"] if platform["devices"]]
assert len(names) == 2 and any("Intel" in name for name in names) and any("Portable" in name for name in names), names
PYTHON
  "$orrery" "${run[@]}" --device 0:0 --out first.csv >/dev/null
  "$orrery" "${run[@]}" --device 1:0 --out second.csv >/dev/null
  "$orrery" "${run[@]}" --device 0:0,1:0 --out both.csv >both.txt
  grep -q "shared by 2 devices" both.txt || fail "$(cat both.txt)"
  # After a few steps, the devices differ by rounding only.
  python3 - <<'PYTHON'
def rows(name):
    return [[float(number) for number in line.split(",")] for line in open(name).readlines()[1:]]
first, second, both = rows("first.csv"), rows("second.csv"), rows("both.csv")
apart = lambda a, b: max(abs(x - y) / (1 + abs(x)) for one, other in zip(a, b) for x, y in zip(one, other))
assert len(both) == len(first) == 3000
assert apart(first, both) < 2e-6 and apart(second, both) < 2e-6, (apart(first, both), apart(second, both))
PYTHON
fi

if [[ -n $oracle ]]; then
  export OCL_ICD_VENDORS=$work/intel
  "$oracle" --gtest_brief=1
fi
