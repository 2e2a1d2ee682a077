#!/usr/bin/env bash
# A world contains no code: no snippet or name in a file reaches a compiler unchecked, and an energy defines a law.
#   usage: laws.sh PATH-TO-ORRERY
set -uo pipefail
orrery=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  failures=$((failures + 1))
  printf '%s\n' "$*"
}

# world SNIPPET [COLUMN]: a world with one pair law.
world() {
  printf '[box]\nlengths = 6\n[[kind]]\nname = "a"\n%s\n[[fill]]\nshape = "lattice"\nkind = "a"\ncount = 64\n' "${2:-}"
  printf "[[pair]]\nname = \"mine\"\ncutoff = 2\nparameters = { k = 1, sigma = 1 }\nsnippet = '''\n%s\n'''\n" "$1"
}

# refused PLACE FOUND SNIPPET
refused() {
  local output code
  world "$3" >law.toml
  output=$("$orrery" particles law.toml --steps 1 2>&1 >/dev/null)
  code=$?
  [[ $code -eq 2 && $(wc -l <<<"$output") -eq 1 && $output == *"mine:$1: "*"$2"* ]] || fail "$3: exit code $code, $output"
}

refused 1:1 '%' '%:include </etc/passwd>'
refused 1:1 '?' '??=include </etc/passwd>'
refused 1:1 '#' '#include </etc/passwd>'
refused 1:1 '%' '%:define A J3(_,_as,m__)'
refused 1:14 '"' 'asm volatile("hlt");'
refused 1:1 'asm' 'asm volatile(1);'
refused 1:10 'sincos' 'real q = sincos(r, total + (int)(k * 500000000));'
refused 2:11 'pair_law_0' $'energy += 0;\nenergy += pair_law_0(r);'
refused 1:1 '*' '*(total + 4) = 1;'
refused 1:6 '*' 'real *p = total;'
refused 1:12 'sigma?' 'energy += (sigm / r);'
refused 1:211 'nested more than 200 deep' "energy += $(printf '(%.0s' {1..4000})r;"
refused 1:1 '*/' '/* no end'
# repeated N TEXT
repeated() { printf "$2%.0s" $(seq "$1"); }
refused 2:1 'nested more than 200 deep' "$(repeated 200 'if (r > 0) ')"$'\n'"energy += r;"
refused 1:401 'nested more than 200 deep' "$(repeated 200 '{ ')energy += r;$(repeated 200 '} ')"
refused 1:1006 'nested more than 200 deep' "energy += $(repeated 250 'fabs(')r"
for law in "$(repeated 199 'if (r > 0) ')energy += r;" "energy += $(repeated 199 '(')r$(repeated 199 ')');" \
  "$(repeated 199 'if (r > 2) energy += 1; else { ')energy += r;$(repeated 199 '} ')"; do
  world "$law" >deep.toml
  "$orrery" particles deep.toml --steps 1 >/dev/null 2>said.txt || fail "${law:0:40}…: exit code $?, $(cat said.txt)"
done

# A column's name is no code either: it is refused or has no effect.
world 'energy += r2; // a1' '"a = 0; __asm__ volatile(\"hlt\"); real b" = 3' >column.toml
"$orrery" particles column.toml --steps 1 >/dev/null 2>said.txt
code=$?
[[ $code -eq 0 || ($code -eq 2 && $(wc -l <said.txt) -eq 1) ]] || fail "a column's name: exit code $code, $(cat said.txt)"
grep -q 'error:' said.txt && fail "a column's name reached a compiler"

# A derived force moves particles like a force written by hand.
potential() { "$orrery" particles "$1" --steps 50 --precision double | grep -o 'energy per particle [^ ]*'; }
world 'energy += 4 * k * (pow(sigma / r, 12) - pow(sigma / r, 6));' >derived.toml
sed "/^snippet/,\$d; s/^name = \"mine\"/law = \"lennard-jones\"/; s/{ k = 1, /{ epsilon = 1, /" derived.toml >by-hand.toml
derived=$(potential derived.toml) by_hand=$(potential by-hand.toml)
[[ -n $derived && $derived == "$by_hand" ]] || fail "derived: $derived; by hand: $by_hand"

