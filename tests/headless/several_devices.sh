#!/usr/bin/env bash
# Several devices, or the parts of one, give the bits of one device; unsupported options are refused.
#   usage: several_devices.sh PATH-TO-ORRERY
set -uo pipefail
orrery=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# nbody NAME ARGUMENTS…: bodies and diagnostics, with the hash, of a short run that ends in the middle of a burst.
nbody() {
  local name=$1
  shift
  local code=134
  # With two devices, PoCL 3 sometimes miscounts the users of a kernel's code and ends the process.
  for ((attempt = 0; attempt < 5 && code == 134; ++attempt)); do
    code=0
    "$orrery" nbody --initial plummer --seed 3 --dt 0.01 --steps 11 --burst 4 "$@" --out "$name.csv" \
      --diagnostics "$name.rows.csv" >"$name.txt" 2>&1 || code=$?
    grep -q pocl_release_dlhandle_cache "$name.txt" || break
  done
  [[ $code -eq 0 ]] || fail "orrery nbody $* exits with $code: $(cat "$name.txt")"
}

# alike NAME ARGUMENTS…: the same bits as one.csv.
alike() {
  nbody "$@"
  cmp -s "one.csv" "$1.csv" || fail "${*:2}: other bodies than on one device"
  cmp -s "one.rows.csv" "$1.rows.csv" || fail "${*:2}: other diagnostics: $(diff one.rows.csv "$1.rows.csv")"
}

# refused VALUE EXPECTED ARGUMENTS…: exit code 2 and one line that holds both texts.
refused() {
  local value=$1 expected=$2 output code
  shift 2
  output=$("$orrery" nbody --bodies 8 --steps 1 "$@" 2>&1 >/dev/null)
  code=$?
  [[ $code -eq 2 ]] || fail "$*: exit code $code"
  [[ $(wc -l <<<"$output") -eq 1 && $output == *"$value"* && $output == *"$expected"* ]] || fail "$*: $output"
}

export POCL_DEVICES="pthread pthread" # two devices, where PoCL computes
parts=$("$orrery" devices --json | python3 -c '
import json, sys
print(json.load(sys.stdin)["platforms"][0]["devices"][0]["max_parts"])')
several=$("$orrery" devices --json | python3 -c '
import json, sys
print(sum(not d.get("fault") for d in json.load(sys.stdin)["platforms"][0]["devices"]))')

for precision in single mixed double; do
  for forces in gather pairs; do
    way=(--bodies 1003 --precision "$precision" --forces "$forces")
    nbody one "${way[@]}" --device 0:0
    [[ $(tail -1 one.rows.csv | cut -d, -f1) == 11 ]] || fail "last row: $(tail -1 one.rows.csv)"
    if [[ $parts -ge 2 ]]; then
      alike host "${way[@]}" --device 0:0 --split 2
      alike direct "${way[@]}" --device 0:0 --split 2 --exchange direct
      grep -q "2 parts of" host.txt || fail "does not name the parts: $(cat host.txt)"
      grep -q "shared by 2 devices: .* exchange direct" direct.txt || fail "does not tell how: $(cat direct.txt)"
    fi
    if [[ $several -ge 2 ]]; then
      alike both "${way[@]}" --device 0:1,0:0
      grep -q "2 of" both.txt || fail "does not name both: $(cat both.txt)"
    fi
  done
done
# Individual steps: of many bodies at once, which the devices share, and of few, which each sums by itself.
for way in "single --forces gather --softening 0.002" "mixed --forces tree --softening 0.002" "double --softening 0"; do
  read -ra way <<<"--bodies 1003 --time-steps individual --step-accuracy 0.05 --precision $way"
  nbody one "${way[@]}" --device 0:0
  [[ $(grep -o "dt/4 ...: .*" one.txt | tr -cd + | wc -c) -ge 4 ]] || fail "fewer than five levels: $(cat one.txt)"
  if [[ $parts -ge 2 ]]; then
    alike host "${way[@]}" --device 0:0 --split 2
    cmp <(grep "individual steps" one.txt) <(grep "individual steps" host.txt) || fail "${way[*]}: other levels"
    alike direct "${way[@]}" --device 0:0 --split 2 --exchange direct
  fi
  [[ $several -ge 2 ]] && alike both "${way[@]}" --device 0:1,0:0
done
if [[ $parts -ge 2 ]]; then # the second part has no share of so few
  way=(--bodies 40 --time-steps individual --step-accuracy 0.05 --forces gather)
  nbody one "${way[@]}" --device 0:0
  alike few "${way[@]}" --device 0:0 --split 2
fi
if [[ $parts -ge 2 ]]; then
  nbody quick --bodies 1003 --device 0:0 --split 2 --speed-up
  grep -q "bit-identical bodies; speed-up" quick.txt || fail "does not compare: $(cat quick.txt)"
fi
[[ $parts -ge 2 || $several -ge 2 ]] || echo "nothing to compare: one device that cannot be divided"

refused '"0"' "from 1 to" --split 0
refused '"two"' "from 1 to" --split two
refused '"4096"' "this device" --device 0:0 --split 4096
refused '"by hand"' "host | direct" --exchange "by hand"
refused "--speed-up" "--split N" --device 0:0 --speed-up
refused '"0:0,0:0"' "only once" --device 0:0,0:0
refused '"9:9"' "one of" --device 0:0,9:9
refused '"0:0,"' "one of" --device 0:0,
[[ $several -ge 2 ]] && refused '"2"' "--device names several" --device 0:0,0:1 --split 2

[[ $failures -eq 0 ]] && echo "several devices do as one"
exit $((failures > 0))
