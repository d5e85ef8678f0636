#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs clang-tidy over our sources and the headers they include; any finding is a failure.
#
#   ci/tidy.sh [REGEX]    only files that match, for instance src/ordeal/coro
source "$(dirname "$0")/lib.sh"

ci/deps.sh --developer
configure dev
# Only the file that includes Relacy is left out: its macros are not ours to mend.
run-clang-tidy-19 -quiet -p build/dev -j "$jobs" "${1:-$PWD/(src|tests|model_tests|stress|tsan_tests|bench)/(?!ordeal/engine/relacy/kernel)}"
