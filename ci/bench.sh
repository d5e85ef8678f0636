#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Measures searches of the trials in bench/trials/, of this build alone or beside another one; the production code beside plain
# operations and the standard library; and what one execution costs. Leaves out/bench.json, prints the tables of
# reference-data/performance.md. Numbers of a busy machine say little: this is no test. Three minutes, with --against five to six. Where there is
# `perf` (Debian's linux-perf), it says where the time goes.
#
#   ci/bench.sh [--against DIR [--before-is TEXT]] [--rounds N] [--write] [REGEX]
#   ci/bench.sh --growth [--rounds N] [--write]
#   ci/bench.sh --bugs [--write]
#
#   --against DIR      a build of before, with its ordealConfig.cmake: a build folder, or lib/cmake/ordeal of an installed one
#   --before-is TEXT   what the page calls it; if not given, its commit
#   --rounds N         of which the medians are taken; 3 if not given
#   --write            reference-data/performance.json and reference-data/performance.md anew
#   --growth           only how the time of one execution grows with its length, to 2,000,000 operations; with --write its table alone is new
#   --bugs             only by how many executions random searches find bugs that are known; with --write its table alone is new
#   REGEX              only the measurements that match, for instance 'unmodified/.*pool' or 'there_and_back'
source "$(dirname "$0")/lib.sh"

against=
before_is=
rounds=3
write=0
growth=0
bugs=0
only=
while (($#)); do
    case $1 in
        --against) against=${2-}; [[ -n $against ]] || die "--against needs a folder"; shift 2 ;;
        --before-is) before_is=${2-}; shift 2 ;;
        --rounds) rounds=${2-}; [[ $rounds =~ ^[1-9][0-9]*$ ]] || die "--rounds needs a number"; shift 2 ;;
        --write) write=1; shift ;;
        --growth) growth=1; shift ;;
        --bugs) bugs=1; shift ;;
        -*) die "unknown option: $1" ;;
        *) only=$1; shift ;;
    esac
done
[[ $write == 0 || -z $only ]] || die "--write needs all measurements, not those that match $only"

# grow: how the time of one execution grows with its length, as JSON.
grow() {
    say "growth with the length of an execution"
    local load
    load=$(cut -d' ' -f1 /proc/loadavg)
    python3 bench/growth.py "$(build_dir release)/bin/ordeal" --rounds "$rounds" >"$1.measured" || die "the growth could not be measured"
    jq --arg date "$(date -u +%Y-%m-%d)" --arg load "$load" --arg now "$(git describe --always --dirty --abbrev=10 2>/dev/null || echo "not in git")" \
        --arg system "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1), $(nproc) of them" \
        '. + {date: $date, load: $load, now: $now, system: $system}' "$1.measured" >"$1"
}

# only_table NAME HEADING: prints the table that out/NAME.json makes; with --write it is new in the page.
only_table() {
    jq --slurpfile found "out/$1.json" --arg name "$1" '.[$name] = $found[0]' reference-data/performance.json >out/performance.json
    python3 bench/page.py out/performance.json --tables | awk -v heading="## $2" '/^## / {shown = $0 == heading} shown'
    if ((write)); then
        cp out/performance.json reference-data/performance.json
        python3 bench/page.py reference-data/performance.json reference-data/performance.md
    fi
}

# find_bugs: by how many executions random searches find bugs that are known, as JSON.
find_bugs() {
    say "bugs found"
    local folder=build/bench/bugs
    mkdir -p "$folder"
    cmake -S bench/bugs -B "$folder" -G Ninja -D "ordeal_DIR:PATH=$PWD/$(build_dir release)" -D "CMAKE_CXX_COMPILER=clang++-$clang" >"$folder.log" 2>&1 ||
        { cat "$folder.log" >&2; die "cannot configure bench/bugs/"; }
    cmake --build "$folder" --parallel "$jobs" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; die "cannot build bench/bugs/"; }
    python3 bench/bugs.py "$folder/bugs" >"$1.measured" || die "the bugs could not be searched for"
    jq --arg date "$(date -u +%Y-%m-%d)" --arg now "$(git describe --always --dirty --abbrev=10 2>/dev/null || echo "not in git")" \
        '. + {date: $date, now: $now}' "$1.measured" >"$1"
}

if ((growth || bugs)); then
    [[ -z $only && -z $against ]] || die "--growth and --bugs measure one build, and all of it"
    configure release
    build release ordeal ordeal_harness ordeal_instrumented ordeal_trials
    mkdir -p out
    if ((growth)); then
        grow out/growth.json
        only_table growth "Growth with the length of an execution"
    fi
    if ((bugs)); then
        find_bugs out/bugs.json
        only_table bugs "Bugs found"
    fi
    exit 0
fi

ci/deps.sh --bench
configure release -D ORDEAL_BENCH=ON
build release ordeal_bench ordeal_harness ordeal_instrumented

