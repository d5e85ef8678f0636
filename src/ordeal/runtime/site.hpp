// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/order.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal {

/// Index of a code location in the site table of this process. Not stable between builds; never printed.
using site_id = std::uint32_t;
inline constexpr site_id no_site = 0;

/// The name of a site outside the process: stable until the source is edited.
struct site_key {
    std::string file;  ///< as compiled, relative to the project
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    role what = role::load;

    auto operator<=>(const site_key&) const = default;
};

/// "src/ordeal/coro/task.hpp@87.30.exchange", free of characters special to a shell.
[[nodiscard]] std::string to_string(const site_key& key);
[[nodiscard]] std::optional<site_key> parse_site_key(std::string_view text);

/// A code location that performs an operation of the model: an atomic site, or a non-atomic access, lock, allocation.
/// An atomic site is a location with a declared order: a location that is passed its order is as many sites as there
/// are orders.
struct site {
    site_key key;
    bool atomic = false;    ///< key.what and declared are meaningful
    std::string function;   ///< bare name: "abandon"
    std::string operation;  ///< "exchange", "compare_exchange_weak", "read", "lock", ...
    order declared = order::relaxed;
    /// The standard library performs the operation on its own account, not to synchronise as its user asks it to.
    bool of_library = false;
};

/// What an override does at its site: replaces the order of the operation, or adds a fence.
enum class override_position : std::uint8_t {
    instead,  ///< the order in place of the declared one
    before,   ///< a fence directly before the operation
    after,    ///< a fence directly after it
};

/// The order to use at a site in place of the declared one; or a fence, as if std::atomic_thread_fence(replacement)
/// were in the source. A compare-exchange has its fences whether it stores or not, whichever of its two sites is named.
struct order_override {
    site_key site;  ///< the location
    order replacement = order::relaxed;
    /// Selects the site if operations with several orders share a location: a function that is passed its order, a
    /// macro. Empty: there is one.
    std::optional<order> declared = std::nullopt;
    override_position position = override_position::instead;

    auto operator<=>(const order_override&) const = default;
};

[[nodiscard]] std::string_view to_string(override_position value) noexcept;  ///< "instead", "before", "after"

[[nodiscard]] inline bool adds_fence(const order_override& change) noexcept {
    return change.position != override_position::instead;
}

/// Whether the override applies to this site. Without a declared order it applies to each site at its location.
[[nodiscard]] bool concerns(const order_override& change, const site& where) noexcept;

/// "src/ordeal/coro/task.hpp@87.30.exchange=acquire"; with a declared order "...@87.30.exchange.acq_rel=acquire".
/// A fence: "src/ordeal/coro/task.hpp@87.30.exchange+seq_cst-before", with a declared order
/// "...@87.30.exchange.acq_rel+seq_cst-after".
[[nodiscard]] std::string to_string(const order_override& value);
[[nodiscard]] std::optional<order_override> parse_order_override(std::string_view text);

/// A fence added by an override.
struct added_fence {
    site_id at = no_site;
    override_position position = override_position::before;
    order with = order::seq_cst;
};

/// The sites of this process, and the overrides in force. One thread at a time.
class site_table {
public:
    /// The id of an atomic site; registers it on first use. Different orders at one location are different sites.
    [[nodiscard]] site_id atomic_site(const std::source_location& where, role what, std::string_view operation,
                                      order declared);
    /// The id of any other code location.
    [[nodiscard]] site_id plain_site(const std::source_location& where, std::string_view operation);
    /// The id of a site found in another way. It is the same site if key, operation and declared order are equal: one
    /// location in a wrapper may be given its order by many callers.
    [[nodiscard]] site_id add(site fresh);

    [[nodiscard]] const site& at(site_id id) const { return sites_[id]; }
    [[nodiscard]] std::size_t size() const noexcept { return sites_.size(); }

    /// The order in force: the override's, else the declared one.
    [[nodiscard]] order effective(site_id id) const noexcept { return effective_[id]; }

    /// The fences in force, at the known sites; nearly always none.
    [[nodiscard]] std::span<const added_fence> fences() const noexcept { return fences_; }

    /// Replaces all overrides.
    void set_overrides(std::vector<order_override> overrides);

private:
    struct slot {
        const char* file = nullptr;
        std::uint64_t position = 0;
        const char* operation = nullptr;  ///< the literal of the latest lookup
        site_id id = no_site;
    };

    site_id find_or_add(const std::source_location& where, std::uint64_t position, std::string_view operation,
                        bool atomic, role what, order declared);
    void grow();
    void put_in_force(site_id id);

    std::vector<site> sites_{1};  // index 0 is no_site
    std::vector<order> effective_{order::relaxed};
    std::vector<slot> slots_;
    std::vector<order_override> overrides_;
    std::vector<added_fence> fences_;
};

namespace detail {

inline site_table all_sites;

}  // namespace detail

/// The table of this process; not before main begins.
[[nodiscard]] inline site_table& sites() noexcept { return detail::all_sites; }

}  // namespace ordeal
