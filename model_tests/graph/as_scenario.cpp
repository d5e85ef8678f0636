// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/graph/as_scenario.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/site.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <span>
#include <string_view>

namespace ordeal::model_tests::rc11 {

using namespace detail;

namespace {

const program* current = nullptr;

site_id site_of(std::string_view operation, std::source_location where = std::source_location::current()) {
    return sites().plain_site(where, operation);
}

site_id atomic_site_of(role what, order used, std::string_view operation,
                       std::source_location where = std::source_location::current()) {
    return sites().atomic_site(where, what, operation, used);
}

std::uint64_t as_word(int value) { return static_cast<std::uint32_t>(value); }
int as_value(std::uint64_t word) { return static_cast<int>(static_cast<std::uint32_t>(word)); }

// One execution of the current program.
class interpreter {
public:
    interpreter() {
        for (std::size_t i = 0; i < count_; ++i) {
            current_runtime().begin_life(where(i), is_mutex(i) ? object_kind::mutex : object_kind::atomic, 0,
                                         site_of("construct"));
        }
        current_runtime().begin_life(common(), object_kind::cell, 1, site_of("construct"));
    }
    interpreter(const interpreter&) = delete;
    interpreter& operator=(const interpreter&) = delete;
    ~interpreter() {
        for (std::size_t i = 0; i < count_; ++i) current_runtime().end_life(where(i), site_of("destroy"));
        current_runtime().end_life(common(), site_of("destroy"));
    }

    void run(int thread) {
        current_runtime().read(common(), site_of("read"));
        register_file& held = registers_[static_cast<std::size_t>(thread)];
        const thread_code& code = current->threads[static_cast<std::size_t>(thread)];
        for (std::size_t i = 0; i < code.size(); ++i) {
            const instruction& each = code[i];
            if (each.guard != none && held[static_cast<std::size_t>(each.guard)] != each.guard_value) continue;
            perform(each, held, held[i]);
        }
    }

    void finish() {
        for (std::size_t i = 0; i < count_; ++i) {
            if (is_mutex(i)) continue;  // nobody has it at the end
            values_[i] = as_value(
                current_runtime().load({where(i), order::relaxed, atomic_site_of(role::load, order::relaxed, "load")}));
        }
    }

    [[nodiscard]] std::string outcome() const { return outcome_text(*current, registers_, {values_.data(), count_}); }

private:
    static constexpr bool is_mutex(std::size_t location) {
        return location >= static_cast<std::size_t>(first_mutex) && location < static_cast<std::size_t>(semaphore);
    }
    [[nodiscard]] memory_range where(std::size_t location) const {
        return {reinterpret_cast<std::uintptr_t>(&storage_[location]), sizeof storage_[location]};
    }
    // What every thread touches: of threads that share nothing a search shows nothing.
    [[nodiscard]] memory_range common() const { return {reinterpret_cast<std::uintptr_t>(&common_), sizeof common_}; }
    [[nodiscard]] atomic_access access(const instruction& each, role what, std::string_view operation) const {
        return {where(static_cast<std::size_t>(each.location)), each.using_order,
                atomic_site_of(what, each.using_order, operation)};
    }

    [[nodiscard]] std::uintptr_t mutex(const instruction& each) const {
        return where(static_cast<std::size_t>(each.location)).address;
    }

    void perform(const instruction& each, const register_file& held, std::optional<int>& result) {
        switch (each.what) {
            case operation::load: result = as_value(current_runtime().load(access(each, role::load, "load"))); break;
            case operation::store: {
                const int value =
                    each.source == none ? each.value : held[static_cast<std::size_t>(each.source)].value_or(0);
                current_runtime().store(access(each, role::store, "store"), as_word(value));
                break;
            }
            case operation::exchange:
                result = as_value(current_runtime().modify(access(each, role::exchange, "exchange"),
                                                           modification::exchange, as_word(each.value)));
                break;
            case operation::fetch_add:
                result = as_value(current_runtime().modify(access(each, role::fetch, "fetch_add"), modification::add,
                                                           as_word(each.value)));
                break;
            case operation::compare_exchange: {
                std::uint64_t seen = as_word(each.expected);
                const bool stored = current_runtime().compare_exchange(
                    access(each, role::success, "compare_exchange_strong"), each.failure,
                    atomic_site_of(role::failure, each.failure, "compare_exchange_strong"), false, seen,
                    as_word(each.value));
                result = stored ? each.expected : as_value(seen);
                break;
            }
            case operation::fence:
                current_runtime().fence(each.using_order, atomic_site_of(role::fence, each.using_order, "fence"));
                break;
            case operation::lock: current_runtime().lock(mutex(each), site_of("lock")); break;
            case operation::try_lock:
                result = current_runtime().try_lock(mutex(each), site_of("try_lock")) ? 1 : 0;
                break;
            case operation::unlock: current_runtime().unlock(mutex(each), site_of("unlock")); break;
            // The policy has no semaphore.
            case operation::acquire:
                static_cast<instrumented_runtime&>(current_runtime())
                    .acquire_semaphore(code_location_here("acquire"), access(each, role::fetch, "acquire"));
                break;
            case operation::release:
                current_runtime().modify(access(each, role::fetch, "release"), modification::add, as_word(each.value));
                break;
        }
    }

    std::size_t count_ = locations_of(*current);
    std::array<std::uint32_t, max_objects> storage_{};
    std::array<register_file, max_threads> registers_{};
    std::array<int, max_objects> values_{};
    int common_ = 0;
};

interpreter& as_interpreter(void* object) { return *static_cast<interpreter*>(object); }

}  // namespace

scenario as_scenario(const program& what) {
    current = &what;
    scenario result;
    result.name = "a random program";
    for (std::size_t i = 0; i < what.threads.size(); ++i) result.threads.push_back(std::to_string(i));
    result.model = {
        .size = sizeof(interpreter),
        .alignment = alignof(interpreter),
        .construct = [](void* storage) { ::new (storage) interpreter; },
        .run = [](void* object, int thread) { as_interpreter(object).run(thread); },
        .finish = [](void* object) { as_interpreter(object).finish(); },
        .outcome = [](void* object) { return as_interpreter(object).outcome(); },
        .destroy = [](void* object) { as_interpreter(object).~interpreter(); },
    };
    return result;
}

}  // namespace ordeal::model_tests::rc11
