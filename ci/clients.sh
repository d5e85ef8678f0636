#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What all clients show: of the examples and of the coroutine code, beside the scenarios that were written by hand; of classes of
# other libraries (corpus/clients); of mutants; and most general clients beside those of a published checker. Writes
# reference-data/clients.md from what the parts leave in build/clients. Takes about an hour.
#
#   ci/clients.sh [PART...]   own, libraries, mutants, general; all if not given. The others keep what they left
source "$(dirname "$0")/lib.sh"

parts=("$@")
((${#parts[@]})) || parts=(own libraries mutants general)
work=build/clients
mkdir -p "$work"
examples=(spsc_ring mpmc_ring treiber_stack michael_scott_queue chase_lev_deque)
classes=("${examples[@]}" manual_reset_event awaitable_event sync_wait task)
ci/deps.sh
configure release
build release clients ordeal "${examples[@]}"
programs=$(build_dir release)/examples

# built FOLDER [OPTION...]: the project in the folder, in a folder of its name.
built() {
    local folder=$1
    shift
    cmake -S "$folder" -B "$work/$folder" -G Ninja -D "ordeal_DIR=$PWD/$(build_dir release)" -D CMAKE_BUILD_TYPE=Release \
        -D "CMAKE_CXX_COMPILER=clang++-$clang" "$@" >"$work/build.log" || die "see $work/build.log"
    cmake --build "$work/$folder" --parallel "$jobs" >"$work/build.log" 2>&1 || die "see $work/build.log"
}

# checked FILE COMMAND...: what a check reports, whatever its verdicts are.
checked() {
    local file=$1 status=0
    shift
    "$@" --jobs 1 --quiet --json "$file.json" >"$file.log" 2>&1 || status=$?
    ((status <= 1)) || die "see $file.log"
}

part_own() {
    local class by_hand
    "$programs/clients" clients --quiet --json "$work/check.json" >"$work/check.log" || die "see $work/check.log"
    for class in "${classes[@]}"; do
        say "audit: $class"
        by_hand=$programs/$class
        [[ -x $by_hand ]] || by_hand=$(build_dir release)/bin/ordeal
        "$programs/clients" audit "$class" --quiet --json "$work/$class.json" >"$work/$class.log" || die "see $work/$class.log"
        "$by_hand" audit "$class" --quiet --json "$work/$class.by_hand.json" >"$work/$class.by_hand.log" ||
            die "see $work/$class.by_hand.log"
    done
}

part_libraries() {
    local source class
    ci/deps.sh --corpus || say "not every library could be installed"
    fetch_sources "$PWD/$work" libcds || say "no sources of libcds: see $work/libcds.log"
    built corpus/clients -D "CLIENTS_SOURCES=$PWD/$work/sources"
    rm -rf "$work/libraries"
    mkdir -p "$work/libraries"
    for source in corpus/clients/*.cpp; do
        class=$(basename "$source" .cpp)
        [[ -x $work/corpus/clients/$class ]] || continue
        say "clients: $class"
        checked "$work/libraries/$class" "$work/corpus/clients/$class" clients --time-budget 5
    done
}

# Mutants that no client detects are in the table.
part_mutants() {
    rm -f out/mutants_clients.json
    ci/mutants.sh --clients >"$work/mutants.log" || [[ -s out/mutants_clients.json ]] || die "see $work/mutants.log"
    cp out/mutants_clients.json "$work/mutants.json"
}

part_general() {
    local class
    built bench/clients
    for class in treiber michael_scott herlihy_wing; do
        say "most general client: $class"
        checked "$work/general.$class" "$work/bench/clients/most_general" check \
            "$class/8x1/push+push+push+push+pop+pop+pop+pop" --search full --time-budget 1800
    done
}

for part in "${parts[@]}"; do
    say "part: $part"
    case $part in
        own) part_own ;;
        libraries) part_libraries ;;
        mutants) part_mutants ;;
        general) part_general ;;
        *) die "unknown part: $part" ;;
    esac
done

# The orders at which an audit ends so.
orders() { # REPORT VERDICT
    jq -r --arg verdict "$2" '[.subjects[].sites[].weaker[] | select(.verdict == $verdict)] | length' "$1"
}
# In clients of which size each required order was first seen to be: "2x1: 4, 2x2: 1".
sizes() { # REPORT
    jq -r '[.subjects[].sites[].weaker[] | select(.verdict == "required") | .scenario | split("/")[1]]
        | group_by(.) | map("\(.[0]): \(length)") | join(", ")' "$1"
}
status=0
{
    cat <<END
# Clients

Written by \`ci/clients.sh\`: [all clients](../docs/how-to/all-clients.md) of classes, each explored in full unless it is said otherwise.

## The examples and the coroutine code

Declared in examples/clients.

| class | clients | executions | held | held within | seconds |
|---|---|---|---|---|---|
END
    jq -r '[.scenarios[] | . + {class: .subject}] | group_by(.class)[]
        | "| \(.[0].class) | \(length) | \(map(.executions) | add) | \(map(select(.verdict == "held")) | length) | \(
            map(select(.verdict == "held within")) | length) | \(map(.seconds) | add * 10 | round / 10) |"' "$work/check.json"
    cat <<END

Audits by these clients alone and by the scenarios that were written by hand alone: weaker orders that are required, and those that no scenario requires.

| class | required by clients | by which, of threads x calls | not required | required by hand-written scenarios | not required |
|---|---|---|---|---|---|
END
    for class in "${classes[@]}"; do
        echo "| $class | $(orders "$work/$class.json" required) | $(sizes "$work/$class.json") |" \
            "$(orders "$work/$class.json" "not required") | $(orders "$work/$class.by_hand.json" required) |" \
            "$(orders "$work/$class.by_hand.json" "not required") |"
    done
    cat <<END

## Classes of other libraries

Declared in corpus/clients: \`push\` and \`pop\`, with a payload that is written before a push and read after the pop that gets the value. The specification is strict,
a queue or a stack; *may_fail* lets \`pop\` return nothing at any time, *as_bag* also any value. Each search has 5 s.

| class | clients | executions | held | held within | violated | by what | the smallest |
|---|---|---|---|---|---|---|---|
END
    jq -r '[.scenarios[] | . + {class: (.name | split("/")[0])}] | group_by(.class)[]
        | (map(select(.verdict == "violated")) | sort_by(.name | split("/")[1] | split("x") | map(tonumber))) as $violated
        | "| \(.[0].class) | \(length) | \(map(.executions) | add) | \(map(select(.verdict == "held")) | length) | \(
            map(select(.verdict == "held within")) | length) | \($violated | length) | \($violated | map(.kind) | unique | join(", ")) | \(
            $violated[0].name // "" | if . == "" then "" else "`" + split("/")[1] + "/" + split("/")[2] + "`" end) |"' \
        "$work"/libraries/*.json
    printf '\n'
    jq -r --slurpfile judged corpus/clients/judged.json '[.scenarios[] | select(.verdict == "violated") | .name | split("/")[0]] | unique[]
        | "- `\(.)`: *\($judged[0][.].judged // "not judged")*. \($judged[0][.].why // "")"' "$work"/libraries/*.json
    cat <<END

## Mutants

Edits of the coroutine code that break it (\`ci/mutants.sh --clients\`), which no weaker order is, and the smallest client that detects each.

| mutant | detected by clients | the smallest | its verdict |
|---|---|---|---|
END
    jq -r '.mutants[] | (.detected_by | sort_by(.scenario | split("/")[1] | split("x") | map(tonumber))) as $found
        | "| \(.mutant) | \($found | length) | \(if $found == [] then (if .equivalent then "none: " + .equivalent else "none" end)
            else "`" + $found[0].scenario + "`" end) | \($found[0] // {} | .kind // .verdict // "") |"' "$work/mutants.json"
    jq -r '"\nDetected: \(.detected) of \(.mutants | length); \(.equivalent | length) change nothing that a user may rely on."' "$work/mutants.json"
    cat <<END

## Most general clients

Four threads that add a value each, and four that remove one (bench/clients). Relinche has published numbers of executions for such clients of implementations of
these designs; theirs and these differ in details, and so do the reductions.

| design | verdict | executions | blocked | seconds | executions of Relinche |
|---|---|---|---|---|---|
END
    for class in treiber:453,748 michael_scott:42,288 herlihy_wing:410,919; do
        jq -r --arg published "${class#*:}" '.scenarios[0] | "| \(.name | split("/")[0]) | \(.verdict) | \(.executions) | \(.blocked) | \(
            .seconds | round) | \($published) |"' "$work/general.${class%:*}.json"
    done
    echo
    echo "Processors: $(nproc), x86-64; clang $clang, $(date -u +%Y-%m-%d)."
} >reference-data/clients.md
if grep -n "not judged" reference-data/clients.md; then
    say "corpus/clients/judged.json lacks a class that has a violated client"
    status=1
fi
tail -8 reference-data/clients.md
exit "$status"
