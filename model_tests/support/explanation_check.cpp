// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/support/explanation_check.hpp"

#include "ordeal/engine/trace_relations.hpp"
#include "ordeal/explain/step_words.hpp"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <regex>

namespace ordeal::model_tests {

using namespace detail;

namespace {

class explanation_check {
public:
    explanation_check(const scenario& what, const search_result& result, const explanation& why)
        : trace_(result.trace), steps_(result.trace), threads_(thread_names(what, result.trace)), why_(why) {}

    std::vector<std::string> contradictions() {
        for (const std::string& each : why_.conclusion) {
            sentence_ = each;
            known_ = false;
            check();
            if (!known_) wrong("its form is not known");
        }
        return std::move(found_);
    }

private:
    void check() {
        on(R"(^There may be a simpler execution)", [](const std::smatch&) {});
        // What is an interleaving every processor shows; a race is not, if its accesses come one after the other.
        on(R"(^With the instructions of clang )", [&](const std::smatch&) {
            const bool race = why_.first && why_.second && !steps_.happens_before(*why_.first, *why_.second);
            hold(race || !as_interleaving(trace_), "an interleaving has it");
        });
        on(R"(^(\w+), .* by (.+), is followed by no free\.$)", [&](const std::smatch& m) {
            const std::size_t allocation = at(m[1]);
            for (std::size_t i = allocation + 1; i < trace_.size(); ++i)
                hold(trace_[i].operation != "free" || !steps_.overlap(i, allocation), "it is freed");
        });
        on(R"(^(\w+), .* by (.+), (is not ordered|comes) before (\w+), .* by (.+)\.$)", [&](const std::smatch& m) {
            const std::size_t first = at(m[1]);
            const std::size_t second = at(m[4]);
            hold(thread(first) == m[2] && thread(second) == m[5], "another thread");
            hold(m[3] == "comes" ? first < second : !steps_.happens_before(first, second), "they are in another order");
        });
        on(R"(^Until (\w+), (.+) reads nothing that (.+) wrote after (\w+), so)", [&](const std::smatch& m) {
            for (std::size_t i = 0; i < at(m[1]); ++i)
                hold(trace_[i].thread != trace_[at(m[1])].thread || !reads_after(i, at(m[4])),
                     "it has: " + trace_[i].operation + " " + object_words(trace_[i]));
        });
        on(R"(^In (\w+), (.+) reads what (.+) wrote in (\w+), but)",
           [&](const std::smatch& m) { hold(steps_.source_of(at(m[1])) == at(m[4]), "it does not"); });
        on(R"(^No thread holds it\.$)", [&](const std::smatch&) {
            for (const trace_step& each : trace_ | std::views::reverse) {
                if (each.object != trace_.back().object || each.operation == "violation") continue;
                hold(!each.operation.starts_with("lock"), "one does");
                break;
            }
        });
        on(R"(^(.+) has locked it in (\w+)\.$)", [&](const std::smatch& m) {
            const trace_step& locks = trace_[at(m[2])];
            hold(thread(at(m[2])) == m[1], "another thread has");
            hold(locks.operation.find("lock") != std::string::npos && locks.object == trace_.back().object,
                 "it is no lock of that");
        });
        if (each(R"((\w+) reads from (\w+), but)", [&](const std::smatch& m) {
                hold(reads_release_sequence(at(m[1]), at(m[2])), "it reads from another step");
            })) {
            each(R"((\w+) is (\w+), not (\w+))", [&](const std::smatch& m) {
                const auto used = trace_[at(m[1])].using_order;
                hold(used && to_string(*used) == m[2].str(), "the order is another one");
            });
        }
        on(R"(^No interleaving has this: )", [&](const std::smatch&) {
            each(R"((\w+) misses (\w+) \(it reads an older (.+?)\)(?=,| and |\.$))",
                 [&](const std::smatch& m) { check_from_read(m); });
        });
        on(R"(^Load buffering: (\w+) reads what (\w+) writes later(?:, as nothing keeps (\w+) from)?)",
           [&](const std::smatch& m) {
               const std::size_t read = at(m[1]);
               hold(steps_.source_of(read) == at(m[2]) && at(m[2]) > read, "it is not written later");
               if (m[3].matched) hold(at(m[3]) > read && thread(at(m[3])) == thread(read), "it comes first anyway");
           });
        on(R"(^What rules this out: )", [&](const std::smatch&) {
            each(R"(acquire at (\w+) or release at (\w+))", [&](const std::smatch& m) {
                hold(thread(at(m[1])) == thread(at(m[2])) && at(m[1]) < at(m[2]), "they are not in this order");
                hold(!acquires(trace_[at(m[1])].using_order.value_or(order::relaxed)), "it acquires already");
                hold(!releases(trace_[at(m[2])].using_order.value_or(order::relaxed)), "it releases already");
            });
        });
        on(R"(^(A )?seq_cst fences? between )", [&](const std::smatch&) {
            each(R"(between (\w+) and (\w+))", [&](const std::smatch& m) {
                hold(thread(at(m[1])) == thread(at(m[2])) && at(m[1]) < at(m[2]), "they are not in this order");
            });
        });
        on(R"(^(\w+): (.+) never goes on)", [&](const std::smatch& m) {
            hold(trace_[at(m[1])].operation == "never goes on" && thread(at(m[1])) == m[2], "it is another step");
            const std::size_t waiting = at(m[1]);
            each(R"(which (.+) has locked in (\w+))",
                 [&](const std::smatch& holder) { check_holder(waiting, at(holder[2]), holder[1]); });
        });
        on(R"(is suspended in (\w+) by (.+), and nothing resumes it(?: before (\w+))?\.$)", [&](const std::smatch& m) {
            const trace_step& suspension = trace_[at(m[1])];
            hold(suspension.operation == "suspend" && thread(at(m[1])) == m[2], "it is another step");
            const std::size_t end = m[3].matched ? at(m[3]) : trace_.size();
            for (std::size_t i = at(m[1]) + 1; i < end; ++i)
                hold(trace_[i].address != suspension.address || trace_[i].operation != "resume", "it is resumed");
        });
        on(R"(^(\w+), .* by (.+), replaces what (.+) wrote in (\w+), )"
           R"(which (.+) had not read: its \w+ (\w+) came before\.$)",
           [&](const std::smatch& m) { check_lost_update(at(m[6]), at(m[4]), at(m[1])); });
        on(R"(^(\w+), the notify_\w+ of .+ by (.+?), woke ([^;.]+))",
           [&](const std::smatch& m) { check_notification(m); });
        on(R"(^(\w+), the notify_\w+ of .+ by (.+?), (?:came before|did not end|is the last))",
           [&](const std::smatch& m) { check_atomic_notification(m); });
        on(R"(^(\w+), .* by (.+), changes it, and no notification comes after that\.$)", [&](const std::smatch& m) {
            const std::size_t change = at(m[1]);
            hold(thread(change) == m[2] && trace_[change].coherence.has_value(), "it is no write of this thread");
            for (std::size_t i = change + 1; i < trace_.size(); ++i)
                hold(!trace_[i].operation.starts_with("notify") || trace_[i].address != trace_[change].address,
                     "one does");
        });
        on(R"(^Nothing notifies (.+)\.$)", [&](const std::smatch& m) {
            for (const trace_step& step : trace_)
                hold(!step.operation.starts_with("notify") || object_words(step) != m[1], "something does");
        });
    }

