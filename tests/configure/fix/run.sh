#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A header of the production code with every order made relaxed gets its orders back, and holds again when it is built again.
# usage: run.sh CMAKE COMPILER BUILD SOURCES
set -euo pipefail

cmake=$1 compiler=$2 build=$3 sources=$4
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
header=$sources/ordeal/coro/manual_reset_event.hpp

fail() { printf 'not so: %s\n' "$1" >&2; cat "$folder/output" >&2; exit 1; }
says() { grep --quiet --fixed-strings -- "$1" "$folder/output" || fail "it says: $1"; }
run() { # run STATUS OPTION...
    local expected=$1 status=0
    shift
    "$folder/build/event" "$@" >"$folder/output" 2>&1 || status=$?
    ((status == expected)) || fail "event $* ends with $expected, not with $status"
}

cp "$here/CMakeLists.txt" "$here/event.cpp" "$folder"
sed 's/memory_order_\(acquire\|release\|acq_rel\)/memory_order_relaxed/g' "$header" >"$folder/manual_reset_event.hpp"
if cmp --silent "$header" "$folder/manual_reset_event.hpp"; then fail 'the copy is another text'; fi
"$cmake" -S "$folder" -B "$folder/build" "-Dordeal_DIR=$build" "-DCMAKE_CXX_COMPILER=$compiler" >"$folder/output" ||
    fail 'it is configured'
"$cmake" --build "$folder/build" >"$folder/output" 2>&1 || fail 'it is built'

cd "$folder"
run 1 check --quiet
run 1 audit --quiet --fix --write
says 'fix of event: repair 1 of 1'
says 'Each scenario was searched with just these orders: all held'
says 'written: '
says 'To check the changed source, build again, then: '
says '/build/event audit event'
diff "$header" manual_reset_event.hpp

# This program has still the old orders, and does not take the new text for its own.
run 4 audit --quiet --fix --write
says 'manual_reset_event.hpp: it was written to after this program was built: build again'

"$cmake" --build "$folder/build" >"$folder/output" 2>&1 || fail 'it is built again'
run 0 check --quiet
run 0 audit --quiet --fix --write
says 'nothing to change: no assignment only weakens what is written: the orders are minimal as written'
diff "$header" manual_reset_event.hpp
