# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Instrumented code calls a function for every atomic operation. What is an instruction all the same was written in
# assembler, or comes from a static library that was not compiled for this. The functions that have such are listed beside
# the trial library, in <library>.unseen, and each verdict names them.
# usage: cmake -D objdump=PROGRAM -D library=FILE -P list_unseen.cmake
cmake_minimum_required(VERSION 3.25)

set(functions [[/>:$/ { name = $0; sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name) }]])
set(x86 [[(lock([ \t]|$)|xchg[bwlq]?[ \t].*\(|mfence)]])
set(arm [[(ldx|lda|stx|stl|cas|swp|ldadd|ldset|ldclr|ldeor|dmb)]])
set(operations "/\t(${x86}|${arm})/ && name != last { last = name; print name }")
execute_process(
    COMMAND "${objdump}" --disassemble --demangle --no-show-raw-insn "${library}"
    COMMAND awk "${functions} ${operations}"
    OUTPUT_VARIABLE unseen ERROR_VARIABLE why RESULTS_VARIABLE results OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT results STREQUAL "0;0")
    message(FATAL_ERROR "ordeal: nobody could look for assembler in ${library} (objdump and awk ended with ${results})\n${why}"
        "\nWith -D CMAKE_OBJDUMP= nobody does.")
endif()

# Without the list nobody knows: so there is one of nothing, too.
file(WRITE "${library}.unseen" "")
if(unseen)
    file(WRITE "${library}.unseen" "${unseen}\n")
    message("ordeal: atomic operations that are instructions, of assembler or of code that was not compiled for a trial, "
            "are not seen:\n${unseen}")
endif()
