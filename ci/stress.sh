#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Real threads: outcome tables of every scenario, the stress tests, and the same code under AddressSanitizer and
# UndefinedBehaviorSanitizer. Leaves out/stress.json.
#
#   ci/stress.sh               everything
#   ci/stress.sh PATTERN...    only the outcome tables of scenarios that match
#
#   ORDEAL_STRESS_SECONDS   for each scenario; default: 0.2, with CI set 2
#   ORDEAL_SEED             default: drawn, and printed
source "$(dirname "$0")/lib.sh"

seconds=${ORDEAL_STRESS_SECONDS:-$([[ $patience == 1 ]] && echo 0.2 || echo 2)}
seed=${ORDEAL_SEED:-$RANDOM}

ci/deps.sh
configure release
targets=(ordeal)
(($#)) || targets+=(ordeal_stress_tests ordeal_fault_tests)
build release "${targets[@]}"

mkdir -p out
status=0
say "stress: $seconds s for each scenario, seed $seed"
"$(build_dir release)/bin/ordeal" stress "$@" --seconds "$seconds" --seed "$seed" --json out/stress.json || status=$?
(($# == 0)) || exit "$status"
run_ctest release ctest-stress --label-regex '^stress$' || status=$?

configure asan-ubsan
build asan-ubsan all
run_ctest asan-ubsan ctest-asan-ubsan || status=$?
exit "$status"
