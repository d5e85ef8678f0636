#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Suites that are written for Relacy, explored in full.
# usage: run.sh CTEST BUILD_FOLDER
set -euo pipefail

ctest=$1 build=$2

# Every suite that is simulated is a scenario of the program's subject, and ends as it declares, explored in full.
"$build/suites" check --json "$build/suites.json" >"$build/suites.log" || { cat "$build/suites.log" >&2; exit 1; }
require() { # require WHAT CONDITION
    jq --exit-status "$2" "$build/suites.json" >/dev/null || { printf 'not so: %s\n' "$1" >&2; exit 1; }
}
require 'the suites are the scenarios' '[.scenarios[].name] | sort == ([
    "counts<2>", "counts<3>", "creates", "deadlocks", "draws", "draws_the_last", "fences<false>", "fences<true>", "frees_twice",
    "leaks", "message_passing", "reads_unwritten", "relaxed_message", "starts",
    "store_buffering", "unlocks", "uses_freed", "waits", "waits_for_a_while"] | sort)'
require 'they are of one subject' '[.scenarios[].subject] | unique == ["suites"]'
require 'a draw has as many executions as numbers' '.scenarios[] | select(.name == "draws") | .executions == 4'
require 'the others are held' \
    '[.scenarios[] | select(.verdict == "held").name] | contains(["message_passing", "counts<3>", "fences<true>", "starts", "draws"])'

# A trace has the suite's own names and lines, and none of the header.
"$build/suites" check relaxed_message --trace --quiet >"$build/trace.log" || { cat "$build/trace.log" >&2; exit 1; }
grep -q 'data is read while a write by another thread at .*suites.cpp:[0-9]* is not ordered before the read' "$build/trace.log"
grep -q 'store relaxed ready = 1  suites.cpp' "$build/trace.log"
if grep -n 'relacy.hpp\|__' "$build/trace.log" >&2; then exit 1; fi

# ctest has an entry for each, and a suite that does not end as it declares fails.
"$ctest" --test-dir "$build" --output-junit "$build/junit.xml" >"$build/ctest.log" 2>&1 && exit 1
failed=$(grep -E '<testcase .*status="fail"' "$build/junit.xml" | sed 's/.*<testcase name="\([^"]*\)".*/\1/' | sort | xargs)
[[ $failed == 'plain/declares_another_end plain/pays' ]] || { printf 'failed:\n%s\n' "$failed" >&2; exit 1; }
(($(grep -c 'status="run"' "$build/junit.xml") == 19))
"$build/plain" check --quiet >"$build/plain.log" 2>&1 && exit 1
grep -q 'one.balance_ is .*plain.cpp' "$build/plain.log"
"$build/plain" check declares_another_end --quiet >"$build/declares.log" 2>&1 && exit 1
grep -q "violated: failed requirement  *expected violated: failed requirement with .RL_UNTIL" "$build/declares.log"
