#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs clang-tidy over our sources and the headers they include; any finding is a failure. Compiles each internal header alone.
#
#   ci/tidy.sh [REGEX]    only clang-tidy, and only files that match, for instance src/ordeal/coro
source "$(dirname "$0")/lib.sh"

ci/deps.sh --developer
# No header is compiled in advance: nothing has to be built for this.
tidy=build/tidy
say "configure: $tidy"
cmake --preset dev -B "$tidy" -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
[[ -n ${1-} ]] || cmake --build "$tidy" --parallel "$jobs" --target header_checks
# Only the file that includes Relacy is left out: its macros are not ours to mend.
run-clang-tidy-19 -quiet -p "$tidy" -j "$jobs" "${1:-$PWD/(src|tests|model_tests|stress|tsan_tests|bench)/(?!ordeal/engine/relacy/kernel)}"
