#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What ctest finds in programs of ordeal, and what it makes of them.
# usage: run.sh CTEST BUILD_FOLDER
set -euo pipefail

ctest=$1 build=$2

"$ctest" --test-dir "$build" --show-only=json-v1 >"$build/shown.json"
require() { # require WHAT CONDITION
    jq --exit-status "$2" "$build/shown.json" >/dev/null || { printf 'not so: %s\n' "$1" >&2; exit 1; }
}
# Whatever its name, a scenario has one test, which has nothing but this scenario.
"$build/odd" list --json - | jq '[.scenarios[].name]' >"$build/names.json"
(($(jq length "$build/names.json") == 13))
# shellcheck disable=SC2016  # $all, $mine, $each are variables of jq
require 'each scenario has its test, for the engine that can search it' \
    "($(<"$build/names.json")) as \$all
     | [.tests[] | select(.name | startswith(\"odd/\"))] as \$mine
     | [\$mine[].name] == [\$all[] | \"odd/\" + .]
       and [\$mine[].command[1:]] == [\$all[] | [\"check\", \"--engine\", \"graph\", \"--require-complete\",
            \"--search\", \"preemptions=3\", \"--\", \"=\" + .]]"
require 'labels and time limit are as given' \
    '[.tests[] | select(.name == "odd/a*").properties[] | select(.name == "LABELS" or .name == "TIMEOUT").value]
     | map(if type == "array" then sort else . end) == [["graph", "mine", "ordeal", "yours"], 77]'

# Exit codes decide: an exhibit passes, whose violation is expected; what cannot be asked, has nothing or is not there fails.
"$ctest" --test-dir "$build" --output-junit "$build/junit.xml" >"$build/ctest.log" 2>&1 && exit 1
passed() { grep -c 'status="run"' "$build/junit.xml"; }
failed=$(grep -E '<testcase .*status="(fail|notrun|disabled)"' "$build/junit.xml" | sed 's/.*<testcase name="\([^"]*\)".*/\1/' | sort)
expected=$(printf '%s\n' 'empty/nothing to check' 'never/not built' 'odd/a*/b?' 'odd/plain_name/longer' 'twice/list' | sort)
[[ $failed == "$expected" ]] || { printf 'failed:\n%s\n' "$failed" >&2; exit 1; }
(($(passed) == 13)) || { printf '%s passed\n' "$(passed)" >&2; exit 1; }
grep -q 'name="both/one_wins \[relacy\]"' "$build/junit.xml"
grep -q 'can be searched by the graph engine only' "$build/Testing/Temporary/LastTest.log"
grep -q "two scenarios have the name .twin." "$build/Testing/Temporary/LastTest.log"
