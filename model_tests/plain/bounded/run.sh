#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Waits with a limit: each is right or wrong as it says, and with optimisation all its executions are explored.
# usage: run.sh FOLDER
set -euo pipefail

report=$(mktemp)
trap 'rm -f "$report"' EXIT

# Without optimisation the loops are explored up to the engine's bound.
status=0
"$1/bounded_0" check --json "$report" || status=$?
((status == 1)) || exit 1  # some wrong ones are not found
jq --exit-status '.scenarios | length == 36 and all(.[]; .verdict == "held within" or (.verdict == "violated" and .as_expected))' \
    "$report" >/dev/null || { cat "$report" >&2; exit 1; }

for level in 1 2 3; do
    "$1/bounded_$level" check --json "$report"
    jq --exit-status '.scenarios | length == 36 and all(.[]; .as_expected and (.verdict == "held" or .verdict == "violated"))' \
        "$report" >/dev/null || { cat "$report" >&2; exit 1; }
done
