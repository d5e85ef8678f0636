// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that are used before their scopes begin for the thread that uses them, or after they have ended; by another thread, or
// by the thread itself. Also compiled by other compilers, and at other levels: model_tests/plain/scopes.
#include "model_tests/plain/programs/programs.hpp"

#include <alloca.h>

#include <array>
#include <atomic>
#include <coroutine>
#include <cstdarg>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ordeal::model_tests {

namespace {

/// What others know of a variable. The compiler does not.
template <class Variable>
struct known_variable {
    std::atomic<Variable*> address{nullptr};

    void lend(Variable& what) { address.store(&what, release); }
    [[nodiscard]] Variable& it() const { return *address.load(acquire); }
};

// ---- After the end ----

template <class How>
struct used_by_its_own_thread : How {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        known_variable<typename How::variable> known;
        {
            typename How::variable local{1};
            known.lend(local);
        }
        How::use(known.it());
    }
};

template <class How>
struct used_after_its_function : How {
    static constexpr auto threads = only_main;
    known_variable<typename How::variable> known;

    void run(int /*thread*/) {
        lend();
        How::use(known.it());
    }

private:
    [[gnu::noinline]] void lend() {
        typename How::variable local{1};
        known.lend(local);
    }
};

// All is ordered: it is over before the other one begins.
template <class How>
struct used_by_another_thread : How {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        known_variable<typename How::variable> known;
        {
            typename How::variable local{1};
            known.lend(local);
        }
        std::thread other([&known] { How::use(known.it()); });
        other.join();
    }
};

template <class How>
struct used_while_it_ends : How {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::thread other;
        {
            typename How::variable local{1};
            other = std::thread([&local] { How::use(local); });
        }
        other.join();
    }
};

template <class How>
struct used_until_it_ends : How {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        for (int i = 0; i < 2; ++i) {
            typename How::variable local{1};
            std::thread other([&local] { How::use(local); });
            other.join();
            How::use(local);
        }
    }
};

struct changes_an_atomic {
    using variable = std::atomic<int>;
    static void use(variable& what) { what.fetch_add(1, relaxed); }
};
struct loads_an_atomic {
    using variable = std::atomic<long>;
    static void use(variable& what) { (void)what.load(relaxed); }
};
struct stores_to_an_atomic {
    using variable = std::atomic<short>;
    static void use(variable& what) { what.store(2, relaxed); }
};
struct reads_a_number {
    using variable = int;
    static void use(const variable& what) { require(const_cast<const volatile int&>(what) != -1); }
};
struct writes_a_number {
    using variable = int;
    static void use(variable& what) { const_cast<volatile int&>(what) = 2; }
};
struct locks_a_mutex {
    struct variable {
        explicit variable(int /*unused*/) {}
        std::mutex mutex;
    };
    static void use(variable& what) { const std::lock_guard lock(what.mutex); }
};

// Lower than the frames of what is called afterwards.
constexpr int long_array = 16'384;

struct array_used_after_its_function {
    static constexpr auto threads = only_main;
    known_variable<volatile int> known;

    void run(int /*thread*/) {
        lend(long_array);
        known.it() = 2;
    }

private:
    [[gnu::noinline]] void lend(std::size_t length) {
        auto* const room = static_cast<volatile int*>(alloca(length * sizeof(int)));
        room[0] = 1;
        known.lend(room[0]);
    }
};

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wvla-cxx-extension"
template <bool After>
struct array_used_after_its_block {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        known_variable<volatile int> known;
        for (volatile int i = 0; i < 2; i = i + 1) {
            volatile int array[long_array + i];
            array[0] = 1;
            known.lend(array[0]);
            known.it() = 2;
        }
        if (After) known.it() = 3;
    }
};
#pragma clang diagnostic pop
#endif

// ---- Before the beginning ----

// The other one knows where it is. Nothing orders what it does after that.
template <std::memory_order Store, std::memory_order Load>
struct lent_before_it_begins {
    static constexpr auto threads = std::array{"lends", "writes"};
    std::atomic<int*> known{nullptr};
    std::atomic<bool> done{false};

    void run(int thread) {
        if (thread == 0) {
            int local;
            known.store(&local, Store);
            done.wait(false, acquire);
        } else {
            if (int* const found = known.load(Load)) *found = 1;
            done.store(true, release);
            done.notify_one();
        }
    }
};

template <bool Written>
struct read_by_another_thread {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        int local;
        if (Written) const_cast<volatile int&>(local) = 1;
        std::thread other([&local] { require(const_cast<const volatile int&>(local) != -1); });
        other.join();
    }
};

// ---- Right, and used again ----

