#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Measures the production code beside plain operations, and both engines beside each other. Leaves out/bench.json. Numbers of a busy machine say nothing: this is no test.
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

say "the same search by both engines, the time of Relacy by that of graph:"
jq --raw-output '
    [.benchmarks[] | select(.name | test("^(graph|relacy)/")) | {engine: (.name | split("/")[0]), name: (.name | sub("^[a-z]+/"; "") | rtrimstr("/real_time")), real_time, executions, complete}]
    | group_by(.name)[] | select(length == 2) | sort_by(.engine) | . as [$graph, $relacy]
    | "  \($graph.name): \($relacy.real_time / $graph.real_time * 10 | round / 10) (\($graph.executions) executions for \($relacy.executions)\(if $relacy.complete == 1 then "" else ", not finished" end))"
' out/bench.json
