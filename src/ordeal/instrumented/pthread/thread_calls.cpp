// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of <pthread.h>, on which std::thread and std::jthread are built, and those of <threads.h>.
#include "ordeal/instrumented/pthread/thread_calls.hpp"

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/instrumented/kernel/time_calls.hpp"
#include "ordeal/instrumented/process_state/thread_state.hpp"
#include "ordeal/instrumented/process_state/thread_storage.hpp"
#include "ordeal/instrumented/pthread/c_threads.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/memory/heap.hpp"
#include "ordeal/runtime/per_thread.hpp"
#include "ordeal/runtime/state/hash.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <variant>
#include <vector>

namespace ordeal::detail {

namespace {

constinit real_function<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)> real_create("pthread_create");
constinit real_function<int(pthread_t, void**)> real_join("pthread_join");
constinit real_function<int(pthread_t)> real_detach("pthread_detach");
constinit real_function<pthread_t()> real_self("pthread_self");
constinit real_function<void(void*)> real_exit("pthread_exit");
constinit real_function<int(pthread_t, const char*)> real_setname("pthread_setname_np");
constinit real_function<int(pthread_t, int, const sched_param*)> real_setschedparam("pthread_setschedparam");
constinit real_function<int(pthread_t, std::size_t, const cpu_set_t*)> real_setaffinity("pthread_setaffinity_np");
constinit real_function<int(thrd_t*, thrd_start_t, void*)> real_thrd_create("thrd_create");
constinit real_function<int(thrd_t, int*)> real_thrd_join("thrd_join");
constinit real_function<int(thrd_t)> real_thrd_detach("thrd_detach");
constinit real_function<void(int)> real_thrd_exit("thrd_exit");
constinit real_function<void(void*)> real_register_handler("__pthread_register_cancel");
constinit real_function<void(void*)> real_unregister_handler("__pthread_unregister_cancel");

using posix_routine = void* (*)(void*);

struct started_thread {
    std::variant<posix_routine, thrd_start_t> routine;
    void* argument = nullptr;

    void* run() const {
        if (const auto* const posix = std::get_if<posix_routine>(&routine)) return (*posix)(argument);
        return reinterpret_cast<void*>(std::intptr_t{std::get<thrd_start_t>(routine)(argument)});
    }
};

// The last one with its id.
struct known_thread {
    started_thread start;
    void* result = nullptr;
    bool created = false;
    bool given_up = false;      // joined, detached, or created detached
    bool asked = false;         // its result was requested
    unsigned predecessors = 0;  // which had the id before
    unsigned handlers = 0;      // of pthread_cleanup_push in C, which no exception calls
    bool exits = false;
    started_thread creating;  // others may create threads meanwhile
};

// The engine refuses to create too many.
struct all_threads {
    per_thread<known_thread> all;
};

constinit all_threads threads;

// An OS thread, created before main.
struct early_thread {
    pthread_t id{};
    source_frame creator;
};

// Function-local statics, as they are needed before the constructors of this program have run.
std::mutex& early_mutex() {
    static std::mutex instance;
    return instance;
}
std::vector<early_thread>& early_threads() {
    const harness_scope harness;
    static auto& instance = *new std::vector<early_thread>;  // never destroyed: the parent's threads are joined at exit
    return instance;
}

// The constructors of libraries run before those of this program. Volatile, because a compiler that optimises all
// constructors of this file together would otherwise start with their final state.
constinit volatile bool constructors_run = true;
[[gnu::constructor]] void end_constructors_of_libraries() { constructors_run = false; }

// Only for constructors on trial: a library may have background threads.
void note_early(pthread_t id, const code_location& at) {
    const std::lock_guard lock(early_mutex());
    const std::vector<source_frame> creators = call_stack(at);
    if (!creators.empty()) early_threads().push_back({id, creators.front()});
}

void forget_early(pthread_t id) {
    const std::lock_guard lock(early_mutex());
    std::erase_if(early_threads(), [&](const early_thread& each) { return pthread_equal(each.id, id) != 0; });
}

known_thread& known(int thread) noexcept { return threads.all[static_cast<std::size_t>(thread) + 1]; }

// 0 is no thread, 1 that of construction and finish(). No two threads have the same id.
pthread_t id_of(int thread) noexcept {
    return static_cast<pthread_t>(thread) + 2 + pthread_t{known(thread).predecessors} * most_threads;
}

// -1: no joinable thread.
int thread_of(pthread_t id) noexcept { return id < 2 ? -1 : static_cast<int>((id - 2) % most_threads); }

// Ends the thread that throws it. The C library, too, ends the scopes of the functions that are running, and lets no
// handler keep it.
class thread_exit {
public:
    explicit thread_exit(void* result) noexcept : result_(result) {}
    thread_exit(const thread_exit&) = delete;
    thread_exit& operator=(const thread_exit&) = delete;
    ~thread_exit() {
        instrumented_runtime* const runtime = runtime_on_trial();
        if (runtime != nullptr && !arrived_)
            runtime->fail(violation_kind::precondition, "the exit of a thread is caught and not rethrown", no_site);
    }

