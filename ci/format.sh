#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Says which files clang-format would change, and fails if there are any.
#
#   ci/format.sh          changes nothing
#   ci/format.sh --fix    changes them
source "$(dirname "$0")/lib.sh"

ci/deps.sh --developer
mode=(--dry-run -Werror)
case ${1-} in
    '') ;;
    --fix) mode=(-i) ;;
    *) die "unknown option: $1" ;;
esac
git ls-files -z --cached --others --exclude-standard '*.hpp' '*.cpp' | xargs -0r clang-format-19 "${mode[@]}"
