#!/usr/bin/env bash
# Orrery on Mesa's rusticl, which drives GPUs of AMD and Intel and, here, the CPU (llvmpipe): devices, self-test, the
# same bits for any work-group.
#   usage: rusticl.sh PATH-TO-ORRERY [PATH-TO-TEST_ORACLE]
# The self-test takes 4 minutes, the oracle tests hours. Ends with 77 if the package mesa-opencl-icd is not installed.
# Debian 12's version has no doubles.
set -euo pipefail
orrery=$(realpath "$1")
oracle=${2:+$(realpath "$2")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "rusticl: $*" >&2; exit 1; }

[[ -e /etc/OpenCL/vendors/rusticl.icd ]] || { echo "skipped: the package mesa-opencl-icd is not installed"; exit 77; }
mkdir "$work/vendors" "$work/home"
cp /etc/OpenCL/vendors/rusticl.icd "$work/vendors/"
export OCL_ICD_VENDORS=$work/vendors RUSTICL_ENABLE=llvmpipe RUSTICL_FEATURES=fp64 XDG_STATE_HOME=$work/home
cd "$work"

"$orrery" devices >devices.txt || fail "$(cat devices.txt)"
grep -q "^rusticl" devices.txt || fail "rusticl is not listed: $(cat devices.txt)"
run=(nbody --initial plummer --bodies 3000 --steps 5 --burst 5 --forces gather)
for group in 1 4 16 32; do
  "$orrery" "${run[@]}" --work-group $group --out "$group.csv" >/dev/null
  cmp 1.csv "$group.csv" || fail "work-groups of 1 and $group give different bits"
done
"$orrery" selftest >selftest.txt || fail "$(cat selftest.txt)"
grep -q " 0 failed" selftest.txt || fail "$(cat selftest.txt)"
if [[ -n $oracle ]]; then "$oracle" --gtest_brief=1; fi
