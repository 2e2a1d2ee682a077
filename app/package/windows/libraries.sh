#!/usr/bin/env bash
# libraries.sh: fills build/windows-libraries with all that the Windows build needs besides its compiler: sources of
# GLFW and ImGui (PyPI's imgui-bundle) and GoogleTest, headers, and GMP, MPFR and libpng built from Debian's source
# packages. Nothing of it is for this system, and nothing is installed. A second call makes what is missing.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../setup.sh"

here=$root/app/package/windows
folder=$root/build/windows-libraries
host=x86_64-w64-mingw32
mirror=${ORRERY_MIRROR:-http://deb.debian.org/debian}
mkdir -p "$folder"/{bin,include,lib/cmake/tomlplusplus,share,licences,sources,made} "$folder"/apt/{lists/partial,cache/archives/partial,parts}
cd "$folder/made"

# once FUNCTION...: in a shell of its own, which ends at the first error, unless it was done before.
once() {
  local done=$folder/made/$1.done
  [[ ! -e $done ]] || return 0
  say "Windows libraries: $1"
  quietly bash "$here/libraries.sh" "$@"
  touch "$done"
}

# Debian's source packages, by lists of their own: those of this system may have none.
sources_of() { env APT_CONFIG="$folder/apt/apt.conf" apt-get -q source --only-source "$@"; }
source_packages() {
  # shellcheck source=/dev/null
  cat >"$folder/apt/parts/sources.sources" <<END
Types: deb-src
URIs: $mirror
Suites: $(. /etc/os-release && echo "$VERSION_CODENAME")
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
  cat >"$folder/apt/apt.conf" <<END
Dir::State::Lists "$folder/apt/lists";
Dir::Cache "$folder/apt/cache";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$folder/apt/parts";
APT::Sandbox::User "root";
END
  env APT_CONFIG="$folder/apt/apt.conf" apt-get -q update
  sources_of gmp mpfr4 libpng1.6 googletest
  mv googletest-*/ "$folder/sources/googletest"
  # A source package of its own in Debian 12, and a part of zlib's in 13: found by what is built from it.
  mkdir -p minizip
  (cd minizip && env APT_CONFIG="$folder/apt/apt.conf" apt-get -q source libminizip-dev)
  local package
  for package in gmp mpfr4 libpng1.6; do cp "$package"-*/debian/copyright "$folder/licences/$package.txt"; done
  cp minizip/*/debian/copyright "$folder/licences/minizip.txt"
}

# Headers alone, and Debian's own build of zlib for Windows, out of binary packages that are not installed.
binary_packages() {
  local package
  apt-get -q -o APT::Sandbox::User=root download libz-mingw-w64-dev libglm-dev libcli11-dev nlohmann-json3-dev opencl-c-headers \
    opencl-clhpp-headers libtomlplusplus-dev mingw-w64-common gcc-mingw-w64-base
  for package in *.deb; do dpkg-deb -x "$package" unpacked; done
  cp -r unpacked/usr/include/* "unpacked/usr/$host/include"/z*.h "$folder/include/"
  cp -r unpacked/usr/share/cmake "$folder/share/"
  cp "unpacked/usr/$host/lib/libz.a" "$folder/lib/"
  for package in libz-mingw-w64-dev libglm-dev libcli11-dev nlohmann-json3-dev opencl-c-headers opencl-clhpp-headers \
    libtomlplusplus-dev mingw-w64-common gcc-mingw-w64-base; do
    cp "unpacked/usr/share/doc/$package/copyright" "$folder/licences/${package%-dev}.txt"
  done
  cp /usr/share/common-licenses/{Apache-2.0,GPL-2,GPL-3,LGPL-3} "$folder/licences/"
  # The package's own CMake files name its library for this system; the headers need none.
  echo 'set(PACKAGE_VERSION_COMPATIBLE TRUE)' >"$folder/lib/cmake/tomlplusplus/tomlplusplusConfigVersion.cmake"
  cat >"$folder/lib/cmake/tomlplusplus/tomlplusplusConfig.cmake" <<'END'
add_library(tomlplusplus::tomlplusplus INTERFACE IMPORTED)
target_compile_definitions(tomlplusplus::tomlplusplus INTERFACE TOML_HEADER_ONLY=1)
target_include_directories(tomlplusplus::tomlplusplus SYSTEM INTERFACE ${CMAKE_CURRENT_LIST_DIR}/../../../include)
END
}

imgui_bundle() {
  python3 -m venv pip
  pip/bin/pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --require-hashes \
    -r "$here/imgui-bundle.txt"
  tar -xzf imgui_bundle-*.tar.gz
  local external
  external=$(echo imgui_bundle-*/external)
  mv "$external/glfw/glfw" "$folder/sources/glfw"
  mv "$external/imgui/imgui" "$folder/sources/imgui"
  rm -rf imgui_bundle-* pip
  cp "$folder/sources/glfw/LICENSE.md" "$folder/licences/glfw.txt"
  cp "$folder/sources/imgui/LICENSE.txt" "$folder/licences/imgui.txt"
}

# As DLLs, so that a user can exchange them, as their licence wants it.
build_shared() {
  local sources=$1 configure
  configure=$(echo "$PWD/$sources"-*/configure)
  rm -rf "build-$sources"
  mkdir "build-$sources"
  (cd "build-$sources" && "$configure" --host=$host --prefix="$folder" --enable-shared --disable-static \
    CC="$host-gcc-posix -static-libgcc" "${@:2}" && make -j2 && make install)
  $host-strip "$folder"/bin/*.dll
  rm -r "build-$sources"
}
gmp() {
  local manual # which Debian has taken out
  manual=$(echo gmp-*/)doc
  mkdir -p "$manual"
  echo 'all install clean:' >"$manual/Makefile.in"
  build_shared gmp --enable-fat
}
mpfr() {
  build_shared mpfr4 --with-gmp="$folder" --enable-thread-safe
  cp "/usr/$host/lib/libwinpthread-1.dll" "$folder/bin/" # for its variables of each thread
}
png() {
  cmake -S "$(echo libpng1.6-*/)" -B build-png -G Ninja -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$folder" -DPNG_SHARED=OFF -DPNG_TESTS=OFF
  cmake --build build-png --target install
}

minizip() {
  local source file
  source=$(dirname "$(find minizip -name unzip.c | head -n 1)")
  for file in zip unzip ioapi; do
    "$host-gcc-posix" -O2 -DUSE_FILE32API -I"$folder/include" -c "$source/$file.c" -o "$file.o"
  done
  rm -f "$folder/lib/libminizip.a"
  $host-ar rcs "$folder/lib/libminizip.a" zip.o unzip.o ioapi.o
  mkdir -p "$folder/include/minizip"
  cp "$source"/{zip,unzip,ioapi}.h "$folder/include/minizip/"
}

# Drivers bring OpenCL.dll. To link to it, its names are enough: all functions that the headers declare.
opencl_loader() {
  {
    printf 'LIBRARY OpenCL.dll\nEXPORTS\n'
    grep -ohE '\bcl[A-Z][A-Za-z0-9]+ ?\(' "$folder"/include/CL/cl{,_gl}.h | tr -d ' (' | sort -u
  } >opencl.def
  $host-dlltool --input-def opencl.def --output-lib "$folder/lib/libOpenCL.a"
}

if (($#)); then
  "$@"
  exit
fi
once source_packages
once binary_packages
once imgui_bundle
once gmp
once mpfr
once png
once minizip
once opencl_loader