# trials NAME PACKAGE: builds bench/trials/ in build/bench/NAME.
trials() {
    local folder=build/bench/$1 package=$2
    say "trials: $1: $package"
    # Another build's folder would be kept with all that was found in it.
    if [[ -f $folder/CMakeCache.txt ]] && ! grep -qxF "ordeal_DIR:PATH=$package" "$folder/CMakeCache.txt"; then rm -rf "$folder"; fi
    mkdir -p "$folder"
    cmake -S bench/trials -B "$folder" -G Ninja -D "ordeal_DIR:PATH=$package" -D CMAKE_BUILD_TYPE=Release \
        -D "CMAKE_CXX_COMPILER=clang++-$clang" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; die "cannot configure bench/trials/"; }
    cmake --build "$folder" --parallel "$jobs" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; die "cannot build bench/trials/"; }
}

commit_of() { git -C "$1" describe --always --dirty --abbrev=10 2>/dev/null || echo "not in git"; }

folders=()
trials now "$PWD/$(build_dir release)"
folders+=(build/bench/now)
if [[ -n $against ]]; then
    [[ -f $against/ordealConfig.cmake ]] || die "no ordealConfig.cmake in $against"
    against=$(realpath "$against")
    # A build folder names its files by their paths; those of an installed build are relative.
    while IFS= read -r library; do
        [[ $(realpath -m "$library") == "$against"/* ]] ||
            die "$against was moved: it names $library. Install it where it was, cmake --install DIR --prefix PREFIX, and give PREFIX/lib/cmake/ordeal"
    done < <(sed -n 's/.*IMPORTED_LOCATION[A-Z_]* "\(\/[^"]*\)".*/\1/p' "$against"/ordealTargets-*.cmake)
    trials before "$against"
    folders+=(build/bench/before)
    if [[ -z $before_is ]]; then
        if [[ -f $against/CMakeCache.txt ]]; then before_is=$(commit_of "$against"); else before_is="an installed build"; fi
    fi
fi

mkdir -p out
load=$(cut -d' ' -f1 /proc/loadavg)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
say "searches"
python3 bench/compare.py "${folders[@]}" --rounds "$rounds" --only "$only" >"$scratch/trials.json" || die "the searches could not be measured"
say "primitives, and one execution"
limited 300 "$(build_dir release)/bin/ordeal_bench" --benchmark_filter="${only:-.}" --benchmark_min_time=0.05 --benchmark_repetitions=3 \
    --benchmark_report_aggregates_only=true --benchmark_out="$scratch/benchmarks.json" --benchmark_out_format=json >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; die "the primitives could not be measured"; }
[[ -s $scratch/benchmarks.json ]] || echo '{"benchmarks": []}' >"$scratch/benchmarks.json"
jq --exit-status '.benchmarks | all(.error_occurred | not)' "$scratch/benchmarks.json" >/dev/null || { cat "$scratch/log" >&2; die "a measurement failed"; }

[[ -n $only ]] || { grow "$scratch/growth.json"; find_bugs "$scratch/bugs.json"; }
for each in growth bugs; do [[ -s $scratch/$each.json ]] || echo '{}' >"$scratch/$each.json"; done

processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
jq --null-input --slurpfile trials "$scratch/trials.json" --slurpfile benchmarks "$scratch/benchmarks.json" --slurpfile growth "$scratch/growth.json" \
    --slurpfile bugs "$scratch/bugs.json" \
    --arg date "$(date -u +%Y-%m-%d)" --arg processor "${processor:-$(uname -m)}" --argjson processors "$(nproc)" \
    --arg memory "$(awk '/^MemTotal/ {printf "%.0f GiB", $2 / 1048576}' /proc/meminfo)" \
    --arg system "$(. /etc/os-release && echo "$PRETTY_NAME"), $(uname -m), Linux $(uname -r)" \
    --arg compiler "$("clang++-$clang" --version | head -n 1)" --arg load "$load" --arg now "$(commit_of .)" --arg before "$before_is" \
    '{date: $date, machine: {processor: $processor, processors: $processors, memory: $memory, system: $system, load: $load},
      compiler: $compiler, now: $now, before: (if $before == "" then null else $before end)} + $trials[0] +
     {benchmarks: ($benchmarks[0].benchmarks | map(select(.aggregate_name == "median") |
         {key: (.run_name | sub("/process_time"; "") | rtrimstr("/real_time")), value: {real: .real_time, cpu: .cpu_time}}) | from_entries), growth: $growth[0], bugs: $bugs[0]}' >out/bench.json
jq --exit-status '(.trials + (.benchmarks | keys)) | length > 0' out/bench.json >/dev/null || die "nothing is called $only"

python3 bench/page.py out/bench.json --tables
if ((write)); then
    cp out/bench.json reference-data/performance.json
    python3 bench/page.py reference-data/performance.json reference-data/performance.md
fi
