// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preconditions of the standard library's header-only parts: our <latch>, <semaphore> and <barrier> call these.
#include "ordeal/instrumented/libstdcxx/library_objects.hpp"

#include "ordeal/instrumented/caller/code_sites.hpp"

#include <algorithm>

namespace ordeal::detail {

namespace {

std::int64_t as_signed(std::uint64_t value, std::size_t size) noexcept {
    return size == sizeof(std::int32_t) ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
}

}  // namespace

void compare_with_expected(instrumented_runtime& runtime, const code_location& at, memory_range where,
                           std::uint64_t before) {
    expected_count& slot = expected_counts[thread_slot(runtime)];
    if (slot.wrong == nullptr || where.address - slot.object.address >= slot.object.size) return;
    const expected_count expected = slot;
    slot = {};
    some_count_expected =
        std::ranges::any_of(expected_counts.used(), [](const auto& each) { return each.wrong != nullptr; });
    const std::int64_t count = as_signed(before, where.size);
    if (count >= expected.least && count <= expected.most) return;
    runtime.fail(violation_kind::precondition, expected.wrong, plain_code_site(at));
}

void forget_expected_counts() noexcept {
    expected_counts.clear();
    some_count_expected = false;
}

void save_expected_counts(snapshot& to) {
    to.put(some_count_expected);
    if (some_count_expected) expected_counts.save(to);
}

void restore_expected_counts(snapshot& from) {
    from.take(some_count_expected);
    if (some_count_expected) {
        expected_counts.restore(from);
    } else {
        expected_counts.clear();
    }
}

// Names reserved for the implementation.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

/// Announces that the thread's next read-modify-write in this object finds a count within these bounds.
void __ordeal_expect_count(const volatile void* object, unsigned long size, long least, long most, const char* wrong) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr) return;
    expected_counts[thread_slot(*runtime)] = {wrong, range_at(object, size), least, most};
    some_count_expected = true;
}

/// `holds`: the precondition of a library function.
void __ordeal_precondition(int holds, const char* wrong) {
    instrumented_runtime* const runtime = runtime_on_trial();
    if (runtime == nullptr || holds != 0) return;
    runtime->fail(violation_kind::precondition, wrong, plain_code_site(code_location_here("precondition")));
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // namespace ordeal::detail