# A law without a limit for two particles at one place: the error names both.
world 'energy += k / r; dEdR -= k / r2;' | sed '/^shape/,/^count/d; /^kind = "a"/d' >place.toml
sed -i 's/^\[\[fill\]\]$/[[fill]]\nshape = "list"\nkind = "a"\npositions = [[1, 1, 1], [1, 1, 1], [3, 1, 1]]/' place.toml
for precision in single mixed double; do
  output=$("$orrery" particles place.toml --steps 1 --precision $precision 2>&1 >/dev/null)
  code=$?
  [[ $code -eq 1 && $output == *"the law mine gives no finite force between particles 0 and 1 at step 0; they are at one place, where the law has no known limit"* ]] || fail "one place, $precision: exit code $code, $output"
done

# The parameters of a law are options. The energy is proportional to epsilon.
sum() { "$orrery" particles argon --steps 0 --diagnostics sums.csv "$@" >/dev/null && sed -n '$p' sums.csv | cut -d, -f4; }
once=$(sum) thrice=$(sum --lennard-jones/epsilon=3) near=$(sum --lennard-jones/cutoff 1.2)
awk -v a="$once" -v b="$thrice" 'BEGIN { exit !(a < 0 && b / a > 2.999999 && b / a < 3.000001) }' || fail "epsilon 3: $once, $thrice"
awk -v a="$once" -v b="$near" 'BEGIN { exit !(b > a) }' || fail "cutoff 1.2: $once, $near"  # no distant attracting pairs
# number_refused OPTION VALUE EXPECTED
number_refused() {
  local output code
  output=$("$orrery" particles argon --steps 0 "$1=$2" 2>&1 >/dev/null)
  code=$?
  [[ $code -eq 2 && $(wc -l <<<"$output") -eq 1 && $output == *"$3"*"$2"* ]] || fail "$1=$2: exit code $code, $output"
}
number_refused --lennard-jones/epsilon 11 "from 0 to 10"
number_refused --lennard-jones/cutoff 14.1 "from 0.14 to 14"  # half of the box
number_refused --lennard-jones/sigma much "a number"
for name in coulomb/sigma LAW/NAME lennard-jones/ /sigma; do
  output=$("$orrery" particles argon --steps 0 "--$name" 1 2>&1 >/dev/null)
  [[ $? -eq 2 && $output == *"expected lennard-jones/epsilon | lennard-jones/sigma | lennard-jones/cutoff, got \"$name\"" ]] || fail "$name: $output"
done
output=$("$orrery" particles argon --steps 0 --lennard-jones/sigma 2>&1 >/dev/null)
[[ $? -eq 2 && $output == *"--lennard-jones/sigma needs a value"* ]] || fail "no value: $output"


# Names of laws are free.
for name in "floor and weight" "a: {law}"; do
  world 'energy += k / r; dEdR -= k / r2;' | sed "s/^name = \"mine\"/name = \"$name\"/" >named.toml
  once=$("$orrery" particles named.toml --steps 0 | grep "^  $name: ") || fail "no law $name"
  twice=$("$orrery" particles named.toml --steps 0 "--$name/k" 2 | grep "^  $name: ") || fail "--$name/k 2"
  [[ $twice != "$once" && $twice == "$("$orrery" particles named.toml --steps 0 "--$name/k=2" | grep "^  $name: ")" ]] || fail "--$name/k: $once, $twice"
  output=$("$orrery" particles named.toml --steps 0 "--$name/k" 2>&1 >/dev/null)
  [[ $? -eq 2 && ($name == *:* || $output == *"--$name/k needs a value"*) ]] || fail "--$name/k without a value: $output"
done

((failures == 0)) || exit 1
echo "all is described"
