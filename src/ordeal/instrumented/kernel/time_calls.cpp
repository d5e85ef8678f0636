// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clocks, sleeps and yields, for the whole process, as libstdc++ calls them too. And the state of random numbers, whose
// functions are wrapped where code on trial calls them.
#include "ordeal/instrumented/kernel/time_calls.hpp"

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/runtime/per_thread.hpp"
#include "ordeal/runtime/state/hash.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <sched.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace ordeal::detail {

namespace {

constinit real_function<int()> real_yield("sched_yield");
constinit real_function<void()> real_thrd_yield("thrd_yield");
constinit real_function<int(const timespec*, timespec*)> real_nanosleep("nanosleep");
constinit real_function<int(const timespec*, timespec*)> real_thrd_sleep("thrd_sleep");
constinit real_function<int(clockid_t, int, const timespec*, timespec*)> real_clock_nanosleep("clock_nanosleep");
constinit real_function<int(useconds_t)> real_usleep("usleep");
constinit real_function<unsigned(unsigned)> real_sleep("sleep");
constinit real_function<int(clockid_t, timespec*)> real_clock_gettime("clock_gettime");
constinit real_function<int(timeval*, void*)> real_gettimeofday("gettimeofday");
constinit real_function<time_t(time_t*)> real_time("time");

constexpr std::int64_t nanoseconds = virtual_time::second;

// So many reads of a clock by one thread mean that it is waiting for the time. Less than the most steps of an
// execution.
constexpr std::uint64_t most_looks = 5'000;

// Where time passes: so often a thread looks at a clock before that takes time, and how much it takes first. It doubles
// every 64 looks, so that a loop of any duration comes to its end.
constexpr std::uint64_t looks_without_time = 64;
constexpr std::uint64_t time_of_a_look = 1'000;

// A thread's time has advanced to this, after so many of its events.
struct advance {
    std::uint32_t events = 0;
    std::int64_t longest_sleep = 0;
    std::int64_t passed = 0;
};

struct thread_time {
    // Others know of the first ones alone, so that what they know does not depend on how far this thread has run.
    static constexpr std::size_t most_advances = 16;

    std::int64_t longest_sleep = 0;
    std::uint64_t random = 1;
    virtual_clock clock;
    std::array<advance, most_advances> advances{};

    void go_forward(std::int64_t sleep, std::int64_t passed) noexcept {
        longest_sleep = std::max(longest_sleep, sleep);
        clock.passed = std::max(clock.passed, passed);
    }
    void note_advance(std::uint32_t events) noexcept {
        if (clock.advances < most_advances) advances[clock.advances++] = {events, longest_sleep, clock.passed};
    }
    // Another thread begins in this slot. Who knows advances of the one before still knows them: its events go on.
    void begin_reusing_id() noexcept { *this = {.clock = {.advances = clock.advances}, .advances = advances}; }
    // The last advance that `is_known` accepts; null: none. Later ones have come further.
    template <class Known>
    [[nodiscard]] const advance* last_known(Known is_known) const noexcept {
        for (std::size_t i = clock.advances; i > 0; --i) {
            if (is_known(advances[i - 1])) return &advances[i - 1];
        }
        return nullptr;
    }
};

constinit per_thread<thread_time> times;

thread_time& own(const instrumented_runtime& runtime) noexcept { return times[thread_slot(runtime)]; }

// To the times of others that happen before this point: the clocks are the same for all.
void catch_up(const instrumented_runtime& runtime) noexcept {
    thread_time& mine = own(runtime);
    for (std::size_t slot = 0; slot < times.used().size(); ++slot) {
        const thread_time& other = times.at(slot);
        if (&other == &mine) continue;
        const auto is_known = [&](const advance& each) {
            return runtime.happens_before_here(static_cast<int>(slot) - 1, each.events);
        };
        if (const advance* const known = other.last_known(is_known))
            mine.go_forward(known->longest_sleep, known->passed);
    }
}

std::int64_t now(const instrumented_runtime& runtime, clockid_t clock) noexcept {
    const bool calendar = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
    const std::int64_t start = calendar ? virtual_time::start_of_calendar : virtual_time::start_of_others;
    if (const auto passed = runtime.time_passed()) return start + static_cast<std::int64_t>(*passed);
    catch_up(runtime);
    return start + own(runtime).longest_sleep + own(runtime).clock.passed;
}

// The standard library reads clocks in order to wait, and discards the result. Other code may retain it.
bool is_users(const code_location& at) { return is_trial_code(at.address) && !is_library_code(at.address); }

std::int64_t look(instrumented_runtime& runtime, clockid_t clock, const code_location& at) {
    if (is_users(at)) {
        const std::uint64_t looked = ++own(runtime).clock.looked;
        if (looked > most_looks) runtime.refuse("a loop that waits for a clock to go on", plain_code_site(at));
        if (looked > looks_without_time && runtime.time_passed())
            runtime.sleep(time_of_a_look << std::min<std::uint64_t>((looked - looks_without_time) / 64, 20),
                          plain_code_site(at));
    }
    return now(runtime, clock);
}

std::int64_t as_nanoseconds(const timespec& time) noexcept { return time.tv_sec * nanoseconds + time.tv_nsec; }

int sleep_on_trial(instrumented_runtime& runtime, const code_location& at, std::int64_t duration) {
    if (runtime.time_passed()) {
        runtime.sleep(static_cast<std::uint64_t>(std::max<std::int64_t>(duration, 0)), plain_code_site(at));
        return 0;
    }
    thread_time& mine = own(runtime);
    if (duration > mine.longest_sleep) {
        mine.longest_sleep = duration;
        mine.note_advance(runtime.events());
    }
    runtime.yield(plain_code_site(at));
    return 0;
}

int sleep_on_trial(instrumented_runtime& runtime, const code_location& at, const timespec* duration) {
    caller_accesses::of_trial_code(at).reads_object(duration);
    return sleep_on_trial(runtime, at, as_nanoseconds(*duration));
}

}  // namespace

