#!/usr/bin/env bash
# A film in parts: the same bytes from any process, continuation after a kill, and messages about missing frames.
# usage: film_parts.sh PATH-TO-ORRERY
set -u
orrery=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
quietly() { "$orrery" "$@" > out.txt 2>&1 || fail "$* ends with $?: $(cat out.txt)"; }
# refused CODE TEXT ARGUMENTS...: the program ends with that code and a line that has the text.
refused() {
  local code=$1 text=$2
  shift 2
  "$orrery" "$@" > out.txt 2>&1
  [ $? = "$code" ] || fail "$* does not end with $code: $(cat out.txt)"
  grep -q -- "$text" out.txt || fail "$* does not say \"$text\": $(cat out.txt)"
}
sums() { (cd "$1" && sha256sum frame-*.png); }

# A zoom of a few octaves beyond the digits of doubles, so that key frames have reference orbits.
film=(mandelbrot --center seahorse-valley --span 1e-17 --zoom-from 2e-16 --iterations 3000 --precision perturbation
  --size 64x36 --seconds 2 --frames-per-second 6)
quietly "${film[@]}" --out whole

# Three parts at once; the first one is killed and restarted.
"$orrery" "${film[@]}" --out parts --frames 1/3 > first.txt 2>&1 &
first=$!
"$orrery" "${film[@]}" --out parts --frames 5:8 > second.txt 2>&1 &
second=$!
for ((i = 0; i < 600; ++i)); do
  [ -e parts/frame-00001.png ] && break
  sleep 0.1
done
kill -9 $first 2> /dev/null
wait $first 2> /dev/null
wait $second || fail "the second part ends with $?: $(cat second.txt)"
rm -f parts/frame-00003.png
refused 1 "missing" film join parts
grep -q "9:12" out.txt || fail "the missing frames are not named: $(cat out.txt)"
printf '\x89PNG\r\n\x1a\nhalf a picture' > parts/frame-00006.png
refused 1 "6" film join parts

# Damaged frames with the end of a picture, a pipe, and a link do not count as frames: all are made again.
end_of_picture='\0\0\0\0IEND\xae\x42\x60\x82'
printf "\x89PNG\r\n\x1a\n$end_of_picture" > parts/frame-00006.png
{ head -c 60 parts/frame-00007.png && printf "$end_of_picture"; } > cut.png
mv cut.png parts/frame-00007.png
rm parts/frame-00005.png parts/frame-00008.png
mkfifo parts/frame-00005.png
echo untouched > victim.png
ln -s "$folder/victim.png" parts/frame-00008.png
refused 1 "missing or damaged" film join parts
grep -q -- "--frames" out.txt || fail "nothing tells how damaged frames are made again: $(cat out.txt)"
for part in 1/3 2/3 3/3; do quietly "${film[@]}" --out parts --frames $part; done
[ "$(sums whole)" = "$(sums parts)" ] || fail "the parts are another film: $(diff <(sums whole) <(sums parts))"
quietly "${film[@]}" --out parts --frames 1:12
grep -q ": 0 made, 12 already existed; 0 key frames computed" out.txt || fail "frames are made twice: $(cat out.txt)"

[ "$(cat victim.png)" = untouched ] || fail "a frame was written through a link"
[ ! -L parts/frame-00008.png ] || fail "a link stays in the folder of a film"

# Partial frames of a killed run are removed, those of a running one are not.
sleep 600 &
living=$!
touch parts/frame-00001.png.$first-0.part parts/keys/key-1.png.$first-3.part parts/frame-00002.png.$living-0.part
quietly "${film[@]}" --out parts --frames 1:1
[ "$(cd parts && ls *.part keys/*.part 2> /dev/null)" = frame-00002.png.$living-0.part ] ||
  fail "unfinished frames: $(ls parts parts/keys)"
kill $living

