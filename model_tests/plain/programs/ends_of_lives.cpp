// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lives that end without an access: destructors that do nothing, and variables whose scope ends. And memory that is used again,
// which has nothing to do with what was there.
#include "model_tests/plain/programs/made_elsewhere.hpp"
#include "model_tests/plain/programs/programs.hpp"

#include <algorithm>
#include <any>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace ordeal::model_tests {

namespace {

using counter = std::atomic<int>;

/// Has a destructor, which does nothing.
struct handle {
    counter uses{0};
    int size = 1;

    handle() = default;
    handle(const handle&) = delete;
    handle& operator=(const handle&) = delete;
    ~handle() {}
};

/// Something that ends in its place. The ways to end it are the derived programs'.
template <class Object>
struct in_place {
    alignas(Object) std::array<std::byte, sizeof(Object)> place{};
    Object* const object = new (static_cast<void*>(place.data())) Object;
};

// ---- Used after its end, and known to be ----

template <class Object>
struct used_after_reset {
    static constexpr auto threads = std::array{"destroys", "uses"};
    std::optional<Object> object{std::in_place};
    Object* const known = &*object;
    std::atomic<bool> gone{false};

    void run(int thread) {
        if (thread == 0) {
            object.reset();
            gone.store(true, release);
        } else if (gone.load(acquire)) {
            use(*known);
        }
    }

    static void use(counter& what) { what.store(1, relaxed); }
    static void use(handle& what) { what.uses.load(relaxed); }
    static void use(std::mutex& what) { const std::lock_guard lock(what); }
};

struct used_after_clear {
    static constexpr auto threads = std::array{"destroys", "uses"};
    std::vector<counter> objects = std::vector<counter>(2);
    counter* const known = objects.data() + 1;
    std::atomic<bool> gone{false};

    void run(int thread) {
        if (thread == 0) {
            objects.clear();
            gone.store(true, release);
        } else if (gone.load(acquire)) {
            ++*known;
        }
    }
};

template <bool Gone>
struct local_is_lent {
    static constexpr auto threads = std::array{"lends", "uses"};
    std::atomic<counter*> lent{nullptr};
    std::atomic<bool> gone{false};
    std::atomic<bool> used{false};

    void run(int thread) {
        if (thread == 0) {
            lend();
            gone.store(true, release);
            gone.notify_one();
            if constexpr (Gone) used.wait(false, acquire);  // its own end does not come first
            return;
        }
        if constexpr (Gone) gone.wait(false, acquire);
        if (counter* const found = lent.load(acquire)) found->store(2, relaxed);
        used.store(true, release);
        used.notify_one();
    }

private:
    void lend() {
        counter local{1};
        lent.store(&local, release);
    }
};

struct notified_after_reset {
    static constexpr auto threads = std::array{"notifies", "waits"};
    std::optional<std::atomic<bool>> done{std::in_place, false};
    std::atomic<bool>* const known = &*done;

    void run(int thread) {
        if (thread == 0) {
            known->store(true, release);
            known->notify_all();
        } else {
            known->wait(false, acquire);
            done.reset();
        }
    }
};

// ---- Used while nothing orders its end after that ----

/// Threads leave, one after the other; the last one destroys. With relaxed it does not know that the others are done.
template <class Object, std::memory_order Leave>
struct last_destroys : in_place<Object> {
    static constexpr auto threads = std::array{"leaves", "leaves"};
    std::atomic<int> users{2};

    void run(int /*thread*/) {
        use(*this->object);
        if (users.fetch_sub(1, Leave) == 1) std::destroy_at(this->object);
    }

private:
    static void use(counter& what) { ++what; }
    static void use(handle& what) { require(what.size == 1); }
    static void use(std::string& what) { require(what.empty()); }
};

template <class Object, std::memory_order Leave>
struct last_calls_the_destructor : in_place<Object> {
    static constexpr auto threads = std::array{"leaves", "leaves"};
    std::atomic<int> users{2};

