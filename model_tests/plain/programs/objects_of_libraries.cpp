// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of libraries that read or write an object of their caller's (ordeal/instrumented/unchecked/library_functions.cpp).
#include "model_tests/plain/programs/programs.hpp"

#include <cxxabi.h>

#include <array>
#include <atomic>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <locale>
#include <memory_resource>
#include <mutex>
#include <sstream>
#include <stdexcept>

namespace ordeal::model_tests {

namespace {

// `What` has one object that both may write, and a call of each thread.
template <class What>
struct both_use {
    static constexpr auto threads = std::array{"writes", "uses"};
    What what;

    void run(int thread) {
        if (thread == 0) what.writes();
        if (thread == 1) what.uses();
    }
};
template <class What>
struct one_at_a_time {
    static constexpr auto threads = std::array{"writes", "uses"};
    What what;
    std::mutex mutex;

    void run(int thread) {
        const std::lock_guard hold(mutex);
        if (thread == 0) what.writes();
        if (thread == 1) what.uses();
    }
};

struct of_locale {
    std::locale own;
    const std::locale other = std::locale::classic();

    void writes() { own = other; }
    void uses() const { const std::locale copy = own; }
};
struct of_error {
    std::runtime_error own{"a text that has no room"};
    const std::runtime_error other{"another one"};

    void writes() { own = other; }
    void uses() const { require(own.what() != nullptr); }
};
struct of_exception_pointer {
    std::exception_ptr own = std::make_exception_ptr(1);

    void writes() { own = nullptr; }
    void uses() const { const std::exception_ptr copy = own; }
};
struct of_words {
    std::ostringstream own;

    void writes() { own.iword(40) = 1; }
    void uses() { own.iword(41) = 2; }
};
struct of_demangled_name {
    int status = 0;

    void writes() { std::free(abi::__cxa_demangle("i", nullptr, nullptr, &status)); }
    void uses() { writes(); }
};
struct of_exponent {
    volatile double given = 3;
    int exponent = 0;

    void writes() { require(std::frexp(given, &exponent) > 0); }
    void uses() { writes(); }
};
struct of_environment {
    std::fenv_t kept{};

    void writes() { std::fegetenv(&kept); }
    void uses() { writes(); }
};

// [mem.res.pool.mem]: a block may go back to where it came from at once.
struct used_after_it_was_given_back {
    static constexpr auto threads = std::array{"gives back", "uses"};
    std::pmr::synchronized_pool_resource pool;
    int* block = static_cast<int*>(pool.allocate(sizeof(int)));

    void run(int thread) {
        if (thread == 0) pool.deallocate(block, sizeof(int));
        if (thread == 1) *block = 1;
    }
};
template <bool Exchanges>
struct given_back_by_both {
    static constexpr auto threads = std::array{"gives back", "gives back"};
    std::pmr::synchronized_pool_resource pool;
    void* block = pool.allocate(16);
    std::atomic<bool> given{false};

    void run(int /*thread*/) {
        if (Exchanges ? given.exchange(true) : given.load()) return;
        given.store(true);
        pool.deallocate(block, 16);
    }
};
struct given_back_with_another_size {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        std::pmr::unsynchronized_pool_resource pool;
        pool.deallocate(pool.allocate(16), 8);
    }
};

// It counts the bytes that it has given.
class counting final : public std::pmr::memory_resource {
public:
    std::size_t bytes = 0;

private:
    void* do_allocate(std::size_t size, std::size_t alignment) override {
        bytes += size;
        return std::pmr::new_delete_resource()->allocate(size, alignment);
    }
    void do_deallocate(void* block, std::size_t size, std::size_t alignment) override {
        bytes -= size;
        std::pmr::new_delete_resource()->deallocate(block, size, alignment);
    }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};
struct pool_gives_all_back {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        counting upstream;
        {
            std::pmr::unsynchronized_pool_resource pool({0, 4096}, &upstream);
            std::pmr::memory_resource& any = pool;
            require(any.allocate(100) != nullptr && pool.allocate(8, 64) != nullptr && upstream.bytes >= 108);
            require(pool.upstream_resource() == &upstream && pool.options().largest_required_pool_block >= 4096);
        }
        require(upstream.bytes == 0);
    }
};

template <class What>
using races = wrong<both_use<What>, violation_kind::data_race>;

ORDEAL_SCENARIO("programs/locale_of_both", races<of_locale>);
ORDEAL_SCENARIO("programs/locale_locked", one_at_a_time<of_locale>);
ORDEAL_SCENARIO("programs/error_of_both", races<of_error>);
ORDEAL_SCENARIO("programs/error_locked", one_at_a_time<of_error>);
ORDEAL_SCENARIO("programs/exception_pointer_of_both", races<of_exception_pointer>);
ORDEAL_SCENARIO("programs/exception_pointer_locked", one_at_a_time<of_exception_pointer>);
ORDEAL_SCENARIO("programs/words_of_a_stream_of_both", races<of_words>);
ORDEAL_SCENARIO("programs/words_of_a_stream_locked", one_at_a_time<of_words>);
ORDEAL_SCENARIO("programs/demangled_by_both", races<of_demangled_name>);
ORDEAL_SCENARIO("programs/demangled_locked", one_at_a_time<of_demangled_name>);
ORDEAL_SCENARIO("programs/exponent_of_both", races<of_exponent>);
ORDEAL_SCENARIO("programs/exponent_locked", one_at_a_time<of_exponent>);
ORDEAL_SCENARIO("programs/floating_point_kept_by_both", races<of_environment>);
ORDEAL_SCENARIO("programs/floating_point_kept_locked", one_at_a_time<of_environment>);
ORDEAL_SCENARIO("programs/pool_block_used_after_it_was_given_back",
                wrong<used_after_it_was_given_back, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/pool_block_given_back_by_both",
                wrong<given_back_by_both<false>, violation_kind::double_free>);
ORDEAL_SCENARIO("programs/pool_block_given_back_by_one", given_back_by_both<true>);
ORDEAL_SCENARIO("programs/pool_block_of_another_size",
                wrong<given_back_with_another_size, violation_kind::precondition>);
ORDEAL_SCENARIO("programs/pool_gives_all_back", pool_gives_all_back);

}  // namespace

}  // namespace ordeal::model_tests
