#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Requires that the runtime defines everything that a compiler calls in instrumented code: compiles a catalogue of what
# there is in C++, and compares.
# usage: catalogue.sh RUNTIME SOURCE... -- COMPILER FLAG...
set -euo pipefail

runtime=${1-}
shift
sources=()
while (($#)) && [[ $1 != -- ]]; do
    sources+=("$1")
    shift
done
if ((${#sources[@]} == 0 || $# < 2)); then
    echo "usage: $0 RUNTIME SOURCE... -- COMPILER FLAG..." >&2
    exit 2
fi
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

nm --defined-only "$runtime" 2>/dev/null | awk '$3 ~ /^__tsan_/ {print $3}' | sort -u >"$folder/defined"
failures=0
for optimisation in -O0 -O1 -O2 -O3; do
    for source in "${sources[@]}"; do
        "$@" -g0 -std=c++20 "$optimisation" -fPIC -c "$source" -o "$folder/$(basename "$source").o"
    done
    nm --undefined-only "$folder"/*.o | awk '$2 ~ /^__tsan_/ {print $2}' | sort -u >"$folder/called"
    comm -23 "$folder/called" "$folder/defined" >"$folder/missing"
    printf '%s: %d functions called, %d not defined\n' "$optimisation" "$(wc -l <"$folder/called")" \
        "$(wc -l <"$folder/missing")"
    cat "$folder/missing"
    # Fewer would mean that the catalogue is not compiled as code on trial is.
    if (($(wc -l <"$folder/called") < 40)) || [[ -s $folder/missing ]]; then failures=$((failures + 1)); fi
done
((failures == 0))
