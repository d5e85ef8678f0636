# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Instrumented code calls a function for every atomic operation. What is an instruction all the same was written in
# assembler, or comes from a static library that was not compiled for this. The functions that have such, and the objects
# that were not compiled for this, are listed beside the trial library, in <library>.unseen, and each verdict names them.
# usage: cmake -D objdump=PROGRAM -D nm=PROGRAM -D library=FILE -D map=FILE
#              -D "roots=FOLDER;..." [-D "apart=NAMESPACE;ARCHIVE"] -P list_unseen.cmake
# apart: of a test framework, which is no part of what is on trial: a regular expression for its functions, and one for its
# archives.
cmake_minimum_required(VERSION 3.25)

set(functions [[/>:$/ { name = $0; sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name) }]])
set(x86 [[(lock([ \t]|$)|xchg[bwlq]?[ \t].*\(|mfence)]])
set(arm [[(ldx|lda|stx|stl|cas|swp|ldadd|ldset|ldclr|ldeor|dmb)]])
# clang replaces an atomic load by a call, and leaves the load where it was. Nobody has what it reads.
set(left_over [[\tlda(r|pr|pur)[bh]?[ \t]+[wx]zr,]])
set(operations "/\t(${x86}|${arm})/ && !/${left_over}/ && name != last { last = name; print name }")
execute_process(
    COMMAND "${objdump}" --disassemble --demangle --no-show-raw-insn "${library}"
    COMMAND awk "${functions} ${operations}"
    OUTPUT_VARIABLE unseen ERROR_VARIABLE why RESULTS_VARIABLE results OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT results STREQUAL "0;0")
    message(FATAL_ERROR "ordeal: nobody could look for assembler in ${library} (objdump and awk ended with ${results})\n${why}"
        "\nWith -D CMAKE_OBJDUMP= nobody does.")
endif()

list(LENGTH apart parts)
if(parts EQUAL 2)
    list(GET apart 0 functions_apart)
    list(GET apart 1 archives_apart)
    string(REGEX REPLACE "(^|\n)${functions_apart}[^\n]*" "" unseen "${unseen}")
    string(REGEX REPLACE "^\n+" "" unseen "${unseen}")
endif()

# Objects that the linker's map names, other than those that the compiler adds: each that was compiled for this calls
# __tsan_init, but for the one that makes a trial of it.
file(STRINGS "${map}" lines REGEX "(\\.a\\([^)]+\\)|\\.o)(:|$|:\\()")
set(linked "")
foreach(line IN LISTS lines)
    if(line MATCHES "([^ ]+\\.a)\\(([^)]+)\\)")
        list(APPEND linked "${CMAKE_MATCH_1}|${CMAKE_MATCH_2}")
    elseif(line MATCHES "([^ ]+\\.o)(:|$)")
        list(APPEND linked "${CMAKE_MATCH_1}|")
    endif()
endforeach()
list(REMOVE_DUPLICATES linked)
list(FILTER linked EXCLUDE REGEX "/(crt[^/]*\\.o|libgcc[^/]*\\.a|libclang_rt[^/]*\\.a|libc_nonshared\\.a)\\||/trial_module\\.cpp\\.o\\|")
foreach(each IN LISTS linked)
    string(REGEX MATCH "^([^|]+)\\|(.*)$" ignored "${each}")
    set(file "${CMAKE_MATCH_1}")
    set(member "${CMAKE_MATCH_2}")
    cmake_path(GET file FILENAME name)
    if(parts EQUAL 2 AND name MATCHES "^${archives_apart}")
        continue()
    endif()
    foreach(root IN LISTS roots)  # of one of which it is relative
        if(NOT IS_ABSOLUTE "${file}" AND EXISTS "${root}/${file}")
            cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${root}")
        endif()
    endforeach()
    if(NOT symbols_of STREQUAL file)
        execute_process(COMMAND "${nm}" --undefined-only --print-file-name "${file}"
            OUTPUT_VARIABLE symbols ERROR_VARIABLE why RESULT_VARIABLE result)
        if(NOT result EQUAL 0)
            message(FATAL_ERROR "ordeal: nobody could look into ${file}\n${why}")
        endif()
        set(symbols_of "${file}")
    endif()
    string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" pattern "${member}")
    if(NOT symbols MATCHES "${pattern}:[^\n]* U __tsan_init")
        cmake_path(GET file FILENAME name)
        if(member)
            string(APPEND name "(${member})")
        endif()
        list(APPEND unseen "all of ${name}, which was not compiled for a trial")
    endif()
endforeach()
list(JOIN unseen "\n" unseen)

# clang is told to have a table for each thread-local variable, which a library that was compiled otherwise does not have:
# then the program does not link, for want of a symbol that nobody has written.
execute_process(COMMAND "${nm}" --undefined-only "${library}"
    OUTPUT_VARIABLE symbols ERROR_VARIABLE why RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "ordeal: nobody could look into ${library}\n${why}")
endif()
string(REGEX MATCHALL "__emutls_v\\.[^ \n]+" variables "${symbols}")
if(variables)
    list(TRANSFORM variables REPLACE "^__emutls_v\\." "")
    # The harness has those of libstdc++.
    list(REMOVE_ITEM variables _ZSt11__once_call _ZSt15__once_callable)
endif()
if(variables)
    list(JOIN variables ", " variables)
    message("ordeal: thread-local variables of a library: ${variables}. A trial by clang is compiled with -femulated-tls. Where "
        "the linker finds no __emutls_v of that name, compile the library with -femulated-tls, too, or make its sources "
        "those of the trial.")
endif()

# Without the list nobody knows: so there is one of nothing, too.
file(WRITE "${library}.unseen" "")
if(unseen)
    file(WRITE "${library}.unseen" "${unseen}\n")
    message("ordeal: what assembler does, and code that was not compiled for a trial, is not seen:\n${unseen}")
endif()
