// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only translation unit that includes Relacy. Nothing here may allocate with `new` or use a container: Relacy's
// inline operator new would count it as an allocation of the test. Built with RL_DO_ASSERT=1, so that an order unknown
// to Relacy stops the search instead of doing nothing.
#include "ordeal/engine/relacy/kernel.hpp"

#include "ordeal/runtime/word.hpp"

#include <cstdlib>
#include <ostream>
#include <utility>

#include "ordeal/engine/relacy/search_scheduler.hpp"

namespace ordeal::detail::relacy {

bool operator==(const stored_value& left, const stored_value& right) noexcept { return left.value == right.value; }

// Relacy applies `+` to a value and an operand where the operation takes effect; the operand says which operation it
// stands for.
stored_value operator+(const stored_value& old, const stored_value& operand) noexcept {
    stored_value result = operand;
    result.value = changed_word(static_cast<modification>(operand.how), old.value, operand.value, operand.size);
    return result;
}

// Relacy's histories are not used, but must compile.
std::ostream& operator<<(std::ostream& out, const stored_value& value) { return out << value.value; }

namespace {

template <::rl::thread_id_t Threads>
struct suite : ::rl::test_suite<suite<Threads>, Threads> {
    void before() { active->what->begin(); }
    void thread(unsigned index) { active->what->run(static_cast<int>(index)); }
    void after() { active->what->end(); }
};

ending ending_of(::rl::test_result_e result) {
    switch (result) {
        case ::rl::test_result_success: return ending::finished;
        case ::rl::test_result_user_assert_failed: return ending::failed;
        case ::rl::test_result_deadlock:
        case ::rl::test_result_recursion_on_nonrecursive_mutex: return ending::deadlock;
        case ::rl::test_result_livelock: return ending::livelock;
        case ::rl::test_result_unlocking_mutex_wo_ownership:
        case ::rl::test_result_destroying_owned_mutex: return ending::lock_misuse;
        default: return ending::other;
    }
}

template <::rl::thread_id_t Threads>
void run_with(::rl::test_params& params) {
    ::rl::ostringstream state;
    active->result.how = ending_of(::rl::run_test<suite<Threads>, search_scheduler<Threads>>(params, state, false));
}

::rl::memory_order to_relacy(order value) noexcept {
    switch (value) {
        case order::relaxed: return ::rl::mo_relaxed;
        case order::acquire: return ::rl::mo_acquire;
        case order::release: return ::rl::mo_release;
        case order::acq_rel: return ::rl::mo_acq_rel;
        case order::seq_cst: break;
    }
    return ::rl::mo_seq_cst;
}

using relacy_atomic = ::rl::atomic<stored_value>;

// Storage of our own, so that neither side's operator new is involved. Freed blocks are kept for the next object.
template <class T>
class pool {
public:
    void* take() {
        if (free_ == nullptr) return std::malloc(sizeof(T) < sizeof(void*) ? sizeof(void*) : sizeof(T));
        void* const block = free_;
        free_ = *static_cast<void**>(block);
        return block;
    }
    void give_back(void* block) {
        *static_cast<void**>(block) = free_;
        free_ = block;
    }

private:
    void* free_ = nullptr;
};

pool<relacy_atomic> atomics;
// Relacy puts a scheduling point before every operation; ours are separate.
class uninterrupted {
public:
    uninterrupted() noexcept { ::rl::ctx().disable_preemption(); }
    ~uninterrupted() { ::rl::ctx().enable_preemption(); }
    uninterrupted(const uninterrupted&) = delete;
    uninterrupted& operator=(const uninterrupted&) = delete;
};

using relacy_mutex = ::rl::mutex;
pool<relacy_mutex> mutexes;

// The number of threads is a template parameter of Relacy.
template <std::size_t... Before>
bool run_with_one_of(::rl::test_params& params, int threads, std::index_sequence<Before...>) {
    return ((threads == static_cast<int>(Before + 1) && (run_with<Before + 1>(params), true)) || ...);
}

}  // namespace

run_result run(program& what, const run_options& how) {
    static control instance;
    instance.what = &what;
    instance.how = how;
    instance.result = {};
    active = &instance;

    std::ostream silent(nullptr);
    ::rl::test_params params;
    params.output_stream = &silent;
    params.progress_stream = &silent;
    params.search_type = how.random ? ::rl::random_scheduler_type : ::rl::fair_full_search_scheduler_type;
    params.execution_depth_limit = 2 * how.step_limit;  // counted at the scheduling point and at the operation
    if (!run_with_one_of(params, how.threads, std::make_index_sequence<max_threads>())) {
        instance.result.how = ending::other;
    }
    active = nullptr;
    return instance.result;
}

// Earlier operations count too, as not every operation is at a choice.
void announce(std::uint32_t signature) noexcept { active->signature = active->signature * 0x9e3779b1u + signature; }

int current_thread() noexcept { return ::rl::ctx().threadx_->index_; }

void fail() noexcept {
    ::rl::ctx().fail_test("", ::rl::test_result_user_assert_failed, here);
    std::abort();  // not reached: fail_test leaves the fiber for good
}

unsigned choose(unsigned count) { return ::rl::ctx().rand(count, ::rl::sched_type_user); }

void schedule() { ::rl::ctx().sched(); }
void yield() { ::rl::ctx().yield(1, here); }
// Relacy treats blocking as a yield, after which a thread no longer reads values that it has seen. It may, so this
// undoes that.
class keeps_stale_values {
public:
    keeps_stale_values() noexcept : thread_(*::rl::ctx().threadx_), last_yield_(thread_.last_yield_) {}
    ~keeps_stale_values() { thread_.last_yield_ = last_yield_; }
    keeps_stale_values(const keeps_stale_values&) = delete;
    keeps_stale_values& operator=(const keeps_stale_values&) = delete;

private:
    ::rl::thread_info_base& thread_;
    ::rl::timestamp_t last_yield_;
};

void park() {
    const keeps_stale_values scope;
    ::rl::ctx().park_current_thread(false, false, false, here);
}
void unpark(int thread) { ::rl::ctx().unpark_thread(thread, false, here); }

std::size_t clock(std::uint64_t* entries, std::size_t capacity) noexcept {
    const auto count = static_cast<std::size_t>(::rl::ctx().get_thread_count());
    for (std::size_t i = 0; i < count && i < capacity; ++i) entries[i] = ::rl::ctx().threadx_->acq_rel_order_[i];
    return count < capacity ? count : capacity;
}

void* atomic_create(const stored_value& initial) {
    const uninterrupted scope;
    auto* const atomic = ::new (atomics.take()) relacy_atomic();
    atomic->store(initial, ::rl::mo_relaxed, here);
    return atomic;
}

void atomic_destroy(void* atomic) {
    static_cast<relacy_atomic*>(atomic)->~relacy_atomic();
    atomics.give_back(atomic);
}

stored_value atomic_load(void* atomic, order using_order) {
    const uninterrupted scope;
    return static_cast<relacy_atomic*>(atomic)->load(to_relacy(using_order), here);
}

void atomic_store(void* atomic, const stored_value& value, order using_order) {
    const uninterrupted scope;
    static_cast<relacy_atomic*>(atomic)->store(value, to_relacy(using_order), here);
}

stored_value atomic_modify(void* atomic, const stored_value& operand, order using_order) {
    const uninterrupted scope;
    auto* const object = static_cast<relacy_atomic*>(atomic);
    if (static_cast<modification>(operand.how) == modification::exchange) {
        return object->exchange(operand, to_relacy(using_order), here);
    }
    return object->fetch_add(operand, to_relacy(using_order), here);
}

stored_value atomic_newest(void* atomic) { return static_cast<relacy_atomic*>(atomic)->debug_value(); }

// A compare-exchange that cannot succeed reads the latest value with its failure order: the only exact way to do that.
stored_value atomic_load_newest(void* atomic, order using_order) {
    const uninterrupted scope;
    auto* const object = static_cast<relacy_atomic*>(atomic);
    stored_value seen = object->debug_value();
    ++seen.value;
    const ::rl::memory_order relacy_order = to_relacy(using_order);
    object->compare_exchange(::rl::bool_t<false>(), seen, seen, relacy_order, relacy_order, here);
    return seen;
}

// Relacy mistakes or ignores a failure order that is not weaker than the success order. So the exchange is made with
// failure = relaxed, and after a failure the value is read again with the desired order, with no other thread in
// between.
bool atomic_compare_exchange(void* atomic, stored_value& expected, const stored_value& desired, order success,
                             order failure, bool weak) {
    const uninterrupted scope;
    auto* const object = static_cast<relacy_atomic*>(atomic);
    const ::rl::memory_order order = to_relacy(success);
    const bool stored =
        weak ? object->compare_exchange(::rl::bool_t<true>(), expected, desired, order, ::rl::mo_relaxed, here)
             : object->compare_exchange(::rl::bool_t<false>(), expected, desired, order, ::rl::mo_relaxed, here);
    if (!stored && failure != order::relaxed) expected = atomic_load_newest(atomic, failure);
    return stored;
}

void fence(order using_order) {
    const uninterrupted scope;
    ::rl::context& context = ::rl::ctx();
    switch (using_order) {
        case order::relaxed: break;
        case order::acquire: context.atomic_thread_fence_acquire(); break;
        case order::release: context.atomic_thread_fence_release(); break;
        case order::acq_rel: context.atomic_thread_fence_acq_rel(); break;
        case order::seq_cst: context.atomic_thread_fence_seq_cst(); break;
    }
}

void* mutex_create() { return ::new (mutexes.take()) relacy_mutex(); }
void mutex_destroy(void* mutex) {
    static_cast<relacy_mutex*>(mutex)->~relacy_mutex();
    mutexes.give_back(mutex);
}
void mutex_lock(void* mutex) {
    const keeps_stale_values values;
    const uninterrupted scope;  // suspended by Relacy while the thread is blocked
    static_cast<relacy_mutex*>(mutex)->lock(here);
}
bool mutex_try_lock(void* mutex) {
    const uninterrupted scope;
    return static_cast<relacy_mutex*>(mutex)->try_lock(here);
}
void mutex_unlock(void* mutex) {
    const uninterrupted scope;
    static_cast<relacy_mutex*>(mutex)->unlock(here);
}

void* shadow_create() { return ::rl::ctx().var_ctor(); }
void shadow_destroy(void* shadow) { ::rl::ctx().var_dtor(static_cast<::rl::var_data*>(shadow)); }
void shadow_begin(void* shadow) { static_cast<::rl::var_data*>(shadow)->init(*::rl::ctx().threadx_); }
bool shadow_read(void* shadow) { return static_cast<::rl::var_data*>(shadow)->load(*::rl::ctx().threadx_); }
bool shadow_write(void* shadow) { return static_cast<::rl::var_data*>(shadow)->store(*::rl::ctx().threadx_); }

}  // namespace ordeal::detail::relacy
