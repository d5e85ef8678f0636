// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/caller/library_files.hpp"

#include "ordeal/runtime/standard_headers.hpp"

#include <algorithm>
#include <array>

namespace ordeal::detail {

namespace {

constexpr std::string_view our_shims = "ordeal/instrumented/libstdcxx/overlay/";
constexpr std::string_view our_policy = "ordeal/policy/";
constexpr std::string_view our_relacy = "ordeal/relacy_suites/relacy/";

struct known_file {
    std::string_view name;
    std::string_view part;     ///< empty: used by many parts
    bool synchronises = true;  ///< what a program uses it for is to synchronise its threads
};

constexpr std::array known_files{
    known_file{"atomicity.h", ""},
    known_file{"invoke.h", ""},
    known_file{"gthr-default.h", ""},
    known_file{"shared_ptr_base.h", "std::shared_ptr", false},
    known_file{"shared_ptr.h", "std::shared_ptr", false},
    known_file{"shared_ptr_atomic.h", "std::atomic<std::shared_ptr>"},
    known_file{"stop_token", "std::stop_token", false},
    known_file{"future", "std::future", false},
    known_file{"atomic_futex.h", "std::future", false},
    known_file{"mutex", "std::mutex"},
    known_file{"std_mutex.h", "std::mutex"},
    known_file{"unique_lock.h", "std::unique_lock"},
    known_file{"shared_mutex", "std::shared_mutex"},
    known_file{"condition_variable", "std::condition_variable"},
    known_file{"semaphore_base.h", "std::counting_semaphore"},
    known_file{"latch", "std::latch"},
    known_file{"barrier", "std::barrier"},
    known_file{"atomic_wait.h", "std::atomic::wait"},
    known_file{"std_thread.h", "std::thread", false},
    known_file{"thread", "std::thread", false},
    known_file{"memory_resource", "std::pmr", false},
    known_file{"exception_ptr.h", "std::exception_ptr", false},
};

std::string_view last_part(std::string_view file) { return file.substr(file.rfind('/') + 1); }

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

const known_file* find_known(std::string_view file) {
    const auto* const found = std::ranges::find(known_files, last_part(file), &known_file::name);
    return found == known_files.end() ? nullptr : found;
}

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
    const known_file* const known = find_known(file);
    return std::string(known == nullptr ? last_part(file) : known->part);
}

bool is_for_synchronisation(std::string_view file, role what) {
    const known_file* const known = find_known(file);
    return is_atomic_type(file, what) || (known != nullptr && known->synchronises);
}

}  // namespace ordeal::detail
