#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Programs with library calls of a known size, with _FORTIFY_SOURCE: each is right or wrong as it says.
# usage: run.sh FOLDER
set -euo pipefail

report=$(mktemp)
trap 'rm -f "$report"' EXIT

for program in fortified_1_2 fortified_2_3; do
    "$1/$program" check --json "$report"
    jq --exit-status \
        '.scenarios | length >= 110 and all(.[]; .as_expected and (.verdict == "held" or .verdict == "violated"))' \
        "$report" >/dev/null || { cat "$report" >&2; exit 1; }
done
