// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_runtime.hpp"
#include "ordeal/runtime/order.hpp"
#include "ordeal/runtime/site.hpp"
#include "ordeal/symbols/stack_walk.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ordeal::detail {

/// A cache of the sites of operations. If the return address of an operation does not determine the site, because it is
/// in a function of the standard library, the caller's address is used too, and so on: a tree, each of whose edges is
/// an entry of a hash table.
///
/// The functions on the way have different frame layouts, so each entry has its unwind rule.
class site_cache {
public:
    /// The root of the path to a site: the kind of operation.
    [[nodiscard]] static std::uint64_t first(const char* operation, bool atomic, role what, order declared) noexcept {
        return reinterpret_cast<std::uintptr_t>(operation) << 16 | 1u << 15 | (atomic ? 1u << 14 : 0u) |
               static_cast<unsigned>(what) << 8 | static_cast<unsigned>(declared);
    }

    /// no_site if it has not been added.
    [[nodiscard]] site_id find(const code_location& at, std::uint64_t first) const noexcept {
        const entry* found = at_place(first, at.address);
        if (found == nullptr || found->site != no_site) [[likely]]
            return found == nullptr ? no_site : found->site;
        calling_function function = caller_at(at);
        do {
            function = caller_of(function, found->rule);
            found = at_place(found->next, function.address);
        } while (found != nullptr && found->site == no_site);
        return found == nullptr ? no_site : found->site;
    }

    /// From `context`, a function that resumes at this address does not determine the site. Returns the context for its
    /// callers.
    std::uint64_t add_step(std::uint64_t context, std::uintptr_t address, const unwind_rule& rule);

    /// From `context`, a function that resumes at this address, or 0 for none, ends the path.
    void add_end(std::uint64_t context, std::uintptr_t address, site_id site);

private:
    struct entry {
        std::uint64_t context = 0;  ///< 0: the entry is empty
        std::uintptr_t address = 0;
        std::uint64_t next = 0;
        site_id site = no_site;  ///< no_site: continue with `next`
        unwind_rule rule;
    };

    [[nodiscard]] std::size_t place(std::uint64_t context, std::uintptr_t address) const noexcept {
        return ((address ^ context * 0xff51afd7ed558ccdu) * 0x9e3779b97f4a7c15u) >> shift_;
    }
    [[nodiscard]] const entry* at_place(std::uint64_t context, std::uintptr_t address) const noexcept {
        if (size_ == 0) return nullptr;
        for (std::size_t i = place(context, address);; i = (i + 1) & (size_ - 1)) {
            const entry& each = entries_[i];
            if (each.address == address && each.context == context) return &each;
            if (each.context == 0) return nullptr;
        }
    }
    entry& add(std::uint64_t context, std::uintptr_t address);
    void grow();

    std::unique_ptr<entry[]> entries_;
    std::size_t size_ = 0;
    std::size_t used_ = 0;
    unsigned shift_ = 0;
    std::uint64_t contexts_ = 0;
};

}  // namespace ordeal::detail
