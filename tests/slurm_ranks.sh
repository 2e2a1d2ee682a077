#!/usr/bin/env bash
# srun starts two ranks on a Slurm cluster of two nodes on this machine: the bits of one process; then one is killed.
# Needs root, Debian's slurmctld, slurmd, slurm-client and munge, and mpich; takes a minute, and is not in the test run.
#
#   tests/slurm_ranks.sh PATH-TO-ORRERY
set -euo pipefail
(($# == 1)) || { echo "usage: tests/slurm_ranks.sh PATH-TO-ORRERY" >&2; exit 2; }
ORRERY=$(realpath "$1")
# shellcheck source=tests/slurm_cluster.sh
source "$(dirname "$(realpath "$0")")/slurm_cluster.sh"
fail() {
  echo "FAILED: $*"
  exit 1
}

bodies=(--initial plummer --seed 3 --dt 0.01 --bodies 1003 --steps 11 --burst 4)
"$ORRERY" nbody "${bodies[@]}" --out one.npy
# Open MPI's ranks, by PMIx, work here on one node only, because both nodes share their temporary files.
for way in "pmi2 mpich -N 2" "pmix openmpi -N 1"; do
  read -r pmi mpi nodes <<< "$way"
  [[ -e $(dirname "$ORRERY")/orrery-$mpi.so ]] || { echo "built without $mpi"; continue; }
  # shellcheck disable=SC2086 # two words
  srun $nodes -n 2 --overcommit --mpi="$pmi" "$ORRERY" nbody "${bodies[@]}" --out two.npy || fail "$way"
  cmp one.npy two.npy || fail "$way: other bits than one process"
done
srun -N 2 -n 2 --mpi=none "$ORRERY" nbody "${bodies[@]}" > said.txt 2>&1 && fail "two runs in place of one"
grep -q "^orrery: srun has started 2 ranks, but MPI" said.txt || fail "$(cat said.txt)"

srun -N 2 -n 2 --mpi=pmi2 "$ORRERY" nbody --initial plummer --dt 0.0001 --bodies 2000 --burst 10 --steps 1000000 \
  --state run.state > said.txt 2>&1 &
run=$!
for ((i = 0; i < 100; ++i)); do
  [[ -e run.state ]] && break
  sleep 0.2
done
sleep 1
for environment in /proc/[0-9]*/environ; do
  process=${environment//[!0-9]/}
  [[ $(cat "/proc/$process/comm" 2> /dev/null) == orrery ]] || continue
  [[ $(realpath "/proc/$process/cwd") == "$folder" ]] || continue
  tr '\0' '\n' < "$environment" | grep -qx SLURM_PROCID=1 && kill -9 "$process"
done
wait "$run" && fail "the run has not noticed that a rank was killed"
grep "^orrery:" said.txt
[[ $(grep -c "^orrery: rank 1 on .* has ended unexpectedly; orrery nbody --resume run.state continues from step" said.txt) == 1 ]] ||
  fail "$(cat said.txt)"
echo "srun's ranks have the bits of one process, and tell when one of them dies"
