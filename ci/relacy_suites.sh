#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Relacy's own tests and examples, as they stand, explored in full: what each suite declares, and what it ends with.
# Writes reference-data/relacy_suites.md.
#
#   ci/relacy_suites.sh            fetches the sources of Debian's package
#   ci/relacy_suites.sh FOLDER     unpacked sources, with test/ and example/
source "$(dirname "$0")/lib.sh"

work=build/relacy_suites
rm -rf "$work"
mkdir -p "$work"
sources=${1-}
if [[ -z $sources ]]; then
    ci/deps.sh
    # Some mirrors have lost what Debian adds to it.
    fetch_sources "$PWD/$work" relacy --tar-only || say "not all of the package could be fetched"
    tar -xf "$work"/sources/relacy_*.orig.tar.xz -C "$work/sources" || die "no sources: see $work/relacy.log"
    sources=$(compgen -G "$work/sources/relacy-*/" || compgen -G "$work/sources/relacy*/")
fi
[[ -d $sources/test && -d $sources/example ]] || die "no tests and examples in $sources"

# They include "../relacy/relacy_std.hpp": beside them are ordeal's headers.
cp -r "$sources/test" "$sources/example" src/ordeal/relacy_suites/relacy "$work"

# The others use the Windows API, the CLI, Java, headers of Relacy's inner parts, or what POSIX does not have.
tests=(memory_order fence data_race mutex condvar scheduler compare_swap memory addr_hash)
tests=("${tests[@]/#/$PWD/$work/test/}")
examples=(proxy_collector smr spsc_queue stack ws_deque ref_counting mutex_business_logic)
{
    echo '#include "relacy/relacy_std.hpp"'
    printf '#include "%s"\n' "${tests[@]/%/.hpp}"
    echo 'int main() {'
    # Each suite that Relacy's main() simulates, of these headers.
    grep -hoE '^ *&rl::simulate<.*>,' "$work/test/main.cpp" | sed -E 's/^ *&(.*),$/\1();/' | while read -r call; do
        suite=$(sed -E 's/^rl::simulate<([A-Za-z_0-9]+).*/\1/' <<<"$call")
        grep -qE "^struct $suite\b" "${tests[@]/%/.hpp}" && echo "    $call"
    done
    echo '}'
} >"$work/tests.cpp"
{
    echo 'cmake_minimum_required(VERSION 3.25)'
    echo 'project(relacy_suites LANGUAGES CXX)'
    echo 'find_package(ordeal REQUIRED COMPONENTS trials)'
    echo 'ordeal_add_relacy_tests(tests SOURCES tests.cpp OPTIONS -w)'
    for each in "${examples[@]}"; do
        echo "ordeal_add_relacy_tests($each SOURCES example/$each/$each.cpp OPTIONS -w)"
    done
} >"$work/CMakeLists.txt"

configure release
build release ordeal
say "build: suites"
cmake -S "$work" -B "$work/build" -G Ninja -D "ordeal_DIR=$PWD/$(build_dir release)" -D CMAKE_BUILD_TYPE= \
    -D "CMAKE_CXX_COMPILER=clang++-$clang" -D CMAKE_CXX_FLAGS=-O1 >"$work/log"
cmake --build "$work/build" --parallel "$jobs" >"$work/log" || { cat "$work/log" >&2; die "cannot build the suites"; }
for program in tests "${examples[@]}"; do
    say "check: $program"
    code=0
    "$work/build/$program" check --time-budget 20 --json "$work/$program.json" >"$work/$program.log" 2>&1 || code=$?
    ((code <= 1)) || say "$program: exit code $code"
    [[ -s $work/$program.json ]] || { cat "$work/$program.log" >&2; die "no report of $program"; }
done

cell() { # a row of the table for each suite of a report
    jq -r '.scenarios[]
        | def words: if .[0] == "violated" then .[1] else .[0] end;
          ([.expected, .expected_kind] | words) as $declared | ([.verdict, .kind] | words) as $here
        | "| `\(.name)` | \($declared) | \(if .as_expected then $here else "**\($here)**" end) | \(.executions) |"' "$1"
}
{
    cat <<END
# Relacy's own suites

Written by \`ci/relacy_suites.sh\`: tests and examples of Debian's source package of Relacy that use C++ alone, as they stand. What they
declare, and what they end with when every execution is explored, in at most 20 s each; printed **bold** where the two differ:
[why](../docs/how-to/relacy-tests.md#where-the-verdicts-differ).

| suite | declares | ends with | executions |
|---|---|---|---|
END
    for program in tests "${examples[@]}"; do cell "$work/$program.json"; done
    echo
    echo "$(jq -s '[.[].scenarios[]] | "\(length) suites, \([.[] | select(.as_expected)] | length) as they declare; \([.[].seconds] | add | round) s."' -r "$work"/*.json)" \
        "clang $clang, $(date -u +%Y-%m-%d)."
} >reference-data/relacy_suites.md
tail -1 reference-data/relacy_suites.md
