#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What ci/selftest.sh says of a break that is noticed, of those that are not, and of those that do not apply; on a project with
# nothing in it but a file and a check.
# usage: selftest.sh SOURCE
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/ci/selftest"
cp "$1/ci/selftest.sh" "$1/ci/selftest.py" "$1/ci/edit_source.py" "$folder/ci"
cd "$folder"
git init -q .
printf '#!/bin/sh\n' >ci/deps.sh
chmod +x ci/deps.sh
# shellcheck disable=SC2016  # for the script to expand
printf 'set -euo pipefail\ncd "$(dirname "${BASH_SOURCE[0]}")/.."\njobs=1\nconfigure() { :; }\n' >ci/lib.sh
printf '/build/\n/out/\n' >.gitignore
printf 'one two\n' >numbers

die() { printf 'selftest.sh: %s\n' "$*" >&2; exit 1; }
# selftest STATUS ARGUMENT...
selftest() {
    local status=0
    ci/selftest.sh "${@:2}" >said 2>&1 || status=$?
    [[ $status == "$1" ]] || { cat said >&2; die "ended with $status, not $1"; }
}
says() { grep -qxE -- "$1" said || { cat said >&2; die "does not say: $1"; }; }

cat >ci/selftest/counted.toml <<'END'
check = 'grep'
command = "grep one numbers || say 'one is missing'"
evidence = '^one is missing$'
setup = '''
say() { echo "$@"; exit 1; }'''
green = [{ evidence = '^one' }]

[edit.'no one']
file = 'numbers'
find = 'one'
replace = 'zero'
END
selftest 0 apply
says '1 breaks apply'
selftest 0
says '\(as it is\) +grep +green'
says 'no one +grep +yes'
says '2 of 2 as it should be'
[[ $(<numbers) == 'one two' ]] || die "the tree itself is changed"
[[ $(<build/selftest/tree/numbers) == 'one two' ]] || die "the copy stays broken"

cat >ci/selftest/unnoticed.toml <<'END'
check = 'grep'
evidence = '^one is missing$'
[edit.'no two']
file = 'numbers'
find = 'two'
replace = 'three'
command = 'grep one numbers'

[edit.'nothing to look into']
edits = []
command = 'cat nothing'
END
selftest 1 unnoticed
says 'no two +grep +NO'
says 'nothing to look into +grep +NO, something else failed: see out/selftest/1.log'
says '0 of 2 as it should be'
selftest 0 'no one'
says '2 of 2 as it should be'

sed -i 's/two/2/' numbers
selftest 1 apply
says 'ci/selftest: unnoticed: no two: numbers: matches 0 times, not once: two'
selftest 1 'three'
says 'selftest.py: no part, and no break with this in its name: three'
