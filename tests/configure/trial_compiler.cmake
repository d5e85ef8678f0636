# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: cmake -D root=FOLDER -D id=ID -D version=VERSION -P trial_compiler.cmake: whether trials may be compiled by that.
include("${root}/cmake/ordeal_trial.cmake")
ordeal_require_trial_compiler("${id}" "${version}")
message(STATUS "${id} ${version} compiles trials")
