#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Trials over libraries that nobody here wrote (corpus/README.md): installs the libraries, builds each trial with -O1 and
# with -O2, checks it, and writes the results to reference-data/corpus.md. Fails when a verdict is not that of the manifest.
# A library that cannot be had is named, and has no verdicts; for --check that is no failure.
#
#   ci/corpus.sh [--check] [LIBRARY...]
#
#   --check        leaves reference-data/corpus.md as it is; out/corpus.md has what would be there
#   LIBRARY...     folders of corpus/; if not given, all. With some of them the page is left as it is, too
source "$(dirname "$0")/lib.sh"

write=1
chosen=()
for argument in "$@"; do
    case $argument in
        --check) write=0 ;;
        -*) die "unknown option: $argument" ;;
        *) [[ -f corpus/$argument/library.json ]] || die "no such library: $argument"; chosen+=("$argument") ;;
    esac
done
if ((${#chosen[@]})); then
    write=0
else
    for manifest in corpus/*/library.json; do chosen+=("$(basename "$(dirname "$manifest")")"); done
fi

ci/deps.sh
ci/deps.sh --corpus || say "not every library could be installed"
corpus=build/corpus
results=$corpus/results
mkdir -p "$corpus/sources" out
rm -rf "$results"
mkdir -p "$results"

for library in "${chosen[@]}"; do
    source_package=$(jq -r '.source // empty' "corpus/$library/library.json")
    [[ -z $source_package ]] || fetch_sources "$PWD/$corpus" "$source_package" || say "no sources of $source_package: see $corpus/$source_package.log"
done

configure release
build release ordeal

levels=(O1 O2)
status=0
for level in "${levels[@]}"; do
    folder=$corpus/$level
    say "trials: $level"
    cmake -S corpus -B "$folder" -G Ninja -D "ordeal_DIR=$PWD/$(build_dir release)" -D CMAKE_BUILD_TYPE= \
        -D "CMAKE_CXX_COMPILER=clang++-$clang" -D "CMAKE_C_COMPILER=clang-$clang" -D "CMAKE_CXX_FLAGS=-$level" \
        -D "CORPUS_SOURCES=$PWD/$corpus/sources" -D "CORPUS_LIBRARIES=$(IFS=';'; echo "${chosen[*]}")" >"$folder.log" ||
        { cat "$folder.log" >&2; die "cannot configure corpus/"; }
    cmake --build "$folder" --parallel "$jobs" >"$folder.log" 2>&1 || { grep -E 'error|FAILED' "$folder.log" >&2; die "cannot build corpus/: see $folder.log"; }
done

# check LEVEL LIBRARY TRIAL: leaves one JSON object, with what the manifest says and what came out.
check() {
    local level=$1 library=$2 trial=$3 manifest row program report began code=0
    manifest=corpus/$library/library.json
    row=$(jq --arg trial "$trial" '.trials[$trial]' "$manifest")
    program=$library.$(jq -r --arg trial "$trial" '.source // $trial' <<<"$row")
    report=$results/$level.$library.$trial
    mapfile -t arguments < <(jq -r '.arguments // [] | .[]' <<<"$row")
    began=$SECONDS
    limited 90 "$corpus/$level/$library" check "$program" --quiet --trace --time-budget $((20 * patience)) "${arguments[@]}" \
        --json "$report.report" >"$report.txt" 2>&1 || code=$?
    # 0 and 1 are verdicts. With anything else there may be no report at all.
    [[ -s $report.report ]] || echo '{"scenarios": []}' >"$report.report"
    jq --arg library "$library" --arg trial "$trial" --arg level "$level" --argjson wanted "$row" --argjson code "$code" \
        --argjson took $((SECONDS - began)) '(.scenarios[0] // {verdict: "no verdict", limits: []}) |
        {library: $library, trial: $trial, level: $level, wanted: $wanted, took: $took, verdict, kind, message, executions,
         blocked, seconds, limits, exists_under, complete,
         as_wanted: (.verdict == $wanted.verdict and (.kind // "") == ($wanted.kind // "") and $code <= 1)}' \
        "$report.report" >"$report.json"
}

# weaken LIBRARY TRIAL: a control. Weakens the library's orders one at a time, and counts how many of these the trial finds.
weaken() {
    local report=$results/weakened.$1.$2 code=0
    limited 300 "$corpus/O1/$1" audit "$1.$2" --quiet --time-budget $((5 * patience)) --json "$report.report" >"$report.txt" 2>&1 || code=$?
    jq --arg library "$1" --arg trial "$2" --argjson wanted "$(jq --arg trial "$2" '.trials[$trial].weakened' "corpus/$1/library.json")" \
        '.subjects[0] | {library: $library, trial: $trial, wanted: $wanted, injected: .score.injected, detected: .score.detected,
         as_wanted: (.score.injected == $wanted.injected and .score.detected == $wanted.detected)}' "$report.report" >"$report.json"
    [[ $code -le 1 && -s $report.json ]] || die "no audit of $1.$2: see $report.txt"
}

# names LEVEL LIBRARY: whether every object in the traces has its name from the source, unless the manifest says why not.
names() {
    local why list=$results/names.$1.$2.txt
    why=$(jq -r '.unnamed // empty' "corpus/$2/library.json")
    if limited 600 python3 tests/suite/names/unnamed.py "$corpus/$1/$2" >"$list"; then
        [[ -z $why ]] || say "$2 with -$1: every object has its name, though its manifest says why some have none"
    elif [[ -z $why ]]; then
        say "$2 with -$1: objects without their names: see $list"
        status=1
    fi
}

found_libraries=()
for library in "${chosen[@]}"; do
    grep -q "^$library	found$" "$corpus/O1/libraries.txt" || continue
    found_libraries+=("$library")
    say "check: $library"
    while IFS= read -r trial; do
        for level in "${levels[@]}"; do check "$level" "$library" "$trial"; done
        [[ $(jq --arg trial "$trial" '.trials[$trial].weakened' "corpus/$library/library.json") == null ]] || weaken "$library" "$trial"
    done < <(jq -r '.trials | keys_unsorted[]' "corpus/$library/library.json")
    for level in "${levels[@]}"; do names "$level" "$library"; done
done
((${#found_libraries[@]})) || die "none of the libraries is there: see $corpus/O1/libraries.txt"

# What was found in a trial, with the reasoning, which somebody has written.
differs=$(jq -r 'select(.as_wanted | not) |
    if .injected then "\(.library).\(.trial): of \(.injected) weaker orders \(.detected) were found, instead of \(.wanted.detected) of \(.wanted.injected)" else "\(.library).\(.trial) with -\(.level): \(.verdict) \(.kind // "") instead of \(.wanted.verdict) \(.wanted.kind // "") \(.message // "")" end' "$results"/*.json)
if [[ -n $differs ]]; then
    say "not what the manifest says:"
    printf '%s\n' "$differs" >&2
    status=1
fi
while IFS= read -r page; do
    [[ -f corpus/$page ]] || { say "a violation without reasoning: corpus/$page is missing"; status=1; }
done < <(jq -r 'select(.wanted.verdict == "violated" or .wanted.verdict == "inconclusive") | "\(.library)/\(.wanted.reasoning // .trial).md"' "$results"/O1.*.json)

ci/corpus_page.sh "$results" "$corpus/O1/libraries.txt" "$corpus/sources" >out/corpus.md
jq -r '[.as_wanted] | @tsv' "$results"/*.json | sort | uniq -c >&2
if ((write)); then cp out/corpus.md reference-data/corpus.md; fi
exit "$status"
