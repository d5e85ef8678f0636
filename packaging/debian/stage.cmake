# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Run by CPack over the files that are to be packed: what Debian has in places of its own.
cmake_minimum_required(VERSION 3.25)
if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()

set(root "${CPACK_TEMPORARY_DIRECTORY}/usr")
set(doc "${root}/share/doc/ordeal")

# compressed(<file>): as gzip has it, without its name or time.
function(compressed file)
    execute_process(COMMAND gzip -9 -n -f "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE "${doc}/LICENSE")
configure_file("${CMAKE_CURRENT_LIST_DIR}/copyright" "${doc}/copyright" COPYONLY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${doc}/changelog" "ordeal (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * Version ${CPACK_PACKAGE_VERSION}.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
compressed("${doc}/changelog")
compressed("${root}/share/man/man1/ordeal.1")

file(MAKE_DIRECTORY "${root}/share/zsh/vendor-completions")
file(RENAME "${root}/share/zsh/site-functions/_ordeal" "${root}/share/zsh/vendor-completions/_ordeal")
file(REMOVE_RECURSE "${root}/share/zsh/site-functions")

configure_file("${CMAKE_CURRENT_LIST_DIR}/lintian-overrides" "${root}/share/lintian/overrides/ordeal" COPYONLY)
