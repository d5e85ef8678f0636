// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

/// Restores a large table, of which an execution changes few entries at a time, to earlier points without copying it:
/// the changes since the preceding point are logged, and exchanged with the table's contents to leave or restore a
/// point. Entries keep their addresses.
template <class Entry>
class undo_log {
    static_assert(std::is_trivially_copyable_v<Entry>);

public:
    /// The changes since the preceding point: the old values, and while the table is at an earlier point the new ones.
    struct point {
        struct change {
            Entry* where;
            Entry other;
        };

        void begin() noexcept {
            before = nullptr;
            depth = users = next = 0;
            changes.clear();
        }

        point* before = nullptr;
        unsigned depth = 0;
        unsigned users = 0;
        unsigned next = 0;  // points after this one
        std::vector<change> changes;
    };

    undo_log() : open_(std::make_unique<point>()) {}
    ~undo_log() { clear(); }
    undo_log(const undo_log&) = delete;
    undo_log& operator=(const undo_log&) = delete;

    /// This entry is about to be changed, for the first time since keep() or go_to().
    void note(Entry& changing) { open_->changes.emplace_back(&changing, changing); }
    /// Whether note() needs no allocation.
    [[nodiscard]] bool has_room() const noexcept { return open_->changes.size() < open_->changes.capacity(); }

    /// Saves the table as it is now. Valid until release().
    [[nodiscard]] point* keep() {
        point* const made = open_.release();
        open_ = fresh();
        made->before = here_;
        made->depth = here_ == nullptr ? 0 : here_->depth + 1;
        made->users = 1;
        if (here_ != nullptr) ++here_->next;
        return here_ = made;
    }

    /// Restores the table of that point. Changes since the last keep() are lost.
    void go_to(point* there) {
        for (const auto& each : open_->changes) *each.where = each.other;
        open_->begin();
        point* const from = here_;
        way_.clear();
        for (point* each = there; each != here_;) {
            if (each->depth > here_->depth) {
                way_.push_back(each);
                each = each->before;
            } else {
                exchange(*here_);
                here_ = here_->before;
            }
        }
        for (; !way_.empty(); way_.pop_back()) exchange(*way_.back());
        here_ = there;
        if (from != there) leave_unused(from);
    }

    /// The point is not restored any more.
    void release(point* which) noexcept {
        --which->users;
        leave_unused(which);
    }

    /// Starts again once all points were released; the table stays as it is.
    void clear() noexcept {
        leave_unused(std::exchange(here_, nullptr));
        open_->begin();
    }

private:
    [[nodiscard]] std::unique_ptr<point> fresh() {
        if (unused_.empty()) return std::make_unique<point>();
        std::unique_ptr<point> result = std::move(unused_.back());
        unused_.pop_back();
        result->begin();
        return result;
    }

    // No entry occurs twice in the changes of one point.
    static void exchange(point& which) noexcept {
        for (auto& each : which.changes) std::swap(*each.where, each.other);
    }

    void leave_unused(point* which) noexcept {
        while (which != nullptr && which != here_ && which->users == 0 && which->next == 0) {
            point* const before = which->before;
            unused_.emplace_back(which);
            if (before != nullptr) --before->next;
            which = before;
        }
    }

    std::unique_ptr<point> open_;  ///< changes since here_
    point* here_ = nullptr;        ///< null: no point was saved
    std::vector<std::unique_ptr<point>> unused_;
    std::vector<point*> way_;  ///< buffer of go_to()
};

}  // namespace ordeal::detail::graph
