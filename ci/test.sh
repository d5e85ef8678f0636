#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds and runs every test. The last line is `N passed, N failed`; a step that fails outside ctest counts as one
# failure.
#
#   ci/test.sh [PRESET...]   default: release (everything, with clang) and gcc (coro/ and policy/, with g++)
source "$(dirname "$0")/lib.sh"

presets=("$@")
((${#presets[@]})) || presets=(release gcc)
passed=0
failed=0
mkdir -p out

# run_tests PRESET: counts from ctest's own summary, "P% tests passed, F tests failed out of N".
run_tests() {
    local preset=$1 log=out/ctest-$1.log status=0
    say "test: $preset"
    ctest --preset "$preset" --parallel "$jobs" 2>&1 | tee "$log" || status=$?
    local summary='s/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+)$/\1 \2/p'
    local bad=0 total=0
    read -r bad total < <(sed -nE "$summary" "$log") || true
    passed=$((passed + total - bad))
    failed=$((failed + bad))
    # ctest failed without a failed test to show for it: no tests, or no summary.
    if ((status != 0 && bad == 0)); then failed=$((failed + 1)); fi
}

ci/deps.sh || failed=1
if ((failed == 0)); then
    for preset in "${presets[@]}"; do
        if ci/build.sh "$preset"; then
            run_tests "$preset"
        else
            say "build failed: $preset"
            failed=$((failed + 1))
        fi
    done
fi

printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0 && passed > 0))
