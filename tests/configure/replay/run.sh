#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What one build prints is replayed by the others; where the code is another, it is said which operation is.
# usage: run.sh CMAKE ORDEAL COMPILER...
set -euo pipefail

cmake=$1 ordeal=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() { printf 'not so: %s\n' "$1" >&2; cat "$folder/output" >&2; exit 1; }
says() { grep --quiet --fixed-strings -- "$1" "$folder/output" || fail "it says: $1"; }
silent_on() { if grep --quiet --fixed-strings -- "$1" "$folder/output"; then fail "it does not say: $1"; fi; }
run() { # run STATUS PROGRAM ARGUMENT...
    local expected=$1 status=0
    shift
    "$@" >"$folder/output" 2>&1 || status=$?
    ((status == expected)) || fail "$* ends with $expected, not with $status"
}
token() { # token PROGRAM: that of the violation
    { "$1" check parcel/is_handed_over --quiet --json - || true; } | jq --raw-output '.scenarios[0].replay'
}
mutant() { # mutant PROGRAM: a token in which an order is replaced
    { "$1" audit parcel/is_handed_over --quiet --json - || true; } |
        jq --raw-output '[.subjects[0].sites[].weaker[].replay | select(. != null)][0]'
}

programs=()
for compiler in "$@"; do
    build=$folder/${compiler##*/}
    "$cmake" -S "$here" -B "$build" "-Dordeal_DIR=$ordeal" "-DCMAKE_CXX_COMPILER=$compiler" >"$folder/output" ||
        fail 'it is configured'
    "$cmake" --build "$build" >"$folder/output" 2>&1 || fail 'it is built'
    programs+=("$build/unoptimised" "$build/optimised" "$build/neighboured")
done

for printed in "${programs[@]}"; do
    violated=$(token "$printed")
    for program in "${programs[@]}"; do
        run 1 "$program" replay "$violated"
        says 'violated: data race'
        silent_on 'has changed'
    done
    for compiler in "$@"; do
        run 2 "$folder/${compiler##*/}/rewritten" replay "$violated"
        says "sender's first operation is an exchange at parcel.cpp:"
        says 'the token has a write there'
        run 0 "$folder/${compiler##*/}/mended" replay "$violated"
        says 'no violation in this execution'
        says "the code has changed since the token was printed: sender's first operation, store release at parcel.cpp:"
    done
done

# The same in each build, but for the columns that compilers give to operations.
for compiler in "$@"; do
    weakened=$(mutant "$folder/${compiler##*/}/mended")
    for other in "$@"; do
        run 1 "$folder/${other##*/}/mended" replay "$weakened"
        says 'violated: data race'
        run 2 "$folder/${other##*/}/rewritten" replay "$weakened"
        says 'no execution reached the site of the override'
        says 'the code has changed'
    done
done