    void run(int /*thread*/) {
        ++this->object->uses;
        if (users.fetch_sub(1, Leave) == 1) this->object->~Object();
    }
};

template <std::memory_order Leave>
struct member_of_a_union_ends {
    static constexpr auto threads = std::array{"leaves", "leaves"};
    union either {
        either() : first() {}
        ~either() {}
        handle first;
        int second;
    };
    either both;
    std::atomic<int> users{2};

    void run(int /*thread*/) {
        both.first.uses.fetch_add(1, relaxed);
        if (users.fetch_sub(1, Leave) != 1) return;
        both.first.~handle();
        both.second = 3;
    }
};

// ---- Memory that is used again ----

/// Under a lock each makes something where the other has ended something.
template <class Object>
struct made_again {
    static constexpr auto threads = std::array{"first", "second"};
    std::mutex mutex;
    std::optional<Object> object{std::in_place};

    void run(int /*thread*/) {
        const std::lock_guard lock(mutex);
        object.reset();
        object.emplace();
        use(*object);
    }

private:
    static void use(counter& what) { ++what; }
    static void use(handle& what) { ++what.uses; }
    static void use(std::string& what) { what = "seven"; }
};

/// What has ended is linked by its own bytes, which are those of an object again later.
struct dead_objects_are_linked {
    static constexpr auto threads = std::array{"one", "other"};
    struct free_place {
        free_place* next;
    };
    struct alignas(handle) alignas(free_place) place {
        std::array<std::byte, std::max(sizeof(handle), sizeof(free_place))> bytes;
    };
    std::array<place, 1> places{};
    std::atomic<free_place*> first{put(places[0])};

    void run(int /*thread*/) {
        free_place* taken = first.load(acquire);
        if (taken == nullptr) return;
        if (!first.compare_exchange_strong(taken, nullptr, acquire)) return;
        auto* const made = new (static_cast<void*>(taken)) handle;
        ++made->uses;
        made->~handle();
        free_place* const back = put(*reinterpret_cast<place*>(made));
        first.store(back, release);
    }

private:
    static free_place* put(place& where) { return new (static_cast<void*>(where.bytes.data())) free_place{nullptr}; }
};

/// No constructor is seen: the bytes that a thread has ended something in are its own.
struct bytes_become_a_flag {
    static constexpr auto threads = std::array{"makes", "looks"};
    in_place<handle> old;
    std::atomic<int*> flag{nullptr};

    void run(int thread) {
        if (thread == 0) {
            old.object->~handle();
            auto* const bytes = reinterpret_cast<int*>(old.place.data());
            __atomic_store_n(bytes, 5, __ATOMIC_RELAXED);
            flag.store(bytes, release);
        } else if (int* const found = flag.load(acquire)) {
            require(__atomic_load_n(found, __ATOMIC_RELAXED) == 5);
        }
    }
};

/// Each iteration has a variable of its own, which the other thread is the first to write.
struct written_first_by_the_other {
    static constexpr auto threads = std::array{"asks", "answers"};
    std::atomic<int*> asked{nullptr};
    std::atomic<int> answers{0};

    void run(int thread) {
        for (int iteration = 1; iteration <= 2; ++iteration) {
            if (thread == 0) {
                ask(iteration);
            } else {
                int* to = asked.load(acquire);
                while (to == nullptr) to = asked.load(acquire);
                asked.store(nullptr, relaxed);
                __atomic_store_n(to, iteration, __ATOMIC_RELAXED);
                answers.store(iteration, release);
            }
        }
    }

private:
    void ask(int iteration) {
        int answer;  // NOLINT(cppcoreguidelines-init-variables): the other thread does that
        asked.store(&answer, release);
        while (answers.load(acquire) != iteration) {
        }
        require(__atomic_load_n(&answer, __ATOMIC_RELAXED) == iteration);
    }
};

/// Its own destructor waits for who uses its members.
struct joined_by_the_destructor {
    static constexpr auto threads = only_main;
    class worker {
    public:
        worker() = default;
        worker(const worker&) = delete;
        worker& operator=(const worker&) = delete;
        ~worker() {
            stopped_.store(true, relaxed);
            thread_.join();
        }