    void check_from_read(const std::smatch& m) {
        const trace_step& read = trace_[at(m[1])];
        const trace_step& write = trace_[at(m[2])];
        hold(read.object == write.object && object_words(read) == m[3], "another object");
        hold(steps_.coherence_position_read(at(m[1])) < write.coherence.value_or(0),
             "it reads that write, or a newer one");
    }

    void check_holder(std::size_t waiting, std::size_t locked, const std::string& holder) {
        hold(thread(locked) == holder && trace_[locked].object == trace_[waiting].object, "it is another lock");
        for (std::size_t i = locked + 1; i < trace_.size(); ++i) {
            const bool unlocks = trace_[i].operation.starts_with("unlock") && thread(i) == holder;
            hold(!unlocks || trace_[i].object != trace_[waiting].object, "it is unlocked again");
        }
    }

    void check_lost_update(std::size_t read, std::size_t lost, std::size_t replacing) {
        const int own = trace_[replacing].thread;
        hold(trace_[read].thread == own && trace_[lost].thread != own, "other threads");
        hold(read < lost && lost < replacing, "they are not in this order");
        hold(steps_.overlap(read, lost) && steps_.overlap(lost, replacing), "other bytes");
        for (std::size_t i = 0; i < replacing; ++i) {
            if (trace_[i].thread == own) hold(steps_.source_of(i) != lost, "it has read that");
            const bool between = i > lost && trace_[i].access == step_access::write && steps_.overlap(i, replacing);
            hold(!between, "another write is between");
        }
    }

