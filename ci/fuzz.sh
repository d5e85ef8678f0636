#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random programs with loops, locks and waits, each searched in several ways and held against an oracle. A program that
# differs is made small and left in out/fuzz/; `build/release/bin/fuzz FILE` runs it again. Exit code 1 when there is one.
#
#   ci/fuzz.sh [--minutes N] [--seed S]
#
#   --minutes N   how long, with every processor; default: 1
#   --seed S      of the first program; default: drawn, and printed
source "$(dirname "$0")/lib.sh"

minutes=1
seed=$((RANDOM * 32768 + RANDOM))
while (($#)); do
    [[ ${2-} =~ ^[0-9]+$ ]] || die "a whole number is missing after $1"
    case $1 in
        --minutes) minutes=$2 ;;
        --seed) seed=$2 ;;
        *) die "unknown argument: $1" ;;
    esac
    shift 2
done
((minutes > 0)) || die "no time: --minutes $minutes"

ci/deps.sh
configure release
build release fuzz
program=$(build_dir release)/bin/fuzz
rm -rf out/fuzz
mkdir -p out/fuzz

# Where nothing can be found, finding nothing says nothing.
say "control: with a wrong oracle something is found"
status=0
limited 300 "$program" --wrong-oracle --programs 60 --out out/fuzz/control >out/fuzz/control.log || status=$?
[[ $status == 1 && -n $(ls out/fuzz/control) ]] || die "nothing was found with a wrong oracle: see out/fuzz/control.log"
rm -r out/fuzz/control

say "fuzz: $minutes min, seed $seed"
processes=()
for ((i = 0; i < jobs; i++)); do
    "$program" --seconds $((minutes * 60)) --seed $((seed + i * 1000000)) --out out/fuzz >"out/fuzz/$i.log" 2>&1 &
    processes+=($!)
done
status=0
for process in "${processes[@]}"; do
    wait "$process" || status=1
done
tail -n +1 out/fuzz/[0-9]*.log
((status == 0)) || say "found something: out/fuzz/"
exit "$status"