    private:
        counter turns_{0};
        std::atomic<bool> stopped_{false};
        std::thread thread_{[this] {
            if (!stopped_.load(relaxed)) ++turns_;
        }};
    };

    void run(int /*thread*/) {
        std::optional<worker> one{std::in_place};
        one.reset();
        one.emplace();
    }
};

struct none {
    none() = default;
    none(const none&) = delete;
    none& operator=(const none&) = delete;
    ~none() {}
};

/// An object without members ends where another one lives.
struct ends_beside_another {
    static constexpr auto threads = only_main;
    struct pair {
        counter count{0};
        std::thread thread{[this] { ++count; }};
        [[no_unique_address]] none nothing;

        ~pair() { thread.join(); }
    };

    void run(int /*thread*/) {
        pair both;
        ++both.count;
    }
};

/// Has a destructor, and room in std::any.
template <int Value>
struct small {
    int value = Value;

    small() noexcept = default;
    small(const small&) noexcept = default;
    small& operator=(const small&) noexcept = default;
    ~small() { require(value == Value); }
};

/// Handed over by a flag, from one thread to the other, in what keeps small things in its own memory.
template <class Holder>
struct handed_over {
    static constexpr auto threads = std::array{"gives", "takes"};
    Holder holder;
    std::atomic<bool> ready{false};

    void run(int thread) {
        if (thread == 0) {
            fill(holder);
            fill(holder);
            ready.store(true, release);
        } else if (ready.load(acquire)) {
            fill(holder);
            Holder mine = std::move(holder);
            fill(holder);
            fill(mine);
        }
    }

private:
    static void fill(std::any& what) {
        what.reset();
        what.emplace<small<1>>();
    }
    static void fill(std::variant<int, small<1>, small<2>>& what) {
        what.emplace<small<1>>();
        what.emplace<small<2>>();
    }
    static void fill(std::function<int()>& what) {
        what = nullptr;
        what = [one = 1] { return one; };
    }
    static void fill(std::vector<std::string>& what) {
        what.clear();
        what.emplace_back("b");
        what.pop_back();
        what.emplace_back("c");
    }
};

// ---- Members end in the reverse order of their declaration ----

// A thread that uses a member is joined by the destructor of another, which is declared before or after it.
template <class Member>
struct uses_it {
    Member& used;
    std::thread& worker;

    void begin() { worker = std::thread(*this); }
    void operator()() const { use(used); }

private:
    static void use(std::mutex& it) { const std::lock_guard lock(it); }
    static void use(counter& it) { it.fetch_add(1); }
    static void use(int& it) { ++it; }
};

template <class Member>
struct thread_before_member {
    joining_thread worker;
    Member used{};

    thread_before_member() { uses_it<Member>{used, worker.it}.begin(); }
};

template <class Member>
struct member_before_thread {
    Member used{};
    joining_thread worker;

    member_before_thread() { uses_it<Member>{used, worker.it}.begin(); }
};

template <class Member>
struct threads_before_member {
    std::array<int, 3> before{};
    joining_thread workers[2];
    Member used{};

    threads_before_member() {
        for (joining_thread& each : workers) uses_it<Member>{used, each.it}.begin();
    }
};

struct jthread_before_member {
    std::jthread worker;
    std::byte used{};

    jthread_before_member() {
        worker = std::jthread([this] { used = std::byte{1}; });
    }
};

// The destructor of an empty class, at the place of another member, joins the thread.
std::thread* joined_by_empty = nullptr;
struct empty_that_joins {
    ~empty_that_joins() { joined_by_empty->join(); }
};
struct empty_before_member {
    std::thread worker;
    [[no_unique_address]] empty_that_joins joins;
    counter used{0};

    empty_before_member() {
        joined_by_empty = &worker;
        uses_it<counter>{used, worker}.begin();
    }
};
struct empty_after_member {
    std::thread worker;
    counter used{0};
    [[no_unique_address]] empty_that_joins joins;

    empty_after_member() {
        joined_by_empty = &worker;
        uses_it<counter>{used, worker}.begin();
    }
};

// What a body has of its own ends where the members begin to end.
struct locked_at_last {
    enum class states : unsigned char { begun, ended };

