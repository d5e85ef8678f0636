#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds everything, tests included.
#
#   ci/build.sh [PRESET]     default: release
source "$(dirname "$0")/lib.sh"

ci/deps.sh
preset=${1:-release}
configure "$preset"
build "$preset" all
