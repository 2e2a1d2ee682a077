#!/usr/bin/env bash
# Packages of Orrery for this system, in build/package/packages: a .deb, and a .tar.zst that runs from any folder.
#
#   app/package.sh [deb|tar]        both unless one is named
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

case ${1-} in
  '') generators='DEB;TZST' ;;
  deb) generators=DEB ;;
  tar) generators=TZST ;;
  *)
    say "the kind of package: expected deb, tar or nothing, got \"$1\""
    exit 2
    ;;
esac

install_packages "${build_packages[@]}" python3 librsvg2-bin dpkg-dev file patchelf zstd libopenmpi-dev libmpich-dev
folder=$root/build/package
rm -rf "$folder/packages"
(cd "$root" && quietly cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DORRERY_TESTS=OFF \
  -DORRERY_PACKAGE=ON)
say "building (a few minutes the first time)"
quietly cmake --build "$folder" --target orrery package_files
(cd "$folder" && quietly cpack -G "$generators")
rm -rf "$folder/packages/_CPack_Packages"
for package in "$folder"/packages/*.*; do
  say "$package ($(numfmt --to=iec --suffix=B "$(stat -c %s "$package")"))"
done
