#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Breaks what each check is there for, in a copy of the tree, and says whether the check turned red, and for the right
# reason. The copy and its builds stay in build/selftest for the next run; the tree itself is not touched.
#
#   ci/selftest.sh           everything
#   ci/selftest.sh quick     without ThreadSanitizer
#   ci/selftest.sh apply     only whether each break still changes something, in seconds
#   ci/selftest.sh PART...   these functions below alone: broken_engine, thread_sanitizer
source "$(dirname "$0")/lib.sh"

parts=(format_and_scripts failing_tests broken_code broken_engine broken_files broken_limits broken_futexes broken_verdicts
    broken_library broken_plugins broken_waits ignored_exit_codes thread_sanitizer)
mode=${1-everything}
case $mode in
    everything | apply) ;;
    quick) unset 'parts[-1]' ;;
    *)
        for part in "$@"; do [[ " ${parts[*]} " == *" $part "* ]] || die "unknown argument: $part"; done
        parts=("$@")
        ;;
esac
[[ $mode == apply ]] || ci/deps.sh --developer
root=$PWD
copy=$root/build/selftest/tree
logs=$root/out/selftest
if [[ $mode == apply ]]; then
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    logs=$copy/out/logs
fi
rm -rf "$logs"
mkdir -p "$copy" "$logs"
rows=()
not_as_it_should=()

