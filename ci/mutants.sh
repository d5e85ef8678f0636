#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Breaks the production code where it is no matter of orders, one edit at a time, and says which scenarios detect that. A
# mutant that none detects is a scenario that is missing, unless it is known to change nothing that a user may rely on.
# Leaves out/mutants.json; the programs stay in build/mutants for the next run, the tree itself is not touched.
#
#   ci/mutants.sh            every mutant
#   ci/mutants.sh TEXT...    those whose name has one of the texts in it
#   ci/mutants.sh --clients [TEXT...]
#                            which clients of examples/clients detect them, without any other scenario: out/mutants_clients.json
#   ci/mutants.sh apply      only whether each edit still changes something, in seconds
source "$(dirname "$0")/lib.sh"

coro=src/ordeal/coro
dir=$PWD/build/mutants
names=() files=() edits=() reasons=() plain_reasons=()
same_code="the engines see it over a policy alone; without one the compiler makes the same code of it"

# mutant NAME FILE SED [REASON [REASON_WITHOUT_A_POLICY]]: the whole file is one line for sed. With a reason, nothing detects it,
# and rightly so; with the second, no client.
mutant() { names+=("$1") files+=("$2") edits+=("$3") reasons+=("${4-}") plain_reasons+=("${5-}"); }

of_the_event() {
    local file=manual_reset_event.hpp
    mutant "event: push() looks for set() only before its loop" $file \
        's/(    do \{\n)(        if \(seen == this\) return false;\n)/\2\1/'
    mutant "event: push() links the waiter only once" $file 's/(    do \{\n)(.*)(        waiter\.next_[^\n]*\n)/\3\1\2/'
    mutant "event: next_ is written after the compare-exchange" $file \
        's/(        waiter\.next_\.write[^\n]*\n)(.*acquire\)\);\n)(    return true;)/\2\1\3/'
    mutant "event: continuation_ is written after the push" $file \
        's/(        continuation_\.write[^\n]*\n)        (return) (event_\.push\(\*this\);\n)/        const bool pushed = \3\1        \2 pushed;\n/'
    mutant "event: a push that fails lets the waiter through" $file \
        's/\} while \(!(state_\.compare_exchange_weak.*acquire\))\);\n    return true;/return \1;\n    } while (true);/'
    mutant "event: set() loads, then stores" $file \
        's/state_\.exchange\(this, std::memory_order_acq_rel\);/state_.load(std::memory_order_acquire);\n    state_.store(this, std::memory_order_release);/'
    mutant "event: set() leaves nothing behind" $file 's/state_\.exchange\(this,/state_.exchange(nullptr,/'
    mutant "event: a second set() takes the event for a waiter" $file 's/    if \(old == this\) return;\n//'
    mutant "event: set() leaves out the oldest of several" $file \
        's/(next = waiter->next_\.read\(\);)/\1\n        if (next == nullptr \&\& waiter != old) return;/'
    mutant "event: set() leaves out every second waiter" $file \
        's/waiter = next;/waiter = next != nullptr ? next->next_.read() : nullptr;/'
    mutant "event: next_ is read after resuming" $file \
        's/(        awaiter\* const next = [^\n]*\n)(.*)(        waiter = next;)/\2\1\3/'
    mutant "event: reset() drops the queue" $file \
        's/state_\.compare_exchange_strong\(expected, nullptr, std::memory_order_relaxed, /(void)expected;\n    state_.store(nullptr, /'
    mutant "event: reset() may fail spuriously" $file 's/compare_exchange_strong/compare_exchange_weak/'
    mutant "event: await_ready() is never true" $file 's/return event_\.is_set\(\);/return false;/'
}

of_the_shared_event() {
    local file=awaitable_event.hpp
    mutant "shared event: enqueue() does not look again" $file 's/        if \(set_\.load[^\n]*return false;\n//'
    mutant "shared event: enqueue() takes no lock" $file \
        's/(bool enqueue\(awaiter& waiter\) noexcept \{\n)[^\n]*lock\(mutex_\);\n/\1/'
    mutant "shared event: enqueue() leaves last_ as it was" $file 's/        last_\.write\(\) = &waiter;\n//'
    mutant "shared event: continuation_ is written after queueing" $file \
        's/(        continuation_\.write[^\n]*\n)        (return) (state_->enqueue\(\*this\);)[^\n]*\n/        const bool queued = \3\n\1        \2 queued;\n/'
    mutant "shared event: set() takes the queue, then stores" $file \
        's/(            set_\.store\(true,[^\n]*\n)(.*last_\.write\(\) = nullptr;\n        \}\n)/\2\1/'
    mutant "shared event: set() stores, then takes the lock" $file \
        's/(        \{\n[^\n]*lock\(mutex_\);\n)([^;]*set_\.store\(true,[^\n]*\n)/\2\1/'
    mutant "shared event: set() stores, then takes the lock, and enqueue() acquires" $file \
        's/(        \{\n[^\n]*lock\(mutex_\);\n)([^;]*set_\.store\(true,[^\n]*\n)/\2\1/; s/(if \(set_\.load\(std::memory_order_)relaxed/\1acquire/'
    mutant "shared event: set() keeps the queue" $file 's/std::exchange\(first_\.write\(\), nullptr\)/first_.read()/'
    mutant "shared event: set() keeps last_" $file 's/            last_\.write\(\) = nullptr;\n//'
    mutant "shared event: set() resumes the oldest alone" $file 's/while (\(waiter != nullptr\) \{)/if \1/'
    mutant "shared event: next_ is read after resuming" $file \
        's/(            awaiter\* const next = [^\n]*\n)(.*)(            waiter = next;)/\2\1\3/'
    mutant "shared event: set() holds no reference" $file \
        's/const reference keep\(state_\);\n        keep->set\(\);/state_->set();/'
    mutant "shared event: a copy is not counted" $file 's/state_->acquire_reference\(\);//'
    mutant "shared event: reset() takes no lock" $file 's/(void reset\(\) noexcept \{\n)[^\n]*lock\(mutex_\);\n/\1/' \
        "it is one store: what set() and enqueue() do under the lock is as before it, or as after it"
    mutant "shared event: await_ready() is never true" $file \
        's/(await_ready\(\) const noexcept \{ return )state_->is_set\(\)/\1false/'
}

