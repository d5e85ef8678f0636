#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Goes through a catalogue of accesses at each level of optimisation, and with vectors of 32 bytes at the lowest and the highest: each
# one must be told, or named as not seen.
# usage: accesses.sh CATALOGUE RECORDER -- COMPILER FLAG...    the flags that code on trial is compiled with
#   LEVELS       of optimisation; default: all
#   ONE_MACHINE  set: without vectors of 32 bytes alone
set -euo pipefail

if (($# < 5)) || [[ $3 != -- ]]; then
    echo "usage: $0 CATALOGUE RECORDER -- COMPILER FLAG..." >&2
    exit 2
fi
catalogue=$1
recorder=$2
shift 3
compiler=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
machines=('')
if [[ -z ${ONE_MACHINE-} ]] && grep -qw avx2 /proc/cpuinfo; then machines+=(-march=x86-64-v3); fi
read -ra levels <<<"${LEVELS:--O0 -O1 -O2 -O3}"
failures=0

"$compiler" -std=c++20 -O1 -c "$recorder" -o "$folder/recorder.o"
for level in "${levels[@]}"; do
    for machine in "${machines[@]}"; do
        [[ -z $machine || $level == "${levels[0]}" || $level == "${levels[-1]}" ]] || continue
        # Of debug information nothing is asked here.
        "$@" -g0 -std=c++20 "$level" ${machine:+"$machine"} -Wno-psabi -c "$catalogue" -o "$folder/catalogue.o"
        # Without the flag: the runtime is the recorder's.
        "$compiler" "$folder/catalogue.o" "$folder/recorder.o" -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset \
            -o "$folder/accesses"
        "$folder/accesses" >"$folder/log" || failures=$((failures + 1))
        printf '%s %s: %s\n' "$level" "$machine" "$(tail -n 1 "$folder/log")"
        head -n -1 "$folder/log" | sed -n 1,20p
    done
done
((failures == 0))
