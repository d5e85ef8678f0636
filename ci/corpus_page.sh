#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints reference-data/corpus.md from what ci/corpus.sh left; it is called by that.
#
#   ci/corpus_page.sh RESULTS LIBRARIES SOURCES
source "$(dirname "$0")/lib.sh"
results=$1
libraries=$2
sources=$3

# version_of LIBRARY: the Debian package with the header, and its version; of a source package, that of its changelog.
version_of() {
    local manifest=corpus/$1/library.json source header path package
    source=$(jq -r '.source // empty' "$manifest")
    if [[ -n $source ]]; then
        printf '%s %s (source)' "$source" "$(dpkg-parsechangelog -l "$(compgen -G "$sources/$source-*/debian/changelog")" -S Version)"
        return
    fi
    header=$(jq -r .header "$manifest")
    local flags=()
    package=$(jq -r '.pkg_config // empty' "$manifest")
    [[ -z $package ]] || read -ra flags < <(pkg-config --cflags "$package")
    path=$(echo "#include <$header>" | "clang++-$clang" -std=c++20 "${flags[@]}" -x c++ -M - | tr ' ' '\n' | grep "/$header\$" | head -n 1)
    package=$(dpkg -S "$(realpath "$path")" | cut -d: -f1)
    printf '%s %s' "$package" "$(dpkg-query -W -f '${Version}' "$package")"
}

cat <<'END'
# A corpus that nobody here wrote

Trials over libraries that others wrote and Debian packages. `ci/corpus.sh` installs the libraries, checks each trial with the
default engine, as clang compiles it with `-O1` and with `-O2`, and writes this page. `ci/corpus.sh --check` fails when a
verdict is another one than the manifest says. How a trial is added: [corpus/README.md](../corpus/README.md). A false alarm on
this page is a defect of ordeal.

A trial uses a library as its documentation allows, with two or three threads and a few operations each. *held* is about
that trial, not about the library. *held within* has limits, which are named. The kind of a violation links to a page that
reasons about it. Violations are judged:

| judged | means |
|---|---|
| bug | the program is right, the library is not: some compiler or processor may show it |
| formal only | the standard calls it undefined; what compilers and processors do with it is what was meant |
| misuse | the program asks for what the library, or the standard, does not promise |

END
printf '%s\n' '| library | package and version | trials | held | held within | violated | other |' '|---|---|---|---|---|---|---|'
found=()
while IFS=$'\t' read -r library state; do
    name=$(jq -r .library "corpus/$library/library.json")
    if [[ $state != found ]]; then
        printf '| %s | not there: %s | %s | | | | |\n' "$name" "$state" "$(jq '.trials | length' "corpus/$library/library.json")"
        continue
    fi
    found+=("$library")
    printf '| [%s](#%s) | %s | %s |\n' "$name" "${library//_/-}" "$(version_of "$library")" \
        "$(jq -sr 'def of($v): map(select(.verdict == $v)) | length;
            (length - of("held") - of("held within") - of("violated")) as $other |
            [length, of("held"), of("held within"), of("violated"), $other] | join(" | ")' "$results/O1.$library".*.json)"
done <"$libraries"
jq -r 'to_entries[] | "| \(.key) | not there: \(.value) | | | | | |"' corpus/not_packaged.json

for library in "${found[@]}"; do
    printf '\n## %s\n\n' "${library//_/-}"
    jq -r '"\(.library). \(.about // "")" | rtrimstr(" ")' "corpus/$library/library.json"
    printf '\n%s\n%s\n' '| trial | what it does | verdict | executions, -O1 / -O2 | time | limits |' '|---|---|---|---|---|---|'
    while IFS= read -r trial; do
        jq -sr 'def time: if . == null then "" elif . < 0.1 then "< 0.1 s" elif . < 1 then "< 1 s" elif . < 5 then "< 5 s" else "< 20 s" end;
            def said: .verdict + (if .kind then ": [" + .kind + "](../corpus/" + .library + "/" + .trial + ".md)" else "" end) +
                (if .wanted.judged then ", " + .wanted.judged else "" end);
            .[0] as $o1 | .[1] as $o2 | $o1 |
            "| [\(.trial)](../corpus/\(.library)/\(.wanted.source // .trial).cpp) | \(.wanted.does) | " +
            (if ($o1 | said) == ($o2 | said) then ($o1 | said) else "-O1: \($o1 | said); -O2: \($o2 | said)" end) +
            " | \($o1.executions // "") / \($o2.executions // "") | \([$o1.seconds, $o2.seconds] | max | time) | " +
            ([$o1.limits[], $o2.limits[]] | unique | map(select(startswith("memory that one thread freed") | not)) |
                map(gsub("\\|"; "\\|") | gsub("[^ (]*/build/corpus/sources/"; "")) | join("; ")) + " |"' \
            "$results/O1.$library.$trial.json" "$results/O2.$library.$trial.json"
    done < <(jq -r '.trials | keys_unsorted[]' "corpus/$library/library.json")
done

cat <<'END'

## Weakened libraries

A control: what if nothing is found because nothing is looked at? `ordeal audit` weakens the memory orders of a library one at a
time, in its headers as they are, and searches again. Not every order is needed in so small a trial.

| trial | weaker orders | found to be wrong |
|---|---|---|
END
if compgen -G "$results/weakened.*.json" >/dev/null; then
    jq -r '"| \(.library).\(.trial) | \(.injected) | \(.detected) |"' "$results"/weakened.*.json
fi

printf '\n## Violations\n\n%s\n%s\n' '| trial | judged | message | exists under |' '|---|---|---|---|'
for library in "${found[@]}"; do
    while IFS= read -r trial; do
        [[ -f corpus/$library/$trial.md ]] || continue
        jq -r '"| [\(.library).\(.trial)](../corpus/\(.library)/\(.trial).md) | \(.wanted.judged // "not yet") | " +
            ((.message // "none") | gsub("[^ (]*/build/corpus/sources/"; "") | gsub("\\|"; "\\|")) + " | " +
            (if .exists_under then (.exists_under.strongest // "") + (if .exists_under.excluded then
             ", not under the next stronger model" else "" end) else "" end) + " |"' "$results/O1.$library.$trial.json"
    done < <(jq -r '.trials | keys_unsorted[]' "corpus/$library/library.json")
done
