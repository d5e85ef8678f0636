#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Breaks what each check is there for, in a copy of the tree, and says whether the check turned red, and for the right
# reason. The copy and its builds stay in build/selftest for the next run; the tree itself is not touched.
#
#   ci/selftest.sh           everything
#   ci/selftest.sh quick     without ThreadSanitizer
source "$(dirname "$0")/lib.sh"

[[ ${1-} == '' || $1 == quick ]] || die "unknown argument: $1"
ci/deps.sh --developer
root=$PWD
copy=$root/build/selftest/tree
logs=$root/out/selftest
rm -rf "$logs"
mkdir -p "$copy" "$logs"
rows=()
wrong=0

# A repository of its own: git must not see the one around it. What has not changed keeps its time, for the build.
refresh() {
    git init -q "$copy"
    local file
    while IFS= read -r -d '' file; do
        if [[ -f $file ]] && ! cmp -s "$file" "$copy/$file"; then restore "$file"; fi
    done < <(git ls-files -z --cached --others --exclude-standard)
    while IFS= read -r -d '' file; do
        [[ -f $file ]] || rm "$copy/$file"
    done < <(git -C "$copy" ls-files -z --others --exclude-standard)
    rm -rf "$copy/out"
}

restore() {
    local file
    for file in "$@"; do
        mkdir -p "$copy/$(dirname "$file")"
        cp --preserve=mode "$file" "$copy/$file"
    done
}

# edit FILE SED: a break that no longer applies is an error.
edit() {
    sed -i -E "$2" "$copy/$1"
    ! cmp -s "$1" "$copy/$1" || die "this changes nothing in $1: $2"
}

