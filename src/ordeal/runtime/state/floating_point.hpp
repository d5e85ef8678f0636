// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace ordeal::detail {

/// The floating-point environment ([cfenv.syn]): rounding, traps, and raised exceptions. Each thread has its own and
/// inherits that of its creator.
struct floating_point {
#if defined(__x86_64__)
    std::uint32_t vector = 0x1f80;   ///< mxcsr
    std::uint16_t control = 0x037f;  ///< of the x87
    std::uint16_t raised = 0;        ///< by the x87
#else
    std::uint64_t control = 0;
    std::uint64_t raised = 0;
#endif

    friend bool operator==(const floating_point&, const floating_point&) = default;

    [[gnu::always_inline]] static floating_point here() noexcept {
        floating_point result;
#if defined(__x86_64__)
        asm volatile("stmxcsr %0\n\tfnstcw %1\n\tfnstsw %2"
                     : "=m"(result.vector), "=m"(result.control), "=m"(result.raised));
        result.raised &= all_exceptions;
#elif defined(__aarch64__)
        asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(result.control), "=r"(result.raised));
#else
#error "ordeal: the floating-point environment of this processor must be named here"
#endif
        return result;
    }

    /// Installs it as the environment of the running code.
    void set() const noexcept {
        const floating_point now = here();
        if (now == *this) return;
#if defined(__x86_64__)
        asm volatile("ldmxcsr %0" : : "m"(vector));
        if (now.raised != raised) set_raised();
        asm volatile("fldcw %0" : : "m"(control));
#elif defined(__aarch64__)
        asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(control), "r"(raised));
#endif
    }

    /// All of it, as one number.
    [[nodiscard]] std::uint64_t word() const noexcept {
#if defined(__x86_64__)
        return std::uint64_t{vector} << 32 | std::uint64_t{control} << 16 | raised;
#else
        return control << 32 ^ raised;
#endif
    }

private:
#if defined(__x86_64__)
    static constexpr std::uint16_t all_exceptions = 0x3f;

    // There is no instruction that sets the status alone.
    void set_raised() const noexcept {
        struct {
            std::uint32_t control, status, tag, other[4];
        } all;
        asm volatile("fnstenv %0" : "=m"(all));
        all.status = (all.status & ~std::uint32_t{all_exceptions}) | raised;
        asm volatile("fldenv %0" : : "m"(all));
    }
#endif
};

/// Restores the environment of the code on trial on exit, so that the harness may compute meanwhile.
class floating_point_scope {
public:
    floating_point_scope() noexcept : of_trial_(floating_point::here()) {}
    ~floating_point_scope() { of_trial_.set(); }
    floating_point_scope(const floating_point_scope&) = delete;
    floating_point_scope& operator=(const floating_point_scope&) = delete;

private:
    floating_point of_trial_;
};

}  // namespace ordeal::detail
