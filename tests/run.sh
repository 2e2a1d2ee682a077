#!/usr/bin/env bash
# Every test in one command: installs what is missing, builds, runs CTest. Unit and headless tests run under the address
# and undefined-behaviour sanitizers, the others at full speed.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

test_packages=(oclgrind xdotool openbox imagemagick python3 python3-numpy clang-format-15)
install_packages "${build_packages[@]}" "${run_packages[@]}" "${screen_packages[@]}" "${test_packages[@]}"

failed=()
for preset in release asan-ubsan; do
  build "$preset"
  say "testing $preset"
  (cd "$root" && ctest --preset "$preset") || failed+=("$preset")
done
((${#failed[@]} == 0)) || fail "tests failed: ${failed[*]}"
