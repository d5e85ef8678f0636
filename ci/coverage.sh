#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the tests, then prints which lines and branches of coro/, model/ and engine/ they ran, child processes of
# searches included. Leaves out/coverage.json. There is no threshold; tests that fail, or nothing counted, are failures.
# A template counts where it was instantiated; what nobody instantiates is not counted at all.
source "$(dirname "$0")/lib.sh"

ci/deps.sh
configure coverage
build coverage all
dir=$(build_dir coverage)

rm -rf out/coverage
mkdir -p out/coverage
# Processes of one program share four files, which take the counters of each one in turn.
export LLVM_PROFILE_FILE="$PWD/out/coverage/%4m.profraw"
status=0
# These two begin thousands of processes, and each would merge its counters at its end: their searches meet time limits.
run_ctest coverage ctest-coverage --label-exclude '^(fuzz|stress)$' || status=$?

"llvm-profdata-$clang" merge --sparse --output=out/coverage/all.profdata out/coverage/*.profraw
programs=("$dir/bin/ordeal")
for program in "$dir"/*/ordeal_*_tests; do programs+=(--object "$program"); done
folders=(src/ordeal/coro src/ordeal/runtime src/ordeal/engine)
"llvm-cov-$clang" export --summary-only --instr-profile=out/coverage/all.profdata "${programs[@]}" \
    --sources "${folders[@]/#/$PWD/}" >out/coverage/llvm.json

# Sums over files, never means of percentages.
jq --arg root "$PWD/" '
    def sums: {lines: (map(.summary.lines.count) | add), lines_covered: (map(.summary.lines.covered) | add),
               branches: (map(.summary.branches.count) | add), branches_covered: (map(.summary.branches.covered) | add)};
    .data[0].files | map(.filename |= ltrimstr($root)) | {
        schema: 1, tool: "ordeal coverage",
        folders: (group_by(.filename | split("/")[2]) | map({folder: (.[0].filename | split("/")[0:3] | join("/"))} + sums)),
        total: sums,
        files: map({file: .filename} + ([.] | sums))}' out/coverage/llvm.json >out/coverage.json

jq --raw-output '
    def share(a; b): if b == 0 then "-" else "\(a * 1000 / b | floor / 10)%" end;
    def row(name): [name, "\(.lines_covered)/\(.lines)", share(.lines_covered; .lines),
                    "\(.branches_covered)/\(.branches)", share(.branches_covered; .branches)] | @tsv;
    (["folder", "lines", "", "branches", ""] | @tsv), (.folders[] | row(.folder)), (.total | row("total"))' \
    out/coverage.json | column -t -s $'\t'
jq --exit-status '.total.lines_covered > 0 and (.folders | length) == 3' out/coverage.json >/dev/null \
    || die "not every folder was counted"
exit "$status"
