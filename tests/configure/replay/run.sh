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
report() { # report PROGRAM ARGUMENT...: in JSON, whether the verdict is the expected one or not
    local status=0
    "$@" --json - || status=$?
    ((status <= 1))
}
token() { # token PROGRAM [SCENARIO]: that of the violation
    report "$1" check "${2-parcel/is_handed_over}" --quiet | jq --raw-output '.scenarios[0].replay'
}
mutant() { # mutant PROGRAM: a token in which an order is replaced
    report "$1" audit parcel/is_handed_over --quiet |
        jq --raw-output '[.subjects[0].sites[].weaker[].replay | select(. != null)][0]'
}

programs=()
debugged=()
for compiler in "$@"; do
    build=$folder/${compiler##*/}
    "$cmake" -S "$here" -B "$build" "-Dordeal_DIR=$ordeal" "-DCMAKE_CXX_COMPILER=$compiler" >"$folder/output" ||
        fail 'it is configured'
    "$cmake" --build "$build" >"$folder/output" 2>&1 || fail 'it is built'
    programs+=("$build/unoptimised" "$build/optimised" "$build/neighboured")
    # Of a coroutine that clang 22 has compiled, the place where it goes on is not the right one (docs/reference/platforms.md).
    [[ $compiler == *clang++-22 ]] || debugged+=("$build/unoptimised" "$build/optimised")
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

# In gdb: the stack of the violation, those of the other threads, and the coroutine that is suspended.
line_of() { grep --line-number --fixed-strings -- "$1" "$here/parcel.cpp" | head -n 1 | cut -d : -f 1; }
for program in "${debugged[@]}"; do
    run 1 "$program" replay "$(token "$program")" --debug --gdb bt --gdb 'info ordeal-threads' --gdb ordeal-coroutines
    says 'receiver: violated: data race'
    says "parcel.cpp:$(line_of 'price += content_')"
    says "thread 1, 'sender', is over"
    says "thread 2, 'receiver', runs"
    says 'parcel::wait_for_bell(int), suspended, goes on at '
    grep --quiet --extended-regexp "^frame .*parcel.cpp:($(line_of 'co_await bell_')|$(line_of '++rung'))\$" "$folder/output" ||
        fail 'it says where the coroutine goes on'

    # No thread runs, and each has a stack of its own.
    run 1 "$program" replay "$(token "$program" parcel/two_doors)" --debug --gdb 'info frame'
    says 'violated: deadlock'
    (($(grep --count --extended-regexp '^    #[0-9].*two_doors::pass.* at .*parcel.cpp:'"$(line_of 'other(second)')" "$folder/output") == 2)) ||
        fail 'both threads are where they lock the second mutex'
done

# At another step, by its number, where a local variable has its value.
program=${programs[0]}
violated=$(token "$program")
write=$(report "$program" replay "$violated" |
    jq --arg line "$(line_of 'content_ = weight')" '[.trace[] | select(.thread == 0 and .line == ($line | tonumber))][0].step')
run 1 "$program" replay "$violated" --debug --at "$write" --gdb 'print weight' --gdb 'info ordeal-threads'
says "step $write ("
says ' = 42'
says "thread 1, 'sender', runs"
says "thread 2, 'receiver', is switched off"
run 2 "$program" replay "$violated" --debug --at 99999
says "no step of this trace is '99999'"

# Without gdb.
mkdir "$folder/empty"
run 3 env PATH="$folder/empty" "$program" replay "$violated" --debug
says 'gdb, which is not installed'
