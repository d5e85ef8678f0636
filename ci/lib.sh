# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# What the scripts of this folder share; sourced, not run. Leaves the caller in the root of the project.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '== %s\n' "$*" >&2; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

jobs=${ORDEAL_JOBS:-$(nproc)}

# configure PRESET
configure() {
    say "configure: $1"
    cmake --preset "$1" >/dev/null
}

# build PRESET TARGET...
build() {
    local preset=$1
    shift
    say "build: $preset: $*"
    cmake --build --preset "$preset" --parallel "$jobs" --target "$@"
}
