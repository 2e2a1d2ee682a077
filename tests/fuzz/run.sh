#!/usr/bin/env bash
# run.sh SECONDS [TARGET…]: runs all targets at once, one process each, or the named ones, one process per name. This
# script lies beside orrery_fuzz, corpus/ and assets/; findings go to $OUT (default ./findings). Prints runs and
# findings of each process.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=${1:-60}
targets=("${@:2}")
((${#targets[@]})) || targets=("$here"/corpus/*/)
out=${OUT:-$here/findings}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
export ORRERY_HOME=${ORRERY_HOME:-$here} LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export ASAN_OPTIONS=detect_leaks=1:malloc_context_size=10 UBSAN_OPTIONS=print_stacktrace=1

# fuzz NAME NUMBER: continues after a finding. The fuzzer sets no limit on the length of texts.
fuzz() {
  local name=$1 end=$((SECONDS + seconds)) found=0 runs=0 more log=$work/$1-$2.log
  ln -sf "$here/orrery_fuzz" "$work/fuzz_$name"
  mkdir -p "$work/$name-$2"
  cp "$here/corpus/$name"/* "$work/$name-$2/"
  while ((SECONDS < end)); do
    (cd "$work" && "./fuzz_$name" "$name-$2" -max_total_time=$((end - SECONDS)) -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
      -malloc_limit_mb=256 -print_final_stats=1 -artifact_prefix="$out/$name-" -seed=$((100 * $2 + found + 1)) >"$log" 2>&1)
    local code=$?
    more=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    runs=$((runs + ${more:-$(sed -n 's/^#\([0-9]*\).*/\1/p' "$log" | tail -1)}))
    ((code == 0)) && break
    found=$((found + 1))
    cp "$log" "$out/$name-$2-$found.log"
    ((found < 5)) || break
  done
  printf '%-16s %12d runs, %d findings\n' "$name" "$runs" "$found"
}

for number in "${!targets[@]}"; do fuzz "$(basename "${targets[number]}")" "$number" & done
wait
