// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The relations have the names of the .cat files of herd.
#include "ordeal/processors/processor_models.hpp"

#include "ordeal/processors/relation.hpp"

#include <cstddef>

namespace ordeal::detail::processors {

namespace {

/// The events that have a property.
class event_set {
public:
    using property = bool (*)(const machine_event&);
    event_set(const std::vector<machine_event>& events, property of) : events_(events), of_(of) {}
    bool operator()(std::size_t event) const { return of_(events_[event]); }

private:
    const std::vector<machine_event>& events_;
    property of_;
};

class candidate_execution {
public:
    candidate_execution(const std::vector<machine_event>& events, dependencies there_are)
        : events_(events),
          R(events, [](const machine_event& each) { return each.reads; }),
          W(events, [](const machine_event& each) { return each.writes; }),
          M(events, [](const machine_event& each) { return each.accesses(); }),
          A(events, [](const machine_event& each) { return each.acquire; }),
          L(events, [](const machine_event& each) { return each.release; }),
          po(pairs([&](std::size_t a, std::size_t b) { return a < b && !external(a, b); })),
          po_loc(pairs([&](std::size_t a, std::size_t b) { return a < b && !external(a, b) && same_location(a, b); })),
          rf(pairs([&](std::size_t a, std::size_t b) { return events_[b].reads_from == a; })),
          co(pairs([&](std::size_t a, std::size_t b) {
              return same_location(a, b) && W(a) && W(b) && at(a).coherence < at(b).coherence;
          })),
          fr(pairs([&](std::size_t a, std::size_t b) {
              return a != b && same_location(a, b) && R(a) && W(b) && coherence_read(a) < at(b).coherence;
          })),
          rmw(pairs([&](std::size_t a, std::size_t b) { return at(b).rmw && a + 1 == b; })),
          deps(there_are == dependencies::all ? all_dependencies() : relation(events.size())) {}

    /// uniproc: sc-per-location.
    [[nodiscard]] bool coherent() const { return (po_loc | rf | co | fr).acyclic(); }

    [[nodiscard]] bool x86_tso() const {
        const relation ppo = pairs([&](std::size_t a, std::size_t b) { return po.has(a, b) && (R(a) || W(b)); });
        return (ppo.between(M, M) | fenced(barrier::mfence, M, M) | ext(rf) | co | fr).acyclic();
    }

    [[nodiscard]] bool aarch64() const {
        const relation obs = ext(rf) | ext(co) | ext(fr);
        // An access and a later write to its location; a write and a read that takes its value from it.
        const relation lws = po_loc.between(M, W);
        const relation rfi = internal(rf);
        const auto amo_write = [this](std::size_t event) { return at(event).rmw && at(event).atomic_instruction; };
        const relation dob = deps | deps.between(R, W) * rfi;
        const relation aob = rmw | rfi.between([this](std::size_t event) { return at(event).rmw; }, A);
        const relation full = rmw.between(A, [&](std::size_t event) { return amo_write(event) && L(event); });
        const relation bob = fenced(barrier::dmb_ish, M, M) | fenced(barrier::dmb_ishld, R, M) | po.between(A, M) |
                             po.between(M, L) | po.between(L, A) | po * full * po;
        return (obs | lws | dob | aob | bob).acyclic();
    }

    [[nodiscard]] bool rvwmo() const {
        const relation same_write =
            pairs([&](std::size_t a, std::size_t b) { return R(a) && R(b) && at(a).reads_from == at(b).reads_from; });
        const relation written_between = po_loc.between(M, W) * po_loc.between(W, M);
        const relation two_reads = pairs([&](std::size_t a, std::size_t b) {
            return po_loc.has(a, b) && R(a) && R(b) && !written_between.has(a, b) && !same_write.has(a, b);
        });
        const auto conditional = [this](std::size_t event) { return at(event).rmw || at(event).atomic_instruction; };
        const auto annotated = [this](std::size_t event) { return A(event) || L(event); };
        const relation fences = fenced(barrier::fence_r_rw, R, M) | fenced(barrier::fence_rw_w, M, W) |
                                fenced(barrier::fence_rw_rw, M, M) | fenced(barrier::fence_tso, R, M) |
                                fenced(barrier::fence_tso, W, W);
        const relation ppo = po_loc.between(M, W) | two_reads | internal(rf).between(conditional, R) | fences |
                             po.between(A, M) | po.between(M, L) | po.between(annotated, annotated) | rmw | deps |
                             deps.between(R, W) * internal(rf);
        return (co | ext(rf) | fr | ppo).acyclic();
    }