    joining_thread worker;
    std::atomic<states> state{states::begun};
    std::mutex lock;

    locked_at_last() {
        worker.it = std::thread([this] { state.store(states::ended); });
    }
    ~locked_at_last() {
        const std::lock_guard guard(lock);
        if (state.load() == states::ended) return;
        state.store(states::begun);
    }
};

struct base_of_thread : joining_thread {
    counter used{0};

    base_of_thread() { uses_it<counter>{used, it}.begin(); }
};

template <class Member>
struct joined_first : thread_before_member<Member> {
    ~joined_first() {
        this->worker.it.join();
        this->worker.it = std::thread([] {});
    }
};

// A destructor that handles the exceptions of its members, and one that throws them.
struct handles_exceptions : thread_before_member<counter> {
    std::mutex last;
    ~handles_exceptions() try {
    } catch (...) {
    }
};
struct may_throw {
    std::thread worker;
    ~may_throw() noexcept(false) { worker.join(); }
};
struct may_throw_before_member {
    may_throw worker;
    counter used{0};

    may_throw_before_member() { uses_it<counter>{used, worker.worker}.begin(); }
    ~may_throw_before_member() noexcept(false) {}
};

// What a destructor's own body destroys is not followed by the end of the members.
struct destroyed_by_the_body {
    counter& turns;
    union {
        std::string text;
    };
    std::atomic<bool> has_text{true};
    joining_thread worker;

    explicit destroyed_by_the_body(counter& of) : turns(of), text("text") {
        worker.it = std::thread([this] { turns += has_text.load() ? 1 : 2; });
    }
    destroyed_by_the_body(const destroyed_by_the_body&) = delete;
    destroyed_by_the_body& operator=(const destroyed_by_the_body&) = delete;
    ~destroyed_by_the_body() {
        std::destroy_at(&text);
        has_text = false;
    }
};

template <class Object>
struct members_end {
    static constexpr auto threads = only_main;
    static void run(int /*thread*/) { const Object object; }
};

struct a_body_destroys {
    static constexpr auto threads = only_main;
    counter turns{0};

