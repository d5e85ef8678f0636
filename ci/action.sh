#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Holds action.yml and the workflows, that of new projects too, to the schemas of GitHub, and shows that it notices one that is
# wrong. What they do is a test of ctest: `action/...`.
source "$(dirname "$0")/lib.sh"

ci/deps.sh
tools=out/action
mkdir -p "$tools"
# Versions are exact, as those of web/ are.
npm install --prefix "$tools" --prefer-offline --ignore-scripts --no-audit --no-fund --no-save --silent \
    @action-validator/core@0.6.0 @action-validator/cli@0.6.0
validate() { "$tools/node_modules/.bin/action-validator" "$1"; }

for file in action.yml .github/workflows/*.yml template/.github/workflows/*.yml; do
    say "$file"
    validate "$file" || die "not as GitHub has it: $file"
done
mkdir -p "$tools/wrong"
sed 's/using: composite/using: composed/' action.yml >"$tools/wrong/action.yml"
if validate "$tools/wrong/action.yml" >/dev/null; then die 'an action that is wrong goes unnoticed'; fi
say 'as GitHub has them'
