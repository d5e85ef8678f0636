#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Requires that the production templates compile to the same instructions as the hand-written code.
# usage: compare.sh COMPILER INCLUDE_DIR
set -euo pipefail

if [[ $# -ne 2 ]]; then
    echo "usage: $0 COMPILER INCLUDE_DIR" >&2
    exit 2
fi
compiler=$1
include=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
functions=(event_set event_reset event_await_ready event_await_suspend task_ready task_abandon)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Asserts are checks of preconditions, not part of the operation: hence NDEBUG. One section a function, so that its
# addresses start at zero.
build() {
    "$compiler" -std=c++20 -O2 -DNDEBUG -fno-asynchronous-unwind-tables -ffunction-sections -I"$include" \
        -c "$here/$1.cpp" -o "$work/$1.o"
}

# The instructions of one function: no addresses, branch targets as offsets into it, no padding at its end.
# A call that is left stays visible through its relocation.
instructions() {
    objdump --disassemble="$2" --no-show-raw-insn --reloc "$work/$1.o" |
        sed -nE -e '/^[0-9a-f]+ <.*>:$/,$ { /^[[:space:]]+[0-9a-f]+:/p }' |
        sed -E -e 's/^[[:space:]]+[0-9a-f]+:[[:space:]]*//' -e 's/[0-9a-f]+ (<[^>]+>)/\1/g' -e 's/[[:space:]]+/ /g' \
            -e 's/ $//' |
        awk '{ line[NR] = $0; if ($0 !~ /^(nop|nopw|nopl|xchg %ax,%ax|data16|cs nopw|int3)/) last = NR }
             END { for (i = 1; i <= last; ++i) print line[i] }'
}

for unit in plain production control; do
    build "$unit"
done

failures=0
for function in "${functions[@]}"; do
    for unit in plain production control; do
        instructions "$unit" "$function" >"$work/$unit.$function"
    done
    lines=$(wc -l <"$work/plain.$function")
    if [[ $lines -lt 2 ]]; then
        echo "FAILED: $function was not found in the hand-written object" >&2
        failures=$((failures + 1))
        continue
    fi
    if diff -u --label "hand-written $function" --label "production $function" \
        "$work/plain.$function" "$work/production.$function" >&2; then
        echo "same: $function, $lines instructions"
    else
        echo "FAILED: $function differs from the hand-written code" >&2
        failures=$((failures + 1))
    fi
    if cmp -s "$work/plain.$function" "$work/control.$function"; then
        echo "FAILED: positive control: a fence added to $function was not noticed" >&2
        failures=$((failures + 1))
    fi
done

[[ $failures -eq 0 ]]