void model_time::begin_execution() noexcept { times.clear(); }
void model_time::begin_thread(int thread) noexcept { times[static_cast<std::size_t>(thread) + 1].begin_reusing_id(); }
void model_time::save(snapshot& to) { times.save(to); }
void model_time::restore(snapshot& from) { times.restore(from); }

// The generator of Knuth's MMIX.
int model_time::next_random(const instrumented_runtime& runtime) noexcept {
    std::uint64_t& state = own(runtime).random;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>(state >> 33);
}

void model_time::seed_random(const instrumented_runtime& runtime, unsigned seed) noexcept {
    own(runtime).random = seed;
}

std::uint64_t model_time::fingerprint() noexcept {
    std::uint64_t hash = 0;
    for (std::size_t slot = 0; slot < times.used().size(); ++slot) {
        const thread_time& each = times.at(slot);
        if (each.longest_sleep == 0 && each.random == thread_time{}.random) continue;
        hash = hash_of_number(static_cast<std::uint64_t>(each.longest_sleep), hash_of_number(each.random, hash + slot));
    }
    return hash;
}

std::optional<wait_timeout> model_time::limit_of(const instrumented_runtime& runtime, clockid_t clock,
                                                 const timespec& until) noexcept {
    if (until.tv_nsec < 0 || until.tv_nsec >= nanoseconds) return std::nullopt;
    const std::int64_t present = now(runtime, clock);
    // In seconds first: the most distant points in time overflow in nanoseconds.
    if (until.tv_sec - present / nanoseconds > virtual_time::horizon / nanoseconds) return wait_timeout{};
    if (until.tv_sec < present / nanoseconds) return wait_timeout{.when = wait_timeout::kind::expired};
    const std::int64_t distance = as_nanoseconds(until) - present;
    if (distance <= 0) return wait_timeout{.when = wait_timeout::kind::expired};
    return wait_timeout{.when = wait_timeout::kind::pending, .distance = static_cast<std::uint64_t>(distance)};
}

timespec model_time::after(const instrumented_runtime& runtime, clockid_t clock, const timespec& duration) noexcept {
    const std::int64_t present = now(runtime, clock);
    timespec result{present / nanoseconds + duration.tv_sec, present % nanoseconds + duration.tv_nsec};
    if (result.tv_nsec >= nanoseconds && duration.tv_nsec < nanoseconds) {
        result.tv_nsec -= nanoseconds;
        ++result.tv_sec;
    }
    return result;
}

bool model_time::sleep_until(instrumented_runtime& runtime, const wait_timeout& limit, site_id site) {
    if (!runtime.time_passed() || limit.when != wait_timeout::kind::pending) return false;
    runtime.sleep(limit.distance, site);
    return true;
}

// By whole seconds: the fraction of a point in time stays the same in each iteration of a loop.
void model_time::come_to(const instrumented_runtime& runtime, const wait_timeout& limit) noexcept {
    if (runtime.time_passed()) return;
    const auto distance = static_cast<std::int64_t>(limit.distance);
    own(runtime).clock.passed += (distance + nanoseconds - 1) / nanoseconds * nanoseconds;
    own(runtime).note_advance(runtime.events());
}

void model_time::time_out(instrumented_runtime& runtime, const wait_timeout& limit, site_id site) {
    come_to(runtime, limit);
    runtime.time_out(site);
}

void model_time::set_forward(int thread, int other) noexcept {
    const thread_time& earlier = times.at(static_cast<std::size_t>(other + 1));
    times[static_cast<std::size_t>(thread + 1)].go_forward(earlier.longest_sleep, earlier.clock.passed);
}

std::uint64_t model_time::time_of(int thread) noexcept {
    const thread_time& of = times.at(static_cast<std::size_t>(thread + 1));
    return static_cast<std::uint64_t>(of.longest_sleep) * 31 + static_cast<std::uint64_t>(of.clock.passed);
}