    void check_notification(const std::smatch& m) {
        const std::size_t notification = at(m[1]);
        hold(thread(notification) == m[2], "another thread");
        std::size_t woken = 0;
        for (std::size_t i = 0; i < trace_.size(); ++i)
            woken += trace_[i].woken_by == trace_[notification].index ? 1 : 0;
        std::size_t named = 0;
        each(R"(in (\w+)(?:,| and|;|\.))", [&](const std::smatch& wake) {
            if (trace_[at(wake[1])].operation != "wake up") return;
            ++named;
            hold(trace_[at(wake[1])].woken_by == trace_[notification].index, "it woke another thread");
        });
        hold(named == woken, "it woke more threads, or fewer");
        each(R"(; (.+?) began to wait later, in (\w+))", [&](const std::smatch& later) {
            hold(thread(at(later[2])) == later[1] && at(later[2]) > notification, "it waited before");
        });
    }

    void check_atomic_notification(const std::smatch& m) {
        const std::size_t notification = at(m[1]);
        hold(thread(notification) == m[2], "another thread");
        for (std::size_t i = notification + 1; i < trace_.size(); ++i) {
            const bool notifies = trace_[i].operation.starts_with("notify");
            hold(!notifies || trace_[i].object != trace_[notification].object, "there is a later one");
        }
        const std::size_t earlier = std::min(sentence_.find("did not end"), sentence_.size());
        const auto check_waits = [&](std::size_t begin, std::size_t end, bool later) {
            const std::size_t list = sentence_.find("wait of ", begin);
            if (list >= end) return;
            const std::string part = sentence_.substr(list, end - list);
            const std::regex form(R"((?:wait of |, | and )(\w[^,]*?) in (\w+)(?=,| and|\.|$))");
            for (std::sregex_iterator i(part.begin(), part.end(), form), none; i != none; ++i) {
                const std::size_t wait = at((*i)[2]);
                hold(trace_[wait].address == trace_[notification].address, "it waits for something else");
                hold(thread(wait) == (*i)[1], "another thread waits there");
                hold((wait > notification) == later, "they came the other way round");
            }
        };
        const std::size_t others = std::min(sentence_.find(", but may have ended"), sentence_.size());
        check_waits(0, earlier, true);
        check_waits(earlier, others, false);
        each(R"(that of (\w[^,]*?) in (\w+)(?=,| and|\.))", [&](const std::smatch& wait) {
            const std::size_t end = at(wait[2]);
            hold(trace_[end].address == trace_[notification].address && thread(end) == wait[1], "another wait");
            hold(end > notification && trace_[end].operation == "wait", "it had ended before");
        });
    }

    // Whether the step reads what the thread of `first` wrote behind that step.
    [[nodiscard]] bool reads_after(std::size_t step, std::size_t first) const {
        const auto source = steps_.source_of(step);
        return source && *source > first && trace_[*source].thread == trace_[first].thread;
    }

    [[nodiscard]] bool reads_release_sequence(std::size_t read, std::size_t head) const {
        for (auto source = steps_.source_of(read); source; source = steps_.source_of(*source)) {
            if (*source == head) return true;
        }
        return false;
    }

    [[nodiscard]] std::string thread(std::size_t step) const {
        if (trace_[step].thread >= 0) return threads_[static_cast<std::size_t>(trace_[step].thread)];
        return std::ranges::any_of(trace_.begin(), trace_.begin() + static_cast<std::ptrdiff_t>(step),
                                   [](const trace_step& each) { return each.thread >= 0; })
                   ? "finish()"
                   : "construction";
    }

    [[nodiscard]] std::size_t at(const std::string& letter) {
        const auto found = std::ranges::find(why_.letters, letter);
        if (found != why_.letters.end()) return static_cast<std::size_t>(found - why_.letters.begin());
        wrong("no step " + letter + " is shown");
        return 0;
    }

    template <class What>
    void on(const char* pattern, What what) {
        std::smatch match;
        if (!std::regex_search(sentence_, match, std::regex(pattern))) return;
        known_ = true;
        what(match);
    }

    template <class What>
    bool each(const char* pattern, What what) {
        const std::regex expression(pattern);
        const auto begin = std::sregex_iterator(sentence_.begin(), sentence_.end(), expression);
        for (auto next = begin; next != std::sregex_iterator(); ++next) what(*next);
        known_ |= begin != std::sregex_iterator();
        return begin != std::sregex_iterator();
    }

    void hold(bool holds, const std::string& otherwise) {
        if (!holds) wrong(otherwise);
    }
    void wrong(const std::string& words) {
        if (found_.empty() || !found_.back().starts_with(sentence_)) found_.push_back(sentence_ + " [" + words + "]");
    }

    const trace& trace_;
    trace_relations steps_;
    std::vector<std::string> threads_;
    const explanation& why_;
    std::string sentence_;
    bool known_ = false;
    std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> contradictions(const scenario& what, const search_result& result, const explanation& why) {
    return explanation_check(what, result, why).contradictions();
}

std::vector<std::string> contradictions(const scenario& what, const search_result& result) {
    return contradictions(what, result, explain(what, result));
}

}  // namespace ordeal::model_tests
