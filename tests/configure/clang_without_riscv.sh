#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Stands for a clang that was built without one of the targets.
for argument in "$@"; do
    if [[ $argument == --target=riscv64* ]]; then
        echo "error: unable to create target: 'No available targets are compatible with triple \"riscv64\"'" >&2
        exit 1
    fi
done
