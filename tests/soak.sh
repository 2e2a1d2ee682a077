#!/usr/bin/env bash
# The long soak: two hours of seeded random input at the window, under the address and undefined-behaviour sanitizers.
# tests/soak.sh [SECONDS [SEED]]; the report is build/soak.json, and build/soak.txt in words. ORRERY_SOAK_PRESET names
# another preset: release for the program's own memory, tsan for threads.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

install_packages "${build_packages[@]}" "${run_packages[@]}" "${screen_packages[@]}" xdotool openbox imagemagick python3
preset=${ORRERY_SOAK_PRESET:-asan-ubsan}
build "$preset"
# A small quarantine, so that resident memory is memory in use; the program has a stack for its own crash handler.
export ASAN_OPTIONS=quarantine_size_mb=8:malloc_context_size=6:use_sigaltstack=0:intercept_tls_get_addr=0
export LSAN_OPTIONS="suppressions=$root/tests/lsan.supp:print_suppressions=0" UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=history_size=4:ignore_noninstrumented_modules=1
python3 -B "$root/tests/window/soak.py" "$root/build/$preset/orrery" "$root/build/$preset/tests/libfault_layer.so" \
  --seconds "${1:-7200}" --seed "${2:-1}" --report "$root/build/soak.json" --keep "$root/build/soak"
