// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object that counts its owners itself.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <utility>

namespace ordeal::model_tests {

namespace {

struct count_orders {
    std::memory_order release = std::memory_order_release;
    bool fence = true;
};

template <count_orders Orders>
class atomic_count {
public:
    void add() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
    [[nodiscard]] bool drop() noexcept {
        if (owners_.fetch_sub(1, Orders.release) != 1) return false;
        if (Orders.fence) std::atomic_thread_fence(std::memory_order_acquire);
        return true;
    }

private:
    std::atomic<int> owners_{1};
};

class plain_count {
public:
    void add() noexcept { ++owners_; }
    [[nodiscard]] bool drop() noexcept { return --owners_ == 0; }

private:
    int owners_ = 1;
};

template <class Count>
struct counted {
    Count count;
    int value = 42;
};

template <class Object>
class owning_pointer {
public:
    explicit owning_pointer(Object* object) noexcept : object_(object) {}
    owning_pointer(const owning_pointer& other) noexcept : object_(other.object_) { object_->count.add(); }
    owning_pointer(owning_pointer&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    owning_pointer& operator=(owning_pointer other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~owning_pointer() {
        if (object_ != nullptr && object_->count.drop()) delete object_;
    }
    [[nodiscard]] Object* operator->() const noexcept { return object_; }

private:
    Object* object_;
};

template <class Count>
struct two_owners {
    static constexpr auto threads = std::array{"owner", "owner"};
    using pointer = owning_pointer<counted<Count>>;
    pointer first{new counted<Count>};
    pointer second = first;

    void run(int thread) {
        const pointer own = std::move(thread == 0 ? first : second);
        require(own->value == 42);
    }
};

// Each owner also makes a copy and gives it up.
template <class Count>
struct two_copying_owners : two_owners<Count> {
    void run(int thread) {
        const typename two_owners<Count>::pointer copy = thread == 0 ? this->first : this->second;
        two_owners<Count>::run(thread);
    }
};

constexpr count_orders fenced{};
constexpr count_orders without_fence{.release = std::memory_order_acq_rel, .fence = false};
constexpr count_orders relaxed{.release = std::memory_order_relaxed};
constexpr count_orders fence_missing{.fence = false};

template <count_orders Orders>
using destroyed_too_early = wrong<two_owners<atomic_count<Orders>>, violation_kind::unsynchronised_destruction>;

ORDEAL_SCENARIO("programs/count_fenced", two_owners<atomic_count<fenced>>);
ORDEAL_SCENARIO("programs/count_acq_rel", two_owners<atomic_count<without_fence>>);
ORDEAL_SCENARIO("programs/count_copied", two_copying_owners<atomic_count<fenced>>);
ORDEAL_SCENARIO("programs/count_relaxed", destroyed_too_early<relaxed>);
ORDEAL_SCENARIO("programs/count_fence_missing", destroyed_too_early<fence_missing>);
ORDEAL_SCENARIO("programs/count_plain", wrong<two_owners<plain_count>, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
