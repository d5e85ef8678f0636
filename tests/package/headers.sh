#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The headers that are installed are those of docs/reference/api.md and what they include: each of those compiles with
# nothing else of ordeal, and nothing else is in include/. The sources that projects of users compile have beside them
# the internal headers that they include, and no others.
# usage: headers.sh CMAKE CXX SOURCE BUILD
#   BUILD        a build folder with the harness
#   CXX          any compiler
set -euo pipefail

cmake=$1
cxx=$2
source=$3
build=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

die() { printf 'headers.sh: %s\n' "$*" >&2; exit 1; }

# shellcheck disable=SC2016  # backquotes of the page
mapfile -t public < <(sed -nE 's/^\| \[`(ordeal\/[a-z_/]+\.h(pp)?)`\].*/\1/p' "$source/docs/reference/api.md")
((${#public[@]} > 10)) || die "docs/reference/api.md lists ${#public[@]} headers, which cannot be all"

for component in coro harness trials; do
    "$cmake" --install "$build" --prefix "$folder/P" --component $component >"$folder/log" || { cat "$folder/log" >&2; exit 1; }
done
# Of what is installed, no more than the sources and headers: nothing else is looked at.
mkdir -p "$folder/installed/share"
mv "$folder/P/include" "$folder/installed/include"
mv "$folder/P/share/ordeal" "$folder/installed/share/ordeal"
rm -r "$folder/P"

# words: of what the compiler writes for make, one in each line; names FOLDER: those that are files below it.
words() { sed 's/\\$//' | tr -s ' ' '\n'; }
names() { words | sed -n "s#^$1/##p" | LC_ALL=C sort -u; }

# compiles HEADER FOLDER [OPTION...]: alone; says the headers that it includes.
compiles() {
    printf '#include "%s"\n' "$1" >"$folder/alone.cpp"
    "$cxx" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -MMD -MF "$folder/alone.d" "-I$2" "${@:3}" "$folder/alone.cpp" >&2 &&
        cat "$folder/alone.d" >>"$folder/included"
}

# check_headers PREFIX: what is wrong with the public headers, a line for each.
check_headers() {
    local prefix=$1 header on_trial
    : >"$folder/included"
    for header in "${public[@]}"; do
        on_trial=()
        [[ $header != ordeal/check.hpp ]] || on_trial=(-DORDEAL_TRIAL=1)  # for code on trial alone
        compiles "$header" "$prefix/include" "${on_trial[@]}" || echo "does not compile with what is installed: $header"
        [[ $header != ordeal/scenario/* ]] || compiles "$header" "$prefix/include" -DORDEAL_TRIAL=1 ||
            echo "does not compile on trial with what is installed: $header"
    done
    names "$prefix/include" <"$folder/included" >"$folder/reached"
    (cd "$prefix/include" && find . -type f) | sed 's#^\./##' | LC_ALL=C sort >"$folder/have"
    comm -13 "$folder/reached" "$folder/have" | sed 's/^/installed, and not public: /'
}

# check_sources PREFIX: what is wrong with the sources and the headers beside them, a line for each.
check_sources() {
    # What is not installed is taken for a header of somebody else, such as that of Catch2.
    local prefix=$1 src=$1/share/ordeal/src header
    find "$src/$sources" -name '*.cpp' -not -path "$src/ordeal/coro/*" -not -path "$src/ordeal/compiler/*" >"$folder/sources"
    (($(wc -l <"$folder/sources") >= least_sources)) || echo "there are $(wc -l <"$folder/sources") sources, which cannot be all"
    while read -r header; do
        "$cxx" -std=c++20 -MM -MG "-I$src" "-I$prefix/include" "$header"
    done <"$folder/sources" >"$folder/included"
    words <"$folder/included" | sed -n 's#^\(ordeal/.*\)#included by a source, and not installed: \1#p' | sort -u
    names "$src" <"$folder/included" >"$folder/reached"
    local apart=()
    while read -r of_users; do apart+=(-not -path "$of_users/*"); done < <(grep -v '^#' "$source/src/compiled_by_users.txt")
    (cd "$src" && find ordeal -name '*.hpp' -not -path 'ordeal/coro/*' -not -path 'ordeal/policy/*' -not -path 'ordeal/compiler/*' \
        "${apart[@]}") | LC_ALL=C sort >"$folder/have"
    comm -13 "$folder/reached" "$folder/have" | sed 's/^/installed beside the sources, which do not include it: /'
}

sources=ordeal
least_sources=16
found=$(check_headers "$folder/installed"; check_sources "$folder/installed")
[[ -z $found ]] || die "$found"

# The check is not blind, of which two headers and one folder are enough to tell.
public=(ordeal/version.hpp ordeal/scenario/scenario.hpp)
sources=ordeal/suite
least_sources=1
# noticed CHECK WORDS COMMAND...: the command done in a copy, which is $copy, is noticed.
copy=$folder/copy
noticed() {
    rm -rf "$copy"
    cp -r "$folder/installed" "$copy"
    "${@:3}"
    found=$("$1" "$copy" 2>/dev/null)
    grep -qxF -- "$2" <<<"$found" || die "not noticed: $2"
}
noticed check_headers 'installed, and not public: ordeal/engine/engine.hpp' \
    install -D "$source/src/ordeal/engine/engine.hpp" "$copy/include/ordeal/engine/engine.hpp"
noticed check_headers 'does not compile with what is installed: ordeal/scenario/scenario.hpp' rm "$copy/include/ordeal/scenario/scenario_body.hpp"
noticed check_headers 'does not compile with what is installed: ordeal/version.hpp' rm "$copy/include/ordeal/version.hpp"
noticed check_sources 'included by a source, and not installed: ordeal/suite/test_framework.hpp' \
    rm "$copy/share/ordeal/src/ordeal/suite/test_framework.hpp"
noticed check_sources 'installed beside the sources, which do not include it: ordeal/engine/engine.hpp' \
    install -D "$source/src/ordeal/engine/engine.hpp" "$copy/share/ordeal/src/ordeal/engine/engine.hpp"
