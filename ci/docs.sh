#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The C++ interface: every header of docs/reference/api.md compiles alone, as does every example there, which includes only those and
# names nothing internal; and every public entity has a comment. Leaves its pages in out/docs/api.
source "$(dirname "$0")/lib.sh"

page=docs/reference/api.md
out=out/docs
rm -rf "$out"
mkdir -p "$out/headers" "$out/examples"

# shellcheck disable=SC2016  # backquotes of the page
mapfile -t headers < <(sed -nE 's/^\| \[`(ordeal\/[a-z_/]+\.h(pp)?)`\].*/\1/p' "$page")
((${#headers[@]} > 10)) || die "$page lists ${#headers[@]} headers, which cannot be all"

failed=0
# compiles FILE [OPTION...]
compiles() {
    local language=(-x c++ -std=c++20)
    [[ $1 != *.c ]] || language=(-x c -std=c11)
    "clang-$clang" "${language[@]}" -Wall -Wextra -Wconversion -Werror -fsyntax-only -Isrc "${@:2}" "$1" ||
        { say "does not compile: $1 ${*:2}"; failed=$((failed + 1)); }
}

say "headers: ${#headers[@]}"
for header in "${headers[@]}"; do
    [[ -f src/$header ]] || die "$page names $header, which is not there"
    source=$out/headers/$(tr / _ <<<"$header").cpp
    printf '#include "%s"\n' "$header" >"$source"
    compiles "$source"
    [[ $header != ordeal/scenario/* ]] || compiles "$source" -DORDEAL_TRIAL=1
    [[ $header != *.h ]] || { cp "$source" "${source%pp}"; compiles "${source%pp}"; }
done

awk -v out="$out/examples" '
    /^```c(pp)?$/ { file = sprintf("%s/%02d.%s", out, ++count, substr($0, 4)); next }
    /^```$/    { file = ""; next }
    file       { print >file }' "$page"
examples=("$out"/examples/*.c*)
say "examples: ${#examples[@]}"
((${#examples[@]} > 5)) || die "$page has ${#examples[@]} examples, which cannot be all"
for example in "${examples[@]}"; do
    on_trial=()
    ! grep -qE 'ordeal/(check.hpp|trial.h)' "$example" || on_trial=(-DORDEAL_TRIAL=1 '-DORDEAL_TRIAL_NAME="mine"')  # for code on trial alone
    compiles "$example" "${on_trial[@]}"
    while read -r included; do
        [[ " ${headers[*]} " == *" $included "* ]] ||
            { say "$example includes $included, which is internal"; failed=$((failed + 1)); }
    done < <(sed -nE 's/^#include "([^"]+)".*/\1/p' "$example")
    if grep -nE '\b(detail|model_policy|jitter_policy)\b' "$example"; then
        say "$example names what is internal"
        failed=$((failed + 1))
    fi
done

say "comments: doxygen $(doxygen --version)"
# What scenario.hpp has of its own stands in registration.hpp and violation.hpp.
{
    cat docs/Doxyfile
    printf 'INPUT += src/%s\n' "${headers[@]}" ordeal/scenario/registration.hpp ordeal/runtime/violation.hpp
} | doxygen - 2>"$out/warnings" >/dev/null
# What the language calls for a co_await, or to make a coroutine, is said there.
if grep -vE ': Member (await_ready|await_suspend|await_resume|promise_type|operator=).* is not documented' "$out/warnings" >&2; then
    failed=$((failed + 1))
fi
[[ -f $out/api/index.html ]] || die "doxygen made no pages"

((failed == 0)) || die "$failed failed"
say "pages: $out/api/index.html"
