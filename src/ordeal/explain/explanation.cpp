// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/explain/explanation.hpp"

#include "ordeal/explain/explanation_parts.hpp"
#include "ordeal/explain/step_words.hpp"
#include "ordeal/explain/synchronisation.hpp"
#include "ordeal/runtime/standard_headers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace ordeal::detail {

namespace {

/// Composes an explanation: first its steps are determined, then letters are assigned, then sentences with the letters
/// are made.
class explainer {
public:
    explainer(const scenario& what, const search_result& result)
        : result_(result), steps_(result.trace), threads_(thread_names(what, result.trace)) {}

    explanation explain() {
        find_what_it_is_about();
        give_letters();
        say_ends();
        say_links();
        say_load_buffering();
        say_lost_update();
        say_waits();
        say_notifications();
        say_suspended();
        say_holder();
        say_processors();
        if (result_.simpler_may_exist) {
            say("There may be a simpler execution that shows this: the search for one was cut short.");
        }
        return std::move(made_);
    }

private:
    struct missed_notification {
        std::size_t waiting = 0;                  ///< where it never goes on
        std::optional<std::size_t> began;         ///< its wait
        std::optional<std::size_t> notification;  ///< the last one of the trace
        std::optional<std::size_t> change;        ///< a later write of an atomic, for which the wait would end
    };

    void find_what_it_is_about() {
        const violation_ends ends = ends_of(steps_, result_.kind.value_or(violation_kind::crash));
        made_.first = ends.first;
        made_.second = ends.second;
        unordered_ = ends.unordered;
        const bool is_of_code =
            result_.kind != violation_kind::nondeterminism && result_.kind != violation_kind::time_out;
        other_order_ = asks_for_the_other_order(ends);
        if (result_.verdict == verdict::violated && is_of_code) made_.processors = on_processors(steps_, ends);
        if (unordered_) {
            made_.links = nearly_ordered(steps_, *ends.first, *ends.second);
            if (made_.links.empty()) find_read_without_order();
        } else if (result_.verdict == verdict::violated && !ends.first) {
            if (late_cycle(steps_).empty()) made_.links = missed_cycle(steps_);
            is_cycle_ = !made_.links.empty();
        }
        mark_missing();
        late_ = late_cycle(steps_);
        find_judged();
        lost_ = lost_update_before(steps_, judged_);
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (steps_[i].is_stuck()) waiting_.push_back(i);
        }
        for (const std::size_t each : waiting_) find_notification(each);
        if (!waiting_.empty()) made_.second.reset();  // it has no location
        find_suspended();
        if (result_.kind == violation_kind::precondition && made_.second) holder_ = locked_by(steps_[*made_.second]);
    }

    // The thread of the later end may have read what the other one wrote after the earlier end, though not by an atomic
    // read: by a system call, for instance.
    void find_read_without_order() {
        for (std::size_t i = *made_.second; i-- > 0;) {
            const auto source = steps_.source_of(i);
            if (!source || *source <= *made_.first || steps_[i].thread != steps_[*made_.second].thread) continue;
            if (steps_[*source].thread != steps_[*made_.first].thread) continue;
            without_order_ = {*source, i};
            return;
        }
    }

    // What a requirement that failed has read: the steps at its line, or below it, just before.
    void find_judged() {
        constexpr std::size_t most = 6;
        if (result_.kind != violation_kind::failed_requirement || !made_.second) return;
        const trace_step& failed = steps_[*made_.second];
        const auto is_of_it = [&](const trace_step& step) {
            const auto is_there = [&](const call_frame& call) {
                return call.file == failed.where.key.file && call.line == failed.where.key.line;
            };
            return step.thread == failed.thread && step.access == step_access::read &&
                   ((step.where.key.file == failed.where.key.file && step.where.key.line == failed.where.key.line) ||
                    std::ranges::any_of(step.calls, is_there));
        };
        for (std::size_t i = *made_.second; i-- > 0 && judged_.size() < most && is_of_it(steps_[i]);)
            judged_.push_back(i);
    }

    // An atomic that nobody has accessed yet is no object when it is notified. The parts of one are atomics of their
    // own.
    static bool is_at(const trace_step& step, const trace_step& object) {
        const bool same = step.address != 0 && step.address == object.address;
        return same || (step.object == object.object && (step.address == 0 || object.address == 0));
    }

