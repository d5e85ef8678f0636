# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The project that `ordeal new` writes: the files of template/ as one C++ source, made when the program is built.
#
# Included, it defines ordeal_embed_template. As a script it writes the source:
#   cmake -D output=FILE -D folder=template -D "files=FILE;..." -P embed_template.cmake

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    set(entries "")
    foreach(name IN LISTS files)
        file(READ "${folder}/${name}" content)
        string(FIND "${content}" ")ordeal\"" end)
        if(NOT end EQUAL -1)
            message(FATAL_ERROR "ordeal: ${name} has the characters that end it in C++: )ordeal\"")
        endif()
        string(APPEND entries "    {R\"ordeal(${name})ordeal\", R\"ordeal(${content})ordeal\"},\n")
    endforeach()
    file(WRITE "${output}" "// Written by cmake/embed_template.cmake from template/.
#include \"ordeal/cli/commands/template_files.hpp\"

namespace ordeal::detail {

namespace {

constexpr template_file files[] = {
${entries}};

}  // namespace

std::span<const template_file> template_files() noexcept { return files; }

}  // namespace ordeal::detail
")
    return()
endif()

include_guard()

# ordeal_embed_template(<target> FILES <file>...): adds these files of template/ to the sources of a library.
function(ordeal_embed_template target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES")
    set(folder "${PROJECT_SOURCE_DIR}/template")
    set(script "${PROJECT_SOURCE_DIR}/cmake/embed_template.cmake")
    set(source "${CMAKE_CURRENT_BINARY_DIR}/template_files.cpp")
    list(TRANSFORM arg_FILES PREPEND "${folder}/" OUTPUT_VARIABLE inputs)
    add_custom_command(OUTPUT "${source}"
        COMMAND "${CMAKE_COMMAND}" -D "output=${source}" -D "folder=${folder}" -D "files=${arg_FILES}" -P "${script}"
        DEPENDS ${inputs} "${script}"
        COMMENT "Embedding the project that `ordeal new` writes"
        VERBATIM)
    target_sources(${target} PRIVATE "${source}")
endfunction()