# run_in_copy NAME EVIDENCE COMMAND...: sets status and found.
run_in_copy() {
    local log=$logs/${#rows[@]}.log evidence=$2
    say "$1: ${*:3}"
    status=0
    (cd "$copy" && "${@:3}") >"$log" 2>&1 || status=$?
    found=no
    if [[ -z $evidence ]] || grep -qE -- "$evidence" "$log"; then found=yes; fi
}

row() {
    rows+=("$(printf '%-44s %-26s %s' "$1" "$2" "$3")")
    [[ $3 == yes || $3 == green ]] || wrong=$((wrong + 1))
}

# green CHECK EVIDENCE COMMAND...: a check that is always red would prove nothing.
green() {
    run_in_copy "as it is" "$2" "${@:3}"
    local result=green
    if ((status != 0)) || [[ $found == no ]]; then result="NOT GREEN, see out/selftest/${#rows[@]}.log"; fi
    row "(as it is)" "$1" "$result"
}

# red BREAK CHECK EVIDENCE COMMAND...
red() {
    run_in_copy "$1" "$3" "${@:4}"
    local result=yes
    if ((status == 0)); then
        result="NO"
    elif [[ $found == no ]]; then
        result="NO, something else failed: see out/selftest/${#rows[@]}.log"
    fi
    row "$1" "$2" "$result"
}

# fake FILE SUBCOMMAND: puts a program there that fails at this subcommand only.
fake() {
    mkdir -p "$(dirname "$1")"
    rm -f "$1"
    # shellcheck disable=SC2016  # for the program to expand
    printf '#!/bin/sh\n[ "$1" != "%s" ] || { echo "fake: fails"; exit 1; }\n' "$2" >"$1"
    chmod +x "$1"
}

format_and_scripts() {
    green format.sh '' ci/format.sh
    printf 'int  badly_formatted ;\n' >>"$copy/bench/coro_bench.cpp"
    red "a formatting error" format.sh 'clang-format-violations' ci/format.sh
    red "a job that fails among others" "all.sh" '^0 passed, 1 failed$' ci/all.sh format
    restore bench/coro_bench.cpp
    edit ci/model.sh 's/^(    --json.*) \|\| status.*/\1 || true/'
    red "a script that drops an exit code" format.sh 'drops an exit code' ci/format.sh
    restore ci/model.sh
}

failing_tests() {
    local file=tests/coro/detached_tests.cpp
    green "test.sh" '^[0-9]+ passed, 0 failed$' ci/test.sh coro
    printf 'TEST_CASE("broken on purpose") { CHECK(1 == 2); }\n' >>"$copy/$file"
    red "a Catch2 test that fails" test.sh '^[1-9][0-9]* passed, 1 failed$' ci/test.sh coro
    edit CMakeLists.txt 's/enable_testing\(\)//'
    rm -rf "$copy/build/coro/CTestTestfile.cmake"
    red "no tests are found" test.sh '^0 passed, 1 failed$' ci/test.sh coro
    restore CMakeLists.txt
    printf 'broken on purpose\n' >>"$copy/$file"
    red "a source that does not compile" test.sh '^0 passed, 1 failed$' ci/test.sh coro
    restore "$file"
    fake "$copy/fake/ctest" none
    red "a test program that says nothing" test.sh '^0 passed, 1 failed$' env PATH="$copy/fake:$PATH" ci/test.sh coro
    rm -r "$copy/fake"
}

broken_code() {
    local event=src/ordeal/coro/manual_reset_event.hpp exhibit=src/exhibits/plain_bool.cpp wait=src/scenarios/sync_wait.cpp
    green "audit.sh" 'All as expected' ci/audit.sh
    green "stress.sh" '' ci/stress.sh sync_wait
    edit "$event" 's/(exchange\(this, std::memory_order_)acq_rel/\1release/'
    edit "$exhibit" 's/violated\(violation_kind::data_race\)/violated(violation_kind::leak)/'
    edit "$wait" 's/(sync_wait<P>\(make\(\)\) ==) 42/\1 43/'
    red "a race in set()" model.sh 'event/.* violated: data race +expected held' ci/model.sh 'event/*'
    red "a race in set()" audit.sh 'manual_reset_event: violated: data race as written, not as' ci/audit.sh
    red "an exhibit with another violation" model.sh 'data race +expected violated: leak' ci/model.sh 'exhibit/plain_bool/*'
    red "a requirement that fails" model.sh 'violated: failed requirement +expected held' ci/model.sh sync_wait
    red "a requirement that fails" stress.sh 'failed requirement' ci/stress.sh sync_wait
    restore "$event" "$exhibit" "$wait"
}

# The build takes a newer file for what it made itself.
ignored_exit_codes() {
    local program=$copy/build/release/bin/ordeal
    (cd "$copy" && cmake --build build/release --target ordeal --parallel "$jobs") >"$logs/build.log"
    local each
    for each in "check model.sh" "check audit.sh" "audit audit.sh" "stress stress.sh"; do
        fake "$program" "${each% *}"
        red "\`ordeal ${each% *}\` ends with 1" "${each#* }" '^fake: fails$' "ci/${each#* }" \
            "$([[ $each == *audit.sh ]] || echo sync_wait)"
    done
    rm "$program"
}

thread_sanitizer() {
    local event=src/ordeal/coro/manual_reset_event.hpp tests=tests/CMakeLists.txt
    edit "$event" 's/(exchange\(this, std::memory_order_)acq_rel/\1release/'
    red "a race in set()" tsan.sh 'data race' ci/tsan.sh 'no scenario of the event'
    green tsan.sh 'tests passed' ci/tsan.sh 'no scenario of the task|every source is compiled'
    edit "$tests" 's/(ordeal_real_support PRIVATE) ordeal_compile_options/\1/'
    red "a source without -fsanitize=thread" tsan.sh 'compiled without -fsanitize=thread' \
        ci/tsan.sh 'every source is compiled with the sanitizer'
    restore "$event" "$tests"
}

# The graph engine, broken where it decides what is an execution: an independent enumeration must notice, or the tests of
# what that does not cover.
broken_engine() {
    local graph=src/ordeal/engine/graph
    # shellcheck disable=SC2016  # for the shell that runs it
    local tests=(bash -c 'cmake --build build/release --target ordeal_model_tests --parallel "$0" &&
        ctest --test-dir build/release --no-tests=error --parallel "$0" --tests-regex "$1"' "$jobs")
    local oracle='graph engine (agrees with|counts)' loops='^model/A loop ' races='^model/(A data race|Message passing|Construction)'
    local reuse='^model/(What was freed may|Every allocation takes|Random programs have one)'
    green "the oracle" '100% tests passed' "${tests[@]}" "$oracle|$loops|$races|$reuse"
    broken_part "no read is revisited" revisits.cpp 's/(!may_revisit\(graph, read, write, prefix\))/(\1 || !prefix.contains(0, 0))/' "$oracle"
    broken_part "an execution is met twice" revisits.cpp 's/is_write && each\.source == id/false/' "$oracle"
    broken_part "coherence is forgotten" execution_graph.cpp 's/(seen\.contains\(each\.number, each\.index\))/(\1 \&\& each.place > 0xfff0)/' "$oracle"
    broken_part "a release sequence ends at once" adding_events.cpp 's/(write\.exclusive) && source/false \&\& \1 \&\& source/' "$oracle"
    broken_part "seq_cst orders nothing" sequential_consistency.cpp 's/return !has_cycle\(\)/return true/' "$oracle"
    broken_part "a loop is cut whatever its state" loop_watch.cpp 's/ && each->state == state//' "$loops"
    broken_part "freed memory never comes back" reuse.cpp 's/ && !is_taken\(\*graph_, each\)/ \&\& false/' "$reuse"
    broken_part "a block comes back to two" reuse.cpp 's/ && !is_taken\(\*graph_, each\)//' "$reuse"
    broken_part "a block comes back unordered" freed_blocks.hpp 's/happened\[each\.name\.number\] >= each\.epoch/true/' "$reuse"
    broken_part "a revisit deletes a block's return" revisits.cpp 's/return !candidate\.takes_freed_block\(\)/return true/' "$reuse"
    broken_part "one reuse more goes unnamed" reuse.cpp 's/met_\.reuse_bound \|= !candidates_\.empty\(\);//' "$reuse"
    broken_part "every access is ordered" graph_memory_inline.hpp 's/return ordered;/return ordered != !ordered;/' "$races"
}

# broken_part BREAK FILE SED TESTS: of the function above.
broken_part() {
    edit "$graph/$2" "$3"
    red "$1" "the model tests" 'tests failed out of' "${tests[@]}" "$4"
    restore "$graph/$2"
}

say "copy"
refresh
format_and_scripts
failing_tests
broken_code
broken_engine
ignored_exit_codes
[[ ${1-} == quick ]] || thread_sanitizer

printf '%-44s %-26s %s\n' break check "turned red"
printf '%s\n' "${rows[@]}"
printf '%d of %d as it should be\n' $((${#rows[@]} - wrong)) "${#rows[@]}"
((wrong == 0))
