#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A verdict is green when everything was checked: what a trial links and nobody sees makes it red, until the build compiles it for the
# trial or names it. How files and folders are called plays no part.
# usage: run.sh CMAKE CXX ORDEAL_BUILD [LINKER]
set -euo pipefail

here=$PWD/unseen
cmake=$1
cxx=$2
ordeal=$3
linker=${4-}
own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT
cc=clang-19
[[ $cxx != *g++* || $cxx == *clang* ]] || cc=gcc

die() { printf 'run.sh: %s\n' "$*" >&2; exit 1; }

folder="$own/[a b] (c) \$d 'e' bücher"
mkdir "$folder"
cp -r "$here" "$folder/source"
build="$folder/build"
options=(-G Ninja "-Dordeal_DIR=$ordeal" "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_C_COMPILER=$cc")
[[ -z $linker ]] || options+=("-DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=$linker")
"$cmake" -S "$folder/source" -B "$build" "${options[@]}" >"$own/log" 2>&1 || { cat "$own/log" >&2; die "not configured"; }
"$cmake" --build "$build" >"$own/log" 2>&1 || { cat "$own/log" >&2; die "not built"; }

# says STATUS PROGRAM WORDS [FIRST]: how `check` ends, and what it says, in its first line if FIRST is there.
bad=0
says() {
    local status=0 shown
    "$build/$2" check >"$own/said" 2>&1 || status=$?
    shown=$(tr -s ' \n' ' ' <"$own/said")
    [[ -z ${4-} ]] || shown=$(head -n 1 "$own/said")
    if [[ $status != "$1" || $shown != *"$3"* ]]; then
        printf '%s ended with %s, not %s, or does not say: %s\n' "$2" "$status" "$1" "$3" >&2
        cat "$own/said" >&2
        bad=$((bad + 1))
    fi
}

says 1 static_library 'NOT CHECKED: lib.cpp (libl.a): add it to SOURCES, or INSTRUMENT l' first
says 1 static_library 'held within [1] not checked'
says 1 static_library '1 not as expected.'
says 1 object_library 'NOT CHECKED: lib.cpp (o): add it to SOURCES, or INSTRUMENT o' first
says 1 shared_library 'NOT CHECKED: increment(int*) (libs.so): add its source to SOURCES, or INSTRUMENT s (caller.cpp:' first
strip --strip-debug "$build/libstripped_trial.so"
says 1 stripped 'NOT CHECKED: increment(int*) (libs.so): add its source to SOURCES, or INSTRUMENT s'
says 1 strange_library "NOT CHECKED: lib.cpp (libbücher [1] it's.a): add it to SOURCES, or INSTRUMENT strange" first
says 1 assertions 'NOT CHECKED: assertions of asserts.cpp, which defines NDEBUG' first
says 1 assembler 'NOT CHECKED: assembler, "' first
says 1 allowed_other 'NOT CHECKED: lib.cpp (libl.a)' first
# Two trials, and one that links it by way of an interface, have compiled it for trials once.
compiled=$(find "$build" -path '*/l_for_trials_*' -name 'lib.cpp.o' | wc -l)
((compiled == 1)) || die "a library of three trials was compiled $compiled times"
for allowed in target file source shared function assertions assembler; do
    says 0 allowed_$allowed 'All as expected.'
    says 0 allowed_$allowed 'held within [1]'
    ! grep 'NOT CHECKED' "$own/said" || bad=$((bad + 1))
done
says 0 lent_local 'held within, one thread [1] as expected'
says 0 ordered_globals 'held as expected'
says 1 unordered_globals 'violated: data race: plain is written while a write by another thread'
for seen in static again object shared interface strange below above; do
    says 1 seen_$seen 'violated: data race'
    ! grep 'NOT CHECKED' "$own/said" || bad=$((bad + 1))
done
# The audit ends so, too; and ctest shows it.
status=0
"$build/static_library" audit >"$own/said" 2>&1 || status=$?
[[ $status == 1 && $(head -n 1 "$own/said") == 'NOT CHECKED: lib.cpp (libl.a)'* ]] || { cat "$own/said" >&2; die "the audit is green: $status"; }
(cd "$build" && ctest >"$own/said" 2>&1) && die "ctest is green"
grep -qE 'static_library/static_library \.*\*\*\*Failed' "$own/said" || { cat "$own/said" >&2; die "no test has failed"; }
grep -qE 'allowed_target/allowed_target \.* +Passed' "$own/said" || { cat "$own/said" >&2; die "no test has passed"; }
((bad == 0)) || die "$bad not as they should be"
