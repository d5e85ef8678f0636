#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# No program loads a library from the folder that it is started in: whoever may write there would say what it does.
# usage: library_folders.sh CXX FOLDER PROGRAM
#   FOLDER    of its programs, shared libraries and plugins none looks for libraries in a folder that has no name of its own
#   PROGRAM   is started where a library of each name that it needs lies about
set -euo pipefail

cxx=$1
folder=$2
program=$(realpath "$3")
own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT

die() { printf 'library_folders.sh: %s\n' "$*" >&2; exit 1; }

# unsafe FILE: what of its search path, and of what it needs, depends on the folder that a program is started in. An empty entry is
# that folder.
unsafe() {
    local line entries
    # Builds go on beside this, and what they remove is nobody's concern.
    readelf -dW "$1" 2>/dev/null >"$own/dynamic" || return 0
    while IFS= read -r line; do
        entries=${line#*[}
        entries=${entries%]*}:
        while [[ -n $entries ]]; do
            if [[ ${entries%%:*} != /* && ! ${entries%%:*} =~ ^\$(ORIGIN|\{ORIGIN\})(/|$) ]]; then
                echo "$1: $line"
                break
            fi
            entries=${entries#*:}
        done
    done < <(grep -E '\((RUNPATH|RPATH)\)' "$own/dynamic")
    sed -nE '/\(NEEDED\).*\[[^]\/]+\//p' "$own/dynamic"
}

looked=0
found=
while IFS= read -r -d '' file; do
    [[ $(head -c 4 "$file" 2>/dev/null | tr -d '\0') == $'\x7fELF' ]] || continue
    looked=$((looked + 1))
    found+=$(unsafe "$file")
done < <(find "$folder" -name CMakeFiles -prune -o -type f \( -perm -u+x -o -name '*.so*' \) -print0 2>/dev/null)
((looked > 0)) || die "no program in $folder"
[[ -z $found ]] || die "looks for libraries in the folder that it is started in:" "$found"

# planted PROGRAM: whether the loader takes one of the libraries that lie about.
mkdir "$own/planted"
"$cxx" -shared -fPIC -x c++ /dev/null -o "$own/planted.so"
planted() {
    local name status=0
    while IFS= read -r name; do
        cp "$own/planted.so" "$own/planted/$name"
    done < <(readelf -dW "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p' | grep -vE '^(ld-linux|libc\.so)')
    (cd "$own/planted" && LD_TRACE_LOADED_OBJECTS=1 "$1" >"$own/loaded" 2>/dev/null) || status=$?
    grep -q '(0x' "$own/loaded" || die "nobody knows what $1 loads: $status"
    # One that was found in the folder itself has no other name.
    grep -qE '^[[:space:]]+lib[^ ]+ \(0x' "$own/loaded"
}
! planted "$program" || die "$program has loaded a library from the folder that it was started in"

# Neither check is blind.
printf 'int main() {}\n' >"$own/main.cpp"
for path in "\$ORIGIN:" ":" "lib" "\$ORIGIN::/usr/lib"; do
    "$cxx" "$own/main.cpp" -o "$own/main" -Wl,--no-as-needed -lm -Wl,--enable-new-dtags "-Wl,-rpath,$path"
    [[ -n $(unsafe "$own/main") ]] || die "not noticed: $path"
done
rm -f "$own/planted"/*
"$cxx" "$own/main.cpp" -o "$own/main" -Wl,--no-as-needed -lm "-Wl,-rpath,\$ORIGIN:"
planted "$own/main" || die "a planted library is not noticed"
echo "$looked files"
