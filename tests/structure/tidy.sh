#!/usr/bin/env bash
# clang-tidy finds nothing where children, threads and simulations are held: in these folders and their headers.
#
# usage: tidy.sh CLANG-TIDY APP-FOLDER GLAD-INCLUDE-FOLDER
set -euo pipefail
export tidy=$1 app=$2 glad=$3
check() {
  "$tidy" --quiet "$@" -- -std=c++20 "-I$app" -isystem "$glad" -isystem /usr/include/imgui -isystem /usr/include/stb \
    -DORRERY_VERSION='""' -DORRERY_FONTCONFIG -DTOML_HEADER_ONLY=0 -DTOML_SHARED_LIB=1 -DCL_HPP_ENABLE_EXCEPTIONS \
    -DCL_HPP_MINIMUM_OPENCL_VERSION=120 -DCL_HPP_TARGET_OPENCL_VERSION=120 -DCL_TARGET_OPENCL_VERSION=120
}
export -f check
find "$app/base/work" "$app/base/platform" "$app/scene" -name '*.cpp' -not -path '*/windows/*' -print0 |
  xargs -0 -P 2 -n 4 bash -c 'check "$@"' check
