#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Requires that misuse does not compile, and that the compiler's message names what is wrong.
# usage: compile_errors.sh COMPILER INCLUDE_DIR
set -euo pipefail

if [[ $# -ne 2 ]]; then
    echo "usage: $0 COMPILER INCLUDE_DIR" >&2
    exit 2
fi
compiler=$1
include=$2
failures=0

compile() {
    "$compiler" -std=c++20 -fsyntax-only -I"$include" -x c++ - 2>&1
}

# accepts TITLE < source
accepts() {
    local output
    if output=$(compile); then
        echo "compiles: $1"
    else
        echo "FAILED: $1 should compile, but:" >&2
        echo "$output" >&2
        failures=$((failures + 1))
    fi
}

# rejects TITLE MESSAGE < source: it must not compile, and a message must hold MESSAGE. Source lines that the compiler
# quotes do not count: the line that lists the requirements names them all. Of the requirements of a policy no other may
# be named.
rejects() {
    local output messages other
    if output=$(compile); then
        echo "FAILED: $1 compiles" >&2
        failures=$((failures + 1))
        return
    fi
    messages=$(sed -E '/^ *[0-9]* \|/d' <<<"$output")
    other=$(grep -oE 'supplies_[a-z_]+' <<<"$messages" | grep -vxF -- "$2" | sort -u || true)
    if ! grep -qF -- "$2" <<<"$messages" || [[ -n $other ]]; then
        echo "FAILED: $1: the message should name '$2'${other:+ and not $other}:" >&2
        echo "$output" >&2
        failures=$((failures + 1))
    else
        echo "rejected: $1: names '$2'"
    fi
}

# A user of manual_reset_event whose policy is std_policy with the given declarations on top.
with_policy() {
    cat <<EOF
#include "ordeal/coro/manual_reset_event.hpp"
struct nothing {};
template <class T> struct no_operations { no_operations(T); };
struct bad_policy : ordeal::std_policy {
    $1
};
ordeal::coro::manual_reset_event<bad_policy>* pointer;
EOF
}

accepts "positive control: std_policy with nothing changed" < <(with_policy "")
rejects "a policy without atomics" supplies_atomic < <(with_policy "using atomic = void;")
rejects "a policy whose atomic has no operations" supplies_atomic < <(
    with_policy "template <class T> using atomic = no_operations<T>;")
rejects "a policy without cells" supplies_cell < <(with_policy "using cell = void;")
rejects "a policy without a mutex" supplies_mutex < <(with_policy "using mutex = nothing;")
rejects "a policy without a continuation" supplies_continuation < <(with_policy "using continuation = nothing;")
rejects "a policy without transfer" supplies_continuation < <(with_policy "static void transfer() = delete;")
rejects "a policy without an acquire fence" supplies_fence_and_yield < <(
    with_policy "static void acquire_fence() = delete;")
rejects "a policy without yield" supplies_fence_and_yield < <(with_policy "static void yield() = delete;")
rejects "a type that is no policy" supplies_atomic <<'EOF'
#include "ordeal/coro/task.hpp"
ordeal::coro::task<int, int>* pointer;
EOF

# An atomic of the model over a type named subject.
over_model_atomic() {
    cat <<EOF
#include "ordeal/model/model_policy.hpp"
$1
ordeal::model_policy::atomic<subject>* pointer;
unsigned long size = sizeof(*pointer);
EOF
}

size_message="ordeal: the model handles atomics of 1, 2, 4 or 8 bytes"
copy_message="ordeal: an atomic's type must be trivially copyable"
accepts "positive control: a model atomic of 8 bytes" < <(
    over_model_atomic "struct subject { int first; int second; };")
rejects "a model atomic of 16 bytes" "$size_message" < <(
    over_model_atomic "struct subject { long first; long second; };")
rejects "a model atomic of 3 bytes" "$size_message" < <(over_model_atomic "struct subject { char bytes[3]; };")
rejects "a model atomic of a type that is not trivially copyable" "$copy_message" < <(
    over_model_atomic "struct subject { subject(const subject&); int value; };")

rejects "a copy of a manual_reset_event" "deleted" <<'EOF'
#include "ordeal/coro/manual_reset_event.hpp"
ordeal::coro::manual_reset_event<> event;
ordeal::coro::manual_reset_event<> copy = event;
EOF
rejects "awaiting a task that was not moved" "task<int>" <<'EOF'
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/task.hpp"
ordeal::detached wait(ordeal::coro::task<int> subject) { co_await subject; }
EOF

[[ $failures -eq 0 ]]
