// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clocks, sleeps and yields, for the whole process: libstdc++ calls them too. And the random numbers of <cstdlib>, which
// are wrapped where code on trial calls them.
#include "ordeal/instrumented/time_calls.hpp"

#include "ordeal/instrumented/code_sites.hpp"
#include "ordeal/instrumented/compiler_calls.hpp"
#include "ordeal/instrumented/real_function.hpp"
#include "ordeal/model/fingerprint.hpp"

#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>

namespace ordeal {

namespace {

constinit real_function<int()> real_yield("sched_yield");
constinit real_function<int(const timespec*, timespec*)> real_nanosleep("nanosleep");
constinit real_function<int(clockid_t, int, const timespec*, timespec*)> real_clock_nanosleep("clock_nanosleep");
constinit real_function<int(useconds_t)> real_usleep("usleep");
constinit real_function<unsigned(unsigned)> real_sleep("sleep");
constinit real_function<int(clockid_t, timespec*)> real_clock_gettime("clock_gettime");
constinit real_function<int(timeval*, void*)> real_gettimeofday("gettimeofday");
constinit real_function<time_t(time_t*)> real_time("time");

constexpr std::size_t thread_count = 17;
constexpr std::int64_t nanoseconds = 1'000'000'000;
constexpr std::int64_t start_of_calendar = 1'700'000'000 * nanoseconds;  // in November 2023
constexpr std::int64_t start_of_others = 1'000'000 * nanoseconds;

struct thread_time {
    std::int64_t longest_sleep = 0;
    std::uint64_t random = 1;
};

constinit std::array<thread_time, thread_count> times{};

thread_time& own(const byte_memory& port) noexcept { return times[static_cast<std::size_t>(port.thread() + 1)]; }

std::int64_t now(const byte_memory& port, clockid_t clock) noexcept {
    const bool calendar = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
    return (calendar ? start_of_calendar : start_of_others) + own(port).longest_sleep;
}

std::int64_t as_nanoseconds(const timespec& time) noexcept { return time.tv_sec * nanoseconds + time.tv_nsec; }

int sleep_on_trial(byte_memory& port, const code_point& at, std::int64_t duration) {
    thread_time& mine = own(port);
    mine.longest_sleep = std::max(mine.longest_sleep, duration);
    port.yield(plain_code_site(at));
    return 0;
}

// Of Knuth's MMIX.
int next_random(const byte_memory& port) noexcept {
    std::uint64_t& state = own(port).random;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>(state >> 33);
}

void seed_random(const byte_memory& port, unsigned seed) noexcept { own(port).random = seed; }

}  // namespace

void model_time::begin_execution() noexcept { times = {}; }

std::uint64_t model_time::fingerprint() noexcept {
    return hash_of_bytes(reinterpret_cast<std::uintptr_t>(times.data()), sizeof(times), 0);
}

}  // namespace ordeal

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

int sched_yield() noexcept {
    ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr) return ordeal::real_yield();
    port->yield(ordeal::plain_code_site(ordeal::code_point_here("yield")));
    return 0;
}
int nanosleep(const timespec* duration, timespec* remaining) {
    ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr) return ordeal::real_nanosleep(duration, remaining);
    return ordeal::sleep_on_trial(*port, ordeal::code_point_here("sleep"), ordeal::as_nanoseconds(*duration));
}
int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* remaining) {
    ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr) return ordeal::real_clock_nanosleep(clock, flags, time, remaining);
    const std::int64_t until = ordeal::as_nanoseconds(*time);
    const std::int64_t duration = (flags & TIMER_ABSTIME) != 0 ? until - ordeal::now(*port, clock) : until;
    return ordeal::sleep_on_trial(*port, ordeal::code_point_here("sleep"), duration);
}
int usleep(useconds_t duration) {
    ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr) return ordeal::real_usleep(duration);
    return ordeal::sleep_on_trial(*port, ordeal::code_point_here("sleep"), std::int64_t{duration} * 1000);
}
unsigned sleep(unsigned seconds) {
    ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr) return ordeal::real_sleep(seconds);
    ordeal::sleep_on_trial(*port, ordeal::code_point_here("sleep"), seconds * ordeal::nanoseconds);
    return 0;
}

int clock_gettime(clockid_t clock, timespec* result) noexcept {
    const ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr) return ordeal::real_clock_gettime(clock, result);
    const std::int64_t now = ordeal::now(*port, clock);
    *result = {now / ordeal::nanoseconds, now % ordeal::nanoseconds};
    return 0;
}
int gettimeofday(timeval* result, void* zone) noexcept {
    const ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr) return ordeal::real_gettimeofday(result, zone);
    const std::int64_t now = ordeal::now(*port, CLOCK_REALTIME);
    *result = {now / ordeal::nanoseconds, now % ordeal::nanoseconds / 1000};
    return 0;
}
time_t time(time_t* result) noexcept {
    const ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr) return ordeal::real_time(result);
    const time_t now = ordeal::now(*port, CLOCK_REALTIME) / ordeal::nanoseconds;
    if (result != nullptr) *result = now;
    return now;
}

clock_t __wrap_clock() { return ordeal::current() == nullptr ? clock() : 0; }
int __wrap_timespec_get(timespec* result, int base) {
    const ordeal::byte_memory* const port = ordeal::current();
    if (port == nullptr || base != TIME_UTC) return timespec_get(result, base);
    (void)clock_gettime(CLOCK_REALTIME, result);
    return base;
}

int __wrap_rand() {
    const ordeal::byte_memory* const port = ordeal::current();
    return port == nullptr ? std::rand() : ordeal::next_random(*port);
}
void __wrap_srand(unsigned seed) {
    const ordeal::byte_memory* const port = ordeal::current();
    return port == nullptr ? std::srand(seed) : ordeal::seed_random(*port, seed);
}
long __wrap_random() {
    const ordeal::byte_memory* const port = ordeal::current();
    return port == nullptr ? random() : ordeal::next_random(*port);
}
void __wrap_srandom(unsigned seed) {
    const ordeal::byte_memory* const port = ordeal::current();
    return port == nullptr ? srandom(seed) : ordeal::seed_random(*port, seed);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