    [[nodiscard]] void* arrive() noexcept {
        arrived_ = true;
        return result_;
    }

private:
    void* result_;
    bool arrived_ = false;
};

void* run_to_exit(const started_thread& start) {
    try {
        return start.run();
    } catch (thread_exit& exit) {
        return exit.arrive();
    }
}

constexpr const char* first_is_joined = "the exit of the first thread, which another one joins,";

void exit_on_trial(instrumented_runtime& runtime, const code_location& at, void* result) {
    known_thread& mine = known(runtime.thread());
    if (mine.handlers != 0)
        runtime.refuse("the exit of a thread within pthread_cleanup_push without -fexceptions,", plain_code_site(at));
    if (!mine.created && mine.given_up) runtime.refuse(first_is_joined, plain_code_site(at));
    mine.exits = true;
    throw thread_exit(result);
}

// The process ends when all have ended.
void await_others(instrumented_runtime& runtime) {
    for (std::size_t slot = 0; slot < threads.all.used().size(); ++slot) {
        if (threads.all.at(slot).created) runtime.join_thread(static_cast<int>(slot) - 1, no_site);
    }
}

// The runtime keeps where the thread is started from until it runs, when others may have been created.
void run_started(void* /*next*/) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    const started_thread start = known(runtime->thread()).start;
    void* const result = run_to_exit(start);
    known(runtime->thread()).result = result;
}

// Nothing is left of the thread that had its id.
void begin_reusing_id(int thread) noexcept {
    thread_storage::begin_thread(thread);
    thread_keys::begin_thread(thread);
    signal_handlers::begin_thread(thread);
    model_time::begin_thread(thread);
    heap::begin_thread(thread);
}

bool creates_detached(const pthread_attr_t* attributes) noexcept {
    int state = PTHREAD_CREATE_JOINABLE;
    if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &state);
    return state == PTHREAD_CREATE_DETACHED;
}

int create(instrumented_runtime& runtime, const code_location& at, pthread_t* id, const pthread_attr_t* attributes,
           const started_thread& start) {
    const caller_accesses caller = caller_accesses::of_trial_code(at);
    caller.reads_object(attributes);
    // The end of a constructor of std::thread happens before the beginning of its thread ([thread.thread.constr]), and
    // so does that of thrd_create (C11, 7.26.5.1). With POSIX, the id may be stored when the thread already runs.
    const bool stores_first = is_library_code(at.address) || std::holds_alternative<thrd_start_t>(start.routine);
    if (stores_first) caller.writes_object(id);
    started_thread& creating = known(runtime.thread()).creating;
    creating = start;
    const int thread = runtime.create_thread(&run_started, &creating, plain_code_site(at));
    known_thread& created = known(thread);
    if (created.created) begin_reusing_id(thread);
    created = {.start = start,
               .created = true,
               .given_up = creates_detached(attributes),
               .predecessors = created.predecessors + (created.created ? 1U : 0U),
               .handlers = 0,
               .exits = false,
               .creating = {}};
    model_time::set_forward(thread, runtime.thread());  // it has not run yet
    signal_masks::inherit(thread, runtime.thread());
    if (!stores_first) caller.writes_object(id);
    *id = id_of(thread);
    return 0;
}

