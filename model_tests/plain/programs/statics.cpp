// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Globals, statics and thread-local variables: in each execution they begin as they were before the first.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ordeal::model_tests {

namespace {

int plain_counter = 0;
int plain_initial = 7;
std::atomic<int> atomic_counter{0};
std::vector<int> dynamic_vector{1, 2, 3};
std::map<std::string, int> dynamic_map;
std::string long_string = "a string that does not fit into its object";
std::mutex global_mutex;

struct globals_begin_anew {
    static constexpr auto threads = std::array{"counts", "counts"};

    globals_begin_anew() {
        require(plain_counter == 0 && plain_initial == 7 && atomic_counter.load() == 0);
        require(dynamic_vector.size() == 3 && dynamic_vector[0] == 1);
        require(dynamic_map.empty());
        require(long_string.size() == 42);
    }
    void run(int thread) {
        const std::lock_guard lock(global_mutex);
        ++plain_counter;
        plain_initial = 8;
        atomic_counter.fetch_add(1);
        dynamic_vector.push_back(thread);
        dynamic_map["thread " + std::to_string(thread)] = thread;
        long_string += " and has grown by some more letters";
    }
    void finish() const {
        require(plain_counter == 2 && atomic_counter.load() == 2);
        require(dynamic_vector.size() == 5 && dynamic_map.size() == 2);
    }
};

// What a constructor of a global allocated is freed in an execution, and may come back as any other memory.
int* made_before = new int(7);

struct block_of_a_constructor_comes_back {
    static constexpr auto threads = std::array{"frees", "allocates"};
    const int* const known = made_before;
    std::atomic<bool> freed{false};
    const char* seen = "too early";

    void run(int thread) {
        if (thread == 0) {
            delete std::exchange(made_before, nullptr);
            freed.store(true, release);
        } else if (freed.load(acquire)) {
            const auto made = std::make_unique<int>(1);
            seen = made.get() == known ? "again" : "fresh";
        }
    }
    [[nodiscard]] std::string outcome() const { return seen; }
};

struct global_without_mutex {
    static constexpr auto threads = std::array{"counts", "counts"};

    void run(int /*thread*/) { ++plain_counter; }
};

int& calls_so_far() {
    static int calls = 0;
    return calls;
}

const std::string& name_of_program() {
    static const std::string name = "made when it is first needed, and freed at exit";
    return name;
}

struct function_local_begins_anew {
    static constexpr auto threads = std::array{"uses", "uses"};

    function_local_begins_anew() { require(++calls_so_far() == 1); }
    void run(int /*thread*/) { require(name_of_program().size() == 47); }
};

// A pool for the whole program, whose thread works until the destructor of the static tells it to stop.
class pool {
public:
    ~pool() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        changed_.notify_one();
        thread_.join();
        require(done_ == submitted_);
    }
    void submit() {
        {
            const std::lock_guard lock(mutex_);
            ++submitted_;
        }
        changed_.notify_one();
    }

private:
    void work() {
        std::unique_lock lock(mutex_);
        while (!stopping_ || done_ < submitted_) {
            while (done_ < submitted_) ++done_;
            changed_.wait(lock, [this] { return stopping_ || done_ < submitted_; });
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    int submitted_ = 0;
    int done_ = 0;
    bool stopping_ = false;
    std::thread thread_{[this] { work(); }};
};

pool& the_pool() {
    static pool instance;
    return instance;
}

struct pool_lives_to_the_end {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) { the_pool().submit(); }
};

// A thread that nobody joins, and that uses what ends with the program.
struct static_used_after_its_end {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        require(!name_of_program().empty());
        std::thread([] { require(name_of_program().front() == 'm'); }).detach();
    }
};

// What it refers to lives to the end of the program, and is no leak.
struct registry {
    std::vector<std::unique_ptr<int>> entries;
    std::mutex mutex;
};

registry& the_registry() {
    static registry instance;
    return instance;
}

struct registered_for_ever {
    static constexpr auto threads = std::array{"registers", "registers"};

    void run(int thread) {
        registry& all = the_registry();
        const std::lock_guard lock(all.mutex);
        all.entries.push_back(std::make_unique<int>(thread));
    }
    void finish() const { require(the_registry().entries.size() == 2); }
};

// Never freed, but reachable, by a pointer that is itself never freed.
registry& leaked_on_purpose() {
    static registry* const instance = new registry;
    return *instance;
}

struct reachable_for_ever {
    static constexpr auto threads = std::array{"uses"};

    void run(int /*thread*/) { leaked_on_purpose().entries.push_back(std::make_unique<int>(1)); }
};

thread_local int own_counter = 0;
thread_local std::vector<int> own_values;

struct thread_locals_are_its_own {
    static constexpr auto threads = std::array{"counts", "counts"};
    std::atomic<int> sum{0};

    void run(int thread) {
        require(own_counter == 0 && own_values.empty());
        for (int i = 0; i <= thread; ++i) {
            ++own_counter;
            own_values.push_back(i);
        }
        sum.fetch_add(own_counter);
        require(own_counter == thread + 1 && own_values.size() == static_cast<std::size_t>(thread) + 1);
    }
    void finish() const { require(sum.load() == 3); }
};

struct thread_locals_of_created_threads {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        own_counter = 5;
        std::thread([] {
            require(own_counter == 0);
            own_values.push_back(1);
        }).join();
        require(own_counter == 5 && own_values.empty());
    }
};

// A thread-local variable is not shared, but its address can be.
struct thread_local_is_given_away {
    static constexpr auto threads = std::array{"gives", "takes"};
    std::atomic<int*> given{nullptr};

    void run(int thread) {
        if (thread == 0) {
            given.store(&own_counter, std::memory_order_release);
            ++own_counter;
        } else if (int* const found = given.load(std::memory_order_acquire)) {
            ++*found;
        }
    }
};

ORDEAL_SCENARIO("programs/globals_begin_anew", globals_begin_anew);
ORDEAL_SCENARIO("programs/global_block_comes_back", block_of_a_constructor_comes_back);
ORDEAL_SCENARIO("programs/global_without_mutex", wrong<global_without_mutex, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/function_local_begins_anew", function_local_begins_anew);
ORDEAL_SCENARIO("programs/registered_for_ever", registered_for_ever);
ORDEAL_SCENARIO("programs/reachable_for_ever", reachable_for_ever);
ORDEAL_SCENARIO("programs/pool_lives_to_the_end", pool_lives_to_the_end);
ORDEAL_SCENARIO("programs/static_used_after_its_end",
                wrong<static_used_after_its_end, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/thread_locals", thread_locals_are_its_own);
ORDEAL_SCENARIO("programs/thread_locals_of_created_threads", met<thread_locals_of_created_threads>);
ORDEAL_SCENARIO("programs/thread_local_is_given_away", wrong<thread_local_is_given_away, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
