// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/caller/library_files.hpp"

#include "ordeal/runtime/standard_headers.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ordeal::detail {

namespace {

constexpr std::string_view our_shims = "ordeal/instrumented/libstdcxx/overlay/";
constexpr std::string_view our_policy = "ordeal/policy/";
constexpr std::string_view our_relacy = "ordeal/relacy_suites/relacy/";

constexpr std::array<std::pair<std::string_view, std::string_view>, 20> parts{{
    {"atomicity.h", ""},  // used by many
    {"invoke.h", ""},
    {"shared_ptr_base.h", "std::shared_ptr"},
    {"shared_ptr.h", "std::shared_ptr"},
    {"shared_ptr_atomic.h", "std::atomic<std::shared_ptr>"},
    {"stop_token", "std::stop_token"},
    {"future", "std::future"},
    {"atomic_futex.h", "std::future"},
    {"mutex", "std::mutex"},
    {"std_mutex.h", "std::mutex"},
    {"shared_mutex", "std::shared_mutex"},
    {"condition_variable", "std::condition_variable"},
    {"semaphore_base.h", "std::counting_semaphore"},
    {"latch", "std::latch"},
    {"barrier", "std::barrier"},
    {"atomic_wait.h", "std::atomic::wait"},
    {"std_thread.h", "std::thread"},
    {"thread", "std::thread"},
    {"memory_resource", "std::pmr"},
    {"exception_ptr.h", "std::exception_ptr"},
}};

std::string_view last_part(std::string_view file) { return file.substr(file.rfind('/') + 1); }

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

bool is_library_file(std::string_view file) {
    return is_standard_header(file) || contains(file, our_shims) || contains(file, our_policy) ||
           contains(file, our_relacy) || is_test_framework(file);
}

bool is_atomic_type(std::string_view file, role what) {
    const std::string_view name = last_part(file);
    if (contains(file, our_policy) || contains(file, our_relacy)) return true;
    if (name == "atomic_wait.h") return what == role::load && contains(file, our_shims);  // the original counts waiters
    return name == "atomic" || name == "atomic_base.h" || contains(file, "/__atomic/");
}

std::string library_part(std::string_view file) {
    const std::string_view name = last_part(file);
    const auto known = std::ranges::find(parts, name, [](const auto& each) { return each.first; });
    return std::string(known == parts.end() ? name : known->second);
}

}  // namespace ordeal::detail