    // Of the thread that waits for a notification: the last one of that condition variable or atomic, and where its
    // wait began.
    void find_notification(std::size_t waiting) {
        const trace_step& waits = steps_[waiting];
        const bool is_atomic = waits.waits_for() == awaited::notification;
        if (!is_atomic && !waits.is_about(object_kind::condition)) return;
        const step_kind wait = is_atomic ? step_kind::blocks : step_kind::wait;
        missed_notification missed{waiting, {}, {}, {}};
        bool of_another_part = false;  // which has the same name
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const trace_step& each = steps_[i];
            of_another_part |= each.kind() == step_kind::notify && each.object == waits.object && !is_at(each, waits);
            if (!is_at(each, waits)) continue;
            if (each.thread == waits.thread && each.kind() == wait) missed.began = i;
            if (each.kind() == step_kind::notify) missed.notification = i;
        }
        if (is_atomic && missed.began) missed.change = change_without_notification(missed);
        if (missed.notification || !of_another_part) missed_.push_back(missed);
    }

    // Nobody has notified that the value is another one: the last write, if no notification comes after it.
    [[nodiscard]] std::optional<std::size_t> change_without_notification(const missed_notification& missed) const {
        const trace_step& waits = steps_[*missed.began];
        for (std::size_t i = steps_.size(); i-- > missed.notification.value_or(0);) {
            const trace_step& each = steps_[i];
            if (!is_at(each, waits) || !each.coherence) continue;
            return each.thread != waits.thread && each.after != waits.before ? std::optional(i) : std::nullopt;
        }
        return {};
    }

    // A lost wake-up is found when nothing more can happen, or by a test that looks at what should have been done by
    // then: there is a suspended coroutine that nobody resumes.
    void find_suspended() {
        constexpr std::size_t most = 3;
        const bool at_end = !waiting_.empty() || (made_.second && steps_[*made_.second].thread < 0);
        const bool fails = made_.second && result_.kind == violation_kind::failed_requirement;
        const bool leaks = result_.kind == violation_kind::leak;
        if ((!at_end && !fails) || (made_.first && !leaks)) return;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (steps_[i].kind() != step_kind::suspend || steps_[i].thread < 0 || !is_never_resumed(i)) continue;
            if (at_end || steps_.happens_before(i, *made_.second)) suspended_.push_back(i);
        }
        if (suspended_.size() > most) suspended_.resize(most);  // those that have waited longest
    }

    // Of a coroutine over a policy every step is shown; of others the engine has told.
    [[nodiscard]] bool is_never_resumed(std::size_t suspension) const {
        const trace_step& what = steps_[suspension];
        if (!what.is_about(object_kind::frame)) return what.note == trace_step::never_resumed_words;
        for (std::size_t i = suspension + 1; i < steps_.size(); ++i) {
            if (steps_[i].object == what.object) return false;
        }
        return true;
    }

    // In a cycle with a single from-reads edge, its reads-from edges could be made to order its ends.
    void mark_missing() {
        detail::mark_missing(steps_, made_.links, is_cycle_);
        for (std::size_t i = 0; i < made_.links.size(); ++i) {
            if (made_.links[i].missing) made_.links[i].description = words_for_missing(i);
        }
    }

    [[nodiscard]] std::string words_for_missing(std::size_t link) const {
        const step_link& each = made_.links[link];
        const missing_orders lacks = lacking(steps_, made_.links, link);
        const auto lack = [&](std::size_t step, const char* letter, order (*with)(order) noexcept) {
            const order now = steps_[step].using_order.value_or(order::relaxed);
            const std::string which = steps_[step].failed() ? "the failure order of " : "";
            return which + letter + " is " + std::string(to_string(now)) + ", not " + std::string(to_string(with(now)));
        };
        const std::string release = lack(each.from, "{from}", &with_release);
        const std::string acquire = lack(each.to, "{to}", &with_acquire);
        const std::string then = ", {from} would synchronise with {to}";
        if (lacks.release && lacks.acquire) return release + ", and " + acquire + "; if both were" + then;
        if (lacks.release || lacks.acquire) return (lacks.release ? release : acquire) + "; if it were" + then;
        return "the two do not synchronise";
    }

    void give_letters() {
        std::vector<std::size_t> core = waiting_;
        for (const std::size_t each : waiting_) {
            if (steps_[each].waits_for() == awaited::release) core.push_back(*steps_.before_in_thread(each));
            if (const auto holder = locked_by(steps_[each])) core.push_back(*holder);
            const std::vector<std::size_t> arrivals = arrivals_for(each);
            core.insert(core.end(), arrivals.begin(), arrivals.end());
        }
        add_decisions_of_others(core);
        core.insert(core.end(), suspended_.begin(), suspended_.end());
        for (const auto* const links : {&made_.links, &late_}) {
            for (const step_link& each : *links) core.insert(core.end(), {each.from, each.to});
        }
        if (made_.first) core.push_back(*made_.first);
        if (made_.second) core.push_back(*made_.second);
        core.insert(core.end(), judged_.begin(), judged_.end());
        if (holder_) core.push_back(*holder_);
        if (without_order_) core.insert(core.end(), {without_order_->first, without_order_->second});
        if (lost_) core.insert(core.end(), {lost_->read, lost_->lost, lost_->replacing});
        for (const missed_notification& each : missed_) {
            if (each.began) core.push_back(*each.began);
            if (each.change) core.push_back(*each.change);
            if (!each.notification) continue;
            core.push_back(*each.notification);
            const std::vector<std::size_t> woken = woken_by(*each.notification);
            core.insert(core.end(), woken.begin(), woken.end());
            const std::vector<std::size_t> others = went_on_after(*each.notification);
            core.insert(core.end(), others.begin(), others.end());
        }
        if (core.empty() && steps_.size() > 0) core.push_back(steps_.size() - 1);
        made_.letters = letters_of(steps_, core);
        for (step_link& each : made_.links) {
            replace_all(each.description, "{from}", made_.letters[each.from]);
            replace_all(each.description, "{to}", made_.letters[each.to]);
        }
    }

    // A thread that has ended may have been expected to let another one go on: what it has read last is why it did not.
    void add_decisions_of_others(std::vector<std::size_t>& core) const {
        if (waiting_.empty()) return;
        std::map<int, std::optional<std::size_t>> decisions;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (steps_[i].thread < 0) continue;
            auto& latest = decisions[steps_[i].thread];
            if (steps_[i].where.atomic && steps_[i].access == step_access::read) latest = i;
        }
        for (const std::size_t each : core) decisions.erase(steps_[each].thread);
        for (const auto& [thread, latest] : decisions) {
            if (latest) core.push_back(*latest);
        }
    }

    static void replace_all(std::string& text, std::string_view what, const std::string& with) {
        for (auto found = text.find(what); found != std::string::npos; found = text.find(what, found + with.size())) {
            text.replace(found, what.size(), with);
        }
    }

    [[nodiscard]] const std::string& letter(std::size_t step) const { return made_.letters[step]; }

    [[nodiscard]] std::string thread_of(std::size_t step) const {
        const int thread = steps_[step].thread;
        if (thread >= 0) return threads_[static_cast<std::size_t>(thread)];
        const auto of_threads = std::ranges::find_if(result_.trace, [](const auto& each) { return each.thread >= 0; });
        const bool before = result_.trace.begin() + static_cast<std::ptrdiff_t>(step) < of_threads;
        return before ? "construction" : "finish()";
    }

    void say_ends() {
        if (!made_.first || !made_.second) return;
        const std::size_t first = *made_.first;
        const std::size_t second = *made_.second;
        std::string text = letter(first) + ", " + operation_words(steps_[first]) + " by " + thread_of(first);
        if (result_.kind == violation_kind::leak) return say(text + ", is followed by no free.");
        text += unordered_ ? ", is not ordered before " : ", comes before ";
        text += letter(second) + ", " + operation_words(steps_[second]) + " by " + thread_of(second) + ".";
        say(std::move(text));
    }

    void say_links() {
        if (is_cycle_) return say_cycle();
        if (!unordered_) return;
        if (result_.kind == violation_kind::double_free) return;  // one is too many, in whatever order
        if (made_.links.empty()) return say(words_without_way());
        say_missing("No release/acquire pair connects " + letter(*made_.first) + " to " + letter(*made_.second) + ": ");
    }

    void say_lost_update() {
        if (!lost_ || is_cycle_) return;
        const auto [read, lost, replacing] = *lost_;
        say(letter(replacing) + ", " + operation_words(steps_[replacing]) + " by " + thread_of(replacing) +
            ", replaces what " + thread_of(lost) + " wrote in " + letter(lost) + ", which " + thread_of(replacing) +
            " had not read: its " + (steps_[read].where.atomic ? "load " : "read ") + letter(read) + " came before.");
    }

    // "h, the notify_one of box.cv by thread 3, woke thread 4 in i, not thread 2; thread 4 began to wait later, in k."
    void say_notifications() {
        std::set<std::string> said;
        for (const missed_notification& each : missed_) {
            if (!said.insert(steps_[each.waiting].object).second) continue;
            if (each.notification) {
                say(words_for_notification(*each.notification) + ".");
            } else {
                say("Nothing notifies " + object_words(steps_[each.waiting]) + ".");
            }
            if (each.change) {
                say(letter(*each.change) + ", " + operation_words(steps_[*each.change]) + " by " +
                    thread_of(*each.change) + ", changes it, and no notification comes after that.");
            }
        }
    }

    [[nodiscard]] std::string words_for_notification(std::size_t notification) const {
        const std::string which = letter(notification) + ", " + operation_words(steps_[notification]) + " by " +
                                  thread_of(notification) + ", ";
        if (!steps_[notification].is_about(object_kind::condition)) return which + words_for_atomic(notification);
        std::vector<std::string> passed_over;
        std::string later;
        for (const missed_notification& each : missed_) {
            if (each.notification != notification || !each.began) continue;
            const std::string thread = thread_of(each.waiting);
            if (*each.began < notification) {
                passed_over.push_back(thread);
            } else {
                later += "; " + thread + " began to wait later, in " + letter(*each.began);
            }
        }
        return which + woken_words(notification) + (passed_over.empty() ? "" : ", not " + enumerated(passed_over)) +
               later;
    }

    // The other waits that went on after a notification of an atomic. It is no event, so that nobody knows which of
    // them it ended.
    [[nodiscard]] std::vector<std::size_t> went_on_after(std::size_t notification) const {
        std::vector<std::size_t> result;
        for (std::size_t i = notification + 1; i < steps_.size(); ++i) {
            const bool waited = steps_[i].kind() == step_kind::wait && steps_[i].thread != steps_[notification].thread;
            if (waited && is_at(steps_[i], steps_[notification])) result.push_back(i);
        }
        return result;
    }

    [[nodiscard]] std::string words_for_atomic(std::size_t notification) const {
        std::vector<std::string> later;
        std::vector<std::string> before;
        for (const missed_notification& each : missed_) {
            if (each.notification != notification || !each.began) continue;
            auto& into = *each.began < notification ? before : later;
            into.push_back(thread_of(each.waiting) + " in " + letter(*each.began));
        }
        std::string text;
        if (!later.empty()) text = "came before the wait of " + enumerated(later);
        if (!before.empty()) text += (text.empty() ? "" : ", and ") + ("did not end the wait of " + enumerated(before));
        std::vector<std::string> others;
        for (const std::size_t each : went_on_after(notification))
            others.push_back("that of " + thread_of(each) + " in " + letter(each));
        if (!before.empty() && !others.empty()) text += ", but may have ended " + enumerated(others);
        return text.empty() ? "is the last one" : text;
    }

    [[nodiscard]] std::string woken_words(std::size_t notification) const {
        std::vector<std::string> woken;
        for (const std::size_t each : woken_by(notification)) woken.push_back(thread_of(each) + " in " + letter(each));
        return "woke " + (woken.empty() ? "nobody" : enumerated(woken));
    }

    // The ends of the waits that a notification ended.
    [[nodiscard]] std::vector<std::size_t> woken_by(std::size_t notification) const {
        std::vector<std::size_t> result;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (steps_.notification_of(i) == notification) result.push_back(i);
        }
        return result;
    }

    [[nodiscard]] std::string words_without_way() const {
        const std::string so = ", so stronger memory orders cannot order the two: it takes another operation.";
        const std::string reader = thread_of(*made_.second);
        if (without_order_) {
            const auto [from, to] = *without_order_;
            return "In " + letter(to) + ", " + reader + " reads what " + thread_of(from) + " wrote in " + letter(from) +
                   ", but such a read synchronises with nothing" + so;
        }
        return "Until " + letter(*made_.second) + ", " + reader + " reads nothing that " + thread_of(*made_.first) +
               " wrote after " + letter(*made_.first) + so;
    }

    void say_missing(std::string text) {
        bool some = false;
        for (const step_link& each : made_.links) {
            if (!each.missing) continue;
            text +=
                (some ? "; " : "") + letter(each.to) + " reads from " + letter(each.from) + ", but " + each.description;
            some = true;
        }
        if (some) say(text + ".");
    }

    // "c misses f (it reads an older state_) and e misses b (it reads an older done_)."
    void say_cycle() {
        std::vector<std::string> misses;
        std::vector<std::string> letters;
        bool some_missing = false;
        for (const step_link& each : made_.links) {
            letters.push_back(letter(each.from));
            some_missing |= each.missing;
            if (each.relation == step_relation::from_read) {
                misses.push_back(letter(each.from) + " misses " + letter(each.to) + " (it reads an older " +
                                 object_words(steps_[each.from]) + ")");
            } else if (each.relation == step_relation::coherence) {
                misses.push_back(letter(each.to) + " replaces what " + letter(each.from) + " wrote to " +
                                 object_words(steps_[each.to]));
            }
        }
        say("No interleaving has this: " + enumerated(misses) + ".");
        if (some_missing) return say_missing({});
        if (std::ranges::all_of(made_.links, [&](const step_link& each) { return is_seq_cst(each); })) return;
        std::ranges::sort(letters);
        letters.erase(std::ranges::unique(letters).begin(), letters.end());
        const std::vector<std::string> gaps = gaps_without_fence();
        say((gaps.size() == 1 ? "A seq_cst fence " + gaps.front() + " rules this out"
                              : "seq_cst fences " + enumerated(gaps) + " rule this out") +
            "; so does seq_cst on " + enumerated(letters) + ".");
    }

    // "Load buffering: d reads what h writes later, as nothing keeps f from being made before d. What rules this out:
    // acquire at d or release at f."
    void say_load_buffering() {
        if (late_.empty()) return;
        const step_link& last = late_.back();
        std::vector<std::string> cures;
        std::string early;
        for (const step_link& each : late_) {
            if (each.relation != step_relation::program_order) continue;
            if (each.from == last.to) early = letter(each.to);
            if (is_ordered(each)) continue;
            const bool reads = steps_[each.from].access == step_access::read || steps_[each.from].before;
            cures.push_back((reads ? "acquire at " + letter(each.from) + " or " : "") + "release at " +
                            letter(each.to));
        }
        std::string text = "Load buffering: " + letter(last.to) + " reads what " + letter(last.from) + " writes later";
        if (!early.empty()) text += ", as nothing keeps " + early + " from being made before " + letter(last.to);
        say(text + ".");
        if (cures.empty()) return;
        say("What rules this out: " + fmt::format("{}", fmt::join(cures, "; together with ")) + ".");
    }

    // Whether the later one, a write, is not made before the earlier one.
    [[nodiscard]] bool is_ordered(const step_link& link) const {
        const auto order_of = [&](std::size_t step) {
            return steps_[step].event_order.value_or(steps_[step].using_order.value_or(order::relaxed));
        };
        if (acquires(order_of(link.from)) || releases(order_of(link.to))) return true;
        for (std::size_t i = link.from + 1; i < link.to; ++i) {
            if (steps_[i].thread == steps_[link.from].thread && is_fence(steps_[i]) && order_of(i) != order::relaxed)
                return true;
        }
        return false;
    }

    // "between a and b", for each two steps of one thread in the cycle without a fence between them.
    [[nodiscard]] std::vector<std::string> gaps_without_fence() const {
        std::vector<std::string> gaps;
        for (const step_link& each : made_.links) {
            if (each.relation != step_relation::program_order) continue;
            if (has_seq_cst_fence(steps_, each.from, each.to)) continue;
            gaps.push_back("between " + letter(each.from) + " and " + letter(each.to));
        }
        return gaps;
    }

    [[nodiscard]] bool is_seq_cst(const step_link& link) const {
        return steps_[link.from].using_order == order::seq_cst && steps_[link.to].using_order == order::seq_cst;
    }

    // The reasons stand before the threads that join those that have them.
    void say_waits() {
        const auto joins = [&](std::size_t each) { return steps_[each].waits_for() == awaited::end_of_thread; };
        for (const std::size_t each : waiting_) {
            if (!joins(each)) say_wait(each);
        }
        for (const std::size_t each : waiting_) {
            if (joins(each)) say_wait(each);
        }
    }

    void say_wait(std::size_t each) {
        const trace_step& step = steps_[each];
        std::string text = letter(each) + ": " + thread_of(each) + " never goes on";
        if (!step.note.empty()) text += ": it " + waiting_words(step);
        text += holder_words(step);
        const std::string place = is_standard_header(step.where.key.file) ? "" : place_words(step);
        say(text + (place.empty() ? "." : " (" + place + ")."));
    }

    void say_suspended() {
        for (const std::size_t each : suspended_) {
            const bool goes_on = waiting_.empty() && steps_[*made_.second].thread >= 0;
            const std::string until = goes_on ? " before " + letter(*made_.second) : "";
            say(object_words(steps_[each]) + " is suspended in " + letter(each) + " by " + thread_of(each) +
                ", and nothing resumes it" + until + ".");
        }
    }

    // Those that have come, where a thread waits for more.
    [[nodiscard]] std::vector<std::size_t> arrivals_for(std::size_t waiting) const {
        std::vector<std::size_t> result;
        if (steps_[waiting].waits_for() != awaited::arrivals) return result;
        for (std::size_t i = 0; i < waiting; ++i) {
            if (steps_[i].kind() == step_kind::arrive && is_at(steps_[i], steps_[waiting])) result.push_back(i);
        }
        return result;
    }

    // The operation by which a thread holds the lock of this step.
    [[nodiscard]] std::optional<std::size_t> locked_by(const trace_step& step) const {
        for (std::size_t i = steps_.size(); step.is_about(object_kind::mutex) && i-- > 0;) {
            const trace_step& each = steps_[i];
            if (each.object != step.object || each.failed()) continue;
            if (each.kind() == step_kind::unlock) break;
            if (each.kind() == step_kind::lock || each.kind() == step_kind::try_lock) return i;
        }
        return {};
    }

    [[nodiscard]] std::string holder_words(const trace_step& waiting) const {
        const auto holder = locked_by(waiting);
        if (!holder) return {};
        return ", which " + thread_of(*holder) + " has locked" +
               (letter(*holder).empty() ? "" : " in " + letter(*holder));
    }

    void say_processors() {
        if (!made_.processors) return;
        if (std::string said = words(*made_.processors, other_order_); !said.empty()) say(std::move(said));
    }

    void say_holder() {
        if (result_.kind != violation_kind::precondition || !made_.second) return;
        const trace_step& wrong = steps_[*made_.second];
        if (!wrong.is_about(object_kind::mutex)) return;
        say((holder_ ? thread_of(*holder_) + " has locked it in " + letter(*holder_) : "No thread holds it") + ".");
    }

    void say(std::string sentence) { made_.conclusion.push_back(std::move(sentence)); }

    const search_result& result_;
    trace_relations steps_;
    std::vector<std::string> threads_;
    std::vector<std::size_t> waiting_;
    std::vector<std::size_t> suspended_;
    std::vector<step_link> late_;      ///< load buffering, see late_cycle()
    std::vector<std::size_t> judged_;  ///< reads of a requirement that failed
    std::optional<lost_update> lost_;
    std::optional<std::pair<std::size_t, std::size_t>> without_order_;  ///< a write, and who reads it
    std::vector<missed_notification> missed_;
    std::optional<std::size_t> holder_;  ///< of the lock that a violated precondition is about
    bool unordered_ = false;
    bool other_order_ = false;  // what processors are asked for
    bool is_cycle_ = false;
    explanation made_;
};

}  // namespace

std::string_view to_string(step_relation value) noexcept {
    switch (value) {
        case step_relation::program_order: return "program order";
        case step_relation::reads_from: return "reads-from";
        case step_relation::from_read: return "from-read";
        case step_relation::coherence: return "coherence";
        case step_relation::happens_before: break;
    }
    return "happens-before";
}

explanation explain(const scenario& what, const search_result& result) {
    if (result.trace.empty()) return {};
    return explainer(what, result).explain();
}

}  // namespace ordeal::detail
