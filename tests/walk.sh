#!/usr/bin/env bash
# The long walk: half an hour of seeded random use of the window, with new seeds, under constant invariants.
# tests/walk.sh [SECONDS [SEED]]; failing walks are shortened and kept in build/walks. ORRERY_WALK_PRESET names another
# preset: asan-ubsan for the sanitizers.
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
