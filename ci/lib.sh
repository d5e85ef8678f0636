# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# What the scripts of this folder share; sourced, not run. Leaves the caller in the root of the project.
#
#   ORDEAL_JOBS    processes at a time; default: one for each processor
#   ORDEAL_CLANG   version of clang; default: 19
#   CI             when set, time limits are three times as long

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '== %s\n' "$*" >&2; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

jobs=${ORDEAL_JOBS:-$(nproc)}
clang=${ORDEAL_CLANG:-19}
patience=$([[ -n ${CI-} && ${CI-} != false ]] && echo 3 || echo 1)

# limited SECONDS COMMAND...: killed when it takes longer, which is protection only.
limited() {
    local seconds=$(($1 * patience))
    shift
    timeout --kill-after=10 "$seconds" "$@"
}

# build_dir PRESET
build_dir() {
    if [[ $clang == 19 || $1 == gcc ]]; then echo "build/$1"; else echo "build/$1-clang-$clang"; fi
}

# configure PRESET [OPTION...]
configure() {
    local preset=$1
    shift
    local options=(-D "ORDEAL_TEST_TIMEOUT=$((300 * patience))" "$@")
    [[ $preset == gcc ]] || options+=(-D "CMAKE_CXX_COMPILER=clang++-$clang")
    say "configure: $preset"
    cmake --preset "$preset" -B "$(build_dir "$preset")" "${options[@]}" >/dev/null
}

# build PRESET TARGET...
build() {
    local preset=$1
    shift
    say "build: $preset: $*"
    cmake --build "$(build_dir "$preset")" --parallel "$jobs" --target "$@"
}

# run_ctest PRESET LOG [ARGUMENT...]: leaves out/LOG.log and, as JUnit, out/LOG.xml. No tests are a failure.
run_ctest() {
    local preset=$1 log=out/$2
    shift 2
    mkdir -p out
    say "test: $preset $*"
    limited 2400 ctest --test-dir "$(build_dir "$preset")" --output-on-failure --no-tests=error --parallel "$jobs" \
        --output-junit "$PWD/$log.xml" "$@" 2>&1 | tee "$log.log"
}

# is_sarif FILE: whether it has the shape that readers of SARIF 2.1.0 rely on.
is_sarif() {
    jq --exit-status '.version == "2.1.0" and (.runs | length) == 1 and (.runs[0] |
        .tool.driver.name == "ordeal" and (.invocations[0].executionSuccessful | type) == "boolean" and
        (.tool.driver.rules as $rules | (.results | type) == "array" and all(.results[];
            (.message.text | type) == "string" and (.level | IN("error", "warning", "note")) and
            $rules[.ruleIndex].id == .ruleId and
            all(.locations[]?; .physicalLocation | .artifactLocation.uri != "" and .region.startLine > 0))))' \
        "$1" >/dev/null || { say "not the SARIF it should be: $1"; return 1; }
}
