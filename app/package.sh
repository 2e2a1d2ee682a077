#!/usr/bin/env bash
# Builds packages for this system in build/package/packages: a .deb, a .tar.zst that runs from any folder, and its
# Python wheel; or for Windows, cross-built in build/windows/packages: a .zip and its wheel.
#
#   app/package.sh [deb|tar|wheel|windows|wheel-windows]
#
# Default: deb and tar. wheel also makes the .tar.zst, and wheel-windows the .zip.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

case ${1-} in
  '') generators='DEB;TZST' ;;
  deb) generators=DEB ;;
  tar | wheel) generators=TZST ;;
  windows | wheel-windows) generators=ZIP ;;
  *)
    say "the kind of package: expected deb, tar, wheel, windows, wheel-windows or nothing, got \"$1\""
    exit 2
    ;;
esac

if [[ $generators == ZIP ]]; then
  install_packages cmake ninja-build python3 python3-venv python3-glad librsvg2-bin g++-mingw-w64-x86-64-posix dpkg-dev make m4 \
    zip fonts-roboto-unhinted fonts-dejavu-core
  bash "$root/app/package/windows/libraries.sh"
  folder=$root/build/windows
  (cd "$root" && quietly cmake --preset windows)
  target=orrery
else
  install_packages "${build_packages[@]}" python3 librsvg2-bin dpkg-dev file patchelf zstd binutils libopenmpi-dev \
    libmpich-dev
  folder=$root/build/package
  # Uses Debian's build flags, without debugging symbols, which would be stripped.
  export DEB_BUILD_MAINT_OPTIONS=hardening=+all DEB_CFLAGS_MAINT_STRIP=-g DEB_CXXFLAGS_MAINT_STRIP=-g
  flags() { (cd "$root" && dpkg-buildflags --get "$1"); }
  (cd "$root" && quietly cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DORRERY_TESTS=OFF \
    -DORRERY_PACKAGE=ON "-DCMAKE_C_FLAGS=$(flags CPPFLAGS) $(flags CFLAGS)" \
    "-DCMAKE_CXX_FLAGS=$(flags CPPFLAGS) $(flags CXXFLAGS)" "-DCMAKE_EXE_LINKER_FLAGS=$(flags LDFLAGS)")
  target=package_files
fi
rm -rf "$folder/packages"
say "building (a few minutes the first time)"
quietly cmake --build "$folder" --target orrery "$target"
(cd "$folder" && quietly cpack -G "$generators")
rm -rf "$folder/packages/_CPack_Packages"
if [[ ${1-} == wheel* ]]; then
  package=$(echo "$folder"/packages/orrery-*)
  quietly python3 -B "$root/app/package/wheel.py" "$package" "$root/app/python/orrery" "$folder/packages"
fi
for package in "$folder"/packages/*.*; do
  say "$package ($(numfmt --to=iec --suffix=B "$(stat -c %s "$package")"))"
done
