#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# tests/mpi/check.sh CASE MPIRUN ORDEAL_MPI FIXTURE PARTS ARRIVALS: what four ranks report against what one process does.
set -euo pipefail

case=$1 mpirun=$2 ordeal_mpi=$3 fixture=$4 parts=$5 arrivals=$6
folder=$(mktemp -d)
job=
trap 'if [[ -n $job ]] && kill "$job" 2>/dev/null; then :; fi; rm -rf "$folder"' EXIT

# A container has one user and few processors; a rank that is killed must not end the job.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ORDEAL_MPI_PATIENCE=3
export ORDEAL_MPI_STATUS=$folder/status
on_ranks() { exec "$mpirun" --oversubscribe --enable-recovery -n 4 "$ordeal_mpi" "$@"; }

fail() {
    echo "$*" >&2
    if compgen -G "$folder/*.err" >/dev/null; then cat "$folder"/*.err >&2; fi
    exit 1
}

# Reports, without the time that the searches took.
same() {
    local without='del(.. | .seconds?)'
    diff <(jq -S "$without" "$folder/one.json") <(jq -S "$without" "$folder/ranks.json") >&2 || fail "reports differ"
}

search=(check many/twelve_increments --engine graph --time-budget 0 --quiet)

begin() {
    on_ranks "$fixture" "$@" >"$folder/out" 2>"$folder/ranks.err" &
    job=$!
}

# The process of a rank, when it has one that explores.
rank_at_work() {
    local each
    while kill -0 "$job" 2>/dev/null; do
        for each in $(pgrep -P "$job"); do
            if grep -qz "OMPI_COMM_WORLD_RANK=$1" "/proc/$each/environ" 2>/dev/null && [[ -n $(pgrep -P "$each") ]]; then
                echo "$each"
                return
            fi
        done
    done
    fail "rank $1 got nothing to do"
}

# With recovery mpirun itself returns 0.
ended() {
    local code
    if wait "$job"; then :; fi
    job=
    code=$(<"$ORDEAL_MPI_STATUS")
    [[ $code == "$1" ]] || fail "exit code $code, not $1"
}

case $case in
    one_search)
        "$fixture" "${search[@]}" --jobs 1 --json "$folder/one.json" >"$folder/out"
        begin "${search[@]}" --json "$folder/ranks.json"
        ended 0
        same
        ;;
    many_searches)
        "$parts" check 'parts/*o*' --engine graph --time-budget 0 --quiet --accept failed-requirement --search preemptions=2 \
            --json "$folder/one.json" >"$folder/out"
        fixture=$parts
        begin check 'parts/*o*' --engine graph --time-budget 0 --quiet --accept failed-requirement --search preemptions=2 \
            --json "$folder/ranks.json"
        ended 0
        same
        ;;
    arrivals) # every rank has the reductions of the first
        search=(check ordeal_mpi_arrivals --search full --reductions=-symmetry --time-budget 0 --quiet)
        "$arrivals" "${search[@]}" --jobs 1 --json "$folder/one.json" >"$folder/out"
        fixture=$arrivals
        begin "${search[@]}" --json "$folder/ranks.json"
        ended 0
        same
        ;;
    killed_rank)
        "$fixture" "${search[@]}" --jobs 1 --json "$folder/one.json" >"$folder/out"
        begin "${search[@]}" --json "$folder/ranks.json"
        kill -KILL "$(rank_at_work 2)"
        ended 0
        grep -q "rank 2 is lost" "$folder/ranks.err" || fail "nobody noticed that a rank is lost"
        same
        ;;
    killed_first)
        begin "${search[@]}"
        until [[ -n $(pgrep -P "$job" || true) ]]; do kill -0 "$job" || fail "no ranks"; done
        rank_at_work 2 >/dev/null
        ranks=$(pgrep -P "$job")
        for each in $ranks; do
            if grep -qz "OMPI_COMM_WORLD_RANK=0" "/proc/$each/environ"; then kill -KILL "$each"; fi
        done
        ended 4
        grep -q "rank 0 is lost; rank 3 ends" "$folder/ranks.err" || fail "a rank did not notice that the first is lost"
        for each in $ranks; do if kill -0 "$each" 2>/dev/null; then fail "a rank is left"; fi; done
        ;;
    bad_patience)
        for value in "" 0 1 -5 nan 1e9 3x; do
            export ORDEAL_MPI_PATIENCE=$value
            begin check fixture/count_to_two --quiet
            ended 2
            grep -q "ORDEAL_MPI_PATIENCE is no number of seconds from 2 to 86400: '$value'" "$folder/ranks.err" ||
                fail "nothing was said of '$value'"
        done
        ;;
    killed_process)
        "$fixture" "${search[@]}" --jobs 1 --json "$folder/one.json" >"$folder/out"
        begin "${search[@]}" --json "$folder/ranks.json"
        kill -KILL "$(pgrep -P "$(rank_at_work 3)")"
        ended 0
        same
        ;;
    restart)
        "$fixture" "${search[@]}" --jobs 1 --json "$folder/one.json" >"$folder/out"
        begin "${search[@]}" --checkpoint "$folder/state" --checkpoint-every 0.3
        until [[ -e $folder/state ]]; do kill -0 "$job" || fail "it was over before there was a checkpoint"; done
        kill -KILL $(pgrep -P "$job") "$job"
        if wait "$job"; then :; fi
        while pgrep -f "checkpoint $folder/state" >/dev/null; do :; done
        begin "${search[@]}" --checkpoint "$folder/state" --json "$folder/ranks.json"
        ended 0
        same
        ;;
    violation)
        begin check none/such --quiet
        ended 2
        begin check fixture/unexpected_race --quiet
        ended 1
        begin check wild/crash --quiet # as it is expected
        ended 0
        grep -q crash "$folder/out" || fail "no crash"
        code=0
        "$mpirun" --oversubscribe -n 2 "$ordeal_mpi" "$fixture" check fixture/unexpected_race --quiet >"$folder/out" 2>&1 || code=$?
        [[ $code == 1 ]] || fail "exit code $code of mpirun without recovery"
        ;;
    audit)
        "$fixture" audit fixture/count_to_two --quiet --json "$folder/one.json" >"$folder/out"
        begin audit fixture/count_to_two --quiet --json "$folder/ranks.json"
        ended 0
        same
        ;;
    *) fail "no such case: $case" ;;
esac
