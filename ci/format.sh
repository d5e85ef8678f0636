#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Says which files clang-format would change, or prettier of the page of HTML reports; which lines of src are too long;
# what shellcheck finds in our scripts, and where one of them drops an exit code; fails if there is any of it.
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
mapfile -d '' -t files < <(git ls-files -z --cached --others --exclude-standard '*.hpp' '*.cpp')
((${#files[@]})) || die "no files"
status=0
clang-format-19 "${mode[@]}" "${files[@]}" || status=$?
# It breaks no comments. The orders of src/ordeal/coro are quoted with their lines.
mapfile -d '' -t files < <(git ls-files -z --cached --others --exclude-standard 'src/*.hpp' 'src/*.cpp' ':!src/ordeal/coro')
if LC_ALL=C.UTF-8 grep -nE '^.{121}' "${files[@]}"; then
    say "lines of more than 120 columns: see above"
    status=1
fi
# Configuring fetches the packages of web/; what is not configured yet has none.
if [[ ! -d web/node_modules/prettier ]]; then
    npm ci --prefix web --prefer-offline --ignore-scripts --no-audit --no-fund >/dev/null || status=$?
fi
pretty=--check
[[ ${1-} != --fix ]] || pretty=--write
web/node_modules/.bin/prettier --log-level warn --config web/.prettierrc.json --ignore-path web/.prettierignore "$pretty" \
    web tests/browser || status=$?
mapfile -d '' -t scripts < <(git ls-files -z --cached --others --exclude-standard '*.sh' .ci/run)
shellcheck "${scripts[@]}" || status=$?
if grep -nE '\|\| *(true|:)( |;|$)|; *true$|set \+e|continue-on[-]error' "${scripts[@]}" .github/workflows/*.yml; then
    say "drops an exit code: see above"
    status=1
fi
exit "$status"
