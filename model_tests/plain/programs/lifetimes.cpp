// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that end while somebody still knows them, or are known before they began.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace ordeal::model_tests {

namespace {

struct iterated_while_it_grows {
    static constexpr auto threads = std::array{"grows"};
    std::vector<int> values{1, 2};

    void run(int /*thread*/) {
        int sum = 0;
        for (const int& each : values) {
            if (sum == 0) values.push_back(3);
            sum += each;
        }
    }
};

struct view_of_a_temporary {
    static constexpr auto threads = std::array{"looks"};
    std::string first = "a text that is too long for its object, ";
    std::string_view seen;

    void run(int /*thread*/) {
        look_at(first + "and some more");
        require(seen.front() == 'a');
    }

private:
    void look_at(std::string_view text) { seen = text; }
};

struct two_owners_of_one_pointer {
    static constexpr auto threads = std::array{"owner"};
    std::atomic<int*> raw{new int(1)};

    void run(int /*thread*/) {
        const std::unique_ptr<int> first(raw.load());
        const std::unique_ptr<int> second(raw.load());
    }
};

// The lock protects the table, and not what the reference that left it refers to.
template <bool Copies>
struct element_is_erased {
    static constexpr auto threads = std::array{"reads", "erases"};
    std::mutex mutex;
    std::map<int, std::string> entries{{1, "one"}};

    void run(int thread) {
        if (thread == 1) {
            const std::lock_guard lock(mutex);
            entries.erase(1);
        } else if constexpr (Copies) {
            std::string copy;
            {
                const std::lock_guard lock(mutex);
                if (const auto found = entries.find(1); found != entries.end()) copy = found->second;
            }
            require(copy.empty() || copy == "one");
        } else if (const std::string* const found = find()) {
            require(found->size() == 3);
        }
    }

private:
    [[nodiscard]] const std::string* find() {
        const std::lock_guard lock(mutex);
        const auto found = entries.find(1);
        return found == entries.end() ? nullptr : &found->second;
    }
};

// Even an atomic has to be there before others use it: its construction is no atomic operation.
template <std::memory_order Store, std::memory_order Load>
struct atomic_is_published {
    static constexpr auto threads = std::array{"makes", "uses"};
    std::unique_ptr<std::atomic<int>> owner;
    std::atomic<std::atomic<int>*> published{nullptr};

    void run(int thread) {
        if (thread == 0) {
            owner = std::make_unique<std::atomic<int>>(1);
            published.store(owner.get(), Store);
        } else if (std::atomic<int>* const found = published.load(Load)) {
            found->fetch_add(1, std::memory_order_relaxed);
        }
    }
    void finish() const { require(owner->load() <= 2); }
};

// Memory that holds an atomic first and plain data later, handed on in order.
struct memory_is_used_again {
    static constexpr auto threads = std::array{"first", "second"};
    alignas(std::atomic<int>) std::array<std::byte, sizeof(std::atomic<int>)> memory{};
    std::atomic<bool> handed_over{false};

    void run(int thread) {
        if (thread == 0) {
            auto* const counter = ::new (memory.data()) std::atomic<int>(1);
            counter->fetch_add(1);
            const int value = counter->load();
            std::destroy_at(counter);
            ::new (memory.data()) int(value);
            handed_over.store(true, std::memory_order_release);
        } else if (handed_over.load(std::memory_order_acquire)) {
            int* const number = std::launder(reinterpret_cast<int*>(memory.data()));
            require(*number == 2);
            auto* const counter = ::new (memory.data()) std::atomic<int>(*number + 1);
            require(counter->load() == 3);
        }
    }
};

// As in a queue lock whose nodes are not waited for: one of the threads frees its node while the other one has still to store to it.
struct node_is_freed_too_early {
    static constexpr auto threads = std::array{"first", "second"};
    struct node {
        std::atomic<int> next{0};
        std::atomic<int> waits{0};
    };
    std::atomic<node*> last{nullptr};

    void run(int /*thread*/) {
        node* const own = new node;
        if (node* const before = last.exchange(own)) {
            before->next.store(1);
            while (own->waits.load() == 0) {
            }
        }
        node* expected = own;
        if (!last.compare_exchange_strong(expected, nullptr)) expected->waits.store(1);
        delete own;
    }
};

struct derived_ends_first {
    struct worker {
        std::thread thread;
        worker() = default;
        worker(const worker&) = delete;
        worker& operator=(const worker&) = delete;
        virtual ~worker() { join(); }
        virtual void work() {}
        void start() {
            thread = std::thread([this] { work(); });
        }
        void join() {
            if (thread.joinable()) thread.join();
        }
    };
    struct counting_worker : worker {
        int count = 0;
        ~counting_worker() override { count = -1; }
        void work() override { ++count; }
    };
    static constexpr auto threads = only_main;

