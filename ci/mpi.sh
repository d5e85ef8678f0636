#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the tests of ordeal-mpi, four ranks on this machine, one of them killed. Not among the tests of ci/test.sh: mpirun asks more of a
# machine than a compiler does, of its network and its processes.
#
#   ci/mpi.sh
source "$(dirname "$0")/lib.sh"

ci/deps.sh
configure release
build release
run_ctest release mpi --label-regex '^mpi$'