    void run(int /*thread*/) { const destroyed_by_the_body object(turns); }
    void finish() const { require(turns != 0); }
};

ORDEAL_SCENARIO("programs/ends_reset_and_used", wrong<used_after_reset<counter>, violation_kind::use_after_free>);
ORDEAL_SCENARIO("programs/ends_reset_and_its_member_used",
                wrong<used_after_reset<handle>, violation_kind::use_after_free>);
ORDEAL_SCENARIO("programs/ends_reset_and_locked", wrong<used_after_reset<std::mutex>, violation_kind::use_after_free>);
ORDEAL_SCENARIO("programs/ends_cleared_and_used", wrong<used_after_clear, violation_kind::use_after_free>);
ORDEAL_SCENARIO("programs/ends_local_and_used", wrong<local_is_lent<true>, violation_kind::use_after_scope>);
ORDEAL_SCENARIO("programs/ends_local_while_used", wrong<local_is_lent<false>, violation_kind::use_after_scope>);
ORDEAL_SCENARIO("programs/ends_reset_and_notified",
                wrong<notified_after_reset, violation_kind::notification_after_destruction>);
ORDEAL_SCENARIO("programs/ends_last_destroys_atomic", last_destroys<counter, std::memory_order_acq_rel>);
ORDEAL_SCENARIO("programs/ends_last_destroys_atomic_relaxed",
                wrong<last_destroys<counter, relaxed>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/ends_last_destroys_number", last_destroys<handle, std::memory_order_acq_rel>);
ORDEAL_SCENARIO("programs/ends_last_destroys_number_relaxed",
                wrong<last_destroys<handle, relaxed>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/ends_last_destroys_text", last_destroys<std::string, std::memory_order_acq_rel>);
ORDEAL_SCENARIO("programs/ends_last_calls_destructor", last_calls_the_destructor<handle, std::memory_order_acq_rel>);
ORDEAL_SCENARIO("programs/ends_last_calls_destructor_relaxed",
                wrong<last_calls_the_destructor<handle, relaxed>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/ends_member_of_union", member_of_a_union_ends<std::memory_order_acq_rel>);
ORDEAL_SCENARIO("programs/ends_member_of_union_relaxed",
                wrong<member_of_a_union_ends<relaxed>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/ends_atomic_made_again", made_again<counter>);
ORDEAL_SCENARIO("programs/ends_object_made_again", made_again<handle>);
ORDEAL_SCENARIO("programs/ends_text_made_again", made_again<std::string>);
ORDEAL_SCENARIO("programs/ends_dead_objects_are_linked", dead_objects_are_linked);
ORDEAL_SCENARIO("programs/ends_bytes_become_a_flag", bytes_become_a_flag);
ORDEAL_SCENARIO("programs/ends_written_first_by_the_other", written_first_by_the_other);
ORDEAL_SCENARIO("programs/ends_joined_by_the_destructor", joined_by_the_destructor);
ORDEAL_SCENARIO("programs/ends_beside_another", ends_beside_another);
#if defined(__clang__)
ORDEAL_SCENARIO("programs/ends_mutex_before_its_user",
                wrong<members_end<thread_before_member<std::mutex>>, violation_kind::use_after_scope>);
ORDEAL_SCENARIO("programs/ends_atomic_before_its_user",
                wrong<members_end<thread_before_member<counter>>, violation_kind::use_after_scope>);
ORDEAL_SCENARIO("programs/ends_number_before_its_user",
                wrong<members_end<thread_before_member<int>>, violation_kind::use_after_scope>);
ORDEAL_SCENARIO("programs/ends_mutex_before_an_array",
                wrong<members_end<threads_before_member<std::mutex>>, violation_kind::use_after_scope>);
ORDEAL_SCENARIO("programs/ends_atomic_before_its_user_who_throws",
                wrong<members_end<may_throw_before_member>, violation_kind::use_after_scope>);
ORDEAL_SCENARIO("programs/ends_atomic_before_an_exception_is_handled",
                wrong<members_end<handles_exceptions>, violation_kind::use_after_scope>);
ORDEAL_SCENARIO("programs/ends_byte_before_a_jthread",
                wrong<members_end<jthread_before_member>, violation_kind::use_after_scope>);
ORDEAL_SCENARIO("programs/ends_atomic_before_an_empty_member",
                wrong<members_end<empty_before_member>, violation_kind::use_after_scope>);
ORDEAL_SCENARIO("programs/ends_state_after_a_lock",
                wrong<members_end<locked_at_last>, violation_kind::use_after_scope>);
ORDEAL_SCENARIO("programs/ends_atomic_made_elsewhere",
                wrong<members_end<made_elsewhere>, violation_kind::use_after_scope>);
ORDEAL_SCENARIO("programs/ends_atomic_before_its_base",
                wrong<members_end<base_of_thread>, violation_kind::use_after_scope>);
#endif
ORDEAL_SCENARIO("programs/ends_mutex_after_its_user", met<members_end<member_before_thread<std::mutex>>>);
ORDEAL_SCENARIO("programs/ends_number_after_its_user", members_end<member_before_thread<int>>);
ORDEAL_SCENARIO("programs/ends_after_the_body_has_joined", met<members_end<joined_first<counter>>>);
ORDEAL_SCENARIO("programs/ends_in_the_body", a_body_destroys);
ORDEAL_SCENARIO("programs/ends_after_an_empty_member", met<members_end<empty_after_member>>);
ORDEAL_SCENARIO("programs/ends_any_handed_over", handed_over<std::any>);
ORDEAL_SCENARIO("programs/ends_variant_handed_over", handed_over<std::variant<int, small<1>, small<2>>>);
ORDEAL_SCENARIO("programs/ends_function_handed_over", handed_over<std::function<int()>>);
ORDEAL_SCENARIO("programs/ends_elements_handed_over", handed_over<std::vector<std::string>>);

}  // namespace

}  // namespace ordeal::model_tests
