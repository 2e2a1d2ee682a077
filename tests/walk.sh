#!/usr/bin/env bash
# The long walk: half an hour of seeded random use of the window, with fresh seeds, held to what must always be true.
# tests/walk.sh [SECONDS [SEED]]; what breaks is shortened and kept in build/walks. Another preset is named in
# ORRERY_WALK_PRESET: asan-ubsan for the sanitizers.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

install_packages "${build_packages[@]}" "${run_packages[@]}" "${screen_packages[@]}" xdotool openbox imagemagick python3
preset=${ORRERY_WALK_PRESET:-release}
build "$preset"
seed=${2:-$(date +%s)}
say "walking from seed $seed"
python3 -B "$root/tests/window/walker.py" "$root/build/$preset/orrery" --layer "$root/build/$preset/tests/libfault_layer.so" \
  --seconds "${1:-1800}" --seed "$seed" --keep "$root/build/walks"
