#!/usr/bin/env bash
# bundle.sh PREFIX: puts the libraries that PREFIX/bin/orrery needs into PREFIX/lib/orrery, so that PREFIX runs from any
# folder, on any Linux whose glibc is not older than this system's. libc, OpenGL and the OpenCL drivers stay outside.
#
# Libraries that a driver of the system may load as well (X11, zlib, the C++ library …) are the system's where it has
# them, else those in lib/orrery/else: a driver that is newer than this package would not find in our older copy what it
# was built with, and a process has only one library of a name.
set -euo pipefail

prefix=$1
program=$prefix/bin/orrery
own=$prefix/lib/orrery
other=$own/else
for tool in patchelf ldd dpkg; do
  command -v "$tool" >/dev/null || { echo "bundle.sh: $tool is missing" >&2; exit 1; }
done
mkdir -p "$other"

never='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|mvec|GL|GLX|GLdispatch|EGL|OpenGL)\.so.*)$'
ours='^lib(glfw|mpfr|gmp|png16|minizip|stb|tomlplusplus|fontconfig|freetype|brotli.*)\.so'
# Which GLFW opens while it runs.
opened=(libXrandr.so.2 libXinerama.so.1 libXcursor.so.1 libXi.so.6 libXxf86vm.so.1 libXrender.so.1 libXext.so.6
  libXfixes.so.3 libX11.so.6 libX11-xcb.so.1 libxkbcommon.so.0)

known=$(ldconfig -p)

# package_of FILE: of the system, which knows files of /usr also without that.
package_of() { { dpkg -S "$1" || dpkg -S "${1#/usr}"; } 2>/dev/null | head -n 1 | cut -d : -f 1 || true; }

# needed FILE: names and places of all libraries that it loads.
needed() { ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }'; }

{
  needed "$program"
  for library in "${opened[@]}"; do
    place=$(awk -v name="$library" '$1 == name && /x86-64|AArch64/ { print $NF; exit }' <<<"$known")
    [[ -n $place ]] || continue
    echo "$library $place"
    needed "$place"
  done
} | sort -u | while read -r library place; do
  [[ ! $library =~ $never ]] || continue
  folder=$other
  [[ ! $library =~ $ours ]] || folder=$own
  install -m 644 "$(realpath "$place")" "$folder/$library"
  package_of "$(realpath "$place")" >>"$own/packages"
done

# The licences of what is taken along: of libraries and fonts, and the texts that these name.
licences=$prefix/share/doc/orrery/licences
mkdir -p "$licences"
for font in "$prefix"/share/orrery/assets/fonts/*.ttf; do
  place=$(find /usr/share/fonts -name "${font##*/}" -print -quit)
  [[ -z $place ]] || package_of "$place" >>"$own/packages"
done
sort -u "$own/packages" | while read -r package; do
  [[ ! -e /usr/share/doc/$package/copyright ]] || cp "/usr/share/doc/$package/copyright" "$licences/$package.txt"
done
rm "$own/packages"
grep -ohr '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$licences" "$prefix/share/doc/orrery/copyright" | sort -u |
  while read -r text; do
    [[ ! -f $text ]] || cp -L "$text" "$licences/"
  done

triplet=$(uname -m)-linux-gnu
system=/usr/lib/$triplet:/lib/$triplet:/usr/lib64:/lib64:/usr/lib:/lib
patchelf --set-rpath "\$ORIGIN/../lib/orrery:$system:\$ORIGIN/../lib/orrery/else" "$program"
for library in "$own"/*.so*; do patchelf --set-rpath "\$ORIGIN:$system:\$ORIGIN/else" "$library"; done
for library in "$other"/*.so*; do patchelf --set-rpath "$system:\$ORIGIN" "$library"; done