// Precondition of POSIX pthread_join and pthread_detach: the thread is joinable.
void give_up(instrumented_runtime& runtime, const code_location& at, pthread_t id) {
    const int thread = thread_of(id);
    bool& before = known(thread).given_up;
    if (before || id != id_of(thread)) {
        runtime.fail(violation_kind::precondition,
                     "a thread is joined or detached that was created detached, or has been joined or detached before",
                     plain_code_site(at));
    }
    before = true;
}

// The C++ library turns errors into exceptions. Under POSIX, whose functions need not detect them, the calls are
// undefined.
int fails(instrumented_runtime& runtime, const code_location& at, int error, const char* wrong) {
    if (is_trial_code(at.address) && !is_library_code(at.address)) {
        runtime.fail(violation_kind::precondition, wrong, plain_code_site(at));
    }
    return error;
}

// The first thread is created by no other.
bool is_thread(pthread_t id) noexcept {
    const int thread = thread_of(id);
    return thread >= 0 && (thread == 0 || known(thread).created) && id <= id_of(thread);
}

int detach(instrumented_runtime& runtime, const code_location& at, pthread_t id) {
    if (!is_thread(id)) return fails(runtime, at, ESRCH, "what is no thread is detached");
    give_up(runtime, at, id);
    return 0;
}

// `Result`: of a thread of POSIX a pointer, of one of C a number.
template <class Result>
int join(instrumented_runtime& runtime, const code_location& at, pthread_t id, Result* result) {
    const int thread = thread_of(id);
    if (!is_thread(id)) return fails(runtime, at, ESRCH, "what is no thread is joined");
    if (id == id_of(runtime.thread())) return fails(runtime, at, EDEADLK, "a thread joins itself");
    give_up(runtime, at, id);
    if (!known(thread).created && known(thread).exits) runtime.refuse(first_is_joined, plain_code_site(at));
    if (result != nullptr) known(thread).asked = true;
    runtime.join_thread(thread, plain_code_site(at));
    model_time::set_forward(runtime.thread(), thread);
    caller_accesses::of_trial_code(at).writes_object(result);
    if (result == nullptr) return 0;
    if constexpr (std::is_pointer_v<Result>) {
        *result = known(thread).result;
    } else {
        *result = static_cast<Result>(reinterpret_cast<std::intptr_t>(known(thread).result));
    }
    return 0;
}

}  // namespace

void model_threads::begin_execution() noexcept { threads.all.clear(); }

void model_threads::run_thread(void (*run)(void* object, int thread), void* object, int thread, bool is_main) {
    try {
        run(object, thread);
    } catch (thread_exit& exit) {
        (void)exit.arrive();
        if (is_main) await_others(*runtime_on_trial());
    }
}

thread_start model_threads::start_of(const void* argument) noexcept {
    const auto& start = *static_cast<const started_thread*>(argument);
    const auto address_of = [](auto* routine) { return reinterpret_cast<std::uintptr_t>(routine); };
    return {std::visit(address_of, start.routine), reinterpret_cast<std::uintptr_t>(start.argument)};
}

bool model_threads::is_result_requested(int thread) noexcept {
    return threads.all.at(static_cast<std::size_t>(thread) + 1).asked;
}

void model_threads::save(snapshot& to) { threads.all.save(to); }

void model_threads::restore(snapshot& from) { threads.all.restore(from); }

// A search runs in a process of its own, which does not have them; and here they would run outside the model.
void model_threads::refuse_early(instrumented_runtime& runtime) {
    if (early_threads().empty()) return;
    site_id place = no_site;
    {
        const harness_scope harness;
        const source_frame& creator = early_threads().front().creator;
        place = sites().add({.key = {creator.file, creator.line, creator.column, role::load},
                             .atomic = false,
                             .function = creator.function,
                             .operation = "create thread",
                             .declared = order::relaxed});
    }
    runtime.refuse("a thread that a constructor of a global object created", place);
}

