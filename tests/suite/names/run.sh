#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: run.sh CTEST BUILD_FOLDER
set -euo pipefail

unnamed=$(dirname "$0")/unnamed.py build=$2
for program in plain optimised; do
    python3 "$unnamed" "$build/$program"
done

# It notices what has no name: the storage of an object that was never made has none.
says=$(python3 "$unnamed" --also '^node' "$build/plain" new_node || echo "found: $?")
grep -qF 'found: 1' <<<"$says" || { printf 'a name that is not to be was not found:\n%s\n' "$says" >&2; exit 1; }