of_the_task() {
    local file=task.hpp
    mutant "task: register_awaiter() does not look" $file \
        's/if \(old == running\) return true;/if (old <= completed) return true;/'
    mutant "task: register_awaiter() hides that it completed" $file \
        's/        state_\.store\(completed, std::memory_order_relaxed\);\n//'
    mutant "task: register_awaiter() loads, then stores" $file \
        's/state_\.exchange\((address), std::memory_order_acq_rel\);/state_.load(std::memory_order_acquire);\n        state_.store(\1, std::memory_order_release);/'
    mutant "task: complete() loads, then stores" $file \
        's/state_\.exchange\((completed), std::memory_order_acq_rel\);/state_.load(std::memory_order_acquire);\n        state_.store(\1, std::memory_order_release);/'
    mutant "task: complete() resumes nobody" $file 's/return P::transfer[^\n]*\n/return std::noop_coroutine();\n/'
    mutant "task: complete() does not free what was given up" $file 's/            self\.destroy\(\);\n//'
    mutant "task: the result is touched after complete()" $file \
        's/return (self\.promise\(\))(\.state\(\)\.complete[^\n]*\n)/auto\& promise = \1;\n            const auto next = promise\2            (void)promise.result();\n            return next;\n/' \
        "" "$same_code"
    mutant "task: abandon() loads, then stores" $file \
        's/return (state_\.)exchange\((abandoned), std::memory_order_acq_rel\) == completed;/const auto old = \1load(std::memory_order_acquire);\n        \1store(\2, std::memory_order_release);\n        return old == completed;/'
    mutant "task: abandon() always frees" $file 's/if \(!state\(\)\.abandon\(\)\) return;/(void)state().abandon();/'
    mutant "task: abandon() never frees" $file 's/if \(!state\(\)\.abandon\(\)\) return;/(void)state().abandon();\n        return;/'
    mutant "task: await_ready() is never true" $file \
        's/(await_ready\(\) const noexcept \{ return )task_\.promise_->state\(\)\.ready\(\)/\1false/'
}

of_sync_wait() {
    local file=sync_wait.hpp
    mutant "sync_wait: nobody notifies" $file 's/        state_\.notify_one\(\);\n//'
    mutant "sync_wait: it notifies, then stores" $file \
        's/(        state_\.store\(finished[^\n]*\n)(        state_\.notify_one\(\);\n)/\2\1/'
    mutant "sync_wait: it notifies after its last store" $file \
        's/(        state_\.notify_one\(\);\n)(.*state_\.store\(released[^\n]*\n)/\2\1/'
    mutant "sync_wait: the first store is left out" $file 's/        state_\.store\(finished[^\n]*\n//'
    mutant "sync_wait: wait() ends before the notification does" $file 's/(memory_order_acquire\)) != released/\1 == pending/'
    mutant "sync_wait: wait() does not block" $file 's/        state_\.wait\(pending[^\n]*\n//' \
        "the loop behind it waits for the same and more; it costs processor time"
    mutant "sync_wait: the frame is suspended after notify()" $file \
        's/(            const typename P::continuation suspended[^\n]*\n[^\n]*\n)([^\n]*notify\(\);\n)/\2\1/' \
        "" "$same_code"
}

of_the_event
of_the_shared_event
of_the_task
of_sync_wait

# changed INDEX: the file with the edit in it.
changed() { sed -zE "${edits[$1]}" "$coro/${files[$1]}"; }

if [[ ${1-} == apply ]]; then
    status=0
    for i in "${!names[@]}"; do
        text=$(changed "$i")
        if [[ $text == "$(<"$coro/${files[i]}")" ]]; then
            say "changes nothing in ${files[i]}: ${names[i]}"
            status=1
        fi
    done
    printf '%d mutants\n' "${#names[@]}"
    exit "$status"
fi

