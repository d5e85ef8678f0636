// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that differ between machines or processes: random numbers, processors, priorities, process ids. Code on trial
// gets the same answer in every execution, and every verdict that depends on such an answer names it as a limit.
#include "ordeal/instrumented/kernel/fixed_answers.hpp"

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/instrumented/kernel/time_calls.hpp"
#include "ordeal/instrumented/process_state/process_changes.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

namespace ordeal::detail {

namespace {

constinit real_function<int()> real_get_nprocs("get_nprocs");
constinit real_function<int()> real_get_nprocs_conf("get_nprocs_conf");
constinit real_function<long(int)> real_sysconf("sysconf");

constexpr int processors = 2;
constexpr pid_t process_id = 4242;

void note_fixed(instrumented_runtime& runtime, const code_location& at, const char* what) {
    const harness_scope harness;
    runtime.note_limit(std::string(what) + " answers with fixed values", plain_code_site(at));
}

// Null outside a trial; otherwise notes the limit.
instrumented_runtime* answers_on_trial(const code_location& at, const char* what) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) note_fixed(*runtime, at, what);
    return runtime;
}

void fill_at_random(instrumented_runtime& runtime, const code_location& at, void* to, std::size_t size) {
    if (size == 0) return;
    runtime.write_bytes(range_at(to, size), at);
    for (unsigned char& each : std::span(static_cast<unsigned char*>(to), size)) {
        each = static_cast<unsigned char>(model_time::next_random(runtime) >> 16);
    }
}

unsigned word_at_random(instrumented_runtime& runtime) {
    const auto high = static_cast<unsigned>(model_time::next_random(runtime));
    return high << 16 ^ static_cast<unsigned>(model_time::next_random(runtime));
}

double fraction_at_random(instrumented_runtime& runtime) {
    return static_cast<double>(model_time::next_random(runtime)) / 2147483648.0;
}

// Reports all existing processors.
int tell_processors(instrumented_runtime& runtime, const code_location& at, std::size_t size, cpu_set_t* set) {
    runtime.write_bytes(range_at(set, size), at);
    std::memset(set, 0, size);
    for (std::size_t each = 0; each < processors; ++each) CPU_SET_S(each, size, set);
    return 0;
}

// There are no others.
int take_processors(instrumented_runtime& runtime, const code_location& at, std::size_t size, const cpu_set_t* set) {
    runtime.read_bytes(range_at(set, size), at);
    return 0;
}

bool is_of_processors(int name) noexcept { return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF; }

// System calls that create processes, which the model lacks.
const char* name_of_refused(long number) noexcept {
    switch (number) {
#ifdef SYS_fork
        case SYS_fork: return "the system call fork";
        case SYS_vfork: return "the system call vfork";
#endif
        case SYS_clone: return "the system call clone";
#ifdef SYS_clone3
        case SYS_clone3: return "the system call clone3";
#endif
        case SYS_execve: return "the system call execve";
        case SYS_execveat: return "the system call execveat";
        case SYS_exit: return "the system call exit";
        case SYS_exit_group: return "the system call exit_group";
        default: return nullptr;
    }
}

}  // namespace

std::optional<long> fixed_answers::system_call(instrumented_runtime& runtime, const code_location& at, long number,
                                               const arguments& given) {
    if (const char* const name = name_of_refused(number)) runtime.refuse(name, plain_code_site(at));
    switch (number) {
        case SYS_getrandom:
            note_fixed(runtime, at, "getrandom");
            fill_at_random(runtime, at, reinterpret_cast<void*>(given[0]), static_cast<std::size_t>(given[1]));
            return given[1];
        case SYS_getpid: note_fixed(runtime, at, "getpid"); return process_id;
        case SYS_getcpu:
        case SYS_sched_getaffinity: {
            const harness_scope harness;
            runtime.refuse("the system call " + std::to_string(number), plain_code_site(at));
        }
        default: break;
    }
    process_changes::note();
    const harness_scope harness;
    runtime.note_limit("what a system call does to memory was not seen: number " + std::to_string(number),
                       plain_code_site(at));
    return std::nullopt;
}

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,concurrency-mt-unsafe,cert-msc*)
#define ORDEAL_ANSWERS(name) \
    const code_location at = code_location_here(name); \
    instrumented_runtime* const runtime = answers_on_trial(at, name)
