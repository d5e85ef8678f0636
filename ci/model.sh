#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks every scenario and exhibit in the model with both engines, which must agree or name the limit that keeps them
# from it, and runs the tests of the engines. Leaves out/check.json, out/check.xml (JUnit) and out/check.sarif.
#
#   ci/model.sh               everything
#   ci/model.sh PATTERN...    only the scenarios that match, and no tests
source "$(dirname "$0")/lib.sh"

ci/deps.sh
configure release
targets=(ordeal)
(($#)) || targets+=(ordeal_model_tests)
build release "${targets[@]}"

mkdir -p out
status=0
say check
limited 300 "$(build_dir release)/bin/ordeal" check "$@" --engine all --jobs "$jobs" \
    --json out/check.json --junit out/check.xml --sarif out/check.sarif || status=$?
is_sarif out/check.sarif || status=$?
if command -v xmllint >/dev/null; then xmllint --noout out/check.xml || status=$?; fi
if (($# == 0)); then run_ctest release ctest-model --label-regex '^model$' || status=$?; fi
exit "$status"
