#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A trial that uses a thread-local variable of a library: what the build says of it.
# usage: thread_variable.sh CLANG LIST_UNSEEN
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf 'extern __thread int of_library;\nint use() { return of_library; }\n' >use.cpp
"$1" -fPIC -femulated-tls -fsanitize=thread -c use.cpp -o use.o
"$1" -shared use.o -o libuse.so -Wl,-Map=use.map
"$2" "$folder/libuse.so" "$folder/use.map" --root "$folder"
