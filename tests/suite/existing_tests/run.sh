#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests that know nothing of ordeal, of one framework or of none: which of them are found, which pass, and what those say that do not.
# usage: run.sh CTEST BUILD_FOLDER
set -euo pipefail

ctest=$1 build=$2
cd "$build"

"$ctest" --output-junit junit.xml --output-on-failure >ctest.log 2>&1 && exit 1
# In one line, since reports break theirs.
tr -s ' \n' '  ' <Testing/Temporary/LastTest.log >said.log

die() { printf '%s\n' "$*" >&2; cat ctest.log >&2; exit 1; }
with_status() { sed -n "s/.*<testcase name=\"\([^\"]*\)\" .*status=\"$1\".*/\1/p" junit.xml | LC_ALL=C sort | sed -n "s#^$2/##p" | tr '\n' '|'; }
# ended PREFIX PASSED FAILED
ended() {
    local passed failed
    passed=$(with_status run "$1")
    failed=$(with_status fail "$1")
    [[ $passed == "$2" ]] || die "$1 passed: $passed, and not: $2"
    [[ $failed == "$3" ]] || die "$1 failed: $failed, and not: $3"
}
says() { # says TEXT...
    for text in "$@"; do grep -qF -- "$text" said.log || die "nothing says: $text"; done
}
require() { # require FILE WHAT CONDITION
    jq --exit-status "$3" "$1" >/dev/null || die "not so: $2"
}

if [[ -e googletest.ordeal ]]; then
    ended googletest.ordeal \
        'Account.KeepsAll|Filled.BeginsWithTwo|Mock.IsAskedInOrder|Skipped.SaysSo|Some/Amounts.AreKept/0|Some/Amounts.AreKept/1|Some/Amounts.AreSmall/0|Typed/0.Counts|Typed/1.Counts|Weak.ExchangeSucceeds|' \
        'Account.LosesSome|Death.NeedsAProcess|Filled.FailsInTearDown|Letter.Race|Some/Amounts.AreSmall/1|Thread.AssertsElsewhere|Throws.IsAFailure|'
    # The assertion that fails, its values and its line; the race in the library that the tests are of.
    says 'failed requirement: Expected equality of these values: one.balance(), Which is: 2, 4, a payment was lost' \
        'googletest.cpp:20 EXPECT_EQ(one.balance(), 4)' 'load relaxed one.balance_' 'account.cpp:10' \
        'googletest.cpp:31 void TearDown()' 'thread 2 googletest.cpp:65' 'C++ exception with description' \
        'data race: letter is read' 'account.cpp:23' 'the function fork (googletest.cpp:89) is not supported' \
        'the test was skipped: not on this machine (googletest.cpp:87)'
    if ./googletest.ordeal check --json googletest.json 'Some/*' 'Weak.*' >/dev/null 2>&1; then die 'all of them pass'; fi
    require googletest.json 'a test without a thread has one execution' \
        '.scenarios[] | select(.name == "Some/Amounts.AreSmall/0") | .executions == 1 and .complete'
    require googletest.json 'the tests are one subject' '[.scenarios[].subject] | unique == ["googletest"]'
    require googletest.json 'what is left out by default is named' '.scenarios[] | select(.name == "Weak.ExchangeSucceeds") |
        .verdict == "held within" and (.limit_details | map(.id) | index("spurious-failures") != null)'
    if ./googletest.ordeal check =Weak.ExchangeSucceeds --spurious 1 --quiet >spurious.log 2>&1; then die 'not spurious'; fi
    grep -q 'compare_exchange_weak' spurious.log
elif [[ -e catch2_checked ]]; then
    ended catch2 'generated|keeps all, [it] says|should fail|~fixture*|' 'loses some|race|sections|'
    says 'CHECK( one.balance() == 4 ): 2 == 4: paid without a lock' 'catch2.cpp:20' \
        'REQUIRE( one.balance() == 2 ): 1 == 2' 'catch2.cpp:33'
    "$ctest" -N -V -R '^catch2/keeps' >commands.log
    grep -q -- 'catch2_checked.* "--require-complete" "--time-budget" "50" ' commands.log
elif [[ -e doctest.ordeal ]]; then
    ended doctest 'keeps all, it says|of types&lt;int&gt;|of types&lt;long&gt;|should fail|' 'loses some|race|subcases|throws|'
    says 'CHECK( one.balance() == 4 ): 2 == 4: paid without a lock' 'doctest.cpp:19' \
        'an exception left the test: a payment was lost'
    ./doctest.ordeal check --json doctest.json 'keeps*' >/dev/null
    # What is compiled with the tests is seen, the framework in its header with them.
    require doctest.json 'every execution was explored' '.scenarios[0] | .verdict == "held" and .complete'
    ./doctest.ordeal audit 'keeps*' >audit.log 2>&1
    grep -q 'account.cpp:9 load relaxed' audit.log
    # A search that its budget cut short passes, if nobody says otherwise.
    "$ctest" -N -V -R '^doctest/keeps' >commands.log
    if grep 'require-complete' commands.log; then die 'it must be complete'; fi
elif [[ -e boost.ordeal ]]; then
    ended boost 'amounts/_0|amounts/_1|fixture|keeps_all|should_fail|' 'wrong/loses_some|wrong/throws|'
    ended boost_header 'amounts/_0|amounts/_1|fixture|keeps_all|should_fail|' ''
    says 'check one.balance() == 4 has failed [2 != 4]: paid without a lock' 'boost.cpp:29' \
        'an exception left the test: std::runtime_error: a payment was lost'
else
    ended plain 'plain_long|plain_true|' 'plain_exit|plain_false|'
    ./plain_long.ordeal check --time-budget 4 --json long.json >/dev/null 2>&1
    require long.json 'it is cut short by its time alone' '.scenarios[0] | (.verdict | startswith("held")) and (.complete | not)'
    says 'the test failed: main returned 3' 'the test failed: exit(3) was called' 'plain.cpp:13'
    token=$(sed -n "s/.* replay \('o1:graph:plain_exit:[^']*'\)$/\1/p" ctest.log | head -n 1)
    bash -c "./plain_exit.ordeal replay $token" >replayed.log 2>&1 && die 'it replays nothing'
    grep -q 'exit(3) was called' replayed.log
fi