    // Joined by the destructor of the base, when what the thread works with is over.
    void run(int /*thread*/) {
        counting_worker here;
        here.start();
    }
};

struct copied_while_written {
    static constexpr auto threads = std::array{"copies", "writes"};
    std::array<char, 32> text{};
    std::array<char, 32> copy{};

    void run(int thread) {
        if (thread == 0) {
            std::memcpy(copy.data(), text.data(), text.size());
        } else {
            text[17] = 'x';
        }
    }
};

// Elements beside each other are objects of their own.
struct neighbours_are_written {
    static constexpr auto threads = std::array{"first", "second"};
    std::array<char, 2> text{};

    void run(int thread) { text[static_cast<std::size_t>(thread)] = 'x'; }
    void finish() const { require(text[0] == 'x' && text[1] == 'x'); }
};

// Bits are not.
struct bits_are_written {
    static constexpr auto threads = std::array{"first", "second"};
    std::vector<bool> bits = std::vector<bool>(2);

    void run(int thread) { bits[static_cast<std::size_t>(thread)] = true; }
};

// An element is written as part of its word, of which the other bits have no value yet.
struct bits_are_pushed {
    static constexpr auto threads = std::array{"first", "second"};
    std::array<std::vector<bool>, 2> all;

    void run(int thread) {
        std::vector<bool>& bits = all[static_cast<std::size_t>(thread)];
        bits.push_back(thread == 0);
        bits.push_back(false);
        require(bits[0] == (thread == 0) && !bits[1]);
        bits.resize(70, true);
        require(bits.back());
    }
};

// The first write to some bits of a byte leaves the others as they are, which is no look at them.
struct bit_fields {
    unsigned first : 3;
    unsigned second : 4;
    bool third : 1, fourth : 1;

    explicit bit_fields(bool value) : first(1), second(2) {
        third = value;
        fourth = !value;
    }
};

struct bit_fields_are_initialised {
    static constexpr auto threads = std::array{"first", "second"};
    std::array<std::unique_ptr<bit_fields>, 2> all;

    void run(int thread) {
        std::unique_ptr<bit_fields>& made = all[static_cast<std::size_t>(thread)];
        made = std::make_unique<bit_fields>(thread == 0);
        require(made->first == 1 && made->second == 2 && made->third == (thread == 0) && made->fourth == (thread == 1));
    }
};

struct bit_fields_are_written {
    static constexpr auto threads = std::array{"first", "second"};
    std::unique_ptr<bit_fields> made{new bit_fields(true)};

    void run(int thread) {
        if (thread == 0) {
            made->first = 2;
        } else {
            made->second = 3;
        }
    }
};

ORDEAL_SCENARIO("programs/vector_iterated_while_it_grows",
                wrong<iterated_while_it_grows, violation_kind::use_after_free>);
ORDEAL_SCENARIO("programs/view_of_a_temporary", wrong<view_of_a_temporary, violation_kind::use_after_free>);
ORDEAL_SCENARIO("programs/two_owners_of_one_pointer", wrong<two_owners_of_one_pointer, violation_kind::double_free>);
ORDEAL_SCENARIO("programs/element_is_copied", element_is_erased<true>);
ORDEAL_SCENARIO("programs/element_is_erased",
                wrong<element_is_erased<false>, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/atomic_is_published", atomic_is_published<release, acquire>);
ORDEAL_SCENARIO("programs/atomic_is_published_relaxed",
                wrong<atomic_is_published<relaxed, relaxed>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/memory_is_used_again", memory_is_used_again);
ORDEAL_SCENARIO("programs/node_is_freed_too_early",
                wrong<node_is_freed_too_early, violation_kind::unsynchronised_destruction>);
ORDEAL_SCENARIO("programs/derived_ends_first", wrong<derived_ends_first, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/copied_while_written", wrong<copied_while_written, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/neighbours_are_written", met<neighbours_are_written>);
ORDEAL_SCENARIO("programs/bits_are_written", wrong<bits_are_written, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/bits_are_pushed", bits_are_pushed);
ORDEAL_SCENARIO("programs/bit_fields_are_initialised", met<bit_fields_are_initialised>);
ORDEAL_SCENARIO("programs/bit_fields_are_written", wrong<bit_fields_are_written, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
