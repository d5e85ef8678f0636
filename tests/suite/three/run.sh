#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Three programs of one suite: what holds passes in each, and what is wrong fails in each.
# usage: run.sh CTEST BUILD_FOLDER
set -euo pipefail

ctest=$1 build=$2

"$ctest" --test-dir "$build" --show-only=json-v1 >"$build/shown.json"
require() { # require WHAT FILE CONDITION
    jq --exit-status "$3" "$2" >/dev/null || { printf 'not so: %s\n' "$1" >&2; exit 1; }
}
# shellcheck disable=SC2016  # jq's variables
require 'each scenario has an entry in each program, and what must be violated in the first alone' "$build/shown.json" \
    '([.tests[].name | select(startswith("sound"))] | sort) == ([
        ("fenced", "message \"quoted\"\\", "out of memory", "plain/one_wins") as $name
        | "sound/" + $name, "sound_tsan/" + $name, "sound_stress/" + $name] + ["sound/planned"] | sort)'
require 'functions, in C++ and in C, and each ORDEAL_TRIAL' "$build/shown.json" \
    '([.tests[].name | select(test("^(function|in_c)"))] | sort) == (["function/counts", "function/function", "in_c/in_c"]
        | map(., sub("/"; "_tsan/"), sub("/"; "_stress/")) | sort)'
require 'all clients' "$build/shown.json" \
    '([.tests[].name | select(startswith("clients"))] | sort) == ([("right_box", "wrong_box") + "/2x1/" + ("get+get", "put+get")
        | "clients/" + ., "clients_tsan/" + ., "clients_stress/" + .] | sort)'
require 'labels' "$build/shown.json" \
    '[.tests[] | select(.name | endswith("fenced")).properties[] | select(.name == "LABELS").value | sort] | sort
     == [["graph", "mine", "ordeal"], ["mine", "ordeal", "stress"], ["mine", "ordeal", "tsan"]]'

"$ctest" --test-dir "$build" --output-junit "$build/junit.xml" --output-on-failure >"$build/ctest.log" 2>&1 && exit 1
with_status() { sed -n "s/.*<testcase name=\"\([^\"]*\)\" .*status=\"$1\".*/\1/p" "$build/junit.xml" | sort | tr '\n' ' '; }
same() { # same WHAT IS EXPECTED
    [[ $2 == "$3" ]] || { printf '%s: %s\nexpected: %s\n' "$1" "$2" "$3" >&2; cat "$build/ctest.log" >&2; exit 1; }
}
failed=$(with_status fail)
same failed "${failed/clients_tsan\/wrong_box\/2x1\/put+get /}" \
    'clients/wrong_box/2x1/put+get clients_stress/wrong_box/2x1/put+get racy/counts racy_function/racy_function racy_function_stress/racy_function racy_function_tsan/racy_function racy_stress/counts racy_tsan/counts '
# A report on code with fences is no verdict; without a report it passes.
skipped=$(with_status notrun)
[[ $skipped == 'sound_tsan/fenced ' || -z $skipped ]] || { same skipped "$skipped" ''; }
# The failed test shows the report, with lines.
at=$(grep --line-number 'value = value + 1' "$(dirname "$0")/racy.cpp" | cut -d : -f 1)
shows() { grep -q "$1" "$build/ctest.log" || { cat "$build/ctest.log" >&2; printf 'does not show: %s\n' "$1" >&2; exit 1; }; }
shows 'WARNING: ThreadSanitizer: data race'
shows "racy.cpp:$at"
shows 'seed [0-9]'

# Two real threads meet at some time: where a processor is busy with others, not within the seconds of that test.
status=0
"$build/clients_tsan" run --seconds 60 '=wrong_box/2x1/put+get' >"$build/met.log" 2>&1 || status=$?
((status == 66)) || { cat "$build/met.log" >&2; exit 1; }
grep -q 'WARNING: ThreadSanitizer: data race' "$build/met.log"

# What fences order is reported by ThreadSanitizer at some time, and the program says what that is worth.
status=0
"$build/sound_tsan" run --seconds 60 fenced >"$build/fenced.log" 2>&1 || status=$?
((status == 77))
grep -q 'this report is no verdict' "$build/fenced.log"

# The table has both: what real threads showed, and what the model says.
# shellcheck disable=SC1003  # no escape
"$build/sound_stress" stress --samples 2000 --seconds 0 --json "$build/stress.json" '=message "quoted"\' >/dev/null
require 'outcomes of real threads, judged by the model' "$build/stress.json" \
    '.scenarios[0] | .verdict == "held within" and .model.verdict == "held"'

# Clients of other sizes, and some that are drawn, run on real threads too.
status=0
"$build/clients_stress" stress '*right_box' --sizes 2x2 --drawn 2 --seed 7 --samples 2000 --seconds 0 --json "$build/drawn.json" \
    >/dev/null 2>"$build/drawn.log" || status=$?
((status == 0)) || { cat "$build/drawn.log" >&2; exit 1; }
grep -q 'right_box: 2 clients of 2x2, drawn with seed 7' "$build/drawn.log"
require 'drawn clients have run, and the model knows what they may return' "$build/drawn.json" \
    '(.scenarios | length == 2) and all(.scenarios[]; (.name | startswith("right_box/2x2/")) and .verdict == "held within"
        and (.outcomes | length > 0 and all(.[]; .outcome != "")))'
