#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Uses an installed ordeal as one would who has nothing else of it. Run in a root where neither its sources nor its build are, or with
# a prefix of its own; needs no program that ordeal itself does not.
#
#   use.sh FOLDER [PREFIX]   FOLDER has the projects of tests/package/ and is written to. PREFIX: default /usr
#
#   CXX     the compiler of these projects; default: the first that there is of clang++-19, clang++ and g++
#   PARTS   some of: new coro pkgconfig program shell trial suite harness components; default: all
set -euo pipefail

folder=$1
prefix=${2-/usr}
cxx=${CXX-}
for name in clang++-19 clang++ g++; do
    [[ -n $cxx ]] || ! command -v "$name" >/dev/null || cxx=$name
done
parts=${PARTS-new coro pkgconfig program shell trial suite harness components}
began=$SECONDS
export PATH=$prefix/bin:$PATH

die() { printf 'use.sh: %s\n' "$*" >&2; exit 1; }
step() { printf '%3d s  %s\n' $((SECONDS - began)) "$*"; }

# ends STATUS LOG COMMAND...: the command ends so.
ends() {
    local wanted=$1 log=$2 status=0
    shift 2
    "$@" >"$log" 2>&1 || status=$?
    [[ $status == "$wanted" ]] || { cat "$log" >&2; die "ended with $status, not $wanted: $*"; }
}
# says LOG WORDS: a line of it has these words.
says() { grep -qF -- "$2" "$1" || { cat "$1" >&2; die "does not say: $2"; }; }

# configured PROJECT [OPTION...]
generator=$(command -v ninja >/dev/null && echo Ninja || echo 'Unix Makefiles')
configured() {
    local project=$1
    shift
    cmake -S "$folder/$project" -B "$folder/$project/build" -G "$generator" -D "CMAKE_CXX_COMPILER=$cxx" \
        -D "CMAKE_PREFIX_PATH=$prefix" "$@"
}
built() {
    ends 0 "$folder/$1.log" configured "$1"
    ends 0 "$folder/$1.log" cmake --build "$folder/$1/build"
}

use_coro() {
    built coro
    "$folder/coro/build/uses_coro"
    step 'coro: a project with find_package(ordeal COMPONENTS coro) is built and runs'
}

use_pkgconfig() {
    command -v pkg-config >/dev/null || { step 'pkg-config: not here'; return; }
    local at flags
    at=$(dirname "$(find "$prefix/lib/" -maxdepth 3 -name ordeal-coro.pc | head -n 1)")
    read -ra flags < <(PKG_CONFIG_PATH=$at pkg-config --cflags --libs ordeal-coro)
    "$cxx" -std=c++20 "$folder/coro/main.cpp" "${flags[@]}" -o "$folder/by_pkgconfig"
    "$folder/by_pkgconfig"
    read -ra flags < <(PKG_CONFIG_PATH=$at pkg-config --cflags --libs ordeal-harness)
    "$cxx" -std=c++20 "$folder/harness/scenario.cpp" "${flags[@]}" -o "$folder/harness_by_pkgconfig"
    ends 1 "$folder/harness_by_pkgconfig.log" "$folder/harness_by_pkgconfig" check
    says "$folder/harness_by_pkgconfig.log" 'violated: data race'
    step 'pkg-config: the compiler alone builds with ordeal-coro and with ordeal-harness'
}

use_program() {
    local log=$folder/program.log token
    cd "$folder"
    ends 0 "$log" ordeal --version
    ends 0 "$log" ordeal check 'event/*' 'plain/event/*'
    says "$log" 'held'
    ends 0 "$log" ordeal check 'exhibit/relaxed_flag/*' 'exhibit/two_flags/*'
    token=$(grep -oE "'o[0-9]+:[^']*'" "$log" | head -n 1 | tr -d "'")
    [[ -n $token ]] || { cat "$log" >&2; die "no token"; }
    ends 1 "$log" ordeal replay "$token"
    says "$log" 'violated'
    # With its sources, which are not where it was built from, and without them.
    ends 0 "$log" ordeal audit manual_reset_event
    says "$log" 'the author: '
    mkdir -p "$folder/bare/bin" "$folder/bare/lib"
    cp "$prefix/bin/ordeal" "$folder/bare/bin"
    cp -r "$(dirname "$(find "$prefix/lib/" -maxdepth 3 -name libplain_trial.so | head -n 1)")" "$folder/bare/lib"
    ends 1 "$log" "$folder/bare/bin/ordeal" replay "$token"
    says "$log" 'violated'
    ends 0 "$log" "$folder/bare/bin/ordeal" audit sync_wait
    ! grep -F 'the author: ' "$log" || die "sources are found where there are none"
    cd /
    step 'program: it checks, replays and audits what it has'
}

