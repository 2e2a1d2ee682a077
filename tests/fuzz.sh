#!/usr/bin/env bash
# Fuzzes every reader of files (needs clang): tests/fuzz.sh [SECONDS], default 600. Findings are in build/fuzz/findings;
# after the fix, a finding belongs into tests/fuzz/corpus.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cmake -S "$root/tests/fuzz" -B "$root/build/fuzz" -G Ninja -DCMAKE_CXX_COMPILER=clang++
cmake --build "$root/build/fuzz"
ln -sfn "$root/tests/fuzz/corpus" "$root/build/fuzz/corpus"
ln -sfn "$root/assets" "$root/build/fuzz/assets"
cp "$root/tests/fuzz/run.sh" "$root/build/fuzz/run.sh"
"$root/build/fuzz/run.sh" "${1:-600}"
