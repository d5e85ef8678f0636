// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/trace.hpp"
#include "ordeal/scenario/scenario.hpp"
#include "ordeal/symbols/names/known_objects.hpp"
#include "ordeal/symbols/names/naming_log.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::detail {

/// The source name of some bytes. Texts do not have the instance number yet: whether there is one is known only when
/// all texts are complete.
struct named_object {
    std::string text;
    bool anonymous = false;  ///< a local variable of which only the function is known
    bool counted = false;    ///< only its position in a block, and where the block was allocated, are known
    std::string origin;      ///< "allocated at queue.hpp:12"; may be empty
    std::optional<debug_types::die> type;
    std::string pointed_at;  ///< of the largest object that begins there; empty if none does
    std::vector<std::pair<std::string, debug_types::die>> beginning;  ///< all objects that begin there
};

/// The objects of one execution by their bytes, and the instances of types.
class object_names {
public:
    object_names(const naming_log& log, const scenario& what);

    [[nodiscard]] std::optional<named_object> at(memory_range where, std::uint32_t step);
    /// "&waiter", the enumerator, "null"; empty if the number needs no name. `type`: of the value, if known.
    [[nodiscard]] std::string value(std::optional<debug_types::die> type, std::uint64_t value, std::uint32_t step);

    /// Infers the object of a step whose type is unknown: a member, named in the source there, of a class whose member
    /// functions are running. From then on its object is known.
    void infer(const trace_step& step);
    /// "next_", the name on which the source calls the operation; empty if the source does not tell.
    [[nodiscard]] std::string word_for(const trace_step& step);

    /// "node (allocated at queue.hpp:12)" for each block that was never freed, if there are `count`.
    [[nodiscard]] std::vector<std::string> never_freed(std::size_t count);

    /// Escapes words of the code on trial, which may contain any byte, for number().
    [[nodiscard]] static std::string escape_markers(std::string text);
    /// Numbers the instances in the order of the texts, where several have the same name.
    void number(const std::vector<std::string*>& texts) const;

private:
    struct inferred {
        std::uintptr_t begin;
        std::size_t block;  ///< or `none`: on a stack
        debug_types::die type;
        std::string variable;  ///< its name, if it is no member
        std::string function;  ///< on a stack: the function that has it, and
        std::uintptr_t end;    ///< the end of that function's frame
    };
    struct seen_local {
        known_variable variable;
        std::uint64_t size;
        std::string function;
        std::uintptr_t end;  ///< of the function's frame
    };
    struct instance {
        std::string word;
        std::string key;
    };
    static constexpr std::size_t none = ~std::size_t{0};

    [[nodiscard]] std::size_t block_at(std::uintptr_t address, std::uint32_t step) const;
    [[nodiscard]] const block_contents& contents(std::size_t block);
    [[nodiscard]] std::string instance_of(const std::string& word, const std::string& key);
    [[nodiscard]] named_object in_object(const std::string& root, debug_types::die type, std::uint64_t offset,
                                         std::uint64_t size) const;
    [[nodiscard]] std::optional<named_object> in_scenario(memory_range where) const;
    [[nodiscard]] std::optional<named_object> in_block(std::size_t block, memory_range where, std::uint32_t step);
    [[nodiscard]] std::optional<named_object> in_frame(std::size_t block, memory_range where, std::uint32_t step);
    [[nodiscard]] std::optional<named_object> in_inferred(std::size_t block, memory_range where, std::uint32_t step);
    [[nodiscard]] std::optional<named_object> on_stack(memory_range where, std::uint32_t step, int owner);
    [[nodiscard]] std::optional<known_variable> local_variable(const running_function* in,
                                                               std::uintptr_t address) const;
    [[nodiscard]] std::optional<known_variable> seen_local_at(std::uintptr_t address, const running_function* in) const;
    void note_local(memory_range where, std::uint32_t step);
    [[nodiscard]] std::optional<named_object> in_global(memory_range where) const;
    [[nodiscard]] std::optional<named_object> in_thread_variable(const thread_variable_place& place) const;
    [[nodiscard]] std::optional<inferred> nothing_yet(memory_range where, std::uint32_t step);
    void infer_member(debug_types::die of, const std::string& name, std::uint64_t size, const inferred& unknown,
                      std::vector<inferred>& found) const;
    void infer_from(debug_types::die scope, const std::vector<std::string>& names, std::uint64_t size,
                    const inferred& unknown, std::vector<inferred>& found) const;

    const naming_log& log_;
    const scenario& what_;
    source_text sources_;
    std::optional<debug_types::die> scenario_type_;
    std::map<std::size_t, block_contents> contents_;
    std::vector<inferred> inferred_;
    std::vector<seen_local> locals_;
    std::vector<instance> instances_;
};

}  // namespace ordeal::detail
