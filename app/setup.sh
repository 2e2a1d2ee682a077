# Shared by app/run.sh and tests/run.sh: prepares a machine to build and run Orrery. Sourced, not run.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
log=$root/build/setup.log

# Names in Debian and its relatives. CMake fetches missing packages, except GMP and MPFR.
# shellcheck disable=SC2034 # used by the scripts that source this one
{
  build_packages=(g++ cmake ninja-build pkg-config python3-glad libgl-dev libxrandr-dev libglfw3-dev libimgui-dev
    libglm-dev opencl-clhpp-headers ocl-icd-opencl-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libpng-dev libminizip-dev libfontconfig-dev
    libgtest-dev libgmp-dev libmpfr-dev fonts-roboto-unhinted fonts-dejavu-core)
  run_packages=(pocl-opencl-icd libgl1 libegl1 libgl1-mesa-dri)
  screen_packages=(xvfb xauth)
}

say() { printf 'orrery: %s\n' "$*" >&2; }
fail() {
  say "$@"
  exit 1
}

# quietly COMMAND...: runs it with its output in the log; shows the end of the log if it fails.
quietly() {
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null && return
  tail -n 40 "$log" >&2
  fail "failed: $* (all of its output: $log)"
}

# missing_packages NAME...: the packages that are neither installed nor known to be unavailable.
missing_packages() {
  comm -23 <(printf '%s\n' "$@" | sort) <({
    dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p'
    cat "$root/build/no-such-package" 2>/dev/null
  } | sort)
}

available_packages() {
  apt-cache policy "$@" | awk '/^[^ ]/ { sub(/:$/, ""); name = $0 } /^  Candidate:/ && $2 != "(none)" { print name }'
}

# install_packages NAME...: installs missing packages. A second call needs no network.
install_packages() {
  if ! command -v apt-get >/dev/null; then
    [[ -d $root/build/release ]] || say "no apt-get here. Needed, by Debian's names: $*. Going on with what there is"
    return 0
  fi
  local missing available
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0

  local as_root=(env DEBIAN_FRONTEND=noninteractive)
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "missing, and this needs root: apt-get install ${missing[*]}"
    as_root=(sudo "${as_root[@]}")
    sudo -v || fail "missing, and this needs root: apt-get install ${missing[*]}"
  fi
  say "installing ${missing[*]} (a few minutes the first time)"
  quietly "${as_root[@]}" apt-get -q -o DPkg::Lock::Timeout=300 update
  mapfile -t available < <(available_packages "${missing[@]}")
  if ((${#available[@]} < ${#missing[@]})); then
    printf '%s\n' "${missing[@]}" "${available[@]}" | sort | uniq -u | tee -a "$root/build/no-such-package" |
      xargs printf 'orrery: this system has no package %s; continuing without it\n' >&2
  fi
  ((${#available[@]})) || return 0
  quietly "${as_root[@]}" apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "${available[@]}"
  touch "$root/build/installed"
}

# build PRESET [TARGET]: configures if presets or packages have changed, then builds.
build() {
  local folder=$root/build/$1 target=${2:-all} tool
  local ninja_file=$folder/build.ninja
  local done=$folder/built-$target
  for tool in cmake ninja c++; do
    command -v "$tool" >/dev/null || fail "$tool is missing: install it, then run this again"
  done
  [[ -e $done ]] || say "building $1 (a few minutes the first time)"
  if [[ ! -f $ninja_file || $root/CMakePresets.json -nt $ninja_file || $root/build/installed -nt $ninja_file ]]; then
    (cd "$root" && quietly cmake --preset "$1")
  fi
  if [[ -e $done ]]; then
    cmake --build "$folder" --target "$target" -- --quiet | sed '/^-- /d; /^ninja: no work to do/d'
  else
    cmake --build "$folder" --target "$target"
  fi || fail "the $1 build failed"
  touch "$done"
}

# on_virtual_screen COMMAND...: runs it on an X server that draws into memory.
on_virtual_screen() { xvfb-run --auto-servernum --server-args="-screen 0 1280x720x24 +extension GLX" "$@"; }