// Where time passes, a thread that has looked at a clock may go on another way.
virtual_clock model_time::clock() noexcept {
    virtual_clock result = times.at(thread_slot(*active_instrumented_runtime)).clock;
    if (active_instrumented_runtime->time_passed()) result.passed = static_cast<std::int64_t>(result.looked);
    return result;
}
void model_time::set_clock(const virtual_clock& before) noexcept { own(*active_instrumented_runtime).clock = before; }

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

int sched_yield() noexcept {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_yield();
    runtime->yield(plain_code_site(code_location_here("yield")));
    return 0;
}
[[gnu::weak]] void thrd_yield() {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_thrd_yield();
    runtime->yield(plain_code_site(code_location_here("yield")));
}
int nanosleep(const timespec* duration, timespec* remaining) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_nanosleep(duration, remaining);
    return sleep_on_trial(*runtime, code_location_here("sleep"), duration);
}
[[gnu::weak]] int thrd_sleep(const timespec* duration, timespec* remaining) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_thrd_sleep(duration, remaining);
    return sleep_on_trial(*runtime, code_location_here("sleep"), duration);
}
int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* remaining) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_clock_nanosleep(clock, flags, time, remaining);
    const code_location at = code_location_here("sleep");
    caller_accesses::of_trial_code(at).reads_object(time);
    const std::int64_t until = as_nanoseconds(*time);
    const std::int64_t duration = (flags & TIMER_ABSTIME) != 0 ? until - now(*runtime, clock) : until;
    return sleep_on_trial(*runtime, at, duration);
}
int usleep(useconds_t duration) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_usleep(duration);
    return sleep_on_trial(*runtime, code_location_here("sleep"), std::int64_t{duration} * 1000);
}
unsigned sleep(unsigned seconds) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_sleep(seconds);
    sleep_on_trial(*runtime, code_location_here("sleep"), seconds * nanoseconds);
    return 0;
}

int clock_gettime(clockid_t clock, timespec* result) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_clock_gettime(clock, result);
    const code_location at = code_location_here("clock_gettime");
    const std::int64_t now = look(*runtime, clock, at);
    caller_accesses::of_trial_code(at).writes_object(result);
    *result = {now / nanoseconds, now % nanoseconds};
    return 0;
}
int gettimeofday(timeval* result, void* zone) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_gettimeofday(result, zone);
    const code_location at = code_location_here("gettimeofday");
    const std::int64_t now = look(*runtime, CLOCK_REALTIME, at);
    const caller_accesses caller = caller_accesses::of_trial_code(at);
    caller.writes_object(result);
    if (zone != nullptr) {
        caller.writes(zone, sizeof(struct timezone));
        *static_cast<struct timezone*>(zone) = {};
    }
    *result = {now / nanoseconds, now % nanoseconds / 1000};
    return 0;
}
time_t time(time_t* result) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_time(result);
    const code_location at = code_location_here("time");
    const time_t now = look(*runtime, CLOCK_REALTIME, at) / nanoseconds;
    caller_accesses::of_trial_code(at).writes_object(result);
    if (result != nullptr) *result = now;
    return now;
}

clock_t __wrap_clock() { return runtime_on_trial() == nullptr ? clock() : 0; }
int __wrap_timespec_get(timespec* result, int base) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr || base != TIME_UTC) return timespec_get(result, base);
    const code_location at = code_location_here("timespec_get");
    const std::int64_t now = look(*runtime, CLOCK_REALTIME, at);
    caller_accesses(at).writes_object(result);
    *result = {now / nanoseconds, now % nanoseconds};
    return base;
}

// now() of std::chrono's clocks. It is in the shared library, where its caller would be unknown.
std::int64_t ordeal_steady_now() asm("_ZNSt6chrono3_V212steady_clock3nowEv");
std::int64_t __wrap__ZNSt6chrono3_V212steady_clock3nowEv() {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return ordeal_steady_now();
    return look(*runtime, CLOCK_MONOTONIC, code_location_here("steady_clock::now"));
}
std::int64_t ordeal_system_now() asm("_ZNSt6chrono3_V212system_clock3nowEv");
std::int64_t __wrap__ZNSt6chrono3_V212system_clock3nowEv() {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return ordeal_system_now();
    return look(*runtime, CLOCK_REALTIME, code_location_here("system_clock::now"));
}

// The compiler plugin replaces reads of the processor's own clock by this.
std::uint64_t __ordeal_time_stamp() {
    const code_location at = code_location_here("time stamp");
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return static_cast<std::uint64_t>(ordeal_steady_now());
    runtime->note_limit("the processor's clock stands still, so that a branch on it always goes the same way",
                        plain_code_site(at));
    return static_cast<std::uint64_t>(look(*runtime, CLOCK_MONOTONIC, at));
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace ordeal::detail
