#!/usr/bin/env bash
# The packages for Windows, built here and tried under Wine: unit tests, devices, self-test, the window for ten seconds with
# its kernels, and the module for Python, by this system's Python, with the wheel's program as its child. Needs Debian 12 or 13; takes many minutes the first time, so it is not in the test run.
#
#   tests/windows.sh [--no-unit-tests]
#
# Wine hands OpenCL to this system's loader and OpenGL to this system's driver (under Xvfb: llvmpipe). The picture of the
# window is build/windows/window.png.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

unit_tests=yes
[[ ${1-} != --no-unit-tests ]] || unit_tests=
"$root/app/package.sh" wheel-windows
build=$root/build/windows
package=$(echo "$build"/packages/*.zip)
install_packages wine64 unzip pocl-opencl-icd libgl1-mesa-dri xvfb xauth imagemagick python3-numpy

scratch=$(mktemp -d "${TMPDIR:-/tmp}/orrery-windows-XXXXXX")
failures=0
fail_and_go_on() {
  say "FAILED: $*"
  failures=$((failures + 1))
}
# Debian's wine64 brings no `wine` into the search path. Names of files are in UTF-8 only in a locale that has it.
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
export WINEPREFIX=$scratch/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml,winedbg.exe=" LC_ALL=C.UTF-8
wine() { "${screen[@]}" timeout "$1" "$wine" "${@:2}"; }
screen=()
end_session() {
  local server=${wine%64}server64
  [[ -x $server ]] || server=wineserver
  "$server" -k 2>/dev/null || true # what begins next finds the display of its own
  "$server" -w 2>/dev/null || true
}
# shellcheck disable=SC2317 # the trap calls it
leave() {
  end_session
  rm -rf "$scratch"
}
trap leave EXIT

mkdir "$WINEPREFIX"
quietly wine 300 wineboot --init
folder="$scratch/a folder with ü"
mkdir "$folder"
unzip -q "$package" -d "$folder"
cd "$folder"/orrery-*-windows-x64

seconds_since() { awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f", to - from }'; }
# try NAME SECONDS ARGUMENTS...: the program from the package.
try() {
  local began
  began=$(date +%s.%N)
  if wine "$2" orrery.exe "${@:3}" >"$scratch/said" 2>&1; then
    say "$1: $(seconds_since "$began") s"
  else
    fail_and_go_on "$1: exit code $?"
  fi
  tail -n 6 "$scratch/said"
}

say "$package: $(stat -c %s "$package") bytes, $(find . -type f | wc -l) files"
try version 60 --version
try devices 120 devices
# Text in and out: paths beyond ASCII, replaced files, children that compile.
try "picture" 300 mandelbrot --size 320x200 --out "Bild ü.png"
try "picture over it" 300 mandelbrot --size 320x200 --out "Bild ü.png"
[[ -s "Bild ü.png" ]] || fail_and_go_on "the picture is missing"
if wine 60 orrery.exe nbody --bodies 0 >"$scratch/said" 2>&1; then fail_and_go_on "bad input: exit code 0"; elif (($? != 2)); then
  fail_and_go_on "bad input: the exit code is not 2"
fi
cat "$scratch/said"

end_session
screen=(on_virtual_screen)
try self-test 900 selftest
end_session
began=$(date +%s.%N)
if wine 300 orrery.exe --measure 10 --screenshot window.png --stats stats.json; then
  say "window: $(seconds_since "$began") s, $(sed -n 's/.*"frames": \([0-9]*\).*/\1/p' stats.json | head -n 1) frames"
  cp window.png "$build/window.png"
else
  fail_and_go_on "window: exit code $?"
fi
end_session
screen=()

# Wine turns SIGINT into Ctrl+C. Wine 8 does not pass on Ctrl+Break, which the module sends on Windows.
unzip -q "$build"/packages/*.whl -d "$scratch/wheel"
printf '#!/bin/bash\nexec %q %q "$@"\n' "$wine" "$scratch/wheel/orrery/tree/orrery.exe" >"$scratch/orrery"
chmod +x "$scratch/orrery"
cat >"$scratch/module.py" <<'END'
import os, signal, threading
import orrery

sim = orrery.NBody("plummer", bodies=500, dt=0.001, softening=0.05)
sim.run(10)
assert [frame.step for frame in sim.frames(10, 30)] == [20, 30, 40]
threading.Timer(5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    sim.run(10**8)
except KeyboardInterrupt:
    assert sim.step > 40
with orrery.show(sim, size=(640, 360)) as view:
    view.set("softening", 0.02)
    assert view.positions().shape == (500, 3) and view.get("softening") == 0.02
    assert view.screenshot(panels=True).size == (640, 360)
assert view._child.returncode == 0
END
if PYTHONPATH=$scratch/wheel ORRERY_PROGRAM=$scratch/orrery on_virtual_screen timeout 300 python3 -B "$scratch/module.py"; then
  say "module for Python"
else
  fail_and_go_on "module for Python: exit code $?"
fi
end_session

if [[ $unit_tests ]]; then
  quietly cmake --build "$build" --target test_unit
  # The excluded tests start /bin/sh, /bin/false and /bin/sleep.
  export WINEPATH=Z:$build ORRERY_HOME=Z:$root
  if wine 900 "$build/tests/test_unit.exe" --gtest_filter=-InAnotherProcess.ACompilerThat\*:\*.WithoutAChild\*:\*.AStopped\*:CommandLine.AShell\*:CommandLine.TellsAll\* \
    >"$scratch/said" 2>&1; then say "unit tests"; else fail_and_go_on "unit tests"; fi
  grep -E '^\[  (PASSED|FAILED)' "$scratch/said" || tail -n 20 "$scratch/said"
fi
say "$failures failures"
exit $((failures > 0))