struct arrays_of_any_length {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        for (int length = 1; length < 4; ++length) {
            frame_of_before();
            auto* const room = static_cast<int*>(alloca(static_cast<std::size_t>(length) * sizeof(int)));
            std::thread other([=] { room[length - 1] = length; });
            other.join();
            require(room[length - 1] == length);
        }
    }

private:
    [[gnu::noinline]] static void frame_of_before() {
        std::array<std::atomic<int>, 8> local{};
        known_variable<std::atomic<int>> known;
        for (std::atomic<int>& each : local) known.lend(each);
    }
};

// ---- Right, and known to nobody else: the compiler plugin does not tell the scopes ----

/// Calls a function where the frame of another one has been, all of which others know of.
class after_another_frame {
public:
    template <class Function>
    auto call(Function function) {
        lend();
        return function();
    }

private:
    [[gnu::noinline]] void lend() {
        volatile char room[1'024];
        room[0] = 1;
        known_.lend(room[0]);
    }

    known_variable<volatile char> known_;
};

struct padding_that_is_copied {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        for (int i = 0; i < 2; ++i) {
            const std::unique_ptr<node> made = after_another_frame().call([i] { return made_of(i); });
            require(made->value.value == i);
        }
    }

private:
    struct padded {
        long double value;
    };
    struct node {
        explicit node(padded&& from) : value(std::move(from)) {}
        int count = 1;
        padded value;
    };
    [[gnu::noinline]] static std::unique_ptr<node> made_of(long double value) {
        padded local{value};
        return std::make_unique<node>(std::move(local));
    }
};

struct one_of_two_arrays {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::array<int, length> lent{};
        std::thread other([&lent] { require(sum_in(lent.data()) == 120); });
        other.join();
        require(after_another_frame().call([] { return sum_in(nullptr); }) == 120);
    }

private:
    static constexpr int length = 16;

    [[gnu::noinline]] static int sum_in(int* lent) {
        int local[length];
        int* const used = lent != nullptr ? lent : local;
        for (int i = 0; i < length; ++i) used[i] = i;
        int result = 0;
        for (int i = 0; i < length; ++i) result += used[i];
        return result;
    }
};

// Copied, and set, by functions of the C library.
struct large_copies {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        for (volatile int i = 0; i < 2; i = i + 1) {
            require(after_another_frame().call([&] { return copied(i); }) == 3 * i);
            require(after_another_frame().call([&] { return zeroed(i); }) == i);
        }
    }

private:
    struct numbers {
        std::array<int, 128> all;
    };
    [[gnu::noinline]] static int copied(int i) {
        numbers first;
        first.all[static_cast<std::size_t>(i)] = i;
        numbers second = first;
        second.all[static_cast<std::size_t>(i)] += i;
        first = second;
        return first.all[static_cast<std::size_t>(i)] + second.all[static_cast<std::size_t>(i)] - i;
    }
    [[gnu::noinline]] static int zeroed(int i) {
        numbers local{};
        local.all[static_cast<std::size_t>(i)] += i;
        return local.all[static_cast<std::size_t>(i)] + local.all[static_cast<std::size_t>(i) + 1];
    }
};

struct large_value {
    std::array<int, 16> all{};
};

struct arguments_by_value {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        for (int i = 0; i < 2; ++i) {
            large_value value;
            value.all.fill(i);
            require(sum(value, 2, i, i) == 18 * i);
        }
    }

private:
    [[gnu::noinline]] static int sum(large_value by_value, int count, ...) {
        known_variable<large_value> known;
        known.lend(by_value);
        int result = 0;
        for (const int each : known.it().all) result += each;
        std::va_list list;
        va_start(list, count);
        while (count-- != 0) result += va_arg(list, int);
        va_end(list);
        return result;
    }
};

// A jump leads into the scope of what has no value yet.
struct jumped_into {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        for (volatile int i = 0; i < 3; i = i + 1) {
            switch (i) {
                int local;
                case 0:
                    local = 4;
                    require(see(local) == 4);
                    break;
                case 1:
                    local = 5;
                    require(see(local) == 5);
                    break;
                default:
                    local = 6;
                    require(see(local) == 6);
                    break;
            }
        }
    }

private:
    [[gnu::noinline]] static int see(int& what) {
        known_variable<int> known;
        known.lend(what);
        return known.it();
    }
};

struct optional_in_a_loop {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        for (int i = 0; i < 3; ++i) {
            std::optional<std::mutex> local;
            local.emplace();
            known_variable<std::mutex> known;
            known.lend(*local);
            const std::lock_guard lock(known.it());
        }
    }
};

