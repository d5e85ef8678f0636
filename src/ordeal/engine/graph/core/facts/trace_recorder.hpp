// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/read_request.hpp"
#include "ordeal/engine/graph/core/state/run_state.hpp"
#include "ordeal/runtime/runtime.hpp"
#include "ordeal/runtime/trace.hpp"
#include "ordeal/symbols/names/naming_log.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace ordeal::detail::graph {

class recorder;

/// A recorded step, to which details can be added. Without a trace it is empty and drops them.
class recorded_step {
public:
    recorded_step() = default;
    recorded_step(recorder& by, trace_step& step) : by_(&by), step_(&step) {}

    recorded_step& before(std::uint64_t value) {
        if (step_ != nullptr) set_before(value);
        return *this;
    }
    recorded_step& after(std::uint64_t value) {
        if (step_ != nullptr) set_after(value);
        return *this;
    }
    recorded_step& reads_from(std::uint32_t step) {
        if (step_ != nullptr) step_->reads_from = step;
        return *this;
    }
    recorded_step& woken_by(std::uint32_t step) {
        if (step_ != nullptr) step_->woken_by = step;
        return *this;
    }
    recorded_step& note(std::string_view words) {
        if (step_ != nullptr) set_note(words);
        return *this;
    }
    /// "thread 2"
    recorded_step& note(std::string_view words, std::uint64_t number) {
        if (step_ != nullptr) set_note(words, number);
        return *this;
    }
    /// A fence that an override added at the site; it is not in the source.
    recorded_step& added(order with) {
        if (step_ != nullptr) set_added(with);
        return *this;
    }
    /// The object or bytes of the step, if they are not those of an object's operation.
    recorded_step& about(memory_range bytes, std::string_view called = {}, std::string_view operation = {}) {
        if (step_ != nullptr) set_about(bytes, called, operation);
        return *this;
    }
    /// Only names these bytes: the step is no access to them.
    recorded_step& names(memory_range bytes) {
        if (step_ != nullptr) {
            step_->address = bytes.address;
            step_->size = bytes.size;
        }
        return *this;
    }
    /// Of an access to these bytes of an object of mixed_sizes; comes first.
    recorded_step& of_part(memory_range bytes, const footprint& part) {
        if (step_ != nullptr && part.is_part()) set_part(bytes, part);
        return *this;
    }
    /// The result of an atomic read, and whether it was stale.
    recorded_step& saw(const seen_value& seen, const object& of) {
        if (step_ != nullptr) set_seen(seen, of);
        return *this;
    }

private:
    void set_before(std::uint64_t value);
    void set_after(std::uint64_t value);
    void set_note(std::string_view words);
    void set_note(std::string_view words, std::uint64_t number);
    void set_added(order with);
    void set_about(memory_range bytes, std::string_view called, std::string_view operation);
    void set_part(memory_range bytes, const footprint& part);
    void set_seen(const seen_value& seen, const object& of);
    void meet(const std::optional<std::uint64_t>& first, const std::optional<std::uint64_t>& second);

    recorder* by_ = nullptr;
    trace_step* step_ = nullptr;
    footprint part_;
};

/// Records the steps of an execution if a trace is wanted; otherwise does nothing.
class recorder {
public:
    recorder(const run_state& run, bool instrumented, const naming_log::stacks& stacks)
        : run_(run), instrumented_(instrumented), stacks_(stacks) {}

    void begin(bool wanted) {
        on_ = wanted;
        steps_.clear();
        places_.begin(wanted);
    }
    [[nodiscard]] bool on() const noexcept { return on_; }

    /// A step of the running thread. Null operation: the site's own name. The result is valid until the next step.
    recorded_step record(const char* operation, site_id site, const object* of) {
        if (!on_) [[likely]]
            return {};
        return {*this, add(operation, site, of)};
    }
    /// As record(), where the caller has checked that steps are recorded.
    trace_step& add(const char* operation, site_id site, const object* of);
    /// After the run: a thread that is blocked for ever, at the site of its last step.
    void add_stuck(int thread_id, const stuck_thread& does);
    /// After the run: gives writes their final positions in coherence, which later writes may have moved.
    void place_writes();
    /// After a run of the same graph: where the writes are made that future reads read from, as a trace may end before.
    void keep_future_sources();
    /// The last step, of no thread: the violation.
    void conclude(violation_kind kind, std::string_view message, std::uint32_t index);

    /// The next step mentions something at this address; or this step, if it has been recorded.
    void meet(std::uintptr_t address, std::uint32_t step) {
        places_.note_address(step, address, run_.thread_id, stacks_);
    }
    /// The log from which object names are derived.
    [[nodiscard]] naming_log& places() noexcept { return places_; }

    [[nodiscard]] trace& steps() noexcept { return steps_; }
    [[nodiscard]] const trace& steps() const noexcept { return steps_; }

private:
    friend recorded_step;

    void place_future_reads();

    const run_state& run_;
    bool instrumented_;
    const naming_log::stacks& stacks_;
    naming_log places_;
    bool on_ = false;
    trace steps_;
    std::map<event_id, std::string> future_sources_;  ///< in words
};

}  // namespace ordeal::detail::graph
