// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/graph/rc11.hpp"

#include <stdexcept>

namespace ordeal::model_tests::rc11 {

using namespace detail;

namespace {

constexpr int initial = -1;

// [S]: the identity on the events that satisfy the predicate.
template <class Predicate>
relation only(const execution& graph, Predicate predicate) {
    relation result(graph.events.size());
    for (std::size_t i = 0; i < graph.events.size(); ++i) {
        if (predicate(graph.events[i])) result.add(i, i);
    }
    return result;
}

// All pairs of different events that satisfy the predicate.
template <class Predicate>
relation pairs(const execution& graph, Predicate predicate) {
    relation result(graph.events.size());
    for (std::size_t i = 0; i < graph.events.size(); ++i) {
        for (std::size_t j = 0; j < graph.events.size(); ++j) {
            if (i != j && predicate(i, j)) result.add(i, j);
        }
    }
    return result;
}

relation program_order(const execution& graph) {
    return pairs(graph, [&](std::size_t i, std::size_t j) {
        const int from = graph.events[i].thread;
        const int to = graph.events[j].thread;
        return from == initial ? to != initial : from == to && i < j;
    });
}

relation reads_from(const execution& graph) {
    return pairs(graph, [&](std::size_t i, std::size_t j) {
        return graph.events[j].kind == event_kind::read && graph.events[j].source == i;
    });
}

relation coherence_order(const execution& graph) {
    relation result(graph.events.size());
    for (const std::vector<std::size_t>& writes : graph.coherence) {
        for (std::size_t i = 0; i < writes.size(); ++i) {
            for (std::size_t j = i + 1; j < writes.size(); ++j) result.add(writes[i], writes[j]);
        }
    }
    return result;
}

// From the read of a read-modify-write to its write, which is the next event of its thread.
relation modifications(const execution& graph, const relation& po) {
    const relation same = pairs(graph, [&](std::size_t i, std::size_t j) {
        const event& first = graph.events[i];
        const event& second = graph.events[j];
        return first.thread != initial && first.modifies && first.kind == event_kind::read && second.modifies &&
               second.kind == event_kind::write;
    });
    return (same & po) - po * po;
}

relation same_location(const execution& graph) {
    relation result = pairs(graph, [&](std::size_t i, std::size_t j) {
        return graph.events[i].location >= 0 && graph.events[i].location == graph.events[j].location;
    });
    return result | only(graph, [](const event& each) { return each.location >= 0; });
}

// The definitions of the paper, letter by letter.
class model {
public:
    explicit model(const execution& graph)
        : po_(program_order(graph)),
          rf_(reads_from(graph)),
          mo_(coherence_order(graph)),
          rmw_(modifications(graph, po_)),
          rb_(rf_.inverse() * mo_ - relation::identity(graph.events.size())),
          eco_((rf_ | mo_ | rb_).plus()),
          hb_((po_ | synchronizes_with(graph)).plus()) {}

    [[nodiscard]] const relation& happens_before() const { return hb_; }

    [[nodiscard]] bool coherent() const { return (hb_ * eco_.maybe()).irreflexive(); }
    [[nodiscard]] bool atomic() const { return (rmw_ & rb_ * mo_).empty(); }
    [[nodiscard]] bool no_thin_air() const { return (po_ | rf_).acyclic(); }

    [[nodiscard]] bool interleaved(const axioms& wanted) const {
        return (po_ | rf_ | mo_ | from_reads(wanted)).acyclic();
    }

    [[nodiscard]] bool uniproc(const execution& graph) const {
        return ((po_ & same_location(graph)) | rf_ | mo_ | rb_).acyclic();
    }

    // uniproc and ghb: of program order a write before a read is not kept, unless a fence or a locked instruction is there.
    [[nodiscard]] bool store_buffered(const execution& graph, const axioms& wanted) const {
        const auto is = [](event_kind kind) { return [=](const event& each) { return each.kind == kind; }; };
        const relation reads = only(graph, is(event_kind::read));
        const relation writes = only(graph, is(event_kind::write));
        const relation begin = only(graph, [](const event& each) { return each.thread == initial; });
        const relation fence = only(graph, [](const event& each) {
            return each.kind == event_kind::fence && each.using_order == order::seq_cst;
        });
        const relation locked = only(graph, [](const event& each) { return each.locked; });
        const relation kept = begin * po_ | (reads | writes) * po_ * writes | reads * po_ * reads;
        const relation fenced = po_ * fence * po_ | writes * po_ * locked * reads | locked * po_ * reads;
        const relation external = pairs(
            graph, [&](std::size_t i, std::size_t j) { return graph.events[i].thread != graph.events[j].thread; });
        const relation both = mo_ | from_reads(wanted);
        const relation global = kept | (rf_ & external) | both;
        return uniproc(graph) && (wanted.fences ? global | fenced : global).acyclic();
    }

