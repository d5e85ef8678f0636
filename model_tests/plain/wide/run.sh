#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Programs with atomics of 16 bytes, in a folder of their own: each is right or wrong as it says, and nothing is left out.
# usage: run.sh FOLDER
set -euo pipefail

report=$(mktemp)
trap 'rm -f "$report"' EXIT

checked=0
for program in "$1"/wide "$1"/wide_instruction; do
    [[ -x $program ]] || continue
    "$program" check --json "$report"
    jq --exit-status '.scenarios | length >= 16 and all(.[]; .as_expected and (.verdict == "held" or .verdict == "violated"))' \
        "$report" >/dev/null || { cat "$report" >&2; exit 1; }
    checked=$((checked + 1))
done
((checked > 0))
