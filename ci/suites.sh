#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The own tests of Debian's packages, unchanged (corpus/suites): each program under ordeal and with ThreadSanitizer, in turn, on one
# processor. Writes reference-data/suites.json, and suites.md, which is made of it and of what was judged (corpus/suites/judged.json); fails when a
# violation has not been judged. Takes about an hour.
#
#   ci/suites.sh            fetches the sources of the packages
#   ci/suites.sh FOLDER     a folder with the unpacked sources
source "$(dirname "$0")/lib.sh"

work=$PWD/build/suites
mkdir -p "$work"
sources=${1-}
ci/deps.sh
if [[ -z $sources ]]; then
    sources=$work/sources
    sed -n 's/^package(\(.*\))$/\1/p' corpus/suites/CMakeLists.txt | while read -r package; do
        fetch_sources "$work" "$package" || { cat "$work/$package.log" >&2; die "no sources of $package"; }
    done
fi

configure release
build release ordeal
for kind in tsan model; do
    say "build: $kind"
    cmake -S corpus/suites -B "$work/$kind" -G Ninja -D "SUITES_SOURCES=$(realpath "$sources")" -D "ordeal_DIR=$PWD/$(build_dir release)" \
        -D "SUITES_TSAN=$([[ $kind == tsan ]] && echo ON || echo OFF)" -D CMAKE_BUILD_TYPE= \
        -D "CMAKE_CXX_COMPILER=clang++-$clang" -D CMAKE_CXX_FLAGS=-O1 >"$work/$kind.log"
    cmake --build "$work/$kind" --parallel "$jobs" >"$work/$kind.log" || { cat "$work/$kind.log" >&2; die "cannot build the suites"; }
done

# Files of tests go into a folder that is not kept.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch TEST_TMPDIR=$scratch
results=$work/results
rm -rf "$results"
mkdir -p "$results"
usual=(--search pos=20 --seed 1 --time-budget 5)
long=(--search random=1 --seed 1 --time-budget 60 --length 30000000)
echo "$clang" >"$results/clang"
cut -d' ' -f1 /proc/loadavg >"$results/load"
# The last one that this script may use.
processor=$(taskset -cp $$ | sed 's/.*[ ,-]//')

# on_processor FILE SECONDS COMMAND...: what it prints is in the file; the result is its exit code.
on_processor() {
    local file=$1 seconds=$2
    shift 2
    (cd "$scratch" && limited "$seconds" taskset -c "$processor" "$@" >"$file" 2>&1 </dev/null)
}

while IFS=$'\t' read -r program package framework loops; do
    say "run: $program"
    arguments=("${usual[@]}")
    [[ $loops != TRUE ]] || arguments=("${long[@]}")
    code=0
    on_processor "$results/$program.model.log" 900 "$work/model/$program.ordeal" check "${arguments[@]}" --jobs 1 --quiet \
        --json "$results/$program.model.json" || code=$?
    [[ -s $results/$program.model.json ]] || say "$program: no report, exit code $code"
    code=0
    started=$EPOCHREALTIME
    on_processor "$results/$program.tsan.log" 120 "$work/tsan/$program" || code=$?
    ended=$EPOCHREALTIME
    version=$(dpkg-parsechangelog -S Version -l "$(compgen -G "$sources/$package-[0-9]*/debian/changelog")")
    reports=$(grep -c '^WARNING: ThreadSanitizer' "$results/$program.tsan.log" || [[ $? == 1 ]])
    jq -n --arg package "$package" --arg version "$version" --arg framework "$framework" --argjson started "$started" \
        --argjson ended "$ended" --argjson code "$code" --argjson reports "$reports" \
        '{$package, $version, $framework, seconds: ($ended - $started), $code, $reports}' >"$results/$program.tsan.json"
done <"$work/model/programs.tsv"

page=(reference-data/suites.json corpus/suites/judged.json reference-data/suites.md)
python3 ci/suites.py "${page[0]}" "$results" "$sources"
python3 ci/suites.py "${page[@]}"
python3 ci/suites.py --check "${page[@]}"
