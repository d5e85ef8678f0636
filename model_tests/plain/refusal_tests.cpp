// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the model does not have is refused where it is reached: no verdict, and a message that names it and the place.
#include "model_tests/support/search.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace ordeal::model_tests {

TEST_CASE("What the model does not have is refused by name and place") {
    constexpr std::pair<std::string_view, std::string_view> all[]{
        {"refused/mmap_without_access", "the function mmap, but for memory of no file that may be read and written,"},
        {"refused/mmap_at_a_place", "the function mmap, but for memory of no file that may be read and written,"},
        {"refused/mmap_too_large", "the function mmap, for more than 32 MB,"},
        {"refused/munmap_in_part", "the function munmap, but for the whole of one mapping,"},
        {"refused/mprotect", "the function mprotect"},
        {"refused/mremap", "the function mremap"},
        {"refused/madvise", "the function madvise, to give memory back,"},
        {"refused/sbrk", "the function sbrk"},
        {"refused/atomic_of_a_library", "an atomic in memory that was allocated by a library that is not on trial"},
        {"refused/read_of_a_pipe", "the function read, but for files,"},
        {"refused/read_of_a_stream", "the function fgetc, but for files,"},
        {"refused/read_of_a_socket", "the function recv"},
        {"refused/read_of_an_event_counter", "the function read, but for files,"},
        {"refused/directory", "std::filesystem::directory_iterator"},
        {"refused/directories", "std::filesystem::recursive_directory_iterator"},
    };
    for (const auto& [name, message] : all) {
        const search_result result = search(registered(name), full_search(), "graph");
        INFO(name << ": " << result.message);
        CHECK(result.verdict == verdict::inconclusive);
        CHECK(result.message.starts_with(message));
        CHECK(result.message.find("functions.cpp:") != std::string::npos);
    }
}

TEST_CASE("Reading a file is not refused") {
    const search_result result = search(registered("allowed/read_of_files"), full_search(), "graph");
    INFO(result.message);
    CHECK(result.verdict == verdict::held);
}

TEST_CASE("A loop of thousands of turns is a limit, whether it ends or not") {
    constexpr std::string_view too_long = "an execution of more than 10,000 operations was not followed further";
    const search_result endless = search(registered("long/never_ends"), full_search(), "graph");
    CHECK(endless.verdict == verdict::inconclusive);
    CHECK(std::ranges::count(endless.limits, too_long, &limit::sentence) == 1);
    const search_result ends = search(registered("long/gives_up"), full_search(), "graph");
    CHECK(ends.verdict == verdict::held_within);
    CHECK(ends.executions > 0);
}

}  // namespace ordeal::model_tests
