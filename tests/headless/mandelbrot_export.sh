#!/usr/bin/env bash
# Pictures and films of the Mandelbrot set as files: reproducible from their own texts, and never incomplete.
# usage: mandelbrot_export.sh PATH-TO-ORRERY
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
quietly() { "$orrery" "$@" > out.txt 2>&1 || fail "orrery $* exits with $?: $(cat out.txt)"; }

# alike WIDTH FIRST COUNT FIRST A B: COUNT rows of A and of B, from their own FIRST on, hold the same values, except
# for a few chaotic ones that rounding changes.
alike() {
  python3 - "$@" << 'PYTHON'
import array, struct, sys
width, first, count, other = map(int, sys.argv[1:5])
def rows(path, begin):
    with open(path, "rb") as file:
        file.seek(8)
        header = struct.unpack("<H", file.read(2))[0]
        file.seek(10 + header + begin * width * 8)
        return array.array("d", file.read(count * width * 8))
pairs = list(zip(rows(sys.argv[5], first), rows(sys.argv[6], other), strict=True))
assert len(pairs) == width * count
assert len(set(pairs)) > 50
assert sum(abs(a - b) > 1e-3 for a, b in pairs) <= 5e-3 * len(pairs)
PYTHON
}

# A picture made again from its own view is the same, byte for byte; it uses every kind of colour.
quietly mandelbrot --center seahorse-valley --size 240x150 --iterations 700 --samples 3 --palette dusk \
  --color-scale histogram --density 1.5 --offset 0.25 --shading both --light-angle 45 --relief 2 --out first.png
quietly mandelbrot --view first.png --samples 3 --out again.png
cmp -s first.png again.png || fail "first.png made again from itself differs"

# Pixels are proved: an insufficient precision is reported, and that of auto is right.
deep=(mandelbrot --center -0.743643887037151 0.13182590420533 --span 1e-9 --size 64x36 --iterations 2000)
"$orrery" "${deep[@]}" --prove 40 --precision single --out single.png > out.txt 2> errors.txt || fail "single.png: $(cat errors.txt)"
grep -q "some pixels are wrong, and no safer method is left: .* pixels" errors.txt ||
  fail "a wrong picture goes without a word: $(cat errors.txt)"
"$orrery" "${deep[@]}" --prove 40 --out auto.png > out.txt 2> errors.txt || fail "auto.png: $(cat errors.txt)"
grep -q "^[34][0-9] pixels computed again in [0-9]* bits: [01] differ" out.txt || fail "auto.png is not proved: $(cat out.txt)"
quietly "${deep[@]}" --prove 0 --out unproved.png
grep -q "computed again" out.txt && fail "--prove 0 proves"
for bad in -1 x 1e9 ""; do
  "$orrery" mandelbrot --size 8x8 --prove "$bad" --out bad.png > out.txt 2>&1
  [ $? = 2 ] || fail "--prove '$bad' is accepted"
done

# If pairs of doubles do not decide and time is short, the details mask those pixels; the others are right.
near_a_root=(--center 0.1468903221936616 -0.5793971919327081 --span 8.57034519e-09 --size 24x18 --iterations 1000000)
"$orrery" mandelbrot "${near_a_root[@]}" --prove 0 --out nu.npy --detail mask.npy > out.txt 2> errors.txt ||
  fail "nu.npy: $(cat errors.txt)"
python3 - "$(sed -n 's/.* \([0-9]*\) pixels are too close to the set.*they are nan in mask.npy.*/\1/p' errors.txt)" << 'PYTHON' ||
import array, math, sys
from fractions import Fraction
def doubles(path):
    data = open(path, "rb").read()
    return array.array("d", data[10 + data[8] + 256 * data[9]:])
