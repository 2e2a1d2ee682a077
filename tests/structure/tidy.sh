#!/usr/bin/env bash
# clang-tidy finds nothing in the folders that manage child processes, threads and simulations, and in their headers. All
# sources are read as one, so that headers are read once.
#
# usage: tidy.sh CLANG-TIDY APP-FOLDER GLAD-INCLUDE-FOLDER
set -euo pipefail
tidy=$1 app=$2 glad=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find "$app/base/work" "$app/base/platform" "$app/scene" -name '*.cpp' -not -path '*/windows/*' -printf '#include "%p"\n' |
  sort >"$work/all.cpp"
"$tidy" --quiet --config-file="$app/../.clang-tidy" "$work/all.cpp" -- -std=c++20 "-I$app" -isystem "$glad" \
  -isystem /usr/include/imgui -isystem /usr/include/stb -DORRERY_VERSION='""' -DORRERY_FONTCONFIG -DTOML_HEADER_ONLY=0 \
  -DTOML_SHARED_LIB=1 -DCL_HPP_ENABLE_EXCEPTIONS -DCL_HPP_MINIMUM_OPENCL_VERSION=120 \
  -DCL_HPP_TARGET_OPENCL_VERSION=120 -DCL_TARGET_OPENCL_VERSION=120
