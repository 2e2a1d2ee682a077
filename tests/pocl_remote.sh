#!/usr/bin/env bash
# Devices on other machines, by PoCL-Remote: builds its client and server from Debian's sources, starts two servers on
# this machine, and runs the self-test and n-body over them. When a server is killed during a run, the remaining server
# continues with the same bits, and so does Intel's runtime, if tests/intel.sh has fetched it. Needs minutes and the
# network, so it is not in the test run. Needs cmake, ninja, g++, apt-get, and a PoCL for the servers.
#   usage: pocl_remote.sh PATH-TO-ORRERY [FOLDER-TO-KEEP-THE-BUILD-IN]
set -euo pipefail
(($# >= 1)) || { echo "usage: tests/pocl_remote.sh PATH-TO-ORRERY [FOLDER]" >&2; exit 2; }
orrery=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
built=${2:-$work}
mkdir -p "$built"
built=$(realpath "$built")
ports=(10998 11998)
servers=()
leave() {
  for pid in "${servers[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap leave EXIT
fail() { echo "$*"; exit 1; }

# Debian 13's PoCL 6.0; the 3.1 of Debian 12 has no server. The fix is that of pocl_remote_race.md.
if [[ ! -x $built/build/pocld/pocld ]]; then
  apt=$work/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  echo "deb http://deb.debian.org/debian trixie main" >"$apt/sources.list"
  options=(-q -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$apt/lists"
    -o "Dir::Cache=$apt/cache")
  (cd "$work" && apt-get "${options[@]}" update && apt-get "${options[@]}" download pocl-source) >"$work/apt.log" 2>&1 ||
    fail "Debian's pocl-source cannot be fetched: $(tail -n 5 "$work/apt.log")"
  dpkg -x "$work"/pocl-source_*.deb "$work/package"
  mkdir -p "$built/source"
  tar -C "$built/source" --strip-components=1 -xf "$work/package/usr/src/pocl.tar.xz"
  sed -n '/^```diff$/,/^```$/p' "$here/pocl_remote_race.md" | grep -v '^```' | patch -d "$built/source" -p1 --forward
  cmake -S "$built/source" -B "$built/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DENABLE_LLVM=0 \
    -DENABLE_HOST_CPU_DEVICES=0 -DENABLE_REMOTE_CLIENT=1 -DENABLE_REMOTE_SERVER=1 -DENABLE_LOADABLE_DRIVERS=0 \
    -DENABLE_TESTS=0 -DENABLE_EXAMPLES=0 -DENABLE_POCLCC=0 -DENABLE_ICD=1 -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DHOST_DEVICE_BUILD_HASH=00000000 >"$work/cmake.log" 2>&1 || fail "$(tail "$work/cmake.log")"
  ninja -C "$built/build" -j2 >"$work/ninja.log" || fail "$(tail "$work/ninja.log")"
fi

# serve NUMBER: a server with the usual driver behind it.
serve() {
  mkdir -p "$work/server$1"
  (cd "$work/server$1" && exec env -u OCL_ICD_VENDORS -u POCL_DEVICES "$built/build/pocld/pocld" -a 127.0.0.1 \
    -p "${ports[$1]}" -v error >log 2>&1) &
  servers[$1]=$!
}
serve 0
serve 1
sleep 2
mkdir "$work/vendors" "$work/home"
echo "$built/build/lib/CL/libpocl.so" >"$work/vendors/pocl.icd"
export OCL_ICD_VENDORS=$work/vendors XDG_STATE_HOME=$work/home XDG_CACHE_HOME=$work/home POCL_DEVICES="remote remote"
export POCL_REMOTE0_PARAMETERS=127.0.0.1:${ports[0]}/0 POCL_REMOTE1_PARAMETERS=127.0.0.1:${ports[1]}/0
export ORRERY_DRIVER_SECONDS=60 # on a busy machine drivers have not listed their devices in 15 s
cd "$work"

"$orrery" devices | tee devices.txt
[[ $(grep -c "note: it is on another machine" devices.txt) == 2 ]] || fail "the note on PoCL's race is missing"
"$orrery" selftest | tail -n 1

run=(nbody --initial plummer --bodies 3000 --forces gather --burst 20)
"$orrery" "${run[@]}" --steps 300 --device 0:0 --out one.csv
"$orrery" "${run[@]}" --steps 300 --device 0:0,0:1 --out two.csv
cmp one.csv two.csv || fail "two servers and one give different bits"

# killed STEPS SERVER DEVICES SECONDS: runs n-body, kills the server after that time, sets `code`, prints errors.
export ORRERY_PATIENCE=0.4
killed() {
  timeout --signal KILL 300 "$orrery" "${run[@]}" --steps "$1" --device "$3" --out killed.csv --diagnostics killed.rows.csv \
    >killed.txt 2>&1 &
  local pid=$!
  sleep "$4"
  kill -9 "${servers[$2]}"
  code=0
  wait "$pid" || code=$?
  cat killed.txt
}
# again SERVERS…: restarts these servers.
again() {
  for number in "$@"; do
    kill -9 "${servers[$number]}" 2>/dev/null || true
    wait "${servers[$number]}" 2>/dev/null || true
    sleep 1 # its port is free again
    serve "$number"
  done
  sleep 2
}
# After the death of another server, pocld 6.0 no longer answers that process, and calls to PoCL may never return: the
# run ends and names the state to continue from. Early kills come during the building of kernels, before there is a
# state.
"$orrery" "${run[@]}" --steps 4000 --device 0:0 --out one.csv --diagnostics one.rows.csv
for devices in 0:0,0:1 0:1,0:0; do
  for server in 0 1; do
    for seconds in 3 7; do
      again 0 1
      killed 4000 "$server" "$devices" "$seconds"
      grep -q "0:$server .*the server on the other machine ended\|0:$server .*has not answered" killed.txt ||
        fail "server $server is not named"
      if ((code == 1)); then
        kept=$(sed -n 's/.*orrery nbody --resume \([^ ]*\) .*/\1/p' killed.txt)
        [[ $kept ]] || continue
        again 0 1
        "$orrery" nbody --resume "$kept" --steps 4000 --device 0:0 --out killed.csv --diagnostics killed.rows.csv
      fi
      cmp one.csv killed.csv && cmp one.rows.csv killed.rows.csv || fail "after a server was killed the bits differ"
    done
  done
done
again 0 1
killed 2000000 0 0:0 5
((code == 1)) || fail "the only server was killed, but the exit code is $code"
[[ $(grep -c "^orrery: " killed.txt) == 1 ]] || fail "more than a line was said"

# A local device beside a server: its driver continues in the same process.
intel=$(ls -d "${HOME:-/root}"/.cache/orrery-tests/intel-opencl-*/lib 2>/dev/null | tail -n 1)
[[ $intel ]] || { echo "passed, without a local device beside a server: tests/intel.sh fetches one"; exit; }
echo "$intel/libintelocl.so" >"$work/vendors/intel.icd"
export LD_LIBRARY_PATH=$intel${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} POCL_DEVICES=remote ORRERY_PATIENCE=1
unset POCL_REMOTE1_PARAMETERS
again 0
local=$("$orrery" devices --json | python3 -c '
import json, sys
print(next(p for p, platform in enumerate(json.load(sys.stdin)["platforms"]) if platform["name"].startswith("Intel")))')
for devices in "$local:0,$((1 - local)):0" "$((1 - local)):0,$local:0"; do
  for seconds in 8 14; do # later than the listing of the devices
    again 0
    killed 4000 0 "$devices" "$seconds"
    ((code == 0)) || fail "beside a server that was killed after $seconds s, the exit code of $devices is $code"
    [[ $(cut -d, -f1 killed.rows.csv | tail -n +2) == $(seq 0 20 4000) ]] || fail "rows are missing, or there twice"
  done
done
echo "passed"
