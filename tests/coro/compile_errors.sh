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

# The headers of the standard library are compiled once for all.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '#include <%s>\n' algorithm array atomic cassert compare coroutine memory mutex optional source_location string thread \
    variant vector >"$folder/standard.hpp"
if "$compiler" --version | grep -q clang; then precompiled=pch; else precompiled=gch; fi
"$compiler" -std=c++20 -x c++-header "$folder/standard.hpp" -o "$folder/standard.hpp.$precompiled"

compile() {
    "$compiler" -std=c++20 -fsyntax-only -I"$include" -include "$folder/standard.hpp" -x c++ - 2>&1
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
rejects "a policy without atomic flags" supplies_atomic < <(with_policy "using atomic_flag = nothing;")
rejects "a policy without a fence" supplies_fence_and_yield < <(with_policy "static void fence() = delete;")
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
#include "ordeal/runtime/policy/model_policy.hpp"
$1
ordeal::model_policy::atomic<subject>* pointer;
unsigned long size = sizeof(*pointer);
EOF
}

size_message="ordeal: the model handles atomics of 1, 2, 4, 8 or 16 bytes"
copy_message="ordeal: an atomic's type must be trivially copyable"
accepts "positive control: a model atomic of 8 bytes" < <(
    over_model_atomic "struct subject { int first; int second; };")
accepts "positive control: a model atomic of 16 bytes" < <(
    over_model_atomic "struct subject { long first; long second; };")
rejects "a model atomic of 32 bytes" "$size_message" < <(over_model_atomic "struct subject { long values[4]; };")
rejects "a model atomic of 3 bytes" "$size_message" < <(over_model_atomic "struct subject { char bytes[3]; };")
rejects "a model atomic of a type that is not trivially copyable" "$copy_message" < <(
    over_model_atomic "struct subject { subject(const subject&); int value; };")

rejects "a model atomic of a constant" "ordeal: an atomic's type must be neither const nor volatile" < <(
    over_model_atomic "using subject = const int;")

# What an atomic of TYPE over the policy of HEADER is used for does, or does not, compile.
use_of_atomic() { # HEADER TYPE STATEMENT
    cat <<EOF
#include "ordeal/$1.hpp"
struct pair { int first; int second; };
struct padded { int first; char second; };
void use(ordeal::${1##*/}::atomic<$2>& object, $2 value) { (void)value; $3; }
EOF
}
operators="ordeal: an atomic of a policy has no operators"
accepts "positive control: a load over a policy" < <(use_of_atomic real/jitter_policy int "value = object.load()")
for use in "object = value" "value = object" "++object" "object += 1"; do
    rejects "$use over model_policy" "$operators" < <(use_of_atomic runtime/policy/model_policy int "$use")
done
rejects "an operator over jitter_policy" "$operators" < <(use_of_atomic real/jitter_policy int "object--")
rejects "the sum of floating-point numbers over a policy" "cannot add floating-point numbers" < <(
    use_of_atomic runtime/policy/model_policy double "object.fetch_add(1.0)")
padding="this type may have bytes without a value"
accepts "a compare-exchange of a pair" < <(
    use_of_atomic runtime/policy/model_policy pair "object.compare_exchange_weak(value, value)")
accepts "a load of a type with padding" < <(use_of_atomic runtime/policy/model_policy padded "value = object.load()")
rejects "a compare-exchange of a long double" "$padding" < <(
    use_of_atomic runtime/policy/model_policy "long double" "object.compare_exchange_weak(value, value)")
rejects "a compare-exchange of a type with padding" "$padding" < <(
    use_of_atomic runtime/policy/model_policy padded "object.compare_exchange_weak(value, value)")
rejects "a wait for a type with padding" "$padding" < <(use_of_atomic runtime/policy/model_policy padded "object.wait(value)")
rejects "a volatile model atomic" "volatile" <<'EOF'
#include "ordeal/runtime/policy/model_policy.hpp"
int read(const volatile ordeal::model_policy::atomic<int>& object) { return object.load(); }
EOF

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
