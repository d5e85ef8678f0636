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

# fetch_sources FOLDER NAME [OPTION...]: unpacks Debian's source package in FOLDER/sources, with sources lists of its own: those
# of the machine name binary packages, most often, and are left as they are. The options are for apt-get source.
fetch_sources() {
    local folder=$1 name=$2 apt=$1/apt file
    shift 2
    compgen -G "$folder/sources/$name-*/debian" >/dev/null && return
    mkdir -p "$folder/sources" "$apt/lists.d" "$apt/state/partial" "$apt/cache/archives/partial"
    for file in /etc/apt/sources.list.d/*.sources; do
        if grep -qs 'debian.org/debian' "$file"; then
            sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/lists.d/$(basename "$file")"
        fi
    done
    if grep -qs 'debian.org/debian' /etc/apt/sources.list; then
        sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$apt/lists.d/debian.list"
    fi
    printf 'Dir::Etc::sourcelist "/dev/null"; Dir::Etc::sourceparts "%s"; Dir::State::lists "%s"; Dir::Cache "%s"; APT::Sandbox::User "root";\n' \
        "$apt/lists.d" "$apt/state" "$apt/cache" >"$apt/apt.conf"
    say "sources: $name"
    apt-get --config-file "$apt/apt.conf" -qq update &&
        (cd "$folder/sources" && apt-get --config-file "$apt/apt.conf" -qq source "$@" "$name") >"$folder/$name.log" 2>&1
}
