#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What all clients of the examples and of the coroutine code show, beside the scenarios that were written by hand. Writes reference-data/clients.md.
#
#   ci/clients.sh
source "$(dirname "$0")/lib.sh"

work=build/clients
rm -rf "$work"
mkdir -p "$work"
examples=(spsc_ring mpmc_ring treiber_stack michael_scott_queue chase_lev_deque)
classes=("${examples[@]}" manual_reset_event awaitable_event sync_wait task)
configure release
build release clients ordeal "${examples[@]}"
programs=$(build_dir release)/examples

say "check: clients"
"$programs/clients" check --quiet --json "$work/check.json" >"$work/check.log" || die "see $work/check.log"
for class in "${classes[@]}"; do
    say "audit: $class"
    by_hand=$programs/$class
    [[ -x $by_hand ]] || by_hand=$(build_dir release)/bin/ordeal
    "$programs/clients" audit "$class" --quiet --json "$work/$class.json" >"$work/$class.log" || die "see $work/$class.log"
    "$by_hand" audit "$class" --quiet --json "$work/$class.by_hand.json" >"$work/$class.by_hand.log" ||
        die "see $work/$class.by_hand.log"
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
{
    cat <<END
# Clients of the examples and of the coroutine code

Written by \`ci/clients.sh\`: [all clients](../docs/how-to/all-clients.md) that examples/clients declares, each explored in full, and
the audits by these clients alone and by the scenarios that were written by hand alone.

| class | clients | executions | held | held within | seconds |
|---|---|---|---|---|---|
END
    jq -r '[.scenarios[] | . + {class: .subject}] | group_by(.class)[]
        | "| \(.[0].class) | \(length) | \(map(.executions) | add) | \(map(select(.verdict == "held")) | length) | \(
            map(select(.verdict == "held within")) | length) | \(map(.seconds) | add * 10 | round / 10) |"' "$work/check.json"
    cat <<END

Weaker orders that are required, and those that no scenario requires:

| class | required by clients | by which, of threads x calls | not required | required by hand-written scenarios | not required |
|---|---|---|---|---|---|
END
    for class in "${classes[@]}"; do
        echo "| $class | $(orders "$work/$class.json" required) | $(sizes "$work/$class.json") |" \
            "$(orders "$work/$class.json" "not required") | $(orders "$work/$class.by_hand.json" required) |" \
            "$(orders "$work/$class.by_hand.json" "not required") |"
    done
    echo
    echo "Processors: $(nproc), x86-64; clang $clang, $(date -u +%Y-%m-%d)."
} >reference-data/clients.md
tail -8 reference-data/clients.md
