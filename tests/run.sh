#!/usr/bin/env bash
# Every test in one command: installs what is missing, builds, runs CTest. Unit and headless tests run under the address
# and undefined-behaviour sanitizers, the others at full speed.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

test_packages=(oclgrind xdotool openbox imagemagick python3 python3-numpy python3-h5py zstd clang-format-15 clang-tidy-15 groff-base appstream
  desktop-file-utils shared-mime-info openmpi-bin libopenmpi-dev)
install_packages "${build_packages[@]}" "${run_packages[@]}" "${screen_packages[@]}" "${test_packages[@]}"

failed=()
run_tests() {
  say "testing $1"
  (cd "$root" && ctest --preset "$1") || failed+=("$1")
}

# Tests of the window wait for a third of their time. The other preset is built meanwhile with the lowest priority
# (SCHED_IDLE), and at full speed once the tests have ended.
build release
sanitized_log=$root/build/asan-ubsan.log
set -m # a process group of its own, which ends with this script
(
  chrt --idle --pid 0 "$BASHPID" >/dev/null 2>&1 || renice -n 19 -p "$BASHPID" >/dev/null
  build asan-ubsan
) >"$sanitized_log" 2>&1 </dev/null &
sanitized_build=$!
set +m
trap 'kill -- "-$sanitized_build" 2>/dev/null || true' EXIT
run_tests release

say "completing the build of asan-ubsan"
if ! wait "$sanitized_build"; then
  tail -n 40 "$sanitized_log" >&2
  fail "the asan-ubsan build failed (all of its output: $sanitized_log)"
fi
run_tests asan-ubsan
((${#failed[@]} == 0)) || fail "tests failed: ${failed[*]}"
