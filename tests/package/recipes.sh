#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The recipes for vcpkg and Conan, run without those: functions and classes of ours stand in for theirs. So their syntax and the
# commands that they run are tested, and that what they install can be used; not what vcpkg and Conan make of it.
# usage: recipes.sh CXX SOURCE [harness]
#   harness    with the harness, too, which is built for each: long
set -euo pipefail

cxx=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$source/tests/package" "$folder/projects"
quietly() { "$@" >"$folder/log" 2>&1 || { tail -n 40 "$folder/log" >&2; echo "failed: $*" >&2; exit 1; }; }

version=$(sed -nE 's/^project\(ordeal VERSION ([0-9.]+).*/\1/p' "$source/CMakeLists.txt")
jq --exit-status --arg version "$version" '.name == "ordeal" and ."version-semver" == $version' \
    "$source/packaging/vcpkg/vcpkg.json" >/dev/null

# tried NAME PREFIX PARTS
tried() {
    local project
    for project in coro harness trial; do rm -rf "$folder/projects/$project/build"; done
    cp "$source/tests/package/trial/message.cpp" "$folder/projects/trial"
    echo "$1"
    PARTS=$3 CXX=$cxx "$folder/projects/use.sh" "$folder/projects" "$2"
}

quietly cmake -D "port=$source/packaging/vcpkg" -D features=core -D "folder=$folder/vcpkg" -D "compiler=$cxx" \
    -P "$source/tests/package/recipes/vcpkg.cmake"
tried vcpkg "$folder/vcpkg/packages" coro
quietly python3 "$source/tests/package/recipes/conan.py" "$source/packaging/conan/conanfile.py" "$folder/conan" "$cxx" False
tried conan "$folder/conan/package" coro

[[ ${3-} == harness ]] || exit 0
quietly cmake -D "port=$source/packaging/vcpkg" -D "features=core;harness" -D "folder=$folder/vcpkg_harness" \
    -D "compiler=$cxx" -P "$source/tests/package/recipes/vcpkg.cmake"
LD_LIBRARY_PATH=$folder/vcpkg_harness/packages/tools/ordeal "$folder/vcpkg_harness/packages/tools/ordeal/ordeal" list >/dev/null
tried vcpkg "$folder/vcpkg_harness/packages" 'coro trial harness'
rm -rf "$folder/vcpkg_harness"
quietly python3 "$source/tests/package/recipes/conan.py" "$source/packaging/conan/conanfile.py" "$folder/conan_harness" "$cxx" True
tried conan "$folder/conan_harness/package" 'coro pkgconfig program trial harness'
