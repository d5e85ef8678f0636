#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The program `message`, in a folder of its own: checked, audited, replayed.
# usage: run.sh PROGRAM
set -euo pipefail

program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

require() { # require WHAT JSON CONDITION
    jq --exit-status "$3" "$2" >/dev/null || { printf 'not so: %s\n' "$1" >&2; cat "$2" >&2; exit 1; }
}

"$program" list --json "$folder/list.json" >/dev/null
require 'one scenario, named as the trial' "$folder/list.json" '[.scenarios[].name] == ["message"]'

"$program" check --json "$folder/check.json"
require 'held, in two executions: the flag was seen, or not' "$folder/check.json" \
    '.scenarios[0] | .verdict == "held" and .complete and .executions == 2 and .blocked == 0'

# Nothing is known of a library that has come without its list of what is not seen.
cp "$program" "$(dirname "$program")"/libmessage_trial.so "$folder"
status=0
LD_LIBRARY_PATH=$folder "$folder/message" check --json "$folder/moved.json" || status=$?
((status == 1)) || { echo "not checked, and yet status $status" >&2; exit 1; }
require 'not held without a limit' "$folder/moved.json" \
    '.scenarios[0] | .verdict == "held within" and (.limits[0] | test("NOT CHECKED: .* is not beside it"))'

"$program" audit --json "$folder/audit.json"
require 'both sites, by source line' "$folder/audit.json" \
    '[.subjects[0].sites[] | "\(.file):\(.line) \(.role) \(.declared)"]
        == ["message.cpp:14 store release", "message.cpp:17 load acquire"]'
require 'neither order can be weaker' "$folder/audit.json" \
    'all(.subjects[0].sites[]; .verdict == "minimal" and all(.weaker[]; .verdict == "required"))'

# A token is for another process, and its trace shows the lines of the source, wherever it is started.
token=$(jq --raw-output '.subjects[0].sites[0].weaker[-1].replay' "$folder/audit.json")
cd /
status=0
"$program" replay "$token" >"$folder/trace" || status=$?
cat "$folder/trace"
((status == 1))
grep -q 'data race' "$folder/trace"
grep -q 'content = value;' "$folder/trace"
grep -q 'relaxed, not release; if it were' "$folder/trace"
