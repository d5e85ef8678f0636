// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a verdict rests on: functions whose accesses nobody sees, and those that answer with fixed values.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

namespace ordeal::model_tests {

namespace {

struct unseen_function {
    volatile double given = 8;
    int sign = 0;

    void run() {
        require(::lgamma_r(given, &sign) > 0);
        require(sign == 1);
    }
};
// Before the first call nothing is a limit.
struct unseen_function_not_called {
    volatile double given = 0;
    int sign = 0;

    void run() {
        if (given != 0) require(::lgamma_r(given, &sign) > 0);
    }
};
struct random_device {
    static void run() {
        std::random_device device;
        require(device() != device());
    }
};
struct random_bytes {
    static void run() {
        std::array<unsigned char, 16> bytes{};
        require(::getrandom(bytes.data(), bytes.size(), 0) == 16);
        require(bytes != std::array<unsigned char, 16>{});
        require(::getentropy(bytes.data(), bytes.size()) == 0);
    }
};
struct random_numbers {
    static void run() { require(std::rand() != std::rand()); }  // NOLINT(cert-msc*)
};
struct processors {
    static void run() { require(std::thread::hardware_concurrency() == 2); }
};
struct affinity {
    static void run() {
        cpu_set_t set;
        require(::pthread_getaffinity_np(::pthread_self(), sizeof(set), &set) == 0 && CPU_COUNT(&set) == 2);
    }
};
struct priority {
    static void run() {
        int policy = -1;
        sched_param parameters{};
        require(::pthread_getschedparam(::pthread_self(), &policy, &parameters) == 0 && policy == SCHED_OTHER);
    }
};
struct process_id {
    static void run() { require(::getpid() == ::getpid()); }
};
struct by_number {
    static void run() { require(::syscall(SYS_getuid) >= 0); }
};
struct forks {
    static void run() { require(::vfork() != -1); }
};
struct forks_by_number {
    static void run() { require(::syscall(SYS_clone, 17, 0, 0, 0, 0) != -1); }
};

#ifdef __x86_64__
struct assembler {
    static void run() {
        int value = 0;
        __asm__ volatile("movl $1, %0" : "=m"(value));
        require(value == 1);
    }
};
struct clock_of_processor {
    static void run() { require(__builtin_ia32_rdtsc() == __builtin_ia32_rdtsc()); }
};
struct clock_by_assembler {
    static void run() {
        unsigned low = 0;
        unsigned high = 0;
        __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
        require((low | high) != 0);
    }
};
#endif

// Counts its iterations, so that it never comes back to where it was.
struct yields_by_number {
    static constexpr auto threads = std::array{"sets", "polls"};
    std::atomic<bool> set{false};
    int iterations = 0;

    void run(int thread) {
        if (thread == 0) return set.store(true, relaxed);
        for (; !set.load(relaxed); ++iterations) ::syscall(SYS_sched_yield);
    }
};

template <class What>
struct does {
    static constexpr auto threads = only_main;
    What what;

    void run(int /*thread*/) { what.run(); }
};

ORDEAL_SCENARIO("limits/unseen_function", does<unseen_function>);
ORDEAL_SCENARIO("limits/unseen_function_not_called", does<unseen_function_not_called>);
ORDEAL_SCENARIO("limits/random_device", does<random_device>);
ORDEAL_SCENARIO("limits/random_bytes", does<random_bytes>);
ORDEAL_SCENARIO("limits/random_numbers", does<random_numbers>);
ORDEAL_SCENARIO("limits/processors", does<processors>);
ORDEAL_SCENARIO("limits/affinity", does<affinity>);
ORDEAL_SCENARIO("limits/priority", does<priority>);
ORDEAL_SCENARIO("limits/process_id", does<process_id>);
ORDEAL_SCENARIO("limits/system_call", does<by_number>);
ORDEAL_SCENARIO("limits/yields_by_number", yields_by_number);
#ifdef __x86_64__
ORDEAL_SCENARIO("limits/assembler", does<assembler>);
ORDEAL_SCENARIO("limits/clock_of_processor", does<clock_of_processor>);
ORDEAL_SCENARIO("limits/clock_by_assembler", does<clock_by_assembler>);
#endif
ORDEAL_SCENARIO("limits/vfork", does<forks>);
ORDEAL_SCENARIO("limits/clone_by_number", does<forks_by_number>);

}  // namespace

}  // namespace ordeal::model_tests
