#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Mends what a file that was moved, added or removed breaks, and what a change makes out of date; says what it changed:
#   paths of moved sources, and the lists of sources in CMakeLists.txt (ci/mend_lists.py)
#   the format (ci/format.sh --fix)
#   listings and tables of the documents (the target update_docs)
#
#   ci/mend.sh           all of it; builds the program
#   ci/mend.sh --lists   paths and lists alone, which needs no build
source "$(dirname "$0")/lib.sh"

only=
case ${1-} in
    '') ;;
    --lists) only=lists ;;
    *) die "unknown option: $1" ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# hashes: a line for each file, in the order of their names.
hashes() {
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
        [[ ! -f $file ]] || printf '%s\0' "$file"
    done | xargs -0 sha1sum | LC_ALL=C sort -u -k 2
}
status=0
# mended WORDS COMMAND...: says which files the command changed.
mended() {
    local words=$1
    hashes >"$work/before"
    "${@:2}" >&2 || { status=$?; say "failed: ${*:2}"; }
    hashes >"$work/after"
    comm -13 <(sort "$work/before") <(sort "$work/after") | sed -E "s/^[0-9a-f]+ [ *]/$words: /" | sort
}

python3 ci/mend_lists.py . || status=$?
if [[ $only != lists ]]; then
    mended 'format' ci/format.sh --fix
    configure release
    mended 'documents' build release update_docs
fi
exit "$status"