// A function of which the answer is all, an expression with `runtime` and `at`.
#define ORDEAL_ANSWERED(result, name, parameters, arguments, answer) \
    result __wrap_##name parameters { \
        ORDEAL_ANSWERS(#name); \
        return runtime == nullptr ? name arguments : (answer); \
    }
#define ORDEAL_SEEDED(name, type) \
    void __wrap_##name(type seed) { \
        const instrumented_runtime* const runtime = runtime_on_trial(); \
        return runtime == nullptr ? name(seed) : model_time::seed_random(*runtime, static_cast<unsigned>(seed)); \
    }

extern "C" {

// For the whole process: std::thread::hardware_concurrency() calls them inside libstdc++.
int get_nprocs() noexcept {
    ORDEAL_ANSWERS("the number of processors");
    return runtime == nullptr ? real_get_nprocs() : processors;
}
int get_nprocs_conf() noexcept {
    ORDEAL_ANSWERS("the number of processors");
    return runtime == nullptr ? real_get_nprocs_conf() : processors;
}
long sysconf(int name) noexcept {
    if (!is_of_processors(name)) return real_sysconf(name);
    ORDEAL_ANSWERS("the number of processors");
    return runtime == nullptr ? real_sysconf(name) : processors;
}

ORDEAL_ANSWERED(int, sched_getaffinity, (pid_t process, std::size_t size, cpu_set_t* set), (process, size, set),
                tell_processors(*runtime, at, size, set))
ORDEAL_ANSWERED(int, pthread_getaffinity_np, (pthread_t thread, std::size_t size, cpu_set_t* set), (thread, size, set),
                tell_processors(*runtime, at, size, set))
ORDEAL_ANSWERED(int, sched_setaffinity, (pid_t process, std::size_t size, const cpu_set_t* set), (process, size, set),
                take_processors(*runtime, at, size, set))
ORDEAL_ANSWERED(int, sched_getcpu, (), (), 0)
int __wrap_pthread_getschedparam(pthread_t thread, int* policy, sched_param* parameters) {
    ORDEAL_ANSWERS("pthread_getschedparam");
    if (runtime == nullptr) return pthread_getschedparam(thread, policy, parameters);
    runtime->write_bytes(range_at(policy, sizeof(*policy)), at);
    runtime->write_bytes(range_at(parameters, sizeof(*parameters)), at);
    *policy = SCHED_OTHER;
    *parameters = {};
    return 0;
}
ORDEAL_ANSWERED(int, sched_getscheduler, (pid_t process), (process), SCHED_OTHER)

ORDEAL_ANSWERED(pid_t, getpid, (), (), process_id)
ORDEAL_ANSWERED(pid_t, getppid, (), (), 1)
int __wrap_uname(utsname* name) {
    ORDEAL_ANSWERS("uname");
    if (runtime == nullptr) return uname(name);
    runtime->write_bytes(range_at(name, sizeof(*name)), at);
    *name = {};
    std::strcpy(name->sysname, "Linux");  // NOLINT(*insecureAPI*): there is room
    return 0;
}
int __wrap_getrusage(__rusage_who_t who, rusage* usage) {
    ORDEAL_ANSWERS("getrusage");
    if (runtime == nullptr) return getrusage(who, usage);
    runtime->write_bytes(range_at(usage, sizeof(*usage)), at);
    *usage = {};
    return 0;
}
clock_t __wrap_times(tms* times_of_process) {
    ORDEAL_ANSWERS("times");
    if (runtime == nullptr) return times(times_of_process);
    runtime->write_bytes(range_at(times_of_process, sizeof(*times_of_process)), at);
    *times_of_process = {};
    return 0;
}
int __wrap_getloadavg(double* averages, int count) {
    ORDEAL_ANSWERS("getloadavg");
    if (runtime == nullptr) return getloadavg(averages, count);
    const std::size_t told = static_cast<std::size_t>(std::clamp(count, 0, 3));
    if (told != 0) runtime->write_bytes(range_at(averages, told * sizeof(double)), at);
    std::fill_n(averages, told, 0.0);
    return static_cast<int>(told);
}

// There is no device to open here. libstdc++'s version would read a file, or ask the processor.
void ordeal_random_device_begins(void* device, const std::string* token) asm(
    "_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
void __wrap__ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(
    void* device, const std::string* token) {
    if (runtime_on_trial() == nullptr) return ordeal_random_device_begins(device, token);
    const caller_accesses caller = accesses_of_caller("std::random_device");
    caller.reads_object(token);
    caller.reads(token->data(), token->size());
}
void ordeal_random_device_ends(void* device) asm("_ZNSt13random_device7_M_finiEv");
void __wrap__ZNSt13random_device7_M_finiEv(void* device) {
    if (runtime_on_trial() == nullptr) ordeal_random_device_ends(device);
}
double ordeal_random_device_entropy(const void* device) asm("_ZNKSt13random_device13_M_getentropyEv");
double __wrap__ZNKSt13random_device13_M_getentropyEv(const void* device) {
    return runtime_on_trial() == nullptr ? ordeal_random_device_entropy(device) : 0.0;
}
unsigned ordeal_random_device(void* device) asm("_ZNSt13random_device9_M_getvalEv");
unsigned __wrap__ZNSt13random_device9_M_getvalEv(void* device) {
    ORDEAL_ANSWERS("std::random_device");
    return runtime == nullptr ? ordeal_random_device(device) : word_at_random(*runtime);
}
unsigned ordeal_random_device_pretr1(void* device) asm("_ZNSt13random_device16_M_getval_pretr1Ev");
unsigned __wrap__ZNSt13random_device16_M_getval_pretr1Ev(void* device) {
    ORDEAL_ANSWERS("std::random_device");
    return runtime == nullptr ? ordeal_random_device_pretr1(device) : word_at_random(*runtime);
}

ssize_t __wrap_getrandom(void* to, size_t size, unsigned flags) {
    ORDEAL_ANSWERS("getrandom");
    if (runtime == nullptr) return getrandom(to, size, flags);
    fill_at_random(*runtime, at, to, size);
    return static_cast<ssize_t>(size);
}
int __wrap_getentropy(void* to, size_t size) {
    ORDEAL_ANSWERS("getentropy");
    if (runtime == nullptr) return getentropy(to, size);
    constexpr std::size_t most = 256;
    if (size > most) return fails_with(EIO);
    fill_at_random(*runtime, at, to, size);
    return 0;
}
ORDEAL_ANSWERED(unsigned, arc4random, (), (), word_at_random(*runtime))
unsigned __wrap_arc4random_uniform(unsigned bound) {
    ORDEAL_ANSWERS("arc4random_uniform");
    if (runtime == nullptr) return arc4random_uniform(bound);
    return bound < 2 ? 0 : word_at_random(*runtime) % bound;
}
void __wrap_arc4random_buf(void* to, size_t size) {
    ORDEAL_ANSWERS("arc4random_buf");
    if (runtime == nullptr) return arc4random_buf(to, size);
    fill_at_random(*runtime, at, to, size);
}

// Each thread has its own random sequence, which restarts in each execution.
ORDEAL_ANSWERED(int, rand, (), (), model_time::next_random(*runtime))
ORDEAL_SEEDED(srand, unsigned)
ORDEAL_ANSWERED(long, random, (), (), model_time::next_random(*runtime))
ORDEAL_SEEDED(srandom, unsigned)
ORDEAL_ANSWERED(double, drand48, (), (), fraction_at_random(*runtime))
ORDEAL_ANSWERED(long, lrand48, (), (), model_time::next_random(*runtime))
ORDEAL_ANSWERED(long, mrand48, (), (), static_cast<int>(word_at_random(*runtime)))
ORDEAL_SEEDED(srand48, long)

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,concurrency-mt-unsafe,cert-msc*)

}  // namespace ordeal::detail
