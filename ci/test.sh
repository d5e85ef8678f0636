#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds and runs every test but those of ci/mpi.sh. The last line is `N passed, N failed`; a step that fails outside ctest counts as one
# failure.
#
#   ci/test.sh [PRESET...]   default: release (everything, with clang), gcc (coro/ and policy/, with g++) and tsan (real
#                            threads, with ThreadSanitizer)
source "$(dirname "$0")/lib.sh"

presets=("$@")
((${#presets[@]})) || presets=(release gcc tsan)
passed=0
failed=0

# run_tests PRESET: counts from ctest's own summary, "P% tests passed, F tests failed out of N".
run_tests() {
    local preset=$1 status=0 summary counts bad=0 total=0
    run_ctest "$preset" "ctest-$preset" --label-exclude '^mpi$' || status=$?
    summary='s/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+)$/\1 \2/p'
    counts=$(sed -nE "$summary" "out/ctest-$preset.log" | tail -n 1)
    [[ -z $counts ]] || read -r bad total <<<"$counts"
    passed=$((passed + total - bad))
    failed=$((failed + bad))
    # Not green, yet no failed test to show for it: no tests, no summary, or a run that was cut short.
    if ((bad == 0 && (status != 0 || total == 0))); then failed=$((failed + 1)); fi
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
