#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds the program, checks every scenario and exhibit, audits the memory orders of the production code, with the default
# engine, which explores every execution. Prints both tables; out/check.json and out/audit.json hold the same as data,
# out/audit.sarif the findings. Fails when either does not end as expected. ci/model.sh checks with the other engine too.
source "$(dirname "$0")/lib.sh"

ci/deps.sh
configure release
build release ordeal

mkdir -p out
ordeal=$(build_dir release)/bin/ordeal
status=0

say check
limited 300 "$ordeal" check --jobs "$jobs" --json out/check.json || status=$?
say audit
limited 300 "$ordeal" audit --jobs "$jobs" --json out/audit.json --sarif out/audit.sarif || status=$?
is_sarif out/audit.sarif || status=$?
exit "$status"
