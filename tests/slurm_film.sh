#!/usr/bin/env bash
# A film on a Slurm cluster of two nodes on this machine, one of which is killed: the same film as that of one run. Needs
# root and Debian's slurmctld, slurmd, slurm-client and munge; takes minutes, so it is not in the test run.
#
#   tests/slurm_film.sh PATH-TO-ORRERY
set -euo pipefail
(($# == 1)) || { echo "usage: tests/slurm_film.sh PATH-TO-ORRERY" >&2; exit 2; }
export ORRERY
ORRERY=$(realpath "$1")
# shellcheck source=tests/slurm_cluster.sh
source "$(dirname "$(realpath "$0")")/slurm_cluster.sh"

film=(mandelbrot --center misiurewicz --zoom-from 1e-3 --span 1e-14 --size 320x180 --samples 4 --seconds 6
  --frames-per-second 10)
"$ORRERY" "${film[@]}" --out whole > whole.txt
tail -n 1 whole.txt
"$ORRERY" "${film[@]}" --out film.mp4 --cluster slurm --jobs 6 > film.sh
# A stand-in for ffmpeg that copies the raw frames.
mkdir bin
printf '#!/bin/sh\nfor last; do :; done\ncat > "${last#file:}"\n' > bin/ffmpeg
chmod +x bin/ffmpeg
PATH=$folder/bin:$PATH bash film.sh

# Kills node b with all its processes once it has made a frame.
victim=
for ((i = 0; i < 600 && ${#victim} == 0; ++i)); do
  sleep 0.1
  (($(find film -name 'frame-*.png' | wc -l) > 3)) || continue
  victim=$(squeue -h -t R -w b -o %A | head -n 1)
done
[[ -n $victim ]] || { echo "FAILED: nothing ran on node b"; exit 1; }
kill -9 "${node[b]}"
wait "${node[b]}" 2> /dev/null || true
for step in $(pgrep -f "slurmstepd: \[$victim"); do
  pkill -9 -P "$step" || true
  kill -9 "$step"
done
echo "killed node b and job $victim on it, with $(find film -name 'frame-*.png' | wc -l) of 60 frames made"
for ((i = 0; i < 400; ++i)); do
  [[ -n $(squeue -h) ]] || break
  sleep 1
done
squeue
sinfo -N -h
tail -n 2 film/logs/*.log
diff <(cd whole && sha256sum ./*.png) <(cd film && sha256sum ./frame-*.png) || { echo "FAILED: another film"; exit 1; }
[[ $(stat -c %s film.mp4) == $((320 * 180 * 3 * 60)) ]] || { echo "FAILED: the film is not joined"; exit 1; }
echo "the same 60 frames as of one run"
