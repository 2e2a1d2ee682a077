#!/usr/bin/env bash
# Bad input ends with one line that shows the value and the expectation, exit code 2, and no file written.
#   usage: bad_input.sh PATH-TO-ORRERY
set -uo pipefail
orrery=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

# refused VALUE EXPECTED ARGUMENTS…: the message must contain both texts.
refused() {
  local value=$1 expected=$2
  shift 2
  local before after output code
  before=$(ls -A)
  output=$(timeout 60 "$orrery" "$@" 2>&1 >/dev/null)
  code=$?
  after=$(ls -A)
  local fault=""
  [[ $code -eq 2 ]] || fault+=" exit code $code;"
  [[ $(wc -l <<<"$output") -eq 1 ]] || fault+=" not one line;"
  [[ $output == *"$value"* ]] || fault+=" does not name '$value';"
  [[ $output == *"$expected"* ]] || fault+=" does not name '$expected';"
  ((${#output} < 1500)) || fault+=" a line without an end;"
  [[ $output != *[$'\001'-$'\037']* ]] || fault+=" steers the terminal;"
  [[ $before == "$after" ]] || fault+=" wrote something: $after;"
  [[ -z $fault ]] && return
  failures=$((failures + 1))
  printf 'orrery %s:%s\n  %s\n' "$*" "$fault" "$output"
}

printf 'mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,0,zero,0,0,0,0\n' >malformed.csv
printf 'mass,x,y,z,vx,vy\n1,0,0,0,0,0\n' >header.csv
printf 'mass,x,y,z,vx,vy,vz\n' >empty.csv
printf 'span = = 3\n' >malformed.toml
printf 'center = ["-0.75", "zero"]\n' >number.toml
printf '\x93NUMPY\x01' >short.npy
fluid='[box]\nlengths = 6\n[[fill]]\nshape = "lattice"\ncount = 64\n[[pair]]\n'
printf "$fluid"'law = "lennard-jones"\ncutoff = 3.5\n' >narrow.toml
printf "$fluid"'name = "mine"\ncutoff = 2\nsnippet = "energy += r2;\\ndEdR += r;"\n' >slope.toml
printf "$fluid"'name = "mine"\ncutoff = 2\nsnippet = "\\n\\nenergy += 1; goto out;"\n' >goto.toml
printf "$fluid"'name = "mine"\ncutoff = 2\nsnippet = "while (r > 0) energy += 1;"\n' >endless.toml
printf 'bonds = [[0, 64]]\n'"$fluid"'law = "lennard-jones"\n' >bond.toml
tipsy_header() { printf '\0\0\0\0\0\0\0\0%b\0\0\0\03\0\0\0\0%b\0\0\0\0\0\0\0\0' "$1" "$1"; } # bodies, all of them dark
tipsy_header '\x7f\xff\xff\xff' >huge.tipsy
tipsy_header '\xff\xff\xff\xff' >negative.tipsy

refused teapot expected teapot
refused --nonsense --help nbody --nonsense
refused NoSuchDevice "one of" nbody --device NoSuchDevice --steps 1
refused 9:9 "one of" mandelbrot --device 9:9
refused NoSuchDevice "one of" bench nbody --device NoSuchDevice
refused '"0"' "from 1 to" nbody --bodies 0
refused '"-5"' "from 1 to" nbody --bodies -5
refused '"many"' "from 1 to" nbody --bodies many
refused '"nan"' "a number" nbody --dt nan
refused '"inf"' "a number" nbody --dt inf
refused '"-1"' "from 0 to" nbody --softening -1
refused '"euler"' "leapfrog | yoshida4 | pefrl | yoshida6 | tutorial" nbody --integrator euler
refused '"half"' "single" nbody --precision half
refused '"0"' "from 1 to" nbody --burst 0
refused '"-1"' "from 0 to" nbody --steps -1
refused '"999999999"' "from 1 to" nbody --bodies 10 --steps 1 --work-group 999999999
refused '"-1"' "auto" nbody --work-group -1
refused teapot "plummer" nbody --initial teapot
refused malformed.csv:3:5 zero nbody --initial malformed.csv
refused header.csv:1: mass,x,y,z,vx,vy,vz nbody --initial header.csv
refused empty.csv "" nbody --initial empty.csv
refused missing.csv "" nbody --initial missing.csv
refused short.npy "header" nbody --initial short.npy
refused huge.tipsy "32 bytes" nbody --initial huge.tipsy
refused negative.tipsy '"-1"' nbody --initial negative.tipsy
refused '"4"' "auto or 3" nbody --initial figure-eight --bodies 4
refused '"1"' "from 0 to 0.99" nbody --initial kepler:1
refused '"plummer:2"' "plummer" nbody --initial plummer:2
refused '"4"' "auto or 3" --initial pythagorean --bodies 4 --frames 1
refused malformed.csv:3:5 zero --initial malformed.csv --frames 1
refused bodies.doc .tipsy nbody --bodies 8 --steps 1 --out bodies.doc
refused '"0"' "" mandelbrot --span 0 --out x.npy
refused '"-1"' "" mandelbrot --span -1 --out x.npy
refused "wide" "" mandelbrot --span wide --out x.npy
refused '"0x10"' "" mandelbrot --size 0x10 --out x.npy
refused '"big"' "" mandelbrot --size big --out x.npy
refused '"0"' "auto" mandelbrot --iterations 0 --out x.npy
refused '"1"' "" mandelbrot --escape-radius 1 --out x.npy
refused '"half"' "single" mandelbrot --precision half --out x.npy
refused '"mauve"' "classic" mandelbrot --palette mauve --out x.png
refused '"0"' "from 1 to" mandelbrot --samples 0 --out x.png
refused "--samples" "" mandelbrot --samples 4 --out x.npy
refused nowhere "" mandelbrot --center nowhere --out x.npy
refused '"361"' "from -360 to 360" mandelbrot --rotation 361 --out x.npy
refused '"up"' "from -360 to 360" mandelbrot --stretch-angle up --out x.npy
refused '"0"' "from 0.01 to 100" mandelbrot --stretch 0 --out x.npy
refused '"nan"' "from 0.01 to 100" --scene mandelbrot --stretch nan --frames 1
refused 1.2.3 "" mandelbrot --center 1.2.3 0 --out x.npy
refused x.gif .png mandelbrot --out x.gif
refused malformed.toml:1: "" mandelbrot --view malformed.toml --out x.npy
refused number.toml:1: zero mandelbrot --view number.toml --out x.npy
refused '"nowhere"' "argon | cloth" particles nowhere
refused malformed.toml:1: "" particles malformed.toml
refused '"6"' "7 or more" particles narrow.toml
refused 'it is 1.5' "the derivative is 3" particles slope.toml
refused '"goto"' mine:3 particles goto.toml
refused mine "has not ended" particles endless.toml
refused '"64"' "0 to 63" particles bond.toml
refused '"half"' "single | mixed | double" particles argon --precision half
refused '"-1"' "from 0 to" particles argon --steps -1
refused '"0"' "above 0" particles argon --dt 0
refused '"nan"' "above 0" particles argon --dt nan
refused '"hot"' "from 0 to" particles argon --temperature hot
refused '"nan"' "from 0 to" particles argon --temperature nan
refused '"0"' "from 1 to" particles argon --burst 0
refused '"1.5"' "from 0 to" particles argon --seed 1.5
refused '"99999999999999999999"' "from 0 to" particles argon --seed 99999999999999999999
refused '"no/such/a.csv"' "no/such" particles argon --out no/such/a.csv
refused '"a.toml"' ".csv" particles argon --diagnostics a.toml
refused '"./same.csv"' "--diagnostics: expected another file than that of --out" nbody --out same.csv --diagnostics ./same.csv
refused '"same"' "--archive: expected another file than that of --state" nbody --state same --archive same
refused '"same.csv"' "--out: expected another file than that of --diagnostics" particles argon --out same.csv --diagnostics same.csv
refused '"./same.csv"' "--out: expected another file than that of --out" particles argon --out same.csv --out ./same.csv
refused '"./same.npy"' "--detail: expected another file than that of --out" mandelbrot --size 8x8 --out same.npy --detail ./same.npy
world() { printf "$fluid"'law = "lennard-jones"\ncutoff = 2\n'"$1" >world.toml; }
for bad in '[ensemble]\ndt = 0:10:6:0:above 0' '[ensemble]\ntemperature = "hot":10:15:hot:a number' \
  '[ensemble]\nfriction = -1:10:12:-1:0 or more' '[view]\nburst = 0:10:9:0:from 1 to' \
  '[ensemble]\nthermostat = "cold":10:14:cold:none | langevin | berendsen' '[[kind]]\nname = "a"\nmass = -2:11:8:-2:0 or more'; do
  IFS=: read -r text line column value expected <<<"$bad"
  world "$text"
  refused "world.toml:$line:$column: " "$expected" particles world.toml
  refused "\"$value\"" "$expected" particles world.toml
done
printf '[box]\nlengths = [6, -6, 6]\n[[fill]]\nshape = "lattice"\ncount = 64\n' >box.toml
refused box.toml:2:11: "above 0" particles box.toml
list='[[fill]]\nshape = "list"\npositions = [[0, 0, 0], [1, 0, 0]]\n'
printf "$list"'masses = [1, -1e-9]\n' >list.toml
refused '"-1e-09"' "0 (the particle is held in place)" particles list.toml
printf "$list"'masses = [1]\n' >list.toml
refused list.toml:4:10: "2, as many as positions" particles list.toml
printf "$list"'bonds = [[0, 2]]\n' >list.toml
refused "list.toml:4:9: " "0 to 1" particles list.toml
printf 'constraints = [[0, 64, 1]]\n'"$fluid"'law = "lennard-jones"\n' >constraint.toml
refused constraint.toml:1:15: "0 to 63" particles constraint.toml
refused '"0"' "above 0" bench particles --seconds 0
refused '"half"' "single | mixed | double" bench particles --precision half
refused '"-5"' "from 1 to" bench reduce --elements -5
refused '"0"' "from 1 to" bench sort --pairs 0,100
refused '"nowhere"' "argon | cloth" --scene particles --world nowhere --frames 1
refused '"cold"' "none | langevin" --scene particles --thermostat cold --frames 1
refused '"9"' "from 0.1 to 4" --scene particles --radius-scale 9 --frames 1
refused '"-1"' "from 0 to 1e+30" --scene particles --friction -1 --frames 1
refused argon.doc .toml particles argon --out argon.doc
refused '"10"' "from 500" bench particles --particles 10
refused teapot "nbody | mandelbrot" bench teapot
refused nowhere/x.json "does not exist" bench reduce --json nowhere/x.json
refused nowhere/x.json "does not exist" selftest --json nowhere/x.json
refused nowhere/x.json "does not exist" tune nbody --json nowhere/x.json
refused '"comet"' "main | tree | advance" tune nbody --kernel comet
refused '"fast"' "single | double" tune mandelbrot --precision fast
refused '"nowhere"' "boundary | interior" tune mandelbrot --view nowhere
refused '"63"' "from 64" tune nbody --bodies 63
refused '"nan"' "from 0 to 86400" tune nbody --budget nan
refused '"tile=1"' "KERNEL: AXIS VALUE" nbody --variant tile=1
refused '"0"' "from 1 to" --bodies 0 --frames 1
refused teapot "nbody | mandelbrot" --scene teapot --frames 1
refused '"99x"' "" --size 99x --frames 1
refused '"maybe"' "on or off" --vsync maybe --frames 1
refused missing.csv "a file that exists" --open missing.csv --frames 1
refused missing.toml "" --state missing.toml --frames 1
refused malformed.toml:1: "" --state malformed.toml --frames 1

# Files: only regular ones of limited size, and none that overflows a parser's stack.
mkfifo pipe.toml pipe.csv pipe.png
ln -s /dev/zero zero.toml
truncate -s 20G sparse.csv
truncate -s 3G sparse.kfr
for option in "particles" "--frames 1 --state" "mandelbrot --out x.npy --view"; do
  refused pipe.toml "a pipe" $option pipe.toml
  refused zero.toml "a device" $option zero.toml
done
refused pipe.csv "a pipe" nbody --initial pipe.csv
refused pipe.png "a pipe" mandelbrot --view pipe.png --out x.npy
refused sparse.kfr "at most 4 MiB" mandelbrot --view sparse.kfr --out x.npy
refused sparse.csv "at most 16 GiB" nbody --initial sparse.csv
# An empty value is shown as empty, beside the expectation.
printf 'mass,x,y,z,vx,vy,vz\n1,0,0,0,,0,0\n' >empty_cell.csv
refused empty_cell.csv:2:9 'vx: expected a finite number, got ""' nbody --initial empty_cell.csv
npy_header="{'descr': '', 'fortran_order': False, 'shape': (1, 7)}"
printf "\x93NUMPY\x01\0\x$(printf %02x ${#npy_header})\0%s" "$npy_header" >no_type.npy
refused no_type.npy 'expected the type <f8' nbody --initial no_type.npy
printf '[[kind]]\nname = ""\n[[fill]]\nshape = "chain"\n' >nameless.toml
refused nameless.toml:2:8 'got ""' particles nameless.toml
refused 'got ""' "the argument folder: expected a value" film join
printf '[[fill]]\nshape = "file"\nfile = "/dev/zero"\n' >fill.toml
refused /dev/zero "a device" particles fill.toml
{ printf 'a'; head -c 120000 /dev/zero | sed 's/\x00\x00/.a/g'; printf ' = 1\n'; } >dots.toml
for option in "particles" "--frames 1 --state" "mandelbrot --out x.npy --view"; do
  refused "dots.toml:1:" "nested too deeply" $option dots.toml
done
printf 'Zoom: 1e6\n' >half.kfr
refused half.kfr "lacks its Re" mandelbrot --view half.kfr --out x.npy
for place in 'Re: 1\nRe: 2\nIm: 0' 'Re: 0\nIm: 0\nZoom: 1\nRadius: 2'; do
  printf "$place\n" >twice.kfr
  refused twice.kfr "twice" mandelbrot --view twice.kfr --out x.npy
done
{ printf 'Re: 0.' && printf '%02000000d' 0 | tr 0 1 && printf '\nIm: 0\nZoom: 1\n'; } >digits.kfr
refused digits.kfr "100200 digits" mandelbrot --view digits.kfr --out x.npy
: >empty.toml
printf '# nothing\n' >comment.toml
for file in empty.toml comment.toml; do
  refused $file "no view" mandelbrot --view $file --out x.npy
  refused $file "no state" --state $file --frames 1
done
printf 'mass,x,y,z,vx,vy,vz\n1,0,\033]0;mine\007%0100000d,0,0,0,0\n' 1 >escapes.csv
refused 'escapes.csv:2:5' '\x1b]0;mine\x07' nbody --initial escapes.csv
printf '[[fill]]\nshape = "cloth"\nacross = 1000000\nalong = 1000000\n' >cloth.toml
refused cloth.toml:3: "the number of particles" particles cloth.toml
printf '[[kind]]\nname = "a"\n"a = 0; char b" = 3\n[[fill]]\nshape = "chain"\n' >column.toml
refused column.toml:3: "letters, digits and _" particles column.toml

# Empty values: an unset variable of a script must not silently mean the default.
for option in "nbody --out" "nbody --diagnostics" "nbody --device" "nbody --variant" "nbody --initial" "nbody --out=" \
  "mandelbrot --out" "mandelbrot --view" "mandelbrot --span" "mandelbrot --center" "mandelbrot --size" "mandelbrot --detail" \
  "mandelbrot --zoom-from" "mandelbrot --seconds" "mandelbrot --frames-per-second" "mandelbrot --palette" "particles" \
  "particles argon --out" "particles argon --diagnostics" "bench nbody --json" "bench mandelbrot --size" "bench nbody --seconds" \
  "tune nbody --json" "selftest --json" "selftest --device" "--state" "--size" "--screenshot" "--record" "--scene" "--device"; do
  refused "is empty" "--help" $option ""
  refused "is empty" "--help" $option " "
done

refused '"film.gif"' ".mp4 | .m4v" --record film.gif --frames 1

# An option cannot be the value of another one, and a switch has no value.
refused '"-h"' "--json needs a value" selftest --json -h
refused '"--help"' "--json needs a value" tune nbody --json --help
refused '"--steps"' "--out needs a value" nbody --out --steps 3
refused '"--state=a"' "--diagnostics needs a value" nbody --diagnostics --state=a
refused "--json" "expected on, off or no value" devices --json=..
refused '"nan"' "from 0 to 3600" bench nbody --seconds nan
refused '"extra"' "" --version extra
refused 'unknown argument "2"' "orrery nbody --help" nbody 2 1
refused 'unknown argument "-"' "see orrery --help" -
refused "--center needs 1 or 2 values" "" mandelbrot --center
refused "--steps is given twice" "" nbody --steps 1 --steps 2
refused "name a benchmark" "nbody | mandelbrot" bench
refused "name a model" "nbody | mandelbrot" tune
long=$(printf '%0100000d' 0 | tr 0 9)
refused "999…" "" mandelbrot --span "$long" --out x.npy
for option in "nbody --bodies" "nbody --device" "nbody" "mandelbrot --center" "mandelbrot --palette" "particles" "bench" \
  "--scene" "tune nbody --kernel" "nbody --out"; do
  refused "9…9" "" $option "$long"
  refused '\x1b[2J\x07\n' "" $option $'\033[2J\007\n9'
done

# A run continues exactly from its state file or refuses it and leaves it unchanged.
run=(nbody --initial kepler --dt 0.01 --burst 1)
"$orrery" "${run[@]}" --steps 3 --state run.state >/dev/null || failures=$((failures + 1))
bytes=$(stat -c %s run.state)
for ((at = 5; at < bytes; at += 41)); do
  cp run.state flipped.state
  printf "\\$(printf %03o $(($(od -An -tu1 -j $at -N 1 run.state) ^ 4)))" |
    dd of=flipped.state bs=1 seek=$at conv=notrunc status=none
  cp flipped.state before.state
  "$orrery" nbody --resume flipped.state --steps 9 --out resumed.csv >/dev/null 2>&1
  code=$?
  [[ $code -ne 0 && ! -e resumed.csv ]] && cmp -s flipped.state before.state && continue
  failures=$((failures + 1))
  echo "byte $at of a state is wrong, and it continues with $code"
done
cp run.state same.state
"$orrery" nbody --resume same.state --steps 3 >/dev/null && cmp -s run.state same.state || {
  failures=$((failures + 1))
  echo "a state is written again although nothing was computed from it"
}

# Failing output is an error.
for arguments in --help --version "nbody --help" "devices" "devices --json" "nbody --initial kepler --steps 1" \
  "mandelbrot --size 8x8" "mandelbrot --center feigenbaum --span 1e-5 --zoom-from 3 --out f --cluster slurm"; do
  output=$("$orrery" $arguments 2>&1 >/dev/full)
  code=$?
  [[ $code -eq 1 && $output == "orrery: cannot write to standard output: "* && $(wc -l <<<"$output") -eq 1 ]] && continue
  failures=$((failures + 1))
  echo "orrery $arguments > /dev/full ends with $code: $output"
done

# A replaced file keeps its permissions and the link to it; a special file is written directly.
kept() { "$orrery" nbody --initial kepler --steps 0 --out "$1" >/dev/null 2>"$work/messages"; }
printf x >private.csv
chmod 600 private.csv
ln -s private.csv link.csv
ln -s /dev/full full.csv
ln -s /dev/null null.csv
kept link.csv && [[ -L link.csv && $(stat -c %a private.csv) == 600 && $(wc -l <private.csv) -eq 3 ]] || {
  failures=$((failures + 1))
  echo "a link, or its file's permissions, were not kept: $(ls -l link.csv private.csv)"
}
kept null.csv && [[ -L null.csv && -c /dev/null ]] || { failures=$((failures + 1)); echo "/dev/null is not written to"; }
! kept full.csv && [[ -L full.csv && $(cat messages) == *full.csv*"No space"* ]] || {
  failures=$((failures + 1))
  echo "a full device is not told: $(cat messages)"
}

[[ $failures -eq 0 ]] && echo "every bad input was refused well" || { echo "$failures refused badly"; exit 1; }