# Key frames of another zoom have the same size, but are not used for this film.
quietly "${film[@]/3000/300}" --out other --frames 1:1
cp other/keys/*.png parts/keys/
rm parts/frame-00001.png
quietly "${film[@]}" --out parts --frames 1:1
[ "$(sums whole)" = "$(sums parts)" ] || fail "key frames of another film are used"

# A damaged key frame is computed again.
rm parts/frame-00001.png
for key in parts/keys/*.png; do head -c 100 "$key" > "cut" && cat "cut" > "$key"; done
quietly "${film[@]}" --out parts --frames 1:1
[ "$(sums whole)" = "$(sums parts)" ] || fail "a damaged key frame changes the film"

# Another device may continue the film; a message says so.
sed -i 's/^device = .*/device = "Abacus"/' parts/film.toml
quietly "${film[@]}" --out parts --frames 1:1
grep -q "warning: .*Abacus" out.txt || fail "another device is not told: $(cat out.txt)"

# Joined by a stand-in for ffmpeg.
mkdir bin
printf '#!/bin/sh\nfor last; do :; done\ncat > "${last#file:}"\n' > bin/ffmpeg
chmod +x bin/ffmpeg
PATH="$folder/bin:$PATH" quietly film join parts
[ "$(stat -c %s parts.mp4)" = $((64 * 36 * 3 * 12)) ] || fail "ffmpeg got something else than twelve frames"
PATH="$folder/bin:$PATH" quietly "${film[@]}" --out whole.mp4
cmp -s whole.mp4 parts.mp4 || fail "the joined film is another one than that of one run"
umask 022
chmod 600 parts.mp4
mkdir elsewhere
mv parts.mp4 elsewhere/film.mp4
ln -s elsewhere/film.mp4 parts.mp4
PATH="$folder/bin:$PATH" quietly film join parts
[ -L parts.mp4 ] && cmp -s whole.mp4 elsewhere/film.mp4 || fail "the link to a film is replaced"
[ "$(stat -c %a elsewhere/film.mp4)" = 600 ] || fail "a film that is replaced loses its permissions"
mkdir idle
printf '#!/bin/sh\ncat > /dev/null\n' > idle/ffmpeg
printf '#!/bin/sh\nfor last; do :; done\ncat > /dev/null\nrm -f "${last#file:}"\n' > idle/remover
chmod +x idle/*
for _ in idle remover; do
  PATH="$folder/idle:$PATH" refused 1 "wrote nothing" film join parts
  PATH="$folder/idle:$PATH" refused 1 "wrote nothing" "${film[@]}" --out new.mp4
  mv idle/remover idle/ffmpeg 2> /dev/null
done
cmp -s whole.mp4 elsewhere/film.mp4 || fail "an ffmpeg that wrote nothing replaces a film"
[ ! -e new.mp4 ] || fail "an ffmpeg that wrote nothing makes a film"
refused 2 ".mp4" "${film[@]}" --out .mp4
[ ! -e .mp4 ] || fail "a film without a name makes a folder"
mkdir none
cat > without << 'WITHOUT'
#!/bin/sh
PATH=$(pwd)/none exec "$@"
WITHOUT
chmod +x without
./without "$orrery" film join parts --out other.mp4 > out.txt 2>&1
[ $? = 1 ] && grep -q "ffmpeg was not found" out.txt || fail "a missing ffmpeg is not named: $(cat out.txt)"
[ ! -e other.mp4 ] || fail "a film that failed leaves something behind"

# Joined by ffmpeg itself, if installed: a container of each codec has all frames, their size and their rate.
if type ffmpeg ffprobe > /dev/null 2>&1; then
  for extension in mp4 webm avi; do
    quietly film join parts --out joined.$extension
    facts=$(ffprobe -v error -count_frames -select_streams v:0 -show_entries \
      stream=width,height,avg_frame_rate,nb_read_frames -of csv=p=0 joined.$extension)
    [ "$facts" = 64,36,6/1,12 ] || fail "joined.$extension is not 64 x 36 pixels, 6 frames/s and 12 frames: $facts"
    matrix=$(ffprobe -v error -select_streams v:0 -show_entries stream=color_space -of csv=p=0 joined.$extension)
    [ $extension = avi ] || [ "$matrix" = bt709 ] || fail "joined.$extension does not tell its colours: $matrix"
    # A red of 255 came back as 255, 23, 0: the mean of each channel of each frame is that of its picture.
    raw=(-f rawvideo -pix_fmt rgb24)
    ffmpeg -y -loglevel error -i parts/frame-%05d.png "${raw[@]}" pictures.raw
    ffmpeg -y -loglevel error -i joined.$extension "${raw[@]}" film.raw
    /usr/bin/python3 - <<'PYTHON' || fail "the colours of joined.$extension are not those of its pictures"
import numpy
film, pictures = (numpy.fromfile(name, numpy.uint8).reshape(12, 36 * 64, 3).mean(1) for name in ("film.raw", "pictures.raw"))
assert abs(film - pictures).max() <= 3, abs(film - pictures).max()
PYTHON
  done
fi

# Other films do not mix with it, and bad input is named with its range.
refused 2 "iterations = 3000, not 2999" "${film[@]/3000/2999}" --out parts --frames 1:2
refused 2 "1 … 12" "${film[@]}" --out parts --frames 0:3
refused 2 '"3:2"' "${film[@]}" --out parts --frames 3:2
refused 2 '"5/4"' "${film[@]}" --out parts --frames 5/4
refused 2 '"many"' "${film[@]}" --out parts --frames many
refused 2 "without a dot" "${film[@]}" --out parts.mp4 --frames 1:2
refused 2 "--zoom-from" mandelbrot --frames 1:2 --out parts
refused 2 "film.toml" film join whole
refused 2 "film join parts" film parts
refused 2 '.mp4 | ' film join parts --out film.gif
sed 's/^frames = .*/frames = -3/' parts/film.toml > film.toml
refused 2 '"-3"' film join .
rm film.toml