def nu(i, j, bits=500):
    spacing = Fraction("8.57034519e-09") / 24
    cx = int((Fraction("0.1468903221936616") + (i - Fraction(23, 2)) * spacing) * 2**bits)
    cy = int((Fraction("-0.5793971919327081") - (j - Fraction(17, 2)) * spacing) * 2**bits)
    x = y = n = 0
    while (square := x * x + y * y) <= 10**4 << 2 * bits:
        x, y, n = ((x * x - y * y) >> bits) + cx, (x * y >> bits - 1) + cy, n + 1
    return n + 1 - math.log2(0.5 * math.log(square >> 2 * bits) / math.log(100))
values, mask = doubles("nu.npy"), doubles("mask.npy")
masked = [k for k in range(len(values)) if math.isnan(mask[k])]
assert 0 < len(masked) == int(sys.argv[1] or 0) < len(values) / 2, (len(masked), sys.argv[1])
checked = [k for k in range(0, len(values), 29) if k not in masked]
wrong = [(k, values[k], nu(k % 24, k // 24)) for k in checked if abs(values[k] - nu(k % 24, k // 24)) > 1e-3]
assert len(checked) > 8 and not wrong, wrong
PYTHON
  fail "the mask: $(cat errors.txt)"

# Files of other programs lead to the same place: the height is 4 / Zoom.
printf 'Re: -0.7436438870371587\r\nIm: 0.1318259042053119\r\nZoom: 1E3\r\nIterations: 900\r\n' > place.kfr
quietly mandelbrot --view place.kfr --size 160x90 --out kfr.npy
quietly mandelbrot --center -0.7436438870371587 0.1318259042053119 --span 7.11111111111111e-3 --iterations 900 \
  --size 160x90 --out span.npy
alike 160 0 90 0 kfr.npy span.npy || fail "place.kfr shows something else"

# Bands of rows make one picture: 7,000 x 700 pixels are a band of 599 rows and the rest. Four rows across the seam,
# 250 pixels of 1e-5 below the middle, are compared with a separate picture.
quietly mandelbrot --center -0.75 0.1 --span 0.07 --size 7000x700 --iterations 60 --out wide.npy
quietly mandelbrot --center -0.75 0.0975 --span 0.07 --size 7000x4 --iterations 60 --out strip.npy
alike 7000 598 4 0 wide.npy strip.npy || fail "the bands of wide.npy do not fit together"

# ffmpeg receives a film frame by frame; without ffmpeg, frames are numbered pictures.
mkdir bin
printf '#!/bin/sh\nfor last; do :; done\ncat > "${last#file:}"\n' > bin/ffmpeg
chmod +x bin/ffmpeg
film=(mandelbrot --center seahorse-valley --size 64x36 --iterations 200 --zoom-from 3 --seconds 1 --frames-per-second 6)
PATH="$folder/bin:$PATH" quietly "${film[@]}" --out zoom.mp4
[ "$(stat -c %s zoom.mp4)" = $((64 * 36 * 3 * 6)) ] || fail "ffmpeg got something else than six frames"
quietly "${film[@]}" --out frames
[ "$(ls frames | wc -l)" = 6 ] || fail "there are not six pictures in frames/"
# Each picture contains its view.
same_view() {
  quietly mandelbrot --view "$1" --prove 0 --out read.npy
  quietly "${film[@]:0:7}" --prove 0 --out typed.npy "${@:2}"
  cmp -s read.npy typed.npy || fail "$1 tells another view than ${*:2}"
}
same_view frames/frame-00001.png --span 3
same_view frames/frame-00006.png
quietly mandelbrot --center feigenbaum --span 1e-5 --zoom-from 1e-2 --size 32x18 --iterations auto --seconds 1 \
  --frames-per-second 4 --out cascade
[ "$(ls cascade | wc -l)" = 4 ] || fail "a film into the Feigenbaum point is not made"
printf '#!/bin/sh\ncat > /dev/null\nexit 3\n' > bin/ffmpeg
PATH="$folder/bin:$PATH" "$orrery" "${film[@]}" --out broken.mp4 > out.txt 2>&1
[ $? = 1 ] || fail "an ffmpeg that fails is not noticed"
ls broken* > /dev/null 2>&1 && fail "a film that failed leaves something behind"

# N = 100 belongs to the default view; other views find their own limit. A picture that is blank for want of iterations
# says so once.
said() { grep -q -- "$1" out.txt || fail "$2: $(cat out.txt)"; }
warnings() { [ "$(grep -c "orrery: warning:" out.txt)" = "$1" ] || fail "$2: $(cat out.txt)"; }
printf 'size = "32x24"\n' > size.toml
for view in "" "--palette classic" "--iterations 100 --center feigenbaum"; do
  # shellcheck disable=SC2086
  quietly mandelbrot --size 32x24 $view --out d.png
  said "N = 100," "the limit of '$view' is not 100"
  warnings 0 "'$view' warns"
done
for view in "--center feigenbaum --span 1e-8" "--span 3" "--center -0.651155 0" "--view size.toml" "--iterations auto"; do
  # shellcheck disable=SC2086
  quietly mandelbrot --size 32x24 $view --out d.png
  grep -q "N = 100," out.txt && fail "the limit of '$view' is 100"
  warnings 0 "'$view' warns"
done
quietly mandelbrot --center feigenbaum --span 1e-8 --size 32x24 --iterations 100 --out d.png
said "none escapes within N = 100 iterations; --iterations auto" "a blank picture does not say what to do"
warnings 1 "a blank picture warns otherwise than once"
quietly mandelbrot --center -0.1 0 --span 0.01 --size 32x24 --iterations 1 --out d.png
warnings 0 "a picture that is proved to be interior warns"
quietly mandelbrot --center feigenbaum --span 1e-3 --size 32x18 --iterations 20 --zoom-from 3 --seconds 0.1 --out dark
said "key frames are entirely interior" "a film with blank frames does not say so"
warnings 1 "a film with blank frames warns otherwise than once"

# Pixels that perturbation computes wrong are computed in many bits, also where N is found automatically.
for view in "-0.5 0 --span 2" "-0.75 0.1 --span 0.0666666666666666666"; do
  # shellcheck disable=SC2086
  quietly mandelbrot --center $view --size 64x48 --out d.npy
  said "each pixel was computed in many bits" "wrong pixels of '$view' stay"
  grep -q "no safer method is left" errors.txt && fail "no safer method is found for '$view'"
done

# The set of another power lies around 0, whatever else is given.
for view in "--span 3" "--center-im 0.1 --span 3"; do
  rm -f d.png around.png
  # shellcheck disable=SC2086
  quietly mandelbrot --power 4 --size 32x24 $view --out d.png
  # shellcheck disable=SC2086
  quietly mandelbrot --power 4 --center 0 0 --size 32x24 $view --out around.png
  cmp -s d.png around.png || fail "the set of z^4 + c is not around 0 with '$view'"
done

# Ctrl+C leaves no partial picture.
"$orrery" mandelbrot --center -0.1 0 --span 0.2 --size 20000x20000 --iterations 100000000 --out half.png > out.txt 2>&1 &
process=$!
until compgen -G "half*" >/dev/null; do sleep 0.05; done
kill -INT $process
wait $process 2> /dev/null
[ $? = 130 ] || fail "an interrupted picture does not exit with 130"
ls half* > /dev/null 2>&1 && fail "an interrupted picture leaves something behind"

for bad in "--zoom-from 1e-9" "--zoom-from 3 --seconds 0" "--zoom-from 3 --seconds 1e9"; do
  # shellcheck disable=SC2086
  "$orrery" mandelbrot --size 64x36 $bad --out film.mp4 > out.txt 2>&1
  [ $? = 2 ] || fail "$bad is accepted"
done

echo "$failures failures"
exit $((failures > 0))
