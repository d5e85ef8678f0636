// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/relacy/limits.hpp"

namespace ordeal::relacy {

std::vector<std::string> limits::sentences(bool random) const {
    std::vector<std::string> result{"Relacy: interleavings with stale reads, not every execution of the memory model"};
    if (stale_reads) {
        result.emplace_back(random ? "Relacy: a load is at most two stores stale"
                                   : "Relacy: a load is at most one store stale");
    }
    if (stale_failures) result.emplace_back("Relacy: a failing compare-exchange sees the newest value");
    if (spurious_failures && !random) {
        result.emplace_back("Relacy: a weak compare-exchange fails spuriously at most once for each atomic object");
    }
    if (release_sequences) {
        result.emplace_back(
            "Relacy: a plain store continues the release sequence before it, if its own thread wrote last");
    }
    if (modification_order) result.emplace_back("Relacy: modification order is the order of execution");
    if (yields) {
        result.emplace_back(
            "Relacy: a thread that yields goes on only after every other thread that can has made a step");
    }
    if (try_locks) result.emplace_back("Relacy: a try_lock fails spuriously at most once for each mutex");
    if (reuse) result.emplace_back("Relacy: memory that was freed is never allocated again");
    if (sequentially_consistent_fences) {
        result.emplace_back("Relacy: what comes before a seq_cst fence happens before what comes after a later one");
    }
    if (sequential_consistency) {
        result.emplace_back(
            "Relacy: seq_cst fences and seq_cst accesses do not order each other; a violation may be a false alarm");
    }
    return result;
}

}  // namespace ordeal::relacy
