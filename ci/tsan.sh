#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Real threads under ThreadSanitizer: positive controls, silence on production code, and the orders that the audit
# requires, weakened. Leaves out/ctest-tsan.log and out/tsan_cross_check.json.
#
#   ci/tsan.sh              everything
#   ci/tsan.sh REGEX        only the tests that match, and no cross-check
source "$(dirname "$0")/lib.sh"

ci/deps.sh
configure tsan
build tsan all
if (($#)); then
    run_ctest tsan ctest-tsan --tests-regex "$1"
    exit
fi

status=0
run_ctest tsan ctest-tsan || status=$?

configure release
build release ordeal
mkdir -p out
say audit
limited 300 "$(build_dir release)/bin/ordeal" audit --jobs "$jobs" --json out/audit.json >out/audit.txt || status=$?
say cross-check
limited 900 "$(build_dir tsan)/bin/ordeal_cross_check" out/audit.json --json out/tsan_cross_check.json || status=$?
exit "$status"
