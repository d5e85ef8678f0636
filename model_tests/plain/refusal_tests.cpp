// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the model does not have is refused where it is reached: no verdict, and a message that names it and the place.
#include "model_tests/support/search.hpp"

#include "ordeal/report/check_report.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace ordeal::model_tests {

using namespace detail;

TEST_CASE("What the model does not have is refused by name and place") {
    constexpr std::pair<std::string_view, std::string_view> all[]{
        {"refused/atomic_on_a_mutex", "atomic operations of different sizes on the same bytes, or on a lock"},
        {"refused/atomic_on_more_of_a_mutex", "atomic operations of different sizes on the same bytes, or on a lock"},
        {"refused/atomic_in_a_semaphore", "a semaphore, latch or barrier with atomics of other sizes on its bytes"},
        {"refused/part_of_atomic_written", "a non-atomic write to a part of an atomic object that others access"},
        {"refused/misaligned_wide_atomic", "an atomic operation at a misaligned address"},
        {"refused/atomic_of_3_bytes", "an atomic of more than 16 bytes, or of an odd size"},
        {"refused/atomic_of_32_bytes", "an atomic of more than 16 bytes, or of an odd size"},
        {"refused/mmap_without_access", "the function mmap, but for memory of no file that may be read and written,"},
        {"refused/mmap_at_a_place", "the function mmap, but for memory of no file that may be read and written,"},
        {"refused/mmap_too_large", "the function mmap, for more than 32 MB,"},
        {"refused/post_to_a_full_semaphore", "a semaphore above SEM_VALUE_MAX"},
        {"refused/robust_mutex", "a robust mutex"},
        {"refused/exit_of_a_thread_that_is_joined", "the exit of the first thread, which another one joins,"},
        {"refused/exit_with_a_handler_of_c", "the exit of a thread within pthread_cleanup_push without -fexceptions,"},
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
        {"refused/cin", "a read by a function of a library, but for files,"},
        {"refused/ifstream_of_a_pipe", "a read by a function of a library, but for files,"},
        {"refused/getline_of_cin", "a read by a function of a library, but for files,"},
        {"refused/getchar", "the function get"},
        {"refused/getchar_unlocked", "the function "},
        {"refused/fgets", "the function fgets, but for files,"},
        {"refused/scanf", "the function scanf, but for files,"},
        {"refused/read_by_number", "the system call read, but for files,"},
        {"refused/write_to_a_full_pipe", "the function write, where it would wait,"},
        {"refused/write_to_a_full_pipe_by_number", "the system call write, where it would wait,"},
        {"refused/write_to_a_full_pipe_by_a_stream", "the function fputs, where it would wait,"},
        {"refused/write_of_more_than_a_pipe_takes", "the function write, where it would wait,"},
        {"refused/state_others_descriptors", "the function close, of what others have opened,"},
        {"refused/state_signal_handlers", "the function raise"},
        {"refused/state_processes", "the function system"},
        {"refused/state_locale_of_thread", "the function uselocale"},
        {"refused/rename_of_a_folder", "the function rename, of what cannot be put back,"},
        {"refused/flock_that_waits", "the function flock, where it would wait,"},
        {"refused/timerfd", "the function timerfd_create"},
        {"refused/fexecve", "the function fexecve"},
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
    CHECK(result.message.empty());
    CHECK(result.executions == 1);
    CHECK(result.verdict == verdict::held_within);  // what opens and closes it is a function of a library
}

TEST_CASE("Writing where there is room is not refused") {
    const search_result result = search(registered("allowed/write_where_there_is_room"), full_search(), "graph");
    INFO(result.message);
    CHECK(result.message.empty());
    CHECK(result.executions == 1);
}

TEST_CASE("What makes a process is refused by name") {
    for (const auto& [name, message] :
         {std::pair{"limits/vfork", "the function vfork (model_tests/plain/refused/limits.cpp:"},
          std::pair{"limits/clone_by_number", "the system call clone ("}}) {
        const search_result result = search(registered(name), full_search(), "graph");
        INFO(name << ": " << result.message);
        CHECK(result.verdict == verdict::inconclusive);
        CHECK(result.message.starts_with(message));
    }
}

TEST_CASE("A function whose accesses nobody sees, or that answers with fixed values, is a limit once it is called") {
    constexpr std::pair<std::string_view, std::string_view> all[]{
        {"limits/unseen_function", "what a function of a library does to memory was not seen: lgamma_r ("},
        {"limits/random_device", "std::random_device answers with fixed values ("},
        {"limits/random_bytes", "getrandom answers with fixed values ("},
        {"limits/random_bytes", "getentropy answers with fixed values ("},
        {"limits/random_numbers", "rand answers with fixed values ("},
        {"limits/processors", "the number of processors answers with fixed values ("},
        {"limits/affinity", "pthread_getaffinity_np answers with fixed values ("},
        {"limits/priority", "pthread_getschedparam answers with fixed values ("},
        {"limits/system_call", "what a system call does to memory was not seen: number "},
        {"limits/process_id", "getpid answers with fixed values ("},
#ifdef __x86_64__
        {"limits/assembler", "NOT CHECKED: assembler, \"movl $"},
        {"limits/clock_of_processor",
         "the processor's clock stands still, so that a branch on it always goes the same way ("},
#endif
    };
    for (const auto& [name, limit] : all) {
        const search_result result = search(registered(name), full_search(), "graph");
        INFO(name << ": " << words(result) << ". " << result.message);
        CHECK(result.verdict == verdict::held_within);
        CHECK(std::ranges::any_of(result.limits, [&](const ordeal::detail::limit& each) {
            // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): bound in the loop
            return each.sentence.starts_with(limit) && each.sentence.find("limits.cpp:") != std::string::npos;
        }));
    }
    const search_result result = search(registered("limits/unseen_function_not_called"), full_search(), "graph");
    CHECK(result.verdict == verdict::held);
    CHECK(result.limits.empty());
}

#ifdef __x86_64__
TEST_CASE("A call that is noticed hands on arguments in wide registers") {
    const search_result result = search(registered("limits/vector_arguments"), full_search(), "graph");
    INFO(words(result) << ". " << result.message);
    CHECK(result.executions == 1);
    CHECK_FALSE(result.kind.has_value());
}
#endif

TEST_CASE("A yield by its number is one") {
    const search_result result = search(registered("limits/yields_by_number"), full_search(), "graph");
    CHECK(result.verdict == verdict::held_within);
    REQUIRE(result.limits.size() == 1);
    CHECK(result.limits.front().id == "yields");
}

#ifdef __x86_64__
TEST_CASE("The processor's clock, read by assembler, is refused by name") {
    const search_result result = search(registered("limits/clock_by_assembler"), full_search(), "graph");
    CHECK(result.verdict == verdict::inconclusive);
    CHECK(result.message.starts_with("assembler, \"rdtsc\", (model_tests/plain/refused/limits.cpp:"));
}
#endif

TEST_CASE("A loop of thousands of iterations is a limit, whether it ends or not") {
    constexpr std::string_view too_long =
        "an execution of more than 10,000 operations, or of very many non-atomic accesses, was not followed further";
    const search_result endless = search(registered("long/never_ends"), full_search(), "graph");
    CHECK(endless.verdict == verdict::inconclusive);
    CHECK(std::ranges::count(endless.limits, too_long, &limit::sentence) == 1);
    const search_result ends = search(registered("long/gives_up"), full_search(), "graph");
    CHECK(ends.verdict == verdict::held_within);
    CHECK(ends.executions > 0);
}

}  // namespace ordeal::model_tests
