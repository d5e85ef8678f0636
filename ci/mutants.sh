#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Breaks the production code where it is no matter of orders, one edit of ci/mutants/mutants.toml at a time, and says which
# scenarios detect that. A mutant that none detects is a scenario that is missing, unless it is known to change nothing that a
# user may rely on.
# Leaves out/mutants.json; the programs stay in build/mutants for the next run, the tree itself is not touched.
#
#   ci/mutants.sh            every mutant
#   ci/mutants.sh TEXT...    those whose name has one of the texts in it
#   ci/mutants.sh --clients [TEXT...]
#                            which clients of examples/clients detect them, without any other scenario: out/mutants_clients.json
#   ci/mutants.sh apply      only whether each edit still applies, in seconds
source "$(dirname "$0")/lib.sh"

edits=ci/mutants/mutants.toml
[[ ${1-} != apply ]] || exec python3 -B ci/edit_source.py "$edits" --check

is_chosen() {
    local name=$1 text
    shift
    (($#)) || return 0
    for text in "$@"; do [[ $name != *"$text"* ]] || return 0; done
    return 1
}

by=scenarios report=out/mutants.json dir=$PWD/build/mutants reason=.reason
if [[ ${1-} == --clients ]]; then
    by=clients report=out/mutants_clients.json dir=$PWD/build/mutants_clients reason='(.reason // .clients_reason)'
    shift
fi
mutants=$(python3 -B ci/edit_source.py "$edits" --list)
# of EXPRESSION: of each mutant, a line.
of() { jq --raw-output "to_entries[] | .key as \$name | .value | $1" <<<"$mutants"; }
mapfile -t names < <(of "\$name")
mapfile -t files < <(of .file)
mapfile -t reasons < <(of "$reason // \"\"")
chosen=()
for i in "${!names[@]}"; do
    if is_chosen "${names[i]}" "$@"; then chosen+=("$i"); fi
done
((${#chosen[@]})) || die "no mutant has this in its name: $*"

# The name of a mutant's program and folder.
program() { tr -cs 'a-z0-9_\n' '_' <<<"$1"; }

programs=(as_it_is)
mkdir -p "$dir/as_it_is" out
for i in "${chosen[@]}"; do
    id=$(program "${names[i]}")
    programs+=("$id")
    python3 -B ci/edit_source.py "$edits" --write "${names[i]}" "$dir/$id"
done

ci/deps.sh
configure release
build release ordeal_harness
say "build: ${#chosen[@]} mutants"
cmake -S ci/mutants -B "$dir/build" -G Ninja -D "CMAKE_CXX_COMPILER=clang++-$clang" -D "MUTANTS_DIR=$dir" -D "MUTANTS_BY=$by" \
    -D "ordeal_DIR=$PWD/$(build_dir release)" -D "MUTANTS=$(IFS=';' && echo "${programs[*]}")" >"$dir/build.log"
cmake --build "$dir/build" --parallel "$jobs" --target "${programs[@]}" >>"$dir/build.log" 2>&1 \
    || { tail -n 25 "$dir/build.log" >&2; die "a mutant must compile: see $dir/build.log"; }

# check PROGRAM: leaves its report.
check() {
    local status=0
    limited 300 "$dir/build/$1" check --quiet --jobs "$jobs" --json "$dir/$1.json" >"$dir/$1.log" 2>&1 || status=$?
    ((status <= 1)) || { tail -n 25 "$dir/$1.log" >&2; die "$1: \`ordeal check\` ended with $status"; }
}

say check
check as_it_is
jq --exit-status '(.scenarios | length > 0) and all(.scenarios[]; .as_expected)' "$dir/as_it_is.json" >/dev/null \
    || die "not as expected without a mutant: see $dir/as_it_is.log"
reports=()
for i in "${chosen[@]}"; do
    id=$(program "${names[i]}")
    check "$id"
    jq --compact-output --arg name "${names[i]}" --arg file "${files[i]}" --arg reason "${reasons[i]}" '{
        mutant: $name, file: $file, equivalent: (if $reason == "" then null else $reason end),
        detected_by: [.scenarios[] | select(.as_expected | not) | {scenario: .name, verdict, kind}]}' \
        "$dir/$id.json" >"$dir/$id.row"
    reports+=("$dir/$id.row")
done

jq --slurp --slurpfile as_it_is "$dir/as_it_is.json" '{
    schema: 1, tool: "ordeal mutants", detected: (map(select(.detected_by != [])) | length), mutants: .,
    survivors: map(select(.detected_by == [] and .equivalent == null) | .mutant),
    equivalent: map(select(.detected_by == [] and .equivalent != null) | .mutant),
    no_longer_equivalent: map(select(.detected_by != [] and .equivalent != null) | .mutant),
    scenarios: ([.[].detected_by[].scenario] as $all | [$as_it_is[0].scenarios[].name | . as $name |
        {scenario: ., mutants: ($all | map(select(. == $name)) | length)}] | sort_by(-.mutants, .scenario))}' \
    "${reports[@]}" >"$report"

jq --raw-output '(["mutant", "scenarios", "the first"] | @tsv), (.mutants[] | [.mutant, (.detected_by | length),
    (.detected_by[0] // {} | if .scenario == null then "-" else "\(.scenario): \(.kind // .verdict)" end)] | @tsv)' \
    "$report" | column -t -s $'\t'
printf '\n'
jq --raw-output '(["scenario", "mutants"] | @tsv), (.scenarios[] | [.scenario, .mutants] | @tsv)' "$report" | column -t -s $'\t'
printf '\n'
jq --raw-output '.equivalent as $equivalent | (.mutants[] | select(.mutant | IN($equivalent[])) | "equivalent: \(.mutant): \(.equivalent)"),
    (.no_longer_equivalent[] | "detected, and said to be equivalent: \(.)"), (.survivors[] | "survived: \(.)"),
    "detected \(.detected) of \(.mutants | length)"' "$report"
jq --exit-status '.survivors == [] and .no_longer_equivalent == []' "$report" >/dev/null
