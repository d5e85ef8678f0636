#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Measures the production code beside plain operations, and the executions a second of the engine. Leaves
# out/bench.json. Numbers of a busy machine say nothing: this is no test.
#
#   ci/bench.sh [REGEX]    only the measurements that match
source "$(dirname "$0")/lib.sh"

ci/deps.sh --bench
configure release -D ORDEAL_BENCH=ON
build release ordeal_bench

mkdir -p out
limited 600 "$(build_dir release)/bin/ordeal_bench" --benchmark_filter="${1:-.}" --benchmark_min_time=0.2 \
    --benchmark_counters_tabular=true --benchmark_out=out/bench.json --benchmark_out_format=json
jq --exit-status '.benchmarks | length > 0 and all(.error_occurred | not)' out/bench.json >/dev/null \
    || die "a measurement failed, or nothing was measured"
