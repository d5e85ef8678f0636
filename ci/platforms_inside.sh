#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# In the root of another system, started by ci/platforms.sh: builds /ordeal into /build, and checks with what came out.
#   ci/platforms_inside.sh JOBS
set -euo pipefail

grep PRETTY_NAME /etc/os-release
printf '%s, %s\n' "$(g++ --version | head -n 1)" "$(clang++-19 --version | head -n 1)"
for compiler in g++ clang++-19; do
    for standard in 20 23; do
        folder=/build/coro-$compiler-$standard
        cmake -S /ordeal -B "$folder" -G Ninja -D CMAKE_BUILD_TYPE=Release -D "CMAKE_CXX_COMPILER=$compiler" \
            -D "CMAKE_CXX_STANDARD=$standard" -D ORDEAL_HARNESS=OFF >/dev/null
        cmake --build "$folder" --parallel "$1" --target ordeal_coro_tests >/dev/null
        printf '%s, C++%s: ' "$compiler" "$standard"
        "$folder/tests/ordeal_coro_tests" | tail -n 2
    done
done

cmake -S /ordeal -B /build/release -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=clang++-19 -D ORDEAL_HTML=OFF \
    -D ORDEAL_DEVELOPER=OFF
cmake --build /build/release --parallel "$1"
cd /ordeal
/build/release/bin/ordeal check --quiet --json /build/check.json | tail -n 3
for compiler in '' g++; do
    /ordeal/tests/configure/new/run.sh /build/release/bin/ordeal /build/release $compiler | tail -n 1
done
