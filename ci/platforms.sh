#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What ordeal is built with and runs on, beside what ci/test.sh has. docs/reference/platforms.md says what came out. Long: a job
# builds much of the project anew. What is downloaded and built stays in out/platforms.
#
#   ci/platforms.sh                   all of them
#   ci/platforms.sh compilers         clang 19 and 22, g++: coro/ and a trial, as C++20 and as C++23
#   ci/platforms.sh debian-13         Debian 13 in a folder of its own: everything built, coro/, scenarios and a new project checked
#   ci/platforms.sh aarch64           compiled for AArch64, run by qemu-user: coro/, real threads, the model and a new project
source "$(dirname "$0")/lib.sh"

jobs_wanted=("$@")
((${#jobs_wanted[@]})) || jobs_wanted=(compilers debian-13 aarch64)
root=$PWD
out=$root/out/platforms
mkdir -p "$out"

as_root=()
if ((EUID != 0)); then as_root=(sudo); fi
install() {
    local missing=() each
    for each in "$@"; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$each" 2>/dev/null) == installed ]] || missing+=("$each")
    done
    ((${#missing[@]})) || return 0
    say "install: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${missing[@]}" >/dev/null
}

# The trial of tests/configure/trial: checked, audited, replayed, and held to its counts.
#   trial_of COMPILER STANDARD
trial_of() {
    local folder=$out/trial-$1-$2
    cmake -S tests/configure/trial -B "$folder" -G Ninja -D CMAKE_BUILD_TYPE=Release -D "CMAKE_CXX_COMPILER=$1" \
        -D "CMAKE_CXX_STANDARD=$2" -D "ordeal_DIR=$root/$(build_dir release)" >/dev/null
    cmake --build "$folder" >/dev/null
    grep -q -- "-std=[a-z]*++$2" "$folder/build.ninja" || die "not compiled as C++$2"
    (cd tests/configure && trial/run.sh "$folder/message") >"$folder.log" 2>&1 || { cat "$folder.log"; die "trial: $1, C++$2"; }
}

coro_of() {
    local folder=$out/coro-$1-$2
    cmake -S . -B "$folder" -G Ninja -D CMAKE_BUILD_TYPE=Release -D "CMAKE_CXX_COMPILER=$1" -D "CMAKE_CXX_STANDARD=$2" \
        -D ORDEAL_HARNESS=OFF >/dev/null
    cmake --build "$folder" --parallel "$jobs" --target ordeal_coro_tests >/dev/null
    grep -q -- "-std=[a-z]*++$2" "$folder/build.ninja" || die "not compiled as C++$2"
    limited 300 "$folder/tests/ordeal_coro_tests" | tail -n 2
}

run_compilers() {
    ci/deps.sh
    install clang-22 libclang-rt-22-dev llvm-22-dev
    configure release
    build release ordeal
    local compiler standard
    for compiler in clang++-19 clang++-22 g++; do
        for standard in 20 23; do
            say "$compiler $("$compiler" -dumpfullversion -dumpversion), C++$standard"
            coro_of "$compiler" "$standard"
            trial_of "$compiler" "$standard"
        done
    done
}

# In the root of another Debian the sources are at /ordeal, read-only, and what is built in /build.
run_debian-13() {
    local base=$out/debian-13 packages
    install debootstrap
    packages=cmake,ninja-build,make,clang-19,llvm-19-dev,g++,gcc-14-plugin-dev,binutils,relacy-dev,libboost-context-dev
    packages+=,libcli11-dev,libfmt-dev,nlohmann-json3-dev,libdw-dev,libxxhash-dev,catch2,jq
    if [[ ! -e $base/.complete ]]; then
        "${as_root[@]}" rm -rf "$base"
        "${as_root[@]}" debootstrap --variant=minbase --include="$packages" trixie "$base" >"$base.log" || { tail "$base.log"; return 1; }
        "${as_root[@]}" touch "$base/.complete"
    fi
    # shellcheck disable=SC2016 # for the shell in there
    "${as_root[@]}" unshare --mount bash -euo pipefail -c '
        mkdir -p "$1/ordeal" "$1/build"
        mount --bind "$2" "$1/ordeal"
        mount -t proc proc "$1/proc"
        mount --bind /dev "$1/dev"
        exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
            bash -euo pipefail /ordeal/ci/platforms_inside.sh "$3"
    ' _ "$base" "$root" "$jobs"
}

# Debian packages for arm64 as a folder: nothing of them is installed. From the sources of packages of this system.
make_sysroot() {
    local apt=$out/apt sysroot=$out/sysroot
    [[ ! -e $sysroot/.complete ]] || return 0
    rm -rf "$apt" "$sysroot"
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$sysroot"
    : >"$apt/status"
    printf '%s\n' 'APT::Architecture "arm64";' 'APT::Architectures {"arm64";};' 'APT::Sandbox::User "";' "Dir::State \"$apt/state\";" \
        "Dir::Cache \"$apt/cache\";" "Dir::State::status \"$apt/status\";" >"$apt/conf"
    APT_CONFIG=$apt/conf apt-get update -qq
    APT_CONFIG=$apt/conf apt-get install -qq --yes --no-install-recommends --download-only libstdc++-12-dev libdw-dev \
        libxxhash-dev libboost-context-dev libfmt-dev libcli11-dev nlohmann-json3-dev relacy-dev catch2 linux-libc-dev >/dev/null
    local each
    for each in "$apt"/cache/archives/*.deb; do dpkg -x "$each" "$sysroot"; done
    touch "$sysroot/.complete"
}

run_aarch64() {
    ci/deps.sh
    install qemu-user g++-aarch64-linux-gnu binutils-aarch64-linux-gnu
    make_sysroot
    local emulator=(qemu-aarch64 -L "$out/sysroot") folder=$out/aarch64-gcc

    say 'aarch64: coro/, by g++'
    cmake -S . -B "$folder" -G Ninja -D CMAKE_TOOLCHAIN_FILE="$root/cmake/aarch64.cmake" -D ORDEAL_CROSS=gcc \
        -D "ORDEAL_SYSROOT=$out/sysroot" -D CMAKE_BUILD_TYPE=Release -D ORDEAL_HARNESS=OFF >/dev/null
    cmake --build "$folder" --parallel "$jobs" --target ordeal_coro_tests >/dev/null
    limited 600 "${emulator[@]}" "$folder/tests/ordeal_coro_tests" | tail -n 2

    say 'aarch64: everything, by clang'
    folder=$out/aarch64
    cmake -S . -B "$folder" -G Ninja -D CMAKE_TOOLCHAIN_FILE="$root/cmake/aarch64.cmake" -D "ORDEAL_SYSROOT=$out/sysroot" \
        -D CMAKE_BUILD_TYPE=Release -D ORDEAL_HTML=OFF -D ORDEAL_DEVELOPER=ON >/dev/null
    cmake --build "$folder" --parallel "$jobs" --target ordeal ordeal_coro_tests
    limited 600 "${emulator[@]}" "$folder/tests/ordeal_coro_tests" | tail -n 2
    "${emulator[@]}" "$folder/bin/ordeal" check --quiet --json "$out/aarch64.json" | tail -n 3
    "${emulator[@]}" "$folder/bin/ordeal" stress event --seconds 1 --quiet | tail -n 3

    say 'aarch64: a new project'
    rm -rf "$out/fresh"
    "${emulator[@]}" "$folder/bin/ordeal" new "$out/fresh" >/dev/null
    cmake -S "$out/fresh" -B "$out/fresh/build" -G Ninja -D CMAKE_TOOLCHAIN_FILE="$root/cmake/aarch64.cmake" \
        -D "ORDEAL_SYSROOT=$out/sysroot" -D "ordeal_DIR=$folder" -D CMAKE_BUILD_TYPE=Release >/dev/null
    cmake --build "$out/fresh/build" >/dev/null
    local status=0
    "${emulator[@]}" "$out/fresh/build/trials" check --quiet >"$out/fresh.log" || status=$?
    cat "$out/fresh.log"
    if ((status != 1)) || ! grep -q '^violated: data race' "$out/fresh.log"; then die 'the bug of a new project is not found'; fi
}

for job in "${jobs_wanted[@]}"; do
    [[ $(type -t "run_$job") == function ]] || die "no job: $job"
    say "platform: $job"
    "run_$job"
done
say 'all of it'
