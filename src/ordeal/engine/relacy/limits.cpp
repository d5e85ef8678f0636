// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/relacy/limits.hpp"

namespace ordeal::detail::relacy {

namespace {

limit hides(const char* id, const char* sentence) { return {id, sentence, limit_effect::hides}; }
limit adds(const char* id, const char* sentence) { return {id, sentence, limit_effect::adds}; }

}  // namespace

std::vector<limit> limits::named(bool random) const {
    std::vector<limit> result{{"relacy",
                               "Relacy: interleavings with stale reads, not every execution of the memory model",
                               limit_effect::general}};
    if (stale_reads) {
        result.push_back(hides("stale-reads", random ? "Relacy: a load is at most two stores stale"
                                                     : "Relacy: a load is at most one store stale"));
    }
    if (stale_failures) {
        result.push_back(hides("stale-failures", "Relacy: a failing compare-exchange sees the newest value"));
    }
    if (spurious_failures && !random) {
        result.push_back(hides("spurious-failures",
                               "Relacy: a weak compare-exchange fails spuriously at most once for each atomic object"));
    }
    if (release_sequences) {
        result.push_back(
            hides("release-sequences",
                  "Relacy: a plain store continues the release sequence before it, if its own thread wrote last"));
    }
    if (modification_order) {
        result.push_back(hides("modification-order", "Relacy: modification order is the order of execution"));
    }
    if (yields) {
        result.push_back(hides(
            "yields", "Relacy: a thread that yields goes on only after every other thread that can has made a step"));
    }
    if (try_locks) {
        result.push_back(hides("try-locks", "Relacy: a try_lock fails spuriously at most once for each mutex"));
    }
    if (reuse) result.push_back(hides("reuse", "Relacy: memory that was freed is never allocated again"));
    if (sequentially_consistent_fences) {
        result.push_back(hides(
            "seq-cst-fences", "Relacy: what comes before a seq_cst fence happens before what comes after a later one"));
    }
    if (sequential_consistency) {
        result.push_back(adds(
            "seq-cst",
            "Relacy: seq_cst fences and seq_cst accesses do not order each other; a violation may be a false alarm"));
    }
    if (unfair_schedule) {
        result.push_back(
            adds("unfair-schedule",
                 "Relacy: a thread that does not yield may run for ever while another one never does, or read an "
                 "old value for ever; a livelock may be a false alarm"));
    }
    return result;
}

}  // namespace ordeal::detail::relacy
