#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Programs with variables that are used after their scopes, and with coroutines that are used while they run, at each level of
# optimisation: each is right or wrong as it says.
# usage: run.sh FOLDER
set -euo pipefail

report=$(mktemp)
trap 'rm -f "$report"' EXIT

for level in 0 1 2 3; do
    "$1/scopes_$level" check --json "$report"
    jq --exit-status '.scenarios | length >= 40 and all(.[]; .as_expected and (.verdict == "held" or .verdict == "violated"))' \
        "$report" >/dev/null || { cat "$report" >&2; exit 1; }
done