# The script of a cluster: with stand-ins for Slurm it makes the same film.
refused 2 '"pbs"' "${film[@]}" --out again --cluster pbs
refused 2 "1 to 1000" "${film[@]}" --out again --cluster slurm --jobs 0
refused 2 "control characters" "${film[@]}" --out $'f\nJOIN\ntouch LET_IN\n: \'' --cluster slurm
view=$'v\nPART\ntouch LET_IN\n: \'.toml'
echo 'rotation = 0' > "$view"
refused 2 "control characters" "${film[@]}" --view "$view" --out again --cluster slurm
rm "$view"
refused 2 "backslash" "${film[@]}" --out 'a\b' --cluster slurm
"$orrery" "${film[@]}" --out "again and again" --cluster slurm --jobs 3 > film.sh || fail "there is no script"
bash -n film.sh || fail "the script is none"
cat > bin/sbatch << 'SBATCH'
#!/bin/bash
# Runs a job at once: one task after another.
cat > job.sh
log=/dev/null tasks=
for word; do
  case $word in
    --array=*) tasks=$(seq "$(echo "${word#*=}" | cut -d- -f1)" "$(echo "${word#*=}" | cut -d- -f2)") ;;
    --output=*) log=${word#*=} ;;
    --dependency=*) [[ $word == --dependency=afterany:17 ]] || exit 1 ;;
  esac
done
percent=$'\1'
log=${log//[%][%]/$percent}
for task in ${tasks:-0}; do
  file=${log//%a/$task}
  SLURM_ARRAY_TASK_ID=$task bash job.sh > "${file//$percent/%}" 2>&1
done
echo '17;cluster'
SBATCH
chmod +x bin/sbatch
PATH="$folder/bin:$PATH" ORRERY=$orrery bash film.sh --partition=any > out.txt 2>&1 || fail "the script fails: $(cat out.txt)"
[ "$(sums whole)" = "$(sums "again and again")" ] || fail "the cluster makes another film"
cmp -s whole.mp4 "again and again.mp4" || fail "the cluster joins another film: $(cat "again and again/logs/join.log")"
[ "$(ls "again and again/logs" | wc -l)" = 4 ] || fail "there are not four logs"

# File names that other programs take for options and patterns.
for name in "-x" "100%a" "it's \$HOME"; do
  "$orrery" "${film[@]}" --out="$name" --cluster slurm --jobs 2 > film.sh || fail "there is no script for $name"
  PATH="$folder/bin:$PATH" ORRERY=$orrery bash film.sh > out.txt 2>&1 || fail "the script of $name fails: $(cat out.txt)"
  cmp -s whole.mp4 "./$name.mp4" || fail "the cluster makes no film $name: $(cat "./$name"/logs/*)"
  [ -e "./$name/logs/part-2.log" ] || fail "the logs of $name are elsewhere"
done
[ ! -e LET_IN ] || fail "a name is run"

echo "$failures failures"
exit $((failures > 0))
