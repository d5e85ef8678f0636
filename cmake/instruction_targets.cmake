# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The targets that atomic operations are compiled for, to see what they cost there (src/ordeal/audit/cost/), and the clang that
# does it: no other compiler has all of them, and no system of the target is needed.
include_guard()

# In the order of all_targets in src/ordeal/processors/target.hpp, with the same names.
set(ORDEAL_TARGETS x86-64 aarch64 aarch64+lse riscv64 ppc64le)

# What each is compiled with. Named in full: what a clang takes for granted depends on who built it.
set(ORDEAL_TARGET_x86-64 --target=x86_64-linux-gnu -march=x86-64 -fcf-protection=none)
set(ORDEAL_TARGET_aarch64 --target=aarch64-linux-gnu -march=armv8-a -mno-outline-atomics -mbranch-protection=none)
set(ORDEAL_TARGET_aarch64+lse --target=aarch64-linux-gnu -march=armv8-a+lse -mbranch-protection=none)
set(ORDEAL_TARGET_riscv64 --target=riscv64-linux-gnu -march=rv64gc -mabi=lp64d)
# Registers are told from numbers by their names.
set(ORDEAL_TARGET_ppc64le --target=powerpc64le-linux-gnu -mcpu=power8 -mllvm -ppc-asm-full-reg-names)

# ordeal_target_options(<result> <target>): the options of clang for a source without any header, but for `-S -o FILE SOURCE`.
function(ordeal_target_options result name)
    set(${result} ${ORDEAL_TARGET_${name}} -x c++ -std=c++20 -O2 -ffreestanding -fno-exceptions -fno-stack-protector
        -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-pic -Wall -Wextra -Werror PARENT_SCOPE)
endfunction()

# ordeal_find_targets_clang(<result> <version>): the project's compiler if that is clang, else one that is installed. Its
# version as "clang 19.1.7". Both are empty where there is none.
function(ordeal_find_targets_clang result version)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        set(preset "${CMAKE_CXX_COMPILER}")
    else()
        find_program(ORDEAL_TARGETS_CLANG NAMES clang++-19 clang++)
        mark_as_advanced(ORDEAL_TARGETS_CLANG)
        set(preset "${ORDEAL_TARGETS_CLANG}")
    endif()
    set(${result} "" PARENT_SCOPE)
    set(${version} "" PARENT_SCOPE)
    if(preset)
        execute_process(COMMAND "${preset}" -dumpversion OUTPUT_VARIABLE number OUTPUT_STRIP_TRAILING_WHITESPACE)
        set(${result} "${preset}" PARENT_SCOPE)
        set(${version} "clang ${number}" PARENT_SCOPE)
    endif()
endfunction()

# ordeal_why_no_target(<result> <clang> <version> <target>): why that clang cannot compile for the target, as a clause; empty
# where it can.
function(ordeal_why_no_target result clang version name)
    set(${result} "" PARENT_SCOPE)
    if(NOT clang)
        set(${result} "no clang was found when ordeal was built" PARENT_SCOPE)
        return()
    endif()
    ordeal_target_options(options "${name}")
    execute_process(COMMAND "${clang}" ${options} -S -o /dev/null /dev/null
        RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(NOT status EQUAL 0)
        set(${result} "${version} does not compile for that target" PARENT_SCOPE)
    endif()
endfunction()