std::uint64_t model_threads::fingerprint() noexcept {
    std::uint64_t hash = 0;
    for (std::size_t slot = 0; slot < threads.all.used().size(); ++slot) {
        const void* const result = threads.all.at(slot).result;
        if (result != nullptr) hash = hash_of_number(reinterpret_cast<std::uintptr_t>(result), hash + slot);
    }
    return hash;
}

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                   void* argument) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) {
        const int error = real_create(thread, attributes, routine, argument);
        if (error == 0 && constructors_run) note_early(*thread, code_location_here("create thread"));
        return error;
    }
    return create(*runtime, code_location_here("create thread"), thread, attributes, {routine, argument});
}
int pthread_join(pthread_t thread, void** result) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) {
        if (constructors_run) forget_early(thread);
        return real_join(thread, result);
    }
    return join(*runtime, code_location_here("join"), thread, result);
}
// Every execution ends with all its threads, detached or not.
int pthread_detach(pthread_t thread) noexcept {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_detach(thread);
    return detach(*runtime, code_location_here("detach"), thread);
}
void pthread_exit(void* result) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) exit_on_trial(*runtime, code_location_here("exit of the thread"), result);
    real_exit(result);
    __builtin_unreachable();
}
// What pthread_cleanup_push and pthread_cleanup_pop call in C, unless it is compiled with -fexceptions.
// NOLINTBEGIN(bugprone-reserved-identifier)
void __pthread_register_cancel(void* buffer) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_register_handler(buffer);
    ++known(runtime->thread()).handlers;
}
void __pthread_unregister_cancel(void* buffer) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_unregister_handler(buffer);
    --known(runtime->thread()).handlers;
}
// NOLINTEND(bugprone-reserved-identifier)
pthread_t pthread_self() noexcept {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_self();
    runtime->note_own_id();
    return id_of(runtime->thread());
}

[[gnu::weak]] int thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) {
        const int result = real_thrd_create(thread, routine, argument);
        if (result == thrd_success && constructors_run) note_early(*thread, code_location_here("create thread"));
        return result;
    }
    return c_result(create(*runtime, code_location_here("create thread"), thread, nullptr, {routine, argument}));
}
[[gnu::weak]] int thrd_join(thrd_t thread, int* result) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) {
        if (constructors_run) forget_early(thread);
        return real_thrd_join(thread, result);
    }
    return c_result(join(*runtime, code_location_here("join"), thread, result));
}
[[gnu::weak]] int thrd_detach(thrd_t thread) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return real_thrd_detach(thread);
    return c_result(detach(*runtime, code_location_here("detach"), thread));
}
[[gnu::weak]] void thrd_exit(int result) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime != nullptr) {
        exit_on_trial(*runtime, code_location_here("exit of the thread"),
                      reinterpret_cast<void*>(std::intptr_t{result}));
    }
    real_thrd_exit(result);
    __builtin_unreachable();
}
[[gnu::weak]] thrd_t thrd_current() { return pthread_self(); }

// No effect in the model.
int pthread_setname_np(pthread_t thread, const char* name) noexcept {
    if (runtime_on_trial() == nullptr) return real_setname(thread, name);
    caller_accesses::of_trial_code(code_location_here("pthread_setname_np")).reads_text(name);
    return 0;
}
int pthread_setschedparam(pthread_t thread, int policy, const sched_param* parameters) noexcept {
    if (runtime_on_trial() == nullptr) return real_setschedparam(thread, policy, parameters);
    caller_accesses::of_trial_code(code_location_here("pthread_setschedparam")).reads_object(parameters);
    return 0;
}
int pthread_setaffinity_np(pthread_t thread, std::size_t size, const cpu_set_t* processors) noexcept {
    if (runtime_on_trial() == nullptr) return real_setaffinity(thread, size, processors);
    caller_accesses::of_trial_code(code_location_here("pthread_setaffinity_np")).reads(processors, size);
    return 0;
}

}  // extern "C"

}  // namespace ordeal::detail
