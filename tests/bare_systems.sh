#!/usr/bin/env bash
# Packages in bare systems: installed, tested, shown under Xvfb, and removed without a trace. Needs root, debootstrap and
# Debian's packages; takes minutes, so it is not in the test run.
#
#   tests/bare_systems.sh RELEASE PACKAGE...       bookworm or trixie; .deb of that release, .tar.zst and .whl of any
#
# Bare systems are kept in build/bare for reuse. Times exclude downloads of packages.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
(($# >= 2)) || { echo "usage: tests/bare_systems.sh RELEASE PACKAGE..." >&2; exit 2; }
release=$1
shift
mirror=${ORRERY_MIRROR:-http://deb.debian.org/debian}
base=$root/build/bare/$release
system=$(mktemp -d "${TMPDIR:-/tmp}/orrery-$release-XXXXXX")
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
inside() { chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp/home LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
leave() {
  local place
  for place in proc sys; do
    if mountpoint -q "$system/$place"; then umount -l "$system/$place"; fi
  done
  rm -rf --one-file-system "$system"
}
trap leave EXIT

if [[ ! -d $base ]]; then
  mkdir -p "$(dirname "$base")"
  debootstrap --variant=minbase "$release" "$base.part" "$mirror" > "$base.log"
  chroot "$base.part" apt-get -q -q update
  mv "$base.part" "$base"
fi
cp -a "$base/." "$system"
# debootstrap has made its own /dev: the host's stays out of reach.
mount -t proc proc "$system/proc"
mount -t sysfs -o ro sysfs "$system/sys"
mkdir -p "$system/tmp/home"

quietly() { "$@" > "$system/tmp/log" 2>&1 || { tail -n 30 "$system/tmp/log"; fail "$*"; }; }
get() { quietly inside apt-get -q -y --no-install-recommends "$@"; }
seconds_since() { awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f", to - from }'; }
# Lists installed files, without the package manager's own and without caches that any package changes.
files() { (cd "$system" && find bin etc lib opt usr var/lib -xdev \( -path var/lib/apt -o -path var/lib/dpkg -o -path var/lib/systemd \) \
  -prune -o \( -type f -o -type l \) -print | sort); }

installed() { inside dpkg-query -W -f '${Package}\n' | sort; }

# try PROGRAM: the self-test, and the window for a few seconds.
try() {
  local began
  began=$(date +%s.%N)
  quietly inside "$1" selftest
  echo "  self-test: $(seconds_since "$began") s: $(tail -n 1 "$system/tmp/log")"
  began=$(date +%s.%N)
  quietly inside xvfb-run -a -s "-screen 0 1280x720x24 +extension GLX" "$1" --seconds 6 --screenshot /tmp/window.png \
    --stats /tmp/stats.json
  echo "  window: $(seconds_since "$began") s, $(sed -n 's/.*"frames": \([0-9]*\).*/\1/p' "$system/tmp/stats.json" | head -n 1) frames"
  [[ -s $system/tmp/window.png ]] || fail "$1 saved no picture of its window"
  cp "$system/tmp/window.png" "$root/build/bare/$release-$(basename "$package").png" 2> /dev/null || true
}

get install xvfb xauth
for package in "$@"; do
  echo "$release, $(basename "$package"), $(stat -c %s "$package") bytes"
  cp "$package" "$system/tmp/"
  rm -rf "$system/tmp/home" && mkdir "$system/tmp/home" # no kernel is compiled yet
  file=/tmp/$(basename "$package")
  case $package in
    *.deb)
      quietly inside apt-get -q -y --download-only install "$file"
      files > "$system.before"
      installed > "$system.packages"
      began=$(date +%s.%N)
      quietly inside apt-get -q -y install "$file"
      echo "  installed: $(seconds_since "$began") s"
      try orrery
      echo "  installed and tested: $(seconds_since "$began") s"
      quietly inside python3 -c 'import orrery; print(orrery.program(), orrery.NBody("plummer", bodies=1000).run(10))'
      echo "  module: $(tail -n 1 "$system/tmp/log")"
      inside dpkg -L orrery > "$system.owned"
      get purge orrery
      get autoremove --purge
      while read -r path; do
        [[ ! -e $system$path || -d $system$path ]] || fail "$path is still there"
      done < "$system.owned"
      [[ ! -e $system/usr/share/orrery ]] || fail "/usr/share/orrery is still there"
      files > "$system.after"
      if comm -13 "$system.before" "$system.after" | grep -i orrery; then fail "purged, and something is left"; fi
      echo "  removed: $(wc -l < "$system.owned") paths; left by packages that came along: $(comm -13 "$system.before" "$system.after" |
        wc -l) files, $(comm -13 <(sort "$system.packages") <(installed) | tr '\n' ' ')"
      rm -f "$system.before" "$system.after" "$system.owned" "$system.packages"
      ;;
    *.tar.zst)
      # The archive first, in the base system only: it contains all libraries that the program links to.
      mkdir -p "$system/opt/a folder"
      zstd -dc "$package" | tar -x -C "$system/opt/a folder" --strip-components=1
      program="/opt/a folder/bin/orrery"
      quietly inside "$program" --version
      quietly inside "$program" devices
      get install pocl-opencl-icd libgl1 libegl1 libgl1-mesa-dri
      began=$(date +%s.%N)
      try "$program"
      echo "  tested: $(seconds_since "$began") s"
      rm -rf "$system/opt/a folder"
      ;;
    *.whl)
      # Python without a system driver: the extra [cpu] brings the only one. pip asks PyPI.
      get install python3-venv ca-certificates
      [[ ! -f ${PIP_CERT-} ]] || cp "$PIP_CERT" "$system/etc/ssl/certs/ca-certificates.crt"
      quietly inside python3 -m venv /opt/venv
      (cd "$system/opt/venv" && find . -type f | sort) > "$system.before"
      began=$(date +%s.%N)
      quietly inside /opt/venv/bin/pip install "$file[cpu]"
      echo "  installed: $(seconds_since "$began") s"
      quietly inside /opt/venv/bin/orrery mandelbrot --size 640x360 --out /tmp/first.png
      echo "  installed, and a first picture: $(seconds_since "$began") s"
      quietly inside /opt/venv/bin/orrery devices
      echo "  devices: $(cat "$system/tmp/log")"
      quietly inside /opt/venv/bin/python -c 'import orrery; print(orrery.NBody("plummer", bodies=1000).run(10))'
      echo "  module: $(tail -n 1 "$system/tmp/log")"
      quietly inside sh -c '/opt/venv/bin/pip freeze | sed "s/[ =].*//" | xargs /opt/venv/bin/pip uninstall -y'
      (cd "$system/opt/venv" && find . -type f | sort) > "$system.after"
      if comm -13 "$system.before" "$system.after" | grep .; then fail "uninstalled, and something is left"; fi
      rm -f "$system.before" "$system.after"
      ;;
    *) fail "$package is neither a .deb, a .tar.zst nor a .whl" ;;
  esac
done
echo "$failures failures"
exit $((failures > 0))
