#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Requires that code on trial is instrumented, and the harness is not.
#
#   instrumented.sh harness FILE...       no object or archive among them calls a function of the runtime
#   instrumented.sh trial FILE...         each object does, but for the one that registers the trial, and that one has
#                                         nothing that could take the place of instrumented code
#   instrumented.sh exports LIBRARY       nothing of it can take the place of the harness's code
#   instrumented.sh program PROGRAM RUNTIME LIBRARY...
#                                         it exports all that the libraries call and no other library has, and each
#                                         function of the runtime that is to take the place of the system's
set -euo pipefail

die() { printf '%s\n' "$*" >&2; exit 1; }

what=${1-}
shift
(($#)) || die "no files"

calls() { nm --undefined-only "$1" 2>/dev/null | grep -c ' U __tsan_' || [[ $? -eq 1 ]]; }

case $what in
    harness)
        for file in "$@"; do
            [[ -s $file ]] || die "no such file: $file"
            (($(calls "$file") == 0)) || die "instrumented, or linked with what is: $file"
        done
        ;;
    trial)
        modules=0
        for file in "$@"; do
            if [[ $file == *trial_module* ]]; then
                modules=$((modules + 1))
                (($(calls "$file") == 0)) || die "instrumented: $file"
                ! nm --defined-only "$file" | grep -E ' [VWu] ' || die "has functions that others have too: $file"
            else
                (($(calls "$file") > 0)) || die "not instrumented: $file"
            fi
        done
        ((modules == 1 && $# > 1)) || die "not a trial: $*"
        ;;
    exports)
        for file in "$@"; do
            exported=$(nm --dynamic --defined-only "$file")
            [[ -z $exported ]] || die "$file exports $exported"
        done
        ;;
    program)
        program=$1
        runtime=$2
        shift 2
        folder=$(mktemp -d)
        trap 'rm -rf "$folder"' EXIT
        nm --dynamic --defined-only "$program" | awk '{print $3}' | sed 's/@.*//' | sort -u >"$folder/exported"
        for file in "$@"; do
            nm --dynamic --undefined-only "$file" | awk '$1 == "U" && $2 !~ /@/ {print $2}'
        done >"$folder/needed"
        (($(wc -l <"$folder/needed") > 0)) || die "no trial: $*"
        ldd "$program" | awk '$3 ~ /^\// && $3 !~ /_trial\.so$/ {print $3}' | while read -r library; do
            nm --dynamic --defined-only "$library" | awk '{print $3}' | sed 's/@.*//'
        done | sort -u >"$folder/of_the_system"
        nm --defined-only "$runtime" 2>/dev/null | awk '$2 == "T" {print $3}' | sort -u |
            comm -12 - "$folder/of_the_system" >"$folder/replacements"
        grep -q '^pthread_mutex_lock$' "$folder/replacements" || die "no runtime: $runtime"
        missing=$(cat "$folder/needed" "$folder/replacements" | sort -u | comm -23 - "$folder/exported")
        [[ -z $missing ]] || die "$program does not export" "$missing"
        ;;
    *) die "usage: see the head of this file" ;;
esac