is_chosen() {
    local name=$1 text
    shift
    (($#)) || return 0
    for text in "$@"; do [[ $name != *"$text"* ]] || return 0; done
    return 1
}

by=scenarios report=out/mutants.json
if [[ ${1-} == --clients ]]; then
    by=clients report=out/mutants_clients.json
    for i in "${!reasons[@]}"; do reasons[i]=${reasons[i]:-${plain_reasons[i]}}; done
    dir=$PWD/build/mutants_clients
    shift
fi
chosen=()
for i in "${!names[@]}"; do
    if is_chosen "${names[i]}" "$@"; then chosen+=("$i"); fi
done
((${#chosen[@]})) || die "no mutant has this in its name: $*"

# The name of a mutant's program and folder.
program() { tr -cs 'a-z0-9_\n' '_' <<<"$1"; }

# What has not changed keeps its time, for the build.
programs=(as_it_is)
mkdir -p "$dir/edited" "$dir/as_it_is" out
for i in "${chosen[@]}"; do
    id=$(program "${names[i]}")
    programs+=("$id")
    file=$dir/$id/ordeal/coro/${files[i]}
    mkdir -p "$(dirname "$file")"
    changed "$i" >"$dir/edited/$id"
    ! cmp -s "$dir/edited/$id" "$coro/${files[i]}" || die "changes nothing in ${files[i]}: ${names[i]}"
    if ! cmp -s "$dir/edited/$id" "$file"; then mv "$dir/edited/$id" "$file"; fi
done

ci/deps.sh
configure release
build release ordeal_harness
say "build: ${#chosen[@]} mutants"
cmake -S ci/mutants -B "$dir/build" -G Ninja -D "CMAKE_CXX_COMPILER=clang++-$clang" -D "MUTANTS_DIR=$dir" -D "MUTANTS_BY=$by" \
    -D "ordeal_DIR=$PWD/$(build_dir release)" -D "MUTANTS=$(IFS=';' && echo "${programs[*]}")" >"$dir/build.log"
cmake --build "$dir/build" --parallel "$jobs" --target "${programs[@]}" >>"$dir/build.log" 2>&1 \
    || { tail -n 25 "$dir/build.log" >&2; die "a mutant must compile: see $dir/build.log"; }

# check PROGRAM: leaves its report.
check() {
    local status=0
    limited 300 "$dir/build/$1" check --quiet --jobs "$jobs" --json "$dir/$1.json" >"$dir/$1.log" 2>&1 || status=$?
    ((status <= 1)) || { tail -n 25 "$dir/$1.log" >&2; die "$1: \`ordeal check\` ended with $status"; }
}

say check
check as_it_is
jq --exit-status '(.scenarios | length > 0) and all(.scenarios[]; .as_expected)' "$dir/as_it_is.json" >/dev/null \
    || die "not as expected without a mutant: see $dir/as_it_is.log"
reports=()
for i in "${chosen[@]}"; do
    id=$(program "${names[i]}")
    check "$id"
    jq --compact-output --arg name "${names[i]}" --arg file "$coro/${files[i]}" --arg reason "${reasons[i]}" '{
        mutant: $name, file: $file, equivalent: (if $reason == "" then null else $reason end),
        detected_by: [.scenarios[] | select(.as_expected | not) | {scenario: .name, verdict, kind}]}' \
        "$dir/$id.json" >"$dir/$id.row"
    reports+=("$dir/$id.row")
done

jq --slurp --slurpfile as_it_is "$dir/as_it_is.json" '{
    schema: 1, tool: "ordeal mutants", detected: (map(select(.detected_by != [])) | length), mutants: .,
    survivors: map(select(.detected_by == [] and .equivalent == null) | .mutant),
    equivalent: map(select(.detected_by == [] and .equivalent != null) | .mutant),
    no_longer_equivalent: map(select(.detected_by != [] and .equivalent != null) | .mutant),
    scenarios: ([.[].detected_by[].scenario] as $all | [$as_it_is[0].scenarios[].name | . as $name |
        {scenario: ., mutants: ($all | map(select(. == $name)) | length)}] | sort_by(-.mutants, .scenario))}' \
    "${reports[@]}" >"$report"

jq --raw-output '(["mutant", "scenarios", "the first"] | @tsv), (.mutants[] | [.mutant, (.detected_by | length),
    (.detected_by[0] // {} | if .scenario == null then "-" else "\(.scenario): \(.kind // .verdict)" end)] | @tsv)' \
    "$report" | column -t -s $'\t'
printf '\n'
jq --raw-output '(["scenario", "mutants"] | @tsv), (.scenarios[] | [.scenario, .mutants] | @tsv)' "$report" | column -t -s $'\t'
printf '\n'
jq --raw-output '.equivalent as $equivalent | (.mutants[] | select(.mutant | IN($equivalent[])) | "equivalent: \(.mutant): \(.equivalent)"),
    (.no_longer_equivalent[] | "detected, and said to be equivalent: \(.)"), (.survivors[] | "survived: \(.)"),
    "detected \(.detected) of \(.mutants | length)"' "$report"
jq --exit-status '.survivors == [] and .no_longer_equivalent == []' "$report" >/dev/null
