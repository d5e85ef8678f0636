// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/caller/site_cache.hpp"

#include <bit>
#include <utility>

namespace ordeal::detail {

std::uint64_t site_cache::add_step(std::uint64_t context, std::uintptr_t address, const unwind_rule& rule) {
    if (const entry* const known = at_place(context, address)) return known->next;
    constexpr std::uint64_t not_first = std::uint64_t{1} << 63;  // not set in addresses of strings
    entry& fresh = add(context, address);
    fresh.rule = rule;
    fresh.next = not_first | ++contexts_;
    return fresh.next;
}

void site_cache::add_end(std::uint64_t context, std::uintptr_t address, site_id site) {
    add(context, address).site = site;
}

site_cache::entry& site_cache::add(std::uint64_t context, std::uintptr_t address) {
    if (2 * used_ >= size_) grow();
    std::size_t i = place(context, address);
    while (entries_[i].context != 0) i = (i + 1) & (size_ - 1);
    ++used_;
    entries_[i].context = context;
    entries_[i].address = address;
    return entries_[i];
}

void site_cache::grow() {
    const std::size_t before = size_;
    size_ = before == 0 ? 1024 : 2 * before;
    shift_ = 64u - static_cast<unsigned>(std::countr_zero(size_));
    const auto old = std::exchange(entries_, std::make_unique<entry[]>(size_));
    for (std::size_t k = 0; k < before; ++k) {
        if (old[k].context == 0) continue;
        std::size_t i = place(old[k].context, old[k].address);
        while (entries_[i].context != 0) i = (i + 1) & (size_ - 1);
        entries_[i] = old[k];
    }
}

}  // namespace ordeal::detail
