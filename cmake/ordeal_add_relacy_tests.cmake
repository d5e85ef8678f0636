# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests that were written for Relacy Race Detector, as they stand.
include_guard()

# ordeal_see_relacy_suites(<name>): in the trial of this name, <relacy/...> is ordeal's.
function(ordeal_see_relacy_suites name)
    ordeal_internals_dir(internals)
    # Not a system folder: Relacy's own headers may be in one.
    target_include_directories(${name}_trial BEFORE PRIVATE "${internals}/ordeal/relacy_suites")
endfunction()

# ordeal_add_relacy_tests(<name> SOURCES <file>... [LIBRARIES <target>...] [INSTRUMENT <target>...] [ALLOW_UNSEEN <name>...]
#     [OPTIONS <flag>...] [ARGUMENTS <arg>...] [LABELS <label>...] [TIMEOUT <seconds>])
#
# The program <name>: the command line of ordeal over the suites of these sources for which they have an rl::simulate(), each a
# scenario of the subject <name>. One ctest entry for each, with the arguments for `check`. What the sources include as <relacy/...> is
# ordeal's; their main() is not run.
function(ordeal_add_relacy_tests name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT"
        "SOURCES;LIBRARIES;INSTRUMENT;ALLOW_UNSEEN;OPTIONS;ARGUMENTS;LABELS")
    ordeal_require_word_sources(ordeal_add_relacy_tests ${name} "${arg_SOURCES}" "${arg_UNPARSED_ARGUMENTS}")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
        message(FATAL_ERROR "ordeal: tests of Relacy are NAME SOURCES file... [LIBRARIES target...] [INSTRUMENT target...] "
            "[ALLOW_UNSEEN name...] [OPTIONS flag...] [ARGUMENTS arg...] [LABELS label...] [TIMEOUT seconds]")
    endif()
    ordeal_add_trial(${name} SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES} INSTRUMENT ${arg_INSTRUMENT}
        ALLOW_UNSEEN ${arg_ALLOW_UNSEEN} OPTIONS ${arg_OPTIONS})
    ordeal_see_relacy_suites(${name})
    ordeal_discover_tests(${name} ARGUMENTS ${arg_ARGUMENTS} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
endfunction()
