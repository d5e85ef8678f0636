#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs every job, each to its end whatever became of the others, and prints what became of them. A job's output goes to
# out/jobs/JOB.log.
#
#   ci/all.sh [JOB...]
source "$(dirname "$0")/lib.sh"

chosen=("$@")
((${#chosen[@]})) || chosen=(deps format build test mpi package model fuzz audit action mutants stress tsan coverage bench tidy docs corpus selftest platforms)
for job in "${chosen[@]}"; do
    [[ -x ci/$job.sh && $job != all ]] || die "no job: $job"
done

mkdir -p out/jobs
rows=()
failed=0
for job in "${chosen[@]}"; do
    say "job: $job"
    began=$SECONDS
    result=passed
    if ! "ci/$job.sh" >"out/jobs/$job.log" 2>&1; then
        result=failed
        failed=$((failed + 1))
        tail -n 25 "out/jobs/$job.log" >&2
    fi
    rows+=("$(printf '%-10s %-7s %5d s   out/jobs/%s.log' "$job" "$result" $((SECONDS - began)) "$job")")
done

printf '%s\n' "${rows[@]}"
printf '%d passed, %d failed\n' $((${#chosen[@]} - failed)) "$failed"
((failed == 0))
