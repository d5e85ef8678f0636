#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Breaks what each check is there for, in a copy of the tree, and says whether the check turned red, and for the right
# reason. The copy and its builds stay in build/selftest for the next run; the tree itself is not touched. The breaks are the
# edits in ci/selftest/PART.toml; ci/selftest.py says how they are written.
#
#   ci/selftest.sh                  everything
#   ci/selftest.sh quick            without ThreadSanitizer
#   ci/selftest.sh apply            only whether each break still applies, in seconds
#   ci/selftest.sh [PART|TEXT]...   these parts, and the breaks whose name has one of the texts in it
source "$(dirname "$0")/lib.sh"

[[ ${1-} == apply ]] || ci/deps.sh --developer
ORDEAL_JOBS=$jobs exec python3 -B ci/selftest.py "$@"
