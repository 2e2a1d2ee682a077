#!/bin/sh
# Compares the force tree with those of REBOUND and pytreegrav, and the energy of Bonsai's example galaxy.
# Usage: tests/peers.sh ORRERY [BODIES]. Needs the network: installs the other programs by pip into a temporary folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet numpy rebound==5.2.2 pytreegrav==1.5.0
galaxy=https://raw.githubusercontent.com/treecode/Bonsai/master/inputExamples/model3_child_compact.tipsy
curl --fail --silent --location --output "$folder/galaxy.tipsy" "$galaxy" || echo "Bonsai's galaxy cannot be fetched: $galaxy"
"$folder/venv/bin/python" "$here/peers.py" "$1" "$folder" "${2:-65536}"