# A repository of its own: git must not see the one around it. What has not changed keeps its time, for the build.
refresh() {
    git init -q "$copy"
    local file changed=()
    while IFS= read -r -d '' file; do
        if [[ -f $file ]] && { [[ ! -f $copy/$file ]] || ! cmp -s "$file" "$copy/$file"; }; then changed+=("$file"); fi
    done < <(git ls-files -z --cached --others --exclude-standard)
    ((${#changed[@]} == 0)) || cp --preserve=mode --parents --target-directory="$copy" "${changed[@]}"
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
    ! cmp -s "$1" "$copy/$1" || no_change "$1" "$2"
}

no_change() {
    [[ $mode == apply ]] || die "this changes nothing in $1: $2"
    row "$2" "$1" "CHANGES NOTHING"
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
    [[ $3 == yes || $3 == green ]] || not_as_it_should+=("$1")
}

# green CHECK EVIDENCE COMMAND...: a check that is always red would prove nothing.
green() {
    [[ $mode != apply ]] || return 0
    run_in_copy "as it is" "$2" "${@:3}"
    local result=green
    if ((status != 0)) || [[ $found == no ]]; then result="NOT GREEN, see out/selftest/${#rows[@]}.log"; fi
    row "(as it is)" "$1" "$result"
}

# red BREAK CHECK EVIDENCE COMMAND...
red() {
    [[ $mode != apply ]] || { row "$1" "$2" yes; return; }
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
    printf '// %0120d\n' 0 >>"$copy/src/ordeal/main.cpp"
    red "a line that is too long" format.sh 'lines of more than 120 columns' ci/format.sh
    restore src/ordeal/main.cpp
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
    local event=src/ordeal/coro/manual_reset_event.hpp exhibit=src/ordeal/coro/exhibits/plain_bool.cpp wait=src/ordeal/coro/scenarios/sync_wait.cpp
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

# Files that a run goes on from, or that several runs want.
broken_files() {
    # shellcheck disable=SC2016  # for the shell that runs it
    local programs=(bash -c 'cmake --build build/release --target ordeal_cli_tests --parallel "$0" &&
        ctest --test-dir build/release --no-tests=error --parallel "$0" --tests-regex "$1"' "$jobs")
    local graph=src/ordeal/engine/graph kept='^cli/a (checkpoint|program that is killed|second run|file of another)'
    green "the tests of kept files" '100% tests passed' "${programs[@]}" "$kept"
    broken_file "a checksum that nobody looks at" src/ordeal/engine/persistence/sealed_text.cpp 's/if \(left != last_line/if (left.empty() \&\& left != last_line/' \
        '^cli/a checkpoint with any one'
    broken_file "every build is the same" src/ordeal/engine/persistence/identity.cpp 's/(\{:016x\}", hash)/\1 * 0/' \
        '^cli/a checkpoint of another build'
    broken_file "variables are no part of a build" src/ordeal/engine/persistence/identity.cpp 's/if \(each\.as_loaded\)/if (!each.as_loaded) continue;\n        if (each.as_loaded)/' \
        '^cli/a checkpoint of another build of the program'
    broken_file "a checkpoint is left at the end alone" $graph/search/search_session.cpp 's/if \(!checkpoint_.wanted\(\) \|\| clock::now\(\) < save_next_\) return;/return;/' \
        '^cli/a program that is killed'
    broken_file "a lock that locks nothing" src/ordeal/cli/files/file_lock.cpp 's/F_SETLK, /F_GETLK, /' '^cli/a second run'
    broken_file "a lock file that is in the way" src/ordeal/cli/files/file_lock.cpp 's/O_RDWR \| O_CREAT/O_RDWR | O_CREAT | O_EXCL/' '^cli/a second run'
}

# broken_file BREAK FILE SED TESTS: of the function above.
broken_file() {
    edit "$2" "$3"
    red "$1" "the tests of kept files" 'tests failed out of' "${programs[@]}" "$4"
    restore "$2"
}

# The build takes a newer file for what it made itself.
ignored_exit_codes() {
    local program=$copy/build/release/bin/ordeal
    [[ $mode == apply ]] || (cd "$copy" && cmake --build build/release --target ordeal --parallel "$jobs") >"$logs/build.log"
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
    local waits='^model/(A semaphore over waits|Every exhibit gets .* graph engine)'
    local late='^model/A search with load buffering'
    local reuse='^model/(What was freed may|Memory that nothing orders|Every allocation takes|Random programs have one)'
    local models='^model/(The graph engine .*(sequential consistency|TSO)|The shapes of|A race that stronger|What a thread does in'
    models+='|Without a violation|A memory model is not)'
    local retries='^model/(A retry|A redundant retry|The read of a redundant|An iteration of a loop that has|Random programs with (loops of compare|retries))'
    local ends='^model/(A thread that waits for another|A race with what the iteration|A wait that blocks on a value)'
    local wrong='^model/Every wrong program'
    local uses='^model/(Threads that are joined|An order hands over|A fence hands over|The audit of a ring|An order that only)'
    local repairs='^model/(A repair of code with|A violation names what)'
    local processors='^model/(A processor shows|Of an execution that the engine|x86-64 shows|What a processor shows is)'
    green "the oracle" '100% tests passed' "${tests[@]}" "$oracle|$loops|$races|$waits|$reuse|$models|$retries|$ends|$wrong|$uses|$repairs|$processors"
    broken_call "a release is no barrier of POWER" src/ordeal/processors/mapping.cpp 's/^( *)put\(barrier::lwsync\);$/\1put(barrier::none);/' "$processors"
    broken_call "stlr and ldar are not ordered" src/ordeal/processors/processor_models.cpp 's/ \| po\.between\(L, A\)//' "$processors"
    broken_call "barriers of POWER are not cumulative" src/ordeal/processors/processor_models.cpp 's/ext\(rf\)\.maybe\(\) \* fence/fence/' "$processors"
    broken_part "threads that were joined meet" core/findings/site_coverage.hpp 's/run_\.self\(\)\.fork_join_hb\.contains\(write\.thread_id, write\.index\)/false/' "$uses"
    broken_part "what creation orders is of use" non_atomic/handovers.cpp 's/ \|\| me\.fork_join_hb\[thread\] >= epoch//' "$uses"
    broken_part "a retry is cut whatever its thread knows" reductions/retries/retry_probes.cpp 's/knows_no_less\((thread_id, here\.views, there\.views)\) \&\&/(knows_no_less(\1) || true) \&\&/' "$retries"
    broken_part "a retry is cut whatever it has touched" reductions/retries/retry_probes.cpp 's/retried\.accessed\.are_within\(shorter\.accessed\)/true/' "$retries"
    broken_part "a retry is cut whatever state it leads to" reductions/retries/retry_probes.cpp 's/a\.is_thread_of.b. &&//' "$retries"
    broken_part "a retry is cut whatever it has done" reductions/retries/retry_probes.cpp 's/ && here\.effects == 0 && there\.effects == 0//' "$retries"
    broken_part "a retry is cut whatever an atomic begins with" reductions/retries/retry_probes.cpp 's/here\.lives == there\.lives && //' "$retries"
    broken_part "a retry is cut whatever it knows to be freed" reductions/retries/retry_probes.cpp 's/ && a\.freed == b\.freed//' "$retries"
    broken_part "a retry is cut whatever its order" reductions/retries/retry_probes.cpp 's/if \((shorter_\[earlier\]\.using_order)/if (false \&\& \1/' "$retries"
    broken_part "a retry is cut whatever has a value without it" core/state/iteration_accesses.hpp 's/return !each\.second \|\| /return sizeof(each) > 0 || /' "$retries"
    broken_part "a loop is cut whatever it knows to be freed" core/state/thread_fingerprint.hpp 's/ && freed == before\.freed//' "$retries"
    broken_part "a loop is cut whatever it has touched" core/state/thread_fingerprint.hpp 's/done\.touched == before\.done\.touched/true/' "$retries|$ends"
    broken_part "a register is no part of a state" core/interpreter/graph_runtime.cpp 's/return try_lock_not_held\(caller_state/of_.mutexes.require_not_held(mutex, site); return try_lock_for(caller_state/' '^model/A count of failures'
    broken_part "a retry is dropped that may be revisited" reductions/retries/retries.cpp 's/ && run_\.graph->is_permanent\(read\)//' "$retries"
    broken_part "who goes by what comes after a wait is ordered behind it" non_atomic/past_waits.cpp 's/return \(?std::ranges::any_of\(run_/return false \&\& std::ranges::any_of(run_/' '^model/Who goes by what comes after'
    broken_part "a wait that nobody ends is forgotten" reductions/blocked/blocked_threads.cpp 's/ && woken_waits_\.surely_notified\(\*wait\)//' "$ends"
    broken_part "no read is revisited" core/revisits/backward_revisits.cpp 's/if \(!may_read_it\(candidate\)\) continue/if (!may_read_it(candidate) || all) continue/' "$oracle"
    broken_part "an execution is met twice" core/events/maximality.hpp 's/ && read_before_\[id\] == 0//' "$oracle"
    broken_part "coherence is forgotten" core/events/execution_graph.cpp 's/(seen\.contains\(each\.thread_id, each\.index\))/(\1 \&\& each.co > 0xfff0)/' "$oracle"
    broken_part "a release sequence ends at once" consistency/happens_before.cpp 's/(write\.rmw) && rf/false \&\& \1 \&\& rf/' "$oracle"
    broken_part "seq_cst orders nothing" consistency/rc11.cpp 's/return !has_cycle\(psc_\)/return true/' "$oracle"
    broken_part "by the letter seq_cst orders nothing" consistency/atomics_order.cpp 's/return !has_cycle\(order_\)/return true/' "$oracle"
    broken_part "what synchronises with a load is before it strongly" consistency/atomics_order.cpp \
        's/views_of\(id\)\.hb : views_of\(id\)\.before/views_of(id).hb : views_of(id).hb/' "$oracle"
    broken_part "sc forgets from-reads" consistency/global_order.cpp 's/(add\(accesses_\[k\]\.id)/if (!accesses_[k].reads) \1/' "$models"
    broken_part "a fence leaves stores in the buffer" consistency/consistency.cpp 's/(case event_kind::fence: return) /\1 false \&\& /' "$models"
    broken_part "a compare-exchange that fails is no fence" consistency/consistency.cpp 's/return views\.locked/return views.locked \&\& false/' "$models"
    broken_part "sc synchronises by the orders" consistency/happens_before.hpp 's/always_ \|\|/(always_ \&\& false) ||/' "$models"
    broken_part "a store that depends on a load is made before it" core/runner/certifier.cpp 's/found->second == answer::certified/true/' "$late"
    broken_part "a store is made before a load, though it releases" consistency/load_buffering.cpp 's/if \(each\.thread_id != write\.thread_id && !may_be_promised_before\(graph, read, each\.rf\)\) return false/;/' "$late"
    broken_part "what a late read displaces stays" core/revisits/late_reads.cpp 's/if \(i == displaced\) continue;//' "$late"
    broken_part "another memory model is no limit" search/search_limits.cpp 's/!is_of_orders\(of\.options\.model\)/false/' "$models"
    broken_part "a bounded search excludes a model" counterexample/stronger_models.cpp 's/others \|\| runner_\.interpreter\(\)\.findings\.met_a_bound\(\)/others/' "$models"
    broken_part "what is no execution is a violation" core/runner/execution_runner.cpp 's/interpreter_\.graph_memory\.allowed_so_far\(\)/true/' "$models"
    broken_part "a loop is cut whatever its state" core/state/thread_fingerprint.hpp \
        's/ && thread == before\.thread//; s/memory == before\.memory && //' "$loops"
    broken_part "a loop comes back on one atomic alone" core/progress/thread_visits.cpp \
        's/(if \(last == nullptr\) \{)/if (last != nullptr \&\& read.where != last->where) return false;\n        \1/' "$loops"
    broken_part "what a run leaves is dropped" core/execution/scheduling.cpp 's/^    strategy_->put_back\(\*run_\.graph\);//' '^model/A long run'
    broken_part "a woken wait reads what was before" core/liveness/woken_waits.cpp 's/run_\.graph->co_of\(read\.rf\) < known/false/' "$waits"
    broken_part "no notification is too late" core/execution/notifications.cpp 's/each\.site == no_site \|\|/true ||/' "$waits"
    broken_part "what nobody accepts is accepted" core/findings/acceptances.cpp 's/(std::ranges::none_of\(accepted_, covers\))/(false \&\& \1)/' "$waits"
    broken_part "freed memory never comes back" core/operations/heap_blocks.cpp 's/ \|\| is_taken\)/ || !is_taken)/' "$reuse"
    broken_part "a block comes back to two" core/operations/heap_blocks.cpp 's/ \|\| is_taken\)/ || (is_taken \&\& false))/' "$reuse"
    broken_part "a block comes back unordered" core/state/freed_blocks.hpp 's/\.epoch <= hb\[each\.thread_id\]/.epoch <= hb[each.thread_id] || true/' "$reuse"
    broken_part "a revisit deletes a block's return" core/events/maximality.hpp 's/ && !each\.takes_freed_block\(\)//' "$reuse"
    broken_part "one reuse more goes unnamed" core/operations/heap_blocks.cpp 's/findings_\.reuse_bound \|= !candidates_\.empty\(\) && !is_the_last\(\);//' "$reuse"
    broken_part "an order that nothing makes goes unnamed" core/operations/heap_blocks.cpp 's/findings_\.order_assumed \|= unordered/(void)unordered/' "$reuse"
    broken_part "every access is ordered" non_atomic/object_lifetimes.hpp 's/return ordered;/return ordered != !ordered;/' "$races"
}

# The same engine, broken where it decides how long a thread waits, and what a lock or a semaphore hands over.
broken_waits() {
    local graph=src/ordeal/engine/graph
    # shellcheck disable=SC2016  # for the shell that runs it
    local tests=(bash -c 'cmake --build build/release --target ordeal_fuzz_tests fuzz --parallel "$0" &&
        ctest --test-dir build/release --no-tests=error --parallel "$0" --tests-regex "$1"' "$jobs")
    local differ='^fuzz/(Every|Random) program'
    green "the fuzzer" '100% tests passed' "${tests[@]}" '^fuzz/'
    broken_part "a notification is for the first waiter only" core/events/read_request.hpp 's/std::max(\(1, waiting_threads)/std::min\1/' "$differ"
    broken_part "no wait ends spuriously" core/revisits/forward_revisits.cpp 's/^    if \(co \+ 1 == order_\.size\(\)\) \{/    if (false) {/' "$differ"
    broken_part "readers hand nothing to a writer" core/operations/locks.cpp 's/(\.success = order::)release/\1relaxed/' "$differ"
    broken_part "a notified wait was not at its limit too" core/events/read_request.hpp 's/(kind::pending \? )2/\11/' "$differ"
    local port=src/ordeal/runtime/runtime_stack.hpp
    edit $port 's/(static_cast<Call\*>\(context\)\)\(\); \}), detail::runtime_stack_top/\1, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - 256/'
    red "the engine leaves its numbers on the stack of the code on trial" "the fuzzer" 'tests failed out of' "${tests[@]}" "$differ"
    restore $port
}

# broken_part BREAK FILE SED TESTS: of the functions above.
broken_part() {
    edit "$graph/$2" "$3"
    red "$1" "the model tests" 'tests failed out of' "${tests[@]}" "$4"
    restore "$graph/$2"
}

# What ends a search that is no verdict on the code: time, room, somebody who is waited for.
broken_limits() {
    # shellcheck disable=SC2016  # for the shell that runs it
    local build_and_test='cmake --build build/release --target "$1" --parallel "$0" &&
        ctest --test-dir build/release --no-tests=error --parallel "$0" --tests-regex "$2"'
    local engine=src/ordeal/engine calls=src/ordeal/instrumented
    edit $engine/process/isolation.cpp 's/longest_silence\{8\}/longest_silence{-1}/'
    red "a search that is late is killed" "the unit tests" 'tests failed out of' \
        bash -c "$build_and_test" "$jobs" ordeal_units_tests '^units/a search that is late'
    restore $engine/process/isolation.cpp
    edit $engine/search_report.cpp 's/^    \(void\)heap::scenario_storage.*//'
    red "no room is a crash" "the command line's tests" 'tests failed out of' \
        bash -c "$build_and_test" "$jobs" ordeal_cli_tests '^cli/where there is no room'
    restore $engine/search_report.cpp
    local tests=(bash -c "$build_and_test" "$jobs" ordeal_program_tests)
    local waits=$engine/graph/reductions/wake_ups/idle_waits.cpp wrong='^programs/Every wrong program'
    broken_call "who waits is taken for the only one" $waits 's/^    if \(!woken\.spurious \&\& !is_for_nobody_else\(woken\)\) return false;//' "$wrong"
    broken_call "who is told of freed memory is not asked" $waits 's/^    if \(tells_of_freed_memory\(\*wait, earlier\)\) return false;//' "$wrong"
    broken_call "nobody sees the stack of a thread that waits" $engine/graph/non_atomic/non_atomic_memory.cpp \
        's/^            head\.event = 0;//' "$wrong"
    local refused='^programs/What the model does not have' yields='^programs/A yield by its number'
    broken_call "reads that wait are let through" $calls/kernel/blocking_calls.cpp 's/return waits;/return waits \&\& file < 0;/' "$refused"
    broken_call "writes that wait are let through" $calls/kernel/blocking_calls.cpp 's/return !fails \&\& /return fails \&\& /' "$refused"
    broken_call "reads of a library are let through" $calls/kernel/input_calls.cpp 's/ && !is_in_program/ \&\& is_in_program/' "$refused"
    broken_call "a yield by its number is none" $calls/kernel/futex_calls.cpp 's/if \(number == SYS_sched_yield\)/if (number < 0)/' "$yields"
}

# The same, for programs that use futexes.
broken_futexes() {
    local file=src/ordeal/engine/graph/core/operations/futexes.cpp
    # shellcheck disable=SC2016  # for the shell that runs it
    local programs=(bash -c 'cmake --build build/release --target programs --parallel "$0" &&
        build/release/bin/programs check "programs/futex_*" --quiet' "$jobs")
    green "programs with futexes" 'All as expected' "${programs[@]}"
    edit "$file" 's/\.success = order::acquire/.success = order::relaxed/'
    red "a futex compares with what was" "programs with futexes" 'deadlock +expected held' "${programs[@]}"
    restore "$file"
    edit "$file" 's/if \(fresh && may_end\)/if (fresh \&\& may_end \&\& false)/'
    red "no wait on a futex ends spuriously" "programs with futexes" 'held( \[[0-9]+\])? +expected violated' "${programs[@]}"
    restore "$file"
}

# What a verdict stands on: a search that has shown nothing must not hold, and a limit must be named.
broken_verdicts() {
    # shellcheck disable=SC2016  # for the shell that runs it
    local tests=(bash -c 'cmake --build build/release --target ordeal_model_tests ordeal_units_tests --parallel "$0" &&
        ctest --test-dir build/release --no-tests=error --parallel "$0" --tests-regex "$1"' "$jobs")
    local orders='^model/The order of a call is' blind='^model/A search in which no two threads accessed'
    local nothing='^model/A search whose time is over' unfair='^model/A livelock that only an unfair'
    local itself='^model/A read-modify-write before the threads' rests='^units/a violation does not rest'
    local certified='^model/(A later store that)'
    local shown='^units/control characters in a trace' buffers='^model/(A random program with an outcome beyond|Programs of the literature with load)'
    green "what verdicts stand on" '100% tests passed' "${tests[@]}" "$orders|$blind|$nothing|$unfair|$itself|$rests|$shown|$buffers|$certified"
    broken_verdict "one order for each place" runtime/site.cpp 's/ \| static_cast<unsigned>\(declared\) << 3//' "$orders"
    broken_verdict "a blind search holds" engine/graph/search/search_session.cpp 's/return (total_\.findings\.threads > 1)/return false \&\& \1/' "$blind"
    broken_verdict "no execution is enough" engine/search_report.cpp 's/(!holds \|\| result\.executions) > 0/\1 + 1 > 0/' "$nothing"
    broken_verdict "an unfair schedule is not named" engine/relacy/relacy_runtime.cpp 's/(unfair_schedule \|= unfair)/\1 \&\& false/' "$unfair"
    broken_verdict "a first value reads itself" engine/graph/core/execution/single_threaded_memory.cpp 's/(\.began =) target\.began/\1 run_.step/' "$itself"
    broken_verdict "a violation rests on nothing" engine/limit.cpp 's/return !may_raise_false_alarms\(each\)/return each.effect != limit_effect::general/' "$rests"
    broken_verdict "load buffering is not looked for" engine/graph/core/revisits/late_reads.cpp 's/if \(!buffered_\.contains\(pattern\)\) \(void\)note_promise\(found, pattern, false\);//' "$buffers"
    broken_verdict "no promise is certified" engine/graph/core/runner/certifier.cpp 's/\? answer::depends : answer::certified;/? answer::depends : answer::depends;/' "$buffers"
    broken_verdict "another way is the same" engine/graph/core/runner/certifier.cpp 's/ \|\| \(ran\.way \&\& !ran\.way->accesses_the_same\(asked\.way\)\)//' "$certified"
    broken_verdict "who is displaced is ordered" engine/graph/consistency/load_buffering.cpp 's/if \(!displaced && /if ((!displaced || true) \&\& /' "$buffers"
    broken_verdict "a release holds nothing back" engine/graph/consistency/load_buffering.cpp 's/ \|\| releases\(second\.using_order\)//' "$buffers"
    broken_verdict "control characters are let through" report/escaped_text.cpp 's/return code < 0x20 \|\| \(code >= 0x7f \&\& code < 0xa0\)/return code == 0/' "$shown"
}

# broken_verdict BREAK FILE SED TESTS: of the function above.
broken_verdict() {
    edit "src/ordeal/$2" "$3"
    red "$1" "model and units tests" 'tests failed out of' "${tests[@]}" "$4"
    restore "src/ordeal/$2"
}

# What libraries ask of their callers, and what their functions do to memory.
broken_library() {
    local library=src/ordeal/instrumented
    # shellcheck disable=SC2016  # for the shell that runs it
    local tests=(bash -c 'cmake --build build/release --target ordeal_program_tests --parallel "$0" &&
        ctest --test-dir build/release --no-tests=error --parallel "$0" --tests-regex "$1"' "$jobs")
    local wrong='^programs/Every wrong program' held='^programs/Every right program' limits='^programs/(A function whose accesses|What makes a process)'
    local meetings='^programs/(Threads meet in|What one thread passes)' lives=src/ordeal/engine/graph/non_atomic/object_lifetimes.hpp
    green "the programs" '100% tests passed' "${tests[@]}" "$wrong|$held|$limits|$meetings"
    broken_call "who only reads meets nobody" src/ordeal/engine/graph/non_atomic/byte_shadow.cpp 's/shared \|= others/shared |= shared \&\& others/' "$meetings"
    broken_call "a thread meets the one that joins it" src/ordeal/engine/graph/non_atomic/byte_shadow.cpp 's/(fork_join_hb\[known\.thread_id\] < known\.epoch);/(\1 || true);/' "$meetings"
    broken_call "an atomic that was handed over is shared" $lives 's/fork_join_hb\[thread\] < touched/0 < touched/' "$meetings"
    broken_call "who is woken is no longer waited for" src/ordeal/engine/graph/core/state/execution_state.cpp \
        's/return last == initial_write \|\|/return last != initial_write ||/' "$held"
    broken_call "who joined comes after nothing" src/ordeal/engine/graph/consistency/rc11.cpp \
        's/(without_an_event = )known/\1false \&\& known/' "$held"
    broken_call "a latch ends before its last call" src/ordeal/engine/graph/core/execution/notifications.cpp \
        's/ && run_\.may_go_on\(each\)/ \&\& each.count == 0/' "$wrong"
    broken_call "two mutexes on one condition variable" src/ordeal/engine/graph/core/operations/condition_variables.cpp \
        's/begun->mutex != mutex/begun->mutex == 0/' "$wrong"
    broken_call "new[] with delete" src/ordeal/runtime/memory/allocation_form.cpp \
        's/if \(taken\.family != given\.family\)/if (taken.family == any)/' "$wrong"
    broken_call "allocating is no write" src/ordeal/engine/graph/non_atomic/non_atomic_memory.hpp \
        's/access_now\(byte_access::allocation\)/byte_shadow::access{}/' "$wrong"
    broken_call "what is destroyed is used" src/ordeal/engine/graph/non_atomic/non_atomic_memory.cpp \
        's/known->destroyed_as == nullptr\) \[\[likely/known->alive) [[likely/' "$wrong"
    broken_call "what is made is made again" src/ordeal/engine/graph/non_atomic/non_atomic_memory.cpp \
        's/replace_synchroniser\(what, at\)\.made = true/(void)replace_synchroniser(what, at)/' "$wrong"
    broken_call "a scope has ended for others alone" src/ordeal/engine/graph/non_atomic/byte_shadow.cpp \
        's/if \(result\.scopeless\) return;/result.scopeless = result.scopeless \&\& here.ended_by != now.thread_id;/' "$wrong"
    broken_call "a latch below zero" $library/libstdcxx/expected_counts.cpp 's/count >= expected\.least/count >= -9/' "$wrong"
    broken_call "the state of strtok" $library/process_state/library_state.cpp 's/caller\.writes\(address_of\(which\), 1\);/(void)caller, (void)which;/' "$wrong"
    broken_call "calls of unseen functions" $library/unchecked/library_functions.cpp 's/if \(throws\(symbol\)/if (!throws(symbol)/' "$limits"
    broken_call "random numbers without a limit" $library/kernel/fixed_answers.cpp \
        's/if \(runtime != nullptr\) note_fixed\(\*runtime, at, what\);/(void)at, (void)what;/' "$limits"
    broken_call "floating point is everybody's" src/ordeal/engine/graph/core/execution/fibers.cpp 's/own\.floating\.set\(\);//' "$held"
    broken_call "libstdc++ is as it was left" $library/process_state/global_state.cpp 's/if \(code == 0 \|\|/if (code != 0 ||/' "$held"
    broken_call "descriptors are as they were left" $library/process_state/process_changes.cpp 's/if \(known == all\.descriptors\.end\(\)\)/if (each < 0)/' "$held"
    broken_call "objects of libraries are nobody's" $library/unchecked/uninstrumented_calls.cpp 's/if \(each\.size == 0\) break;/if (each.size < 60000) break;/' "$wrong"
    broken_call "handlers have one order" $library/unchecked/uninstrumented_calls.cpp 's/if \(known\.serialised_on\)/if (known.serialised_on \&\& at.address == 0)/' "$wrong"
    broken_call "vfork" $library/kernel/refused_calls.cpp 's/"the function vfork"/"a function"/' "$limits"
}

# broken_call BREAK FILE SED TESTS: of the functions around it.
broken_call() {
    edit "$2" "$3"
    red "$1" "the programs" 'tests failed out of' "${tests[@]}" "$4"
    restore "$2"
}

# What compilers leave out, and what they make up.
broken_plugins() {
    local compiler=src/ordeal/compiler
    # shellcheck disable=SC2016  # for the shell that runs it
    local tests=(bash -c 'cmake --build build/release --parallel "$0" --target ordeal_program_tests ordeal_instrumented \
            ordeal_plugin_of_g++ ordeal_plugin_of_clang++-19 &&
        ctest --test-dir build/release --no-tests=error --parallel "$0" --tests-regex "$1"' "$jobs")
    local clang='^programs/every access is told by clang\+\+-19' gxx='^programs/every access is told by g\+\+'
    local counted='^programs/A loop that gives up' held='^programs/Every right program' wrong='^programs/Every wrong program'
    broken_call "wide accesses are not told" $compiler/clang_accesses.cpp 's/if \(size == 0\) return;/if (size == 0 || size > 16) return;/' "$clang"
    broken_call "arguments are not told, g++" $compiler/gxx_plugin.cpp 's/if \(!is_shared\(argument\)/if (i < 99 || !is_shared(argument)/' "$gxx"
    broken_call "libraries in the program are not looked at" src/ordeal/instrumented/unchecked/uninstrumented_calls.cpp \
        's/is_in_program\(address\) && is_of_runtime\(symbol\)/is_in_program(address) \&\& (is_of_runtime(symbol) || address != 0)/' '^configure/a function of a library that was linked'
    broken_call "a count of iterations is nobody's business" $compiler/clang_counted_loops.cpp 's/!needed_\.contains\(\*each\) \|\| is_end\(\*each\)/is_end(*each) || true/' "$counted"
    broken_call "an iteration with two looks is repeated" $compiler/clang_counted_loops.cpp 's/if \(look_ != nullptr\) return false;//' "$counted"
    broken_call "the last iteration ends as the others do" $compiler/clang_counted_loops.cpp 's/has_later_exit\(\) \? 1/has_later_exit() ? 0/' "$counted"
    broken_call "the end of a destructor is not told" $compiler/clang_lifetimes.cpp 's/if \(is_destructor\(each\)\)/if (false \&\& is_destructor(each))/' "$wrong"
    broken_call "a use of a copy is not told" $compiler/clang_copies.cpp 's/if \(how == handling::used\) uses/if (false) uses/' "$wrong"
    broken_call "a copy of bytes without a value is a use" $compiler/clang_copies.cpp 's/return load\.hasMetadata\(reads_value\)/return load.getType() != nullptr/' "$held"
    broken_call "the end of a scope is not told" $compiler/clang_accesses.cpp 's/"__ordeal_end_of_scope", builder/"__ordeal_begin_of_scope", builder/' "$wrong"
    broken_call "a large variable needs no room" $compiler/clang_lifetimes.cpp 's/constexpr std::uint64_t large = 4096/constexpr std::uint64_t large = 1ull << 40/' "$wrong"
    broken_call "a back-off is followed" $compiler/clang_back_off.cpp 's/if \(needed\.depends_on_others/if (false \&\& needed.depends_on_others/' '^programs/A back-off'
    broken_call "accesses are told after optimisation" $compiler/clang_plugin.cpp 's/registerPipelineStartEPCallback/registerOptimizerLastEPCallback/; s/OptimizationLevel level\) \{ all/OptimizationLevel level, auto...) { all/' "$held|$wrong"
}

say "copy"
refresh
for part in "${parts[@]}"; do "$part"; done

printf '%-44s %-26s %s\n' break check "$([[ $mode == apply ]] && echo applies || echo "turned red")"
printf '%s\n' "${rows[@]}"
printf '%d of %d as it should be\n' $((${#rows[@]} - ${#not_as_it_should[@]})) "${#rows[@]}"
((${#not_as_it_should[@]} == 0))
