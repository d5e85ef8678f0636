// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cxxabi.h>

#include <cstring>
#include <type_traits>

namespace ordeal::detail {

/// Saves the exceptions being handled while other fibers may run: the C++ runtime keeps them per OS thread, which the
/// fibers share.
class exception_state {
public:
    exception_state() noexcept { std::memcpy(saved_, abi::__cxa_get_globals(), sizeof(saved_)); }
    void restore() const noexcept { std::memcpy(abi::__cxa_get_globals(), saved_, sizeof(saved_)); }
    /// For a new fiber.
    static void clear() noexcept { std::memset(abi::__cxa_get_globals(), 0, sizeof(saved_)); }

private:
    unsigned char saved_[2 * sizeof(void*)];  // caughtExceptions and uncaughtExceptions (Itanium C++ ABI, 2.2.2)
};

/// Makes a call that may switch fibers.
template <class Call>
decltype(auto) on_fiber(Call call) {
    const exception_state state;
    if constexpr (std::is_void_v<decltype(call())>) {
        call();
        state.restore();
    } else {
        auto result = call();
        state.restore();
        return result;
    }
}

}  // namespace ordeal::detail
