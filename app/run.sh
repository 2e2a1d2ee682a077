#!/usr/bin/env bash
# Orrery in one command: installs what is missing, builds, launches. Arguments are passed to the program.
set -euo pipefail
# shellcheck source=app/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# Only the window's arguments begin with an option or a file; other first words are headless commands.
wants_window() {
  [[ -z ${1-} || $1 == -* || -f $1 ]] || return 1
  ! names_option '--help*' "$@" && ! names_option -h "$@" && ! names_option --version "$@"
}

# names_option PATTERN ARGUMENT...: true if an argument is that option, alone or as --option=value.
names_option() {
  local option=$1 argument
  shift
  for argument in "$@"; do
    # shellcheck disable=SC2053 # the pattern is meant as one
    [[ $argument == $option || $argument == $option=* ]] && return
  done
  return 1
}

has_display() { [[ $(uname) != Linux || -n ${DISPLAY-} || -n ${WAYLAND_DISPLAY-} ]]; }

install_packages "${build_packages[@]}" "${run_packages[@]}"
build release orrery
orrery=$root/build/release/orrery

if has_display || ! wants_window "$@"; then
  exec "$orrery" "$@"
fi

install_packages "${screen_packages[@]}"
say "no display here: running on a virtual one for about ten seconds"
names_option --frames "$@" || set -- "$@" --frames 600
screenshot=
if ! names_option --screenshot "$@"; then
  screenshot=$root/build/screenshot.png
  set -- "$@" --screenshot "$screenshot"
fi
on_virtual_screen "$orrery" "$@"
[[ -z $screenshot ]] || say "this is what it showed: $screenshot"