template <std::size_t Size>
struct frame_of_alloca {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::atomic<int> seen{0};
        std::thread other([&] {
            auto* const room = static_cast<volatile char*>(alloca(Size));
            room[0] = 1;
            seen.store(room[0], relaxed);
        });
        other.join();
    }
};

// An atomic variable whose address leads nowhere, more than once at one place of the stack: each begins with its own
// value. Other threads exist, so that its operations are events.
struct atomic_of_one_function {
    static constexpr auto threads = std::array{"one", "another"};

    struct ring {
        std::atomic<unsigned> written;
        std::array<unsigned, 8> values;

        void push(unsigned what) {
            const unsigned at = written.load(relaxed);
            values[at % values.size()] = what;
            written.store(at + 1, release);
        }
    };

    [[gnu::noinline]] static unsigned of_a_call(unsigned first) {
        ring own{{first}, {}};
        own.push(1);
        own.push(2);
        return own.written.load(relaxed) + own.values[first % 8];
    }
    void run(int thread) {
        const unsigned first = thread == 0 ? 10 : 20;
        require(of_a_call(first) == first + 3);
        require(of_a_call(first + 4) == first + 7);
        require(of_a_call(first + 4) == first + 7);
    }
};

template <class Program>
using after_scope = wrong<Program, violation_kind::use_after_scope>;

#if defined(__clang__)
// ---- In the frame of a coroutine ----

class stepwise {
public:
    struct promise_type {
        stepwise get_return_object() { return stepwise(std::coroutine_handle<promise_type>::from_promise(*this)); }
        [[nodiscard]] std::suspend_always initial_suspend() const noexcept { return {}; }
        [[nodiscard]] std::suspend_always final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const { throw; }
    };

    explicit stepwise(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
    stepwise(const stepwise&) = delete;
    stepwise& operator=(const stepwise&) = delete;
    ~stepwise() { frame_.destroy(); }

    void step() const { frame_.resume(); }
    [[nodiscard]] bool done() const { return frame_.done(); }

private:
    std::coroutine_handle<promise_type> frame_;
};

// Another thread takes the second step, and uses the variable of the first.
template <bool After>
struct local_of_a_coroutine {
    static constexpr auto threads = std::array{"first", "second"};
    known_variable<int> known;
    std::atomic<int> steps{0};
    stepwise all = run_all();

    stepwise run_all() {
        {
            int local = 3;
            known.lend(local);
            co_await std::suspend_always{};
            if (!After) require(known.it() == 3);
            ++local;
        }
        co_await std::suspend_always{};
        if (After) require(known.it() == 4);
    }

    void run(int thread) {
        if (thread == 0) {
            all.step();
            steps.store(1, release);
        } else if (steps.load(acquire) == 1) {
            all.step();
            all.step();
        }
    }
};

// Scopes that begin again, are left early, and end with the coroutine.
struct scopes_of_a_coroutine {
    static constexpr auto threads = std::array{"first", "second"};
    std::mutex lock;
    int sum = 0;
    stepwise all = run_all("abc");

    static void add(int* to) { *to += 1; }

    stepwise run_all(std::string text) {
        for (int i = 0; i < 3; ++i) {
            int local = i;
            add(&local);
            {
                std::array<int, 3> more{1, 2, local};
                add(&more[2]);
                co_await std::suspend_always{};
                sum += more[2];
            }
            std::atomic<int> counted{local};
            if (i == 1) continue;
            co_await std::suspend_always{};
            sum += counted.fetch_add(1);
            const std::vector<int> some{1, 2, counted.load()};
            co_await std::suspend_always{};
            sum += some[2];
        }
        sum += static_cast<int>(text.size());
        text.clear();
        co_await std::suspend_always{};
    }

