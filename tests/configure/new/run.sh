#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `ordeal new` writes, as its README goes through it: built, its bug found, fixed and audited.
# usage: run.sh ORDEAL PACKAGE_DIR [COMPILER]      without a compiler the project chooses one
set -euo pipefail

ordeal=$1
export ordeal_DIR=$2  # what an installed package would be found by is not needed
unset CXX CC
[[ -z ${3-} ]] || export CXX=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

die() { printf 'not so: %s\n' "$*" >&2; exit 1; }

# The first lines of output that begins with `violated`, as the README has them, but for the white space at line breaks.
conclusion() { sed -n '/^violated: /,/^Exists only/p' "$1" | tr -s ' \n' ' ' | sed 's/\(x86-64 does not\.\).*/\1/'; }

# Whether a replay ended with this status and a trace.
replayed() { (($1 == 1)) && grep -q '^violated: data race' ../trace; }

# The commands that it prints are those that are run.
"$ordeal" new fresh >said
cat said
mapfile -t commands < <(sed -n 's/^  //p' said)
((${#commands[@]} == 3)) || die 'three commands'
grep --fixed-strings --line-regexp --quiet "\$ ${commands[1]}" fresh/README.md || die 'the README has them, too'
grep --fixed-strings --line-regexp --quiet "\$ ${commands[2]}" fresh/README.md || die 'the README has them, too'
eval "${commands[0]}"  # into the folder
eval "${commands[1]}"
status=0
eval "${commands[2]}" >../tests || status=$?
cat ../tests
((status != 0)) || die 'the tests fail'
grep -q '0% tests passed, 2 tests failed out of 2' ../tests || die 'both of them'
[[ -n $(conclusion README.md) && $(conclusion ../tests) == "$(conclusion README.md)"* ]] || die 'as the README shows it'

# The line to paste is in the output, and the README's does the same.
status=0
eval "$(sed -n '/bounded_queue\/hands_over:/s/^ *\(.* replay .*\)$/\1/p' ../tests | head -n 1)" >../trace || status=$?
replayed "$status" || die 'the last line replays the execution'
status=0
eval "$(sed -n 's/^\$ \(.* replay .*\)$/\1/p' README.md)" >../trace || status=$?
replayed "$status" || die 'the line of the README replays it'

# The word that the README says is the one that the audit proposes.
build/trials audit --fix >../patch || [[ $? == 1 ]] || die 'a patch'
# shellcheck disable=SC2016 # backquotes of Markdown
word=$(sed -n 's/.*that hands the slot to the consumer, write `\(memory_order_[a-z]*\)` for$/\1/p' README.md)
[[ $word == memory_order_release ]] || die 'the README says the word'
sed -i "/hands the slot to the consumer/s/memory_order_relaxed/$word/" src/bounded_queue.hpp
grep --fixed-strings -q "+        $(sed -n '/hands the slot to the consumer/s/^ *//p' src/bounded_queue.hpp)" ../patch \
    || { cat ../patch; die 'the audit proposes it'; }
eval "${commands[1]}"
eval "${commands[2]}" || die 'fixed, the tests pass'
build/trials audit >../audit || { cat ../audit; die 'each order is minimal'; }
(($(grep -c '  minimal  ' ../audit) == 4)) || { cat ../audit; die 'each order is minimal'; }

# The trial that the README shows, in place of a file.
# shellcheck disable=SC2016 # backquotes of Markdown
{ sed -n '/^```cpp$/,/^```$/p' README.md | grep -v '^```'; } >trials/hands_over.cpp
eval "${commands[1]}"
build/trials check trials --json - | jq --exit-status '[.scenarios[].verdict] == ["held"]' >/dev/null || die 'it is held'
printf 'all of it\n'
