#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests of a framework that model-check bodies: what holds passes, what does not fails with the conclusion and with a line that
# runs the execution again.
# usage: run.sh CTEST BUILD_FOLDER
set -euo pipefail

ctest=$1 build=$2
cd "$build"

"$ctest" --output-junit junit.xml --output-on-failure >ctest.log 2>&1 && exit 1
with_status() { sed -n "s/.*<testcase name=\"\([^\"]*\)\" .*status=\"$1\".*/\1/p" junit.xml | sort | tr '\n' '|'; }
same() { # same WHAT IS EXPECTED
    [[ $2 == "$3" ]] || { printf '%s: %s\nexpected: %s\n' "$1" "$2" "$3" >&2; cat ctest.log >&2; exit 1; }
}
says() { # says TEXT FILE
    grep -qF -- "$1" "$2" || { printf 'not in %s: %s\n' "$2" "$1" >&2; cat "$2" >&2; exit 1; }
}

# replayed FILTER: the line that the test prints runs its execution again, and comes to the same conclusion.
replayed() {
    local line
    ./tests "$1" >first.log 2>&1 && exit 1
    line=$(sed -n 's/^ *replay: //p' first.log | head -n 1)
    [[ $line == ORDEAL_REPLAY=* ]] || { cat first.log >&2; exit 1; }
    bash -c "$line" >replayed.log 2>&1 && exit 1
    says 'under graph' replayed.log
}

if [[ -e held ]]; then
    same passed "$(with_status run)" 'tests/Budget.Accepted|tests/Budget.Bounded|tests/Budget.NoneSpurious|tests/Counter.Right|tests/NotChecked.Native|tests/fixture.StateIsPutBack|'
    same failed "$(with_status fail)" 'tests/Budget.BoundedStrictly|tests/Budget.NoSuchAcceptance|tests/Budget.NoSuchSearch|tests/Counter.Wrong|tests/Mailbox.AssertionOnAnotherThread|tests/Mailbox.Race|'
    says 'one was lost' ctest.log
    says "no violation to accept 'no@such'" ctest.log
    says 'it was taken' ctest.log
    says 'googletest.cpp:52: receiver' ctest.log
    # A filter of the framework: nothing else is checked.
    ./tests --gtest_filter='Counter.Right' >filtered.log 2>&1
    says '[  PASSED  ] 1 test.' filtered.log
    replayed --gtest_filter=Mailbox.Race
    # The framework in each execution: its library's state of before is there anew.
    ./held check --json held.json >/dev/null
    jq --exit-status '.scenarios[0] | .verdict == "held within" and .complete' held.json >/dev/null
else
    same passed "$(with_status run)" 'tests/all of it|tests/bounded|tests/exceptions|tests/not checked|tests/right|tests/state is put back|tests/success|'
    same failed "$(with_status fail)" \
        'tests/a section in a body|tests/an assertion on another thread|tests/in each section|tests/no such search|tests/race|tests/wrong, [it] is|'
    ./tests 'wrong*' >wrong.log 2>&1 && exit 1
    says 'two threads' wrong.log
    says 'All tests passed (1 assertion in 1 test case)' <(./tests right 2>&1)
    replayed race
    replayed 'wrong\, \[it\] is'
    says 'SECTION is not for a body' ctest.log  # and Catch2 breaks the line
fi
says 'violated: data race' ctest.log
# Lines are not broken a second time: no row of a trace goes on at the beginning of a line.
awk 'length > 80 && / \| / { print "a row that a framework breaks: " $0; failed = 1 } END { exit failed }' ctest.log
# Objects by their names.
if grep -E 'byte [0-9]+ of|memory is (read|written|used)' ctest.log; then exit 1; fi
says "no search 'no such search'" ctest.log

# What is to be replayed and does not run is no success.
if ORDEAL_REPLAY='o1:graph:nobody:-:-:5a3a8d3c' ./tests >nobody.log 2>&1; then exit 1; fi
says 'ORDEAL_REPLAY' nobody.log