    void run(int /*thread*/) {
        for (int i = 0; i < 4; ++i) {
            const std::lock_guard mine(lock);
            all.step();
        }
    }
    void finish() const { require(sum == 2 + 1 + 2 + 3 + 4 + 3 + 4 + 3); }
};
#endif

ORDEAL_SCENARIO("programs/scope_changed_until_it_ends", met<used_until_it_ends<changes_an_atomic>>);
ORDEAL_SCENARIO("programs/scope_written_until_it_ends", met<used_until_it_ends<writes_a_number>>);
ORDEAL_SCENARIO("programs/scope_locked_until_it_ends", met<used_until_it_ends<locks_a_mutex>>);
ORDEAL_SCENARIO("programs/scope_of_atomic_that_is_not_lent", met<atomic_of_one_function>);
ORDEAL_SCENARIO("programs/scope_of_arrays", met<arrays_of_any_length>);
ORDEAL_SCENARIO("programs/scope_of_arguments", arguments_by_value);
ORDEAL_SCENARIO("programs/scope_jumped_into", jumped_into);
ORDEAL_SCENARIO("programs/scope_of_padding", padding_that_is_copied);
ORDEAL_SCENARIO("programs/scope_of_one_of_two", met<one_of_two_arrays>);
ORDEAL_SCENARIO("programs/scope_of_large_copies", large_copies);
ORDEAL_SCENARIO("programs/scope_of_optional", optional_in_a_loop);

ORDEAL_SCENARIO("programs/scope_changed_by_its_thread", after_scope<used_by_its_own_thread<changes_an_atomic>>);
ORDEAL_SCENARIO("programs/scope_loaded_by_its_thread", after_scope<used_by_its_own_thread<loads_an_atomic>>);
ORDEAL_SCENARIO("programs/scope_stored_by_its_thread", after_scope<used_by_its_own_thread<stores_to_an_atomic>>);
ORDEAL_SCENARIO("programs/scope_read_by_its_thread", after_scope<used_by_its_own_thread<reads_a_number>>);
ORDEAL_SCENARIO("programs/scope_locked_by_its_thread", after_scope<used_by_its_own_thread<locks_a_mutex>>);
#if defined(__OPTIMIZE__)  // else the frames of more functions come over it
ORDEAL_SCENARIO("programs/scope_of_function_changed", after_scope<used_after_its_function<changes_an_atomic>>);
ORDEAL_SCENARIO("programs/scope_of_function_read", after_scope<used_after_its_function<reads_a_number>>);
#endif
ORDEAL_SCENARIO("programs/scope_changed_by_another", after_scope<used_by_another_thread<changes_an_atomic>>);
ORDEAL_SCENARIO("programs/scope_read_by_another", after_scope<used_by_another_thread<reads_a_number>>);
ORDEAL_SCENARIO("programs/scope_written_by_another", after_scope<used_by_another_thread<writes_a_number>>);
ORDEAL_SCENARIO("programs/scope_locked_by_another", after_scope<used_by_another_thread<locks_a_mutex>>);
ORDEAL_SCENARIO("programs/scope_ends_while_changed", after_scope<used_while_it_ends<changes_an_atomic>>);
ORDEAL_SCENARIO("programs/scope_ends_while_stored", after_scope<used_while_it_ends<stores_to_an_atomic>>);
ORDEAL_SCENARIO("programs/scope_ends_while_written", after_scope<used_while_it_ends<writes_a_number>>);
#if defined(__clang__)
ORDEAL_SCENARIO("programs/scope_written_by_its_thread", after_scope<used_by_its_own_thread<writes_a_number>>);
ORDEAL_SCENARIO("programs/scope_of_array_of_function", after_scope<array_used_after_its_function>);
ORDEAL_SCENARIO("programs/scope_of_array_of_block", after_scope<array_used_after_its_block<true>>);
ORDEAL_SCENARIO("programs/scope_of_array_until_it_ends", array_used_after_its_block<false>);
#endif
#if defined(__clang__)
ORDEAL_SCENARIO("programs/scope_in_a_coroutine", after_scope<local_of_a_coroutine<true>>);
ORDEAL_SCENARIO("programs/scope_until_a_coroutine_ends", local_of_a_coroutine<false>);
ORDEAL_SCENARIO("programs/scopes_of_a_coroutine", scopes_of_a_coroutine);
#endif
ORDEAL_SCENARIO("programs/scope_with_a_value", met<read_by_another_thread<true>>);
ORDEAL_SCENARIO("programs/scope_without_a_value",
                wrong<read_by_another_thread<false>, violation_kind::uninitialised_read>);
ORDEAL_SCENARIO("programs/scope_begins_before", lent_before_it_begins<release, acquire>);
ORDEAL_SCENARIO("programs/scope_begins_unordered",
                wrong<lent_before_it_begins<relaxed, relaxed>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/scope_of_7_megabytes", met<frame_of_alloca<std::size_t{7} << 20>>);
ORDEAL_SCENARIO("programs/scope_of_12_megabytes", wrong<frame_of_alloca<std::size_t{12} << 20>, violation_kind::crash>);
ORDEAL_SCENARIO("programs/scope_of_20_megabytes", wrong<frame_of_alloca<std::size_t{20} << 20>, violation_kind::crash>);
ORDEAL_SCENARIO("programs/scope_of_200_megabytes",
                wrong<frame_of_alloca<std::size_t{200} << 20>, violation_kind::crash>);

}  // namespace

}  // namespace ordeal::model_tests