    [[nodiscard]] bool power() const {
        const relation ppo = preserved_by_power();
        const relation ffence = fenced(barrier::sync, M, M);
        const relation lwsync = fenced(barrier::lwsync, M, M);
        const relation lwfence = lwsync.between(R, M) | lwsync.between(W, W);
        const relation fence = ffence | lwfence;
        const relation hb = ppo | fence | ext(rf);
        if (!hb.acyclic()) return false;
        const relation hb_star = hb.star();
        const relation prop_base = ext(rf).maybe() * fence * hb_star;
        const relation com = rf | fr | co;
        const relation prop = prop_base.between(W, W) | com.star() * prop_base.star() * ffence * hb_star;
        return (ext(fr) * prop * hb_star).irreflexive() && (co | prop).acyclic();
    }

private:
    // But for those that were found not to be there.
    [[nodiscard]] relation all_dependencies() const {
        const auto is_read_by_others = [&](std::size_t write) {
            for (std::size_t i = 0; i < events_.size(); ++i) {
                if (at(i).reads_from == write && external(i, write)) return true;
            }
            return false;
        };
        return pairs([&](std::size_t a, std::size_t b) {
            return po.has(a, b) && R(a) && M(b) && !(at(a).certified && W(b) && is_read_by_others(b));
        });
    }

    [[nodiscard]] const machine_event& at(std::size_t event) const { return events_[event]; }
    [[nodiscard]] bool external(std::size_t a, std::size_t b) const { return at(a).thread != at(b).thread; }
    [[nodiscard]] bool same_location(std::size_t a, std::size_t b) const {
        return at(a).accesses() && at(b).accesses() && at(a).location == at(b).location;
    }
    [[nodiscard]] std::size_t coherence_read(std::size_t read) const {
        return at(read).reads_from ? at(*at(read).reads_from).coherence : 0;
    }

    template <class Predicate>
    [[nodiscard]] relation pairs(Predicate holds) const {
        return relation::of(events_.size(), holds);
    }
    [[nodiscard]] relation ext(const relation& all) const {
        return pairs([&](std::size_t a, std::size_t b) { return all.has(a, b) && external(a, b); });
    }
    [[nodiscard]] relation internal(const relation& all) const {
        return pairs([&](std::size_t a, std::size_t b) { return all.has(a, b) && !external(a, b); });
    }
    template <class From, class To>
    [[nodiscard]] relation fenced(barrier which, From from, To to) const {
        const auto is_fence = [&](std::size_t event) { return at(event).kind == which; };
        return po.between(from, is_fence) * po.between(is_fence, to);
    }

    // ppo is the least fixed point of four relations: between the beginning (i) and the end (c) of instructions.
    [[nodiscard]] relation preserved_by_power() const {
        const relation detour = po_loc & (ext(co) * ext(rf));
        const relation rdw = po_loc & (ext(fr) * ext(rf));
        const relation ctrl_cfence = pairs([&](std::size_t load, std::size_t later) {
            return load + 1 < events_.size() && at(load + 1).kind == barrier::isync && R(load) &&
                   po.has(load + 1, later) && M(later);
        });
        relation ii = deps | rdw | internal(rf);
        relation ic = rmw;
        relation ci = ctrl_cfence | detour;
        relation cc = deps | po_loc;
        while (true) {
            const relation next_ii = ii | ci | ic * ci | ii * ii;
            const relation next_ic = ic | ii | cc | ic * cc | ii * ic;
            const relation next_ci = ci | ci * ii | cc * ci;
            const relation next_cc = cc | ci | ci * ic | cc * cc;
            if (next_ii == ii && next_ic == ic && next_ci == ci && next_cc == cc) break;
            ii = next_ii, ic = next_ic, ci = next_ci, cc = next_cc;
        }
        return ii.between(R, R) | ic.between(R, W);
    }

    const std::vector<machine_event>& events_;
    // NOLINTBEGIN(readability-identifier-naming): the names of the papers
    event_set R, W, M, A, L;
    relation po, po_loc, rf, co, fr, rmw, deps;
    // NOLINTEND(readability-identifier-naming)
};

}  // namespace

bool allows(target which, const std::vector<machine_event>& execution, dependencies there_are) {
    const candidate_execution candidate(execution, there_are);
    if (!candidate.coherent()) return false;
    switch (which) {
        case target::x86_64: return candidate.x86_tso();
        case target::aarch64:
        case target::aarch64_lse: return candidate.aarch64();
        case target::riscv64: return candidate.rvwmo();
        case target::ppc64le: return candidate.power();
    }
    return true;
}

}  // namespace ordeal::detail::processors
