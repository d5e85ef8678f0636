// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Things whose names are looked up in its debug information: names_tests.cpp.
#include <array>
#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fixture {
inline namespace version_one {

enum class phase : std::uint8_t { idle, busy = 200, done };

struct counted {
    long count_ = 0;
    std::atomic<phase> phase_{phase::idle};
};

struct link {
    link* next_ = nullptr;
};

template <class T, class Other = std::vector<T>>
struct chain {
    struct node : counted, link {
        T grid[2][3] = {};
        union {
            int as_number = 0;
            float as_fraction;
        };
        std::atomic<node*> peer_{nullptr};
        std::atomic<bool> ready{false};
    };
    node nodes[4];
    std::array<std::pair<T, node*>, 3> pairs{};
    std::optional<counted> maybe;
    std::unique_ptr<node> owned;
    Other many;
    std::mutex lock_;
};

chain<short> whole;
std::atomic<int> hits{0};

}  // namespace version_one

struct {
    int of_unnamed = 0;
} unnamed;

int& static_of_function() {
    static int calls = 0;
    return calls;
}

struct lone {
    lone* next_ = nullptr;
};

struct item {
    long value = 7;
    item* next_ = nullptr;
};

}  // namespace fixture

using namespace fixture;

extern "C" {

void* whole_nodes_1_phase() { return &whole.nodes[1].phase_; }
void* whole_nodes_2_count() { return &whole.nodes[2].count_; }
void* whole_nodes_3_next() { return &whole.nodes[3].next_; }
void* whole_nodes_0_grid_1_2() { return &whole.nodes[0].grid[1][2]; }
void* whole_nodes_0_as_number() { return &whole.nodes[0].as_number; }
void* whole_nodes_0_peer() { return &whole.nodes[0].peer_; }
void* whole_nodes_0_ready() { return &whole.nodes[0].ready; }
void* whole_pairs_1_second() { return &whole.pairs[1].second; }
void* whole_maybe_count() { return &whole.maybe.emplace().count_; }
void* whole_owned() { return &whole.owned; }
void* whole_many() { return &whole.many; }
void* whole_lock() { return &whole.lock_; }
void* hits_itself() { return &hits; }
void* of_unnamed() { return &unnamed.of_unnamed; }
void* static_calls() { return &static_of_function(); }

// Each calls the test while something is allocated; what was is given back.
using observer = void (*)(void* block, std::size_t size);
observer observe = nullptr;

// An allocation that nobody sees may be left out.
void* volatile kept = nullptr;

void by_new() {
    auto* const made = new lone;
    kept = made;
    delete made;
}
void by_make_unique() { kept = std::make_unique<item>().get(); }
void by_make_shared() { kept = std::make_shared<item>().get(); }
void by_vector() { kept = std::vector<item>(5).data(); }
void by_list() { kept = &std::list<item>(1).front(); }
void by_name_that_is_ambiguous() {
    struct item {
        long other[2] = {};
    };
    auto* const made = new item;
    kept = made;
    delete made;
}
}

void* operator new(std::size_t size) {
    void* const block = std::malloc(size);
    if (observe != nullptr) observe(block, size);
    return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
