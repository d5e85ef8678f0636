#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `cmake --install` installs: nothing with a path of this machine, in its components, movable, and never nothing.
# usage: install.sh CMAKE CXX SOURCE BUILD
#   BUILD        a build folder with the harness
#   CXX          the compiler that it was built with
set -euo pipefail

cmake=$1
cxx=$2
source=$3
build=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

die() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }
quietly() { "$@" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; die "failed: $*"; }; }
# refused WORDS COMMAND...: it fails, says that, and has installed nothing into P.
refused() {
    local words=$1
    shift
    rm -rf "$folder/P"
    ! "$@" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; die "not refused: $*"; }
    tr -s ' \n' ' ' <"$folder/log" | grep -qF -- "$words" || { cat "$folder/log" >&2; die "does not say: $words"; }
    [[ -z $(find "$folder/P" -type f 2>/dev/null) ]] || die "installed something all the same: $*"
}
# without_paths FOLDER: of the project, the build, and where it was installed.
without_paths() {
    local found
    found=$(grep -rlaF -e "$source" -e "$build" -e "$1" "$1" || [[ $? -eq 1 ]])
    [[ -z $found ]] || die "a path of this machine is in:" "$found"
}

quietly "$cmake" --install "$build" --prefix "$folder/P"
without_paths "$folder/P"
# The check is not blind.
echo "$source/src" >"$folder/P/share/ordeal/forgotten"
! (without_paths "$folder/P") 2>/dev/null || die "a path of this machine is not noticed"
rm "$folder/P/share/ordeal/forgotten"

# Moved, it is used.
mkdir "$folder/moved"
mv "$folder/P" "$folder/moved/elsewhere"
cp -r "$source/tests/package" "$folder/projects"
"$folder/projects/library_folders.sh" "$cxx" "$folder/moved/elsewhere" "$folder/moved/elsewhere/bin/ordeal"
PARTS='program trial' CXX=$cxx "$folder/projects/use.sh" "$folder/projects" "$folder/moved/elsewhere"

# A library that is not there is named.
cp -r "$folder/moved/elsewhere" "$folder/lacking"
sed -i 's/libfmt\.so/libnofmt.so/' "$folder/lacking/lib/cmake/ordeal/ordealConfig.cmake"
rm -rf "$folder/projects/trial/build"
refused 'libnofmt.so' "$cmake" -S "$folder/projects/trial" -B "$folder/projects/trial/build" "-DCMAKE_CXX_COMPILER=$cxx" \
    "-DCMAKE_PREFIX_PATH=$folder/lacking"

# By components: coro alone, and the others with it.
quietly "$cmake" --install "$build" --prefix "$folder/P" --component coro
[[ ! -e $folder/P/bin && -z $(find "$folder/P" -name '*.a') ]] || die "the component coro has more than headers"
PARTS=coro CXX=$cxx "$folder/projects/use.sh" "$folder/projects" "$folder/P"
rm -rf "$folder/projects/harness/build"
! CXX=$cxx PARTS=harness "$folder/projects/use.sh" "$folder/projects" "$folder/P" 2>"$folder/log" || die "there is no harness"
tr -s ' \n' ' ' <"$folder/log" | grep -qF 'has no component harness. It has: coro.' || { cat "$folder/log" >&2; exit 1; }
for component in harness trials; do
    quietly "$cmake" --install "$build" --prefix "$folder/P" --component "$component"
done
diff -r "$folder/P" "$folder/moved/elsewhere" || die "the components together are not the whole"
refused 'no component engines was built here. It has: coro, harness, trials' \
    "$cmake" --install "$build" --prefix "$folder/P" --component engines

# Without the harness coro alone, and nothing of it is asked for.
quietly "$cmake" -S "$source" -B "$folder/build" "-DCMAKE_CXX_COMPILER=$cxx" -DORDEAL_HARNESS=OFF -DORDEAL_DEVELOPER=OFF
quietly "$cmake" --install "$folder/build" --prefix "$folder/coro"
without_paths "$folder/coro"
rm -rf "$folder/projects/coro/build"
PARTS=coro CXX=$cxx "$folder/projects/use.sh" "$folder/projects" "$folder/coro"
refused 'no component harness was built here. It has: coro' \
    "$cmake" --install "$folder/build" --prefix "$folder/P" --component harness
quietly "$cmake" -S "$source" -B "$folder/build" -DORDEAL_INSTALL=OFF
refused 'nothing is installed' "$cmake" --install "$folder/build" --prefix "$folder/P"
