#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs the Debian packages that are missing; does nothing, and needs no network, when none is.
#
#   ci/deps.sh               what building, testing and auditing need
#   ci/deps.sh --build       what building the program and trials needs, and no more: without HTML reports and tests
#   ci/deps.sh --developer   clang-format, clang-tidy and doxygen too, and the shells and groff with which tests read what is made for
#                            them
#   ci/deps.sh --bench       Google Benchmark too
#   ci/deps.sh --package     what checks the Debian package in a Debian of its own, too
#   ci/deps.sh --corpus      the libraries that the trials of corpus/ are about, as far as there are packages of them
source "$(dirname "$0")/lib.sh"

# What builds the program, and the trials of a project.
packages=(
    cmake ninja-build
    "clang-$clang" "llvm-$clang-dev" g++ gcc-12-plugin-dev binutils
    relacy-dev libboost-context-dev libcli11-dev libfmt-dev nlohmann-json3-dev libdw-dev libxxhash-dev
    jq
)
for_tests=(
    git "libclang-rt-$clang-dev" "llvm-$clang" catch2 libgtest-dev libgmock-dev doctest-dev libboost-test-dev libatomic-queue-dev
    bsdextrautils patch gdb chromium python3 python3-jsonschema python3-yaml
    make meson dpkg-dev file pkg-config procps
    libopenmpi-dev openmpi-bin
)
# For HTML reports. Not by the names of packages alone: those of nodejs.org have npm in one.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then for_tests+=(nodejs npm); fi
[[ ${1-} == --build ]] || packages+=("${for_tests[@]}")
case ${1-} in
    '' | --build) ;;
    --developer) packages+=(clang-format-19 clang-tidy-19 shellcheck zsh fish groff-base doxygen) ;;
    --bench) packages+=(libbenchmark-dev) ;;
    --package) packages+=(debootstrap lintian) ;;
    --corpus) mapfile -t packages < <(jq -r '.packages[]' corpus/*/library.json | sort -u) ;;
    *) die "unknown option: $1" ;;
esac

command -v dpkg-query >/dev/null || die "not a Debian system; needed are: ${packages[*]}"

missing=()
for package in "${packages[@]}"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
    command -v sudo >/dev/null || die "missing: ${missing[*]}; run this as root, or install sudo"
    as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1; }

say "install: ${missing[*]}"
if ! apt update; then
    cat "$log" >&2
    die "could not ask for packages"
fi
if [[ ${1-} == --corpus ]]; then
    # A library that is not packaged here is one without verdicts.
    known=()
    for package in "${missing[@]}"; do
        if apt-cache show "$package" >/dev/null 2>&1; then known+=("$package"); else say "no package: $package"; fi
    done
    missing=("${known[@]}")
    ((${#missing[@]})) || exit 0
fi
if ! apt install --yes --no-install-recommends "${missing[@]}"; then
    cat "$log" >&2
    die "could not install: ${missing[*]}"
fi
