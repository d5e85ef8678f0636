// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axioms of RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI 2017;
// with the release sequence of C++20, which a thread's own later stores no longer continue. The order of seq_cst
// operations that C++20 itself has, [atomics.order]/3 to 5. And the axioms of two stronger models: sequential
// consistency, and TSO as in Alglave, Maranget, Tautschnig, "Herding Cats", TOPLAS 2014.
#pragma once

#include "model_tests/graph/relation.hpp"

#include "ordeal/engine/memory_model.hpp"
#include "ordeal/runtime/order.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::model_tests::rc11 {

using namespace detail;

/// `other`: what only happens, as an operation of a lock does, or an access to plain data.
enum class event_kind : std::uint8_t { read, write, fence, other };

/// One event. A read-modify-write is two: a read and, next in its thread, a write; both carry its order.
struct event {
    int thread = -1;  ///< -1: an initialisation
    event_kind kind = event_kind::write;
    order using_order = order::relaxed;
    int location = -1;  ///< a fence has none
    int value = 0;
    std::size_t source = 0;  ///< a read: the number of the event that it reads from
    bool modifies = false;   ///< half of a read-modify-write
    bool locked = false;     ///< of an instruction that x86-64 makes locked
    bool compares = false;   ///< of a compare-exchange
};

/// The events of an execution, initialisations first, those of a thread in program order; and of each location the
/// coherence order of its writes, as numbers of events.
struct execution {
    std::vector<event> events;
    std::vector<std::vector<std::size_t>> coherence;
    std::vector<std::pair<std::size_t, std::size_t>> synchronised;  ///< besides: the first happens before the second
};

/// Equal for two executions of a program exactly if they are the same graph, in whichever order their threads ran.
[[nodiscard]] std::string canonical_key(const execution& graph, std::size_t threads);

/// The axioms to ask for; one that is missing shows that a comparison would notice.
struct axioms {
    memory_model model = memory_model::rc11;  ///< letter: without load buffering
    bool coherence = true;
    bool atomicity = true;
    bool seq_cst = true;
    bool no_thin_air = true;
    bool from_reads = true;  ///< of the two stronger models
    bool fences = true;      ///< of TSO
    bool strongly = true;    ///< of the letter: strongly happens before; otherwise as happens before, as in C++11
};

[[nodiscard]] bool consistent(const execution& graph, const axioms& wanted = {});

/// Whether each location by itself is sequentially consistent: uniproc of "Herding Cats".
[[nodiscard]] bool coherent_by_location(const execution& graph);

[[nodiscard]] relation happens_before(const execution& graph);

}  // namespace ordeal::model_tests::rc11