use_shell() {
    [[ -s $(find "$prefix/share/man/man1/" -name 'ordeal.1*' | head -n 1) ]] || die "no manual page"
    if command -v man >/dev/null; then
        ends 0 "$folder/man.log" man --manpath="$prefix/share/man" ordeal
        says "$folder/man.log" 'memory orders on trial'
    fi
    bash -c 'source "$1" && complete -p ordeal' bash "$prefix/share/bash-completion/completions/ordeal" >/dev/null
    find "$prefix/share/zsh/" -name _ordeal | grep -q . || die "no completion of zsh"
    [[ -s $prefix/share/fish/vendor_completions.d/ordeal.fish ]] || die "no completion of fish"
    step 'shell: manual page and completions are there'
}

use_trial() {
    local log=$folder/check.log
    built trial
    ends 1 "$log" "$folder/trial/build/message" check
    says "$log" 'violated: data race'
    step "trial: first verdict on code of one's own"
    says "$log" 'message.cpp:14'
    ! grep -q "compiled without ordeal's plugin" "$log" || [[ -n ${WITHOUT_PLUGIN-} ]] || die "no plugin for $cxx"
    sed -i 's/memory_order_relaxed);  \/\/ planted.*/memory_order_release);/' "$folder/trial/message.cpp"
    ends 0 "$log" cmake --build "$folder/trial/build"
    ends 0 "$log" "$folder/trial/build/message" check
    says "$log" 'held'
    step 'trial: and on the mended code'
    [[ -x $prefix/bin/ordeal ]] || return 0
    ends 0 "$log" env "XDG_CACHE_HOME=$folder/cache" "CXX=$cxx" "$prefix/bin/ordeal" try "$folder/trial/message.cpp"
    says "$log" 'held'
    step 'trial: and without a project'
}

# The three commands that `ordeal new` prints.
use_new() {
    local log=$folder/new.log
    rm -rf "$folder/fresh"
    ends 0 "$log" ordeal new "$folder/fresh"
    cd "$folder/fresh"
    ends 0 "$log" env "CXX=$cxx" "CMAKE_PREFIX_PATH=$prefix" cmake --preset default
    ends 0 "$log" cmake --build build
    ends 8 "$log" ctest --test-dir build --output-on-failure
    says "$log" 'violated: data race'
    says "$log" ' replay '
    step 'new: a fresh project is built, and its tests find the planted bug'
    sed -i '/hands the slot to the consumer/s/memory_order_relaxed/memory_order_release/' src/bounded_queue.hpp
    ends 0 "$log" cmake --build build
    ends 0 "$log" ctest --test-dir build
    cd /
    step 'new: mended, they pass'
}

# What a suite compiles in the project of its user comes with the package.
use_suite() {
    local log=$folder/suite.log
    built suite
    ends 0 "$log" ctest --test-dir "$folder/suite/build" --output-on-failure
    says "$log" '100% tests passed'
    for each in sound sound_tsan sound_stress; do [[ -x $folder/suite/build/$each ]] || die "no program $each"; done
    step 'suite: model, ThreadSanitizer and real threads over the same source'
}

use_harness() {
    built harness
    ends 1 "$folder/check.log" "$folder/harness/build/uses_harness" check
    says "$folder/check.log" 'violated: data race'
    step 'harness: a scenario with a policy is checked'
}

# wanted LINE WORDS: what CMake says to find_package(LINE).
wanted() {
    local project=$folder/wanted
    rm -rf "$project"
    mkdir "$project"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(wanted LANGUAGES CXX)' "find_package($1)" \
        >"$project/CMakeLists.txt"
    ends 1 "$project/log" configured wanted
    tr -s ' \n' ' ' <"$project/log" >"$project/words"  # CMake breaks lines where it likes
    says "$project/words" "$2"
}
use_components() {
    wanted 'ordeal REQUIRED COMPONENTS coro engines' 'has no component engines. It has: coro, harness, trials.'
    wanted 'ordeal 7.1 REQUIRED' 'compatible with requested version "7.1"'
    step 'components: those that are not there are named, and a version that does not fit'
}

for part in $parts; do "use_$part"; done
