// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the model does not have: searches that come to it say so, by name and place.
#include "model_tests/plain/programs/programs.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <filesystem>

namespace ordeal::model_tests {

namespace {

constexpr std::size_t page = 4096;
constexpr int usual = MAP_PRIVATE | MAP_ANONYMOUS;

void* map(std::size_t size, int protection, int flags) { return ::mmap(nullptr, size, protection, flags, -1, 0); }
void* map_two_pages() { return map(2 * page, PROT_READ | PROT_WRITE, usual); }

struct without_access {
    static void run() { require(map(page, PROT_NONE, usual) != nullptr); }
};
struct at_a_place {
    static void run() {
        require(::mmap(reinterpret_cast<void*>(16 * page), page, PROT_READ | PROT_WRITE, usual | MAP_FIXED, -1, 0) !=
                nullptr);
    }
};
struct too_large {
    static void run() { require(map(std::size_t{1} << 30, PROT_READ | PROT_WRITE, usual) != nullptr); }
};
struct in_part {
    static void run() { ::munmap(map_two_pages(), page); }
};
struct protected_later {
    static void run() { ::mprotect(map_two_pages(), page, PROT_NONE); }
};
struct made_larger {
    static void run() { require(::mremap(map_two_pages(), 2 * page, 4 * page, MREMAP_MAYMOVE) != nullptr); }
};
struct given_back {
    static void run() { ::madvise(map_two_pages(), page, MADV_DONTNEED); }
};
struct end_of_data {
    static void run() { require(::sbrk(16) != nullptr); }
};

struct listed {
    static void run() { require(std::filesystem::directory_iterator("/") != std::filesystem::directory_iterator()); }
};
struct listed_all {
    static void run() { std::filesystem::recursive_directory_iterator("/").pop(); }
};

// The C library allocates the path itself, at another address in each execution.
struct atomic_of_a_library {
    static void run() {
        char* const root = ::realpath("/", nullptr);
        std::atomic_ref(*root).fetch_add(1);
        std::free(root);
    }
};

template <class What>
struct does {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) { What::run(); }
};

ORDEAL_SCENARIO("refused/mmap_without_access", does<without_access>);
ORDEAL_SCENARIO("refused/mmap_at_a_place", does<at_a_place>);
ORDEAL_SCENARIO("refused/mmap_too_large", does<too_large>);
ORDEAL_SCENARIO("refused/munmap_in_part", does<in_part>);
ORDEAL_SCENARIO("refused/mprotect", does<protected_later>);
ORDEAL_SCENARIO("refused/mremap", does<made_larger>);
ORDEAL_SCENARIO("refused/madvise", does<given_back>);
ORDEAL_SCENARIO("refused/sbrk", does<end_of_data>);
ORDEAL_SCENARIO("refused/atomic_of_a_library", does<atomic_of_a_library>);
ORDEAL_SCENARIO("refused/directory", does<listed>);
ORDEAL_SCENARIO("refused/directories", does<listed_all>);

}  // namespace

}  // namespace ordeal::model_tests
