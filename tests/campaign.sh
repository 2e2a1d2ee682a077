#!/usr/bin/env bash
# The long campaign of faults: tests/campaign.sh [FAULTS [SEED]] injects 1,000, one after the other, at random points of a
# window in use. The report is build/campaign.json.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"

install_packages "${build_packages[@]}" "${run_packages[@]}" "${screen_packages[@]}" xdotool openbox imagemagick python3
build release
python3 -B "$root/tests/fault/campaign.py" "$root/build/release/orrery" "$root/build/release/tests/libfault_layer.so" \
  --faults "${1:-1000}" --seconds 36000 --seed "${2:-1}" --report "$root/build/campaign.json"