    [[nodiscard]] bool seq_cst(const execution& graph) const {
        const auto is_sc = [](const event& each) { return each.using_order == order::seq_cst; };
        const relation sc = only(graph, is_sc);
        const relation sc_fence =
            only(graph, [&](const event& each) { return is_sc(each) && each.kind == event_kind::fence; });
        const relation location = same_location(graph);
        const relation po_elsewhere = po_ - location;
        const relation scb = po_ | po_elsewhere * hb_ * po_elsewhere | (hb_ & location) | mo_ | rb_;
        const relation psc_base = (sc | sc_fence * hb_.maybe()) * scb * (sc | hb_.maybe() * sc_fence);
        const relation psc_fence = sc_fence * (hb_ | hb_ * eco_ * hb_) * sc_fence;
        return (psc_base | psc_fence).acyclic();
    }

    // [atomics.order]/4. A read-modify-write is one operation here, of the standard: its read stands for both.
    [[nodiscard]] bool single_total_order(const execution& graph, const axioms& wanted) const {
        const auto is_sc = [](const event& each) { return each.using_order == order::seq_cst; };
        const relation sc = only(graph, is_sc);
        const relation fence =
            only(graph, [&](const event& each) { return is_sc(each) && each.kind == event_kind::fence; });
        const relation sequenced = po_ - rmw_;
        const relation synchronizes = synchronizes_with(graph);
        const relation strongly = sequenced | sc * synchronizes * sc | sequenced * hb_ * sequenced;
        const relation coherence_ordered = eco_ - rmw_;
        const relation in_order = sc * (wanted.strongly ? strongly.plus() : hb_) * sc |  // First
                                  sc * coherence_ordered * sc |                          // (4.1)
                                  sc * coherence_ordered * hb_ * fence |                 // (4.2)
                                  fence * hb_ * coherence_ordered * sc |                 // (4.3)
                                  fence * hb_ * coherence_ordered * hb_ * fence;         // (4.4)
        const relation operation = rmw_.inverse() | relation::identity(graph.events.size());
        const relation of_operations = operation.inverse() * in_order * operation;
        return (of_operations - relation::identity(graph.events.size()) - rmw_ - rmw_.inverse()).acyclic();
    }

private:
    [[nodiscard]] relation from_reads(const axioms& wanted) const { return wanted.from_reads ? rb_ : rb_ - rb_; }

    [[nodiscard]] relation synchronizes_with(const execution& graph) const {
        const relation reads = only(graph, [](const event& each) { return each.kind == event_kind::read; });
        const relation writes = only(graph, [](const event& each) { return each.kind == event_kind::write; });
        const relation fences = only(graph, [](const event& each) { return each.kind == event_kind::fence; });
        const relation releasing = only(graph, [](const event& each) { return releases(each.using_order); });
        const relation acquiring = only(graph, [](const event& each) { return acquires(each.using_order); });
        const relation sequence = writes * (rf_ * rmw_).star();
        relation besides(graph.events.size());
        for (const auto& [from, to] : graph.synchronised) besides.add(from, to);
        return besides |
               releasing * (fences * po_).maybe() * sequence * rf_ * reads * (po_ * fences).maybe() * acquiring;
    }

    relation po_;
    relation rf_;
    relation mo_;
    relation rmw_;
    relation rb_;
    relation eco_;
    relation hb_;
};

}  // namespace

std::string canonical_key(const execution& graph, std::size_t threads) {
    constexpr char end = '\xff';
    std::vector<char> names;  // of each event, by its thread and its place there
    std::vector<int> lengths(threads + 1);
    for (const event& each : graph.events) {
        int& length = lengths[static_cast<std::size_t>(each.thread + 1)];
        names.push_back(static_cast<char>((each.thread + 1) * 16 + length++));
    }
    std::string key;
    for (std::size_t thread = 0; thread < threads; ++thread) {
        for (const event& each : graph.events) {
            if (each.thread != static_cast<int>(thread)) continue;
            key += each.kind == event_kind::read ? names[each.source] : '\xfe';
        }
        key += end;
    }
    for (const std::vector<std::size_t>& writes : graph.coherence) {
        for (const std::size_t each : writes) key += names[each];
        key += end;
    }
    return key;
}

bool consistent(const execution& graph, const axioms& wanted) {
    if (graph.events.size() > relation::capacity) throw std::length_error("an execution of too many events");
    const model rules(graph);
    if (wanted.model == memory_model::tso || wanted.model == memory_model::sc) {
        const bool allowed =
            wanted.model == memory_model::sc ? rules.interleaved(wanted) : rules.store_buffered(graph, wanted);
        return allowed && (!wanted.atomicity || rules.atomic());
    }
    return (!wanted.coherence || rules.coherent()) && (!wanted.atomicity || rules.atomic()) &&
           (!wanted.no_thin_air || rules.no_thin_air()) &&
           (!wanted.seq_cst || (wanted.model == memory_model::cpp20_letter ? rules.single_total_order(graph, wanted)
                                                                           : rules.seq_cst(graph)));
}

bool coherent_by_location(const execution& graph) { return model(graph).uniproc(graph); }

relation happens_before(const execution& graph) { return model(graph).happens_before(); }

}  // namespace ordeal::model_tests::rc11
