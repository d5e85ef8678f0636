// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/run_state.hpp"
#include "ordeal/engine/graph/non_atomic/non_atomic_memory.hpp"
#include "ordeal/engine/graph/reductions/symmetry/symmetry_groups.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail::graph {

/// Which created threads are interchangeable, and whether anything tells them apart.
///
/// One run detects groups. Later ones enforce them: they are run as code whose threads are interchangeable beyond
/// doubt. All of a group begin with what happened before the first was created, and what they have done happens
/// before their joining thread goes on when all of them have been joined. Where that, or anything else, could be other
/// than what the code says, a run tells them apart; which run does must not depend on which of the threads does what.
class symmetry_detection final : public thread_observer {
public:
    /// `bytes`: of instrumented code, else null.
    symmetry_detection(run_state& run, non_atomic_memory* bytes) : run_(run), non_atomic_memory_(bytes) {}
    ~symmetry_detection() override { stop(); }

    // Before and after a run. Between such runs threads are what the code says.
    void detect() noexcept { observe(true); }
    /// What `detect` came to, after the run.
    [[nodiscard]] std::vector<symmetry_group> found() const;
    void enforce(const std::vector<symmetry_group>& groups);
    /// After a run in which they were enforced; what told threads apart in any of them so far, empty: nothing.
    [[nodiscard]] const std::string& symmetry_refuted();
    void stop() noexcept { run_.observer = nullptr; }

    void created(event_index event, int thread_id) override;
    [[nodiscard]] std::span<const std::uint8_t> joined(int thread_id) override;
    void asked_id() override { note_difference(run_.thread_id, "it asks for its id"); }
    void finished() override;
    void allocates_unordered(std::size_t size) override;
    void freed(memory_range block, std::size_t size, bool unordered) override;

private:
    void observe(bool detects) noexcept {
        detects_ = detects;
        run_.observer = this;
    }
    [[nodiscard]] unsigned group_of(int thread_id) const noexcept {
        return detects_ ? 0 : group_of_[static_cast<std::size_t>(thread_id)];
    }
    [[nodiscard]] const symmetry_group& of_number(unsigned group) const noexcept { return groups_[group - 1]; }
    [[nodiscard]] thread_beginning beginning_of(int creator, const void* argument) const;
    [[nodiscard]] bool was_created_next(const thread_state& creator, event_index event, int thread_id) const;
    [[nodiscard]] bool comes_between(int creator) const;
    void enforce_created(int thread_id, bool alike);
    static void note_between(thread_state& joining);
    [[nodiscard]] bool is_private(const event& each) const;
    void note_difference(int thread_id, std::string_view why);
    void refute_symmetry(std::string_view why);

    run_state& run_;
    non_atomic_memory* non_atomic_memory_;
    bool detects_ = false;  ///< groups; otherwise they are enforced
    std::vector<symmetry_group> groups_;
    std::array<unsigned, max_thread_ids> group_of_{};  ///< from 1; 0: none
    std::vector<std::uint8_t> ordered_;
    std::string symmetry_refuted_;
};

}  // namespace ordeal::detail::graph
